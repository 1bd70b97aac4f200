//! From entries of a scene that stand for many bodies to one body for each.
//!
//! An entry has `copies` in rows, or a `pack` of bodies in a region. Sizes and angles are drawn from
//! distributions by the entry's seed ([`drawn`]); shapes are scaled ([`scaled`]); packed bodies find places
//! by the circles around them ([`places`]). [`apart`] then writes the scene with a body for each.
//!
//! | file | question |
//! |---|---|
//! | `count.rs` | How many bodies does an entry stand for, and how are they named? |
//! | `drawn.rs` | How large is copy `k`, and how is it turned? |
//! | `circle.rs` | Which circle is around a shape? |
//! | `region.rs` | Which outline has a region? |
//! | `places.rs` | Where is each copy? |
//! | `apart.rs` | Which scene has a body for each? |
//!
//! Each number of a copy is a function of the seed, the name of the entry, the purpose and the number of the
//! copy: one more body changes none of the sizes before it.
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
