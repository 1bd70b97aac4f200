//! ipcsim: solids that deform, collide, slide and stack, in two dimensions.
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::panic, clippy::float_cmp, reason = "a test that fails should stop at once")
)]

pub mod body;
pub mod commands;
pub mod contact;
pub mod energy;
pub mod geometry;
pub mod material;
pub mod math;
pub mod mesh;
pub mod output;
pub mod scene;
pub mod solve;
pub mod time;
