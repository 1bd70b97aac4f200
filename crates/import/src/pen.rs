//! A pen that draws curves under an affine map.
//!
//! Readers draw in the numbers of their file; the pen maps each place once. A curve ends where the next
//! one begins, and an empty one is left out.

use super::affine::Affine;
use super::drawing::{Drawn, Ellipse};
use ipcsim_math::Vec2;
use ipcsim_mesh::curve::Piece;

/// Curves while they are drawn, in places before the map.
pub(crate) struct Pen<'a> {
    /// Map from the numbers of the file to the drawing.
    map: Affine,
    /// Names of the curves.
    names: &'a [String],
    /// Curves that are complete.
    curves: Vec<Drawn>,
    /// The curve that is drawn.
    open: Drawn,
    /// Start of the curve that is drawn.
    start: Vec2,
    /// Where the pen is.
    pub(crate) at: Vec2,
}

impl<'a> Pen<'a> {
    /// A pen at a place.
    ///
    /// `at` is in the numbers of the file, before the map.
    pub(crate) fn new(map: Affine, names: &'a [String], at: Vec2) -> Self {
        Self {
            map,
            names,
            curves: Vec::new(),
            open: Drawn::at(map.point(at), names),
            start: at,
            at,
        }
    }

    /// Begins another curve.
    ///
    /// A curve without pieces is dropped, so that moves one after the other leave nothing.
    pub(crate) fn move_to(&mut self, to: Vec2) {
        let next = Drawn::at(self.map.point(to), self.names);
        let curve = std::mem::replace(&mut self.open, next);
        if !curve.pieces.is_empty() {
            self.curves.push(curve);
        }
        self.start = to;
        self.at = to;
    }

    /// Draws a straight line.
    pub(crate) fn line_to(&mut self, to: Vec2) {
        self.open.pieces.push(Piece::Line(self.map.point(to)));
        self.at = to;
    }

    /// Draws a cubic Bezier curve.
    /// Both controls and the end are in the numbers of the file.
    pub(crate) fn cubic_to(&mut self, controls: [Vec2; 2], to: Vec2) {
        self.open.pieces.push(Piece::Cubic {
            controls: controls.map(|x| self.map.point(x)),
            to: self.map.point(to),
        });

        self.at = to;
    }

    /// Draws a part of an ellipse from a parameter over a sweep (rad) to an end.
    ///
    /// The end is given and not computed, so that curves that meet in the file meet to the last bit.
    pub(crate) fn arc_to(&mut self, ellipse: &Ellipse, from: f64, sweep: f64, to: Vec2) {
        let mapped = self.map.ellipse(ellipse);
        let end = self.map.point(to);
        self.open.pieces.extend(mapped.pieces(from, sweep, end));
        self.at = to;
    }

    /// Draws a smooth curve through points.
    /// The first point is where the pen is, and is not repeated.
    pub(crate) fn through(&mut self, points: &[Vec2]) {
        let mapped = points.iter().map(|&x| self.map.point(x)).collect();
        self.open.pieces.push(Piece::Spline(mapped));
        self.at = points.last().copied().unwrap_or(self.at);
    }

    /// Closes the curve; the next piece begins at its start.
    ///
    /// A straight line to the start is not drawn: the curve notes that it is closed.
    pub(crate) fn close(&mut self) {
        self.open.is_closed = true;
        self.move_to(self.start);
    }

    /// All curves.
    /// Curves are in the order in which they were drawn.
    pub(crate) fn finish(mut self) -> Vec<Drawn> {
        self.move_to(self.at);
        self.curves
    }
}
