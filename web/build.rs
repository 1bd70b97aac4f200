//! Leaves the names of functions out of the module: a twelfth of what a page loads, which only traces of panics show.
//! `strip` of the profile does not reach a package for which the profile names another level of optimisation.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        println!("cargo::rustc-link-arg-cdylib=--strip-all");
    }
}
