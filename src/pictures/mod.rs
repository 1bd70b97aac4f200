//! Pictures, animations and charts, drawn from plain numbers.
//!
//! A [`frame::Frame`] describes one moment, [`draw::draw`] paints it, and [`png::encode`] or a
//! [`gif::GifWriter`] turns the painting into bytes; a [`chart::Chart`] draws curves over time. This
//! room knows neither worlds nor files; the commands make frames of a world. Equal input gives equal
//! bytes.

pub mod canvas;
pub mod chart;
pub mod draw;
pub mod error;
mod font;
pub mod frame;
pub mod gif;
pub mod marks;
pub mod palette;
pub mod pen;
pub mod png;
mod quantize;
pub mod raster;
mod shrink;
pub mod view;
