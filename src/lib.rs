//! ipcsim: solids that deform, collide, slide and stack, in two dimensions.

pub mod commands;
pub mod contact;
pub mod geometry;
pub mod math;
