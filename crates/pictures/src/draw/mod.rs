//! Draws a frame: half-planes, then bodies, then paths of points, then symbols of loads and supports, then arrows of
//! forces, then legends.
//!
//! The positions of all vertices are mapped to pixels once; each layer then reads them by index.
//! Layers are painted in a fixed order, so bodies cover the half-planes that they rest on, and
//! legends stay legible over everything.

mod arrow;
mod axis;
mod bodies;
mod cell;
mod diagram;
mod force_legend;
mod forces;
mod legend;
mod planes;
mod traces;

use tiny_skia::Pixmap;

use super::{
    canvas::Canvas,
    error::PictureError,
    frame::{Frame, Style},
    view::View,
};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Draws `frame` so that the rectangle `world` (m) fits into the picture.
///
/// Parts outside the rectangle are shown as far as the picture reaches.
///
/// # Errors
/// [`PictureError::Size`] if the style asks for a side of zero or more than 16384 pixels;
/// [`PictureError::Font`] if the bundled font cannot be read.
pub fn draw(frame: &Frame<'_>, world: &Aabb, style: &Style) -> Result<Pixmap, PictureError> {
    let mut canvas = Canvas::new(style.width, style.height)?;
    if style.transparent {
        canvas = canvas.cleared();
    }
    canvas.resize(style.unit);
    let view = View::fit(world, style.width, style.height);
    let points: Vec<Vec2> = frame.positions.iter().map(|&p| view.pixel(p)).collect();

    if frame.has_axis {
        axis::draw(&mut canvas, &view);
    }
    for plane in &frame.planes {
        planes::draw(&mut canvas, &view, plane);
    }
    for body in &frame.bodies {
        bodies::draw(&mut canvas, &view, &points, body, frame.scale.as_ref());
    }

    cell::draw(&mut canvas, &view, &frame.cell);
    for trace in frame.traces {
        traces::draw(&mut canvas, &view, trace);
    }

    if let Some(symbols) = frame.diagram {
        // Symbols have a size of their own.
        canvas.resize(1.0);
        diagram::draw(&mut canvas, &view, symbols);
        canvas.resize(style.unit);
    }
    if let Some(arrows) = frame.forces {
        forces::draw(&mut canvas, &view, arrows);
    }
    if style.labels {
        legend::draw(&mut canvas, &view, frame, style);
    }
    Ok(canvas.finish())
}

#[cfg(test)]
mod tests;
