//! Tests of the text of the project: which crate uses which, who names what, how pages look.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that fails should stop at once and may print"
)]

mod circles;
mod crates;
mod families;
mod floors;
mod names;
mod page;
mod project;
mod tables;
mod tuning;
mod words;
