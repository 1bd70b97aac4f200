//! Results as one HTML page that needs nothing else: no script, no other file, no network.
//!
//! Colours follow the reader's choice of a light or dark page, and print in black on white.

mod html;
mod svg;
mod text;

pub use html::page;
pub use text::{bound, error, number};
