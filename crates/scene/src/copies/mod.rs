//! From entries of a scene that stand for many bodies to one body for each.
//!
//! An entry has `copies` in rows, or a `pack` of bodies in a region. Sizes and angles are drawn from
//! distributions by the entry's seed ([`drawn`]); shapes are scaled ([`scaled`]); packed bodies find places
//! by the circles around them ([`places`]). [`apart`] then writes the scene with a body for each.
//!
//! Names and numbers of bodies are known without places, so that checks cost little.

mod apart;
mod circle;
mod count;
mod drawn;
mod places;
mod region;
mod scaled;

pub use apart::Apart;
pub(crate) use circle::area as area_of_shape;
pub(crate) use count::rough_offsets;
pub(crate) use drawn::has_radius;
