//! Pictures, animations and charts: what a run looks like.
//!
//! A [`frame::Frame`] says what there is to see, [`draw::draw`] paints it, and [`png::encode`] or a
//! [`gif::GifWriter`] turns the painting into bytes. Nothing here knows where the numbers come from, and
//! equal input gives equal bytes.

pub mod baseline;
pub mod canvas;
pub mod chart;
pub mod checkpoint;
#[cfg(test)]
mod damage;
pub mod draw;
pub mod energies;
pub mod error;
pub mod folder;
pub mod font;
pub mod frame;
pub mod gif;
pub mod journal;
mod marks;
pub mod mesh_file;
pub mod number;
pub mod palette;
pub mod pen;
pub mod picture;
pub mod png;
mod quantize;
pub mod raster;
pub mod report;
pub mod segments;
mod shrink;
pub mod trajectory;
pub mod view;
