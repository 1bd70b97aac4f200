//! Contact between points and edges: which pairs are near, when they would meet, what they cost.

pub mod broad;
pub mod ccd;
