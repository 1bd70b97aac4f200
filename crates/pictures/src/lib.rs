//! Pictures, animations and charts, drawn from plain numbers.
//!
//! A [`frame::Frame`] describes one moment: positions, bodies, half-planes, time. [`draw::draw`]
//! paints it, and [`png::encode`] or a [`gif::GifWriter`] turns the painting into bytes. A
//! [`chart::Chart`] draws curves over a common axis.
//!
//! The parts, from the outside in:
//!
//! - [`frame`] holds plain data, [`view`] maps metres to pixels.
//! - [`diagram`] has the symbols of loads, supports and joints.
//! - [`draw`] decides what is drawn where: half-planes, then bodies, then legends.
//! - [`canvas`] paints lines, areas and text with `tiny_skia`; [`raster`] fills triangles without
//!   seams.
//! - [`palette`] has all colours, [`pen`] the styles of lines and text.
//! - [`gif`] reduces a picture to a fixed table of colours and stores the changes between frames;
//!   [`apng`] keeps all colours.
//!
//! This room knows neither worlds nor files: the commands make frames of a world and write the
//! bytes. No picture depends on fonts, clocks or threads of the machine, so equal input gives equal
//! bytes.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]

pub mod apng;
pub mod canvas;
pub mod chart;
pub mod diagram;
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

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
