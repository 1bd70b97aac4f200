//! What a drawing says: curves and their names, before anything is joined or chosen.
//!
//! A reader of drawings gives curves as they are in the file: open or closed, in any direction and
//! order. What they enclose is decided later, once for all formats.
//!
//! Curves are in the pieces that scenes have: lines, arcs by a point between their ends, cubic Bezier
//! curves, and smooth curves through points. Ellipses are the only other form, and become pieces
//! here.

use ipcsim_math::Vec2;
use ipcsim_math::elementary::{cos, sin, tan};
use ipcsim_mesh::curve::Piece;
use std::f64::consts::{PI, TAU};

/// Largest number of pieces and names of all curves of a drawing. Blocks and copies may repeat a curve as often as
/// they like.
pub(crate) const MOST_PIECES: usize = 2_000_000;

/// Difference of half axes, and departure from a right angle between them, up to which an ellipse is a
/// circle (1).
/// A rotation that a file writes with ten digits stays below it.
const ROUND: f64 = 1e-8;

/// Angle over which an ellipse becomes one cubic curve, which is within 4.3e-6 of the larger half axis (rad).
/// The error falls with the sixth power of the angle.
const STRETCH: f64 = TAU / 8.0;

/// A curve of a drawing, in the units of the file and with y upwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Names: its own, and the names of the groups, layers and blocks around it.
    pub names: Vec<String>,
    /// Where it begins.
    pub start: Vec2,
    /// How it goes on.
    pub pieces: Vec<Piece>,
    /// Name of each piece, if they differ from the whole.
    pub piece_names: Vec<Option<String>>,
    /// True if the file says that it ends where it begins.
    pub is_closed: bool,
    /// True if it is filled, so that a drawing program closes it.
    pub is_filled: bool,
}

/// Curves of a drawing.
///
/// Colours, widths of strokes and everything else that is only for the eye is left out. A stroke is
/// the curve in its middle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Curves in the order of the file.
    pub curves: Vec<Drawn>,
    /// Length of a unit of the file (m), if the file says it.
    pub unit: Option<f64>,
    /// True if the file counts y downwards, so that places in messages do.
    pub is_downwards: bool,
    /// What the file has besides curves, in sentences.
    pub notes: Vec<String>,
}

impl Drawn {
    /// An empty curve that begins at a place.
    ///
    /// It is open and not filled, with `names` for the whole.
    pub(crate) fn at(start: Vec2, names: &[String]) -> Self {
        Self {
            names: names.to_vec(),
            start,
            pieces: Vec::new(),
            piece_names: Vec::new(),
            is_closed: false,
            is_filled: false,
        }
    }

    /// Where it ends.
    /// Without pieces this is its start.
    pub(crate) fn end(&self) -> Vec2 {
        self.pieces
            .last()
            .map_or(self.start, |piece| piece.end(self.start))
    }

    /// Ends of the pieces, and points between them that say where a curved piece runs.
    ///
    /// The box around them has the size of the curve, but an arc may leave it by a little.
    pub(crate) fn corners(&self) -> impl Iterator<Item = Vec2> {
        let between = self.pieces.iter().flat_map(|piece| match piece {
            Piece::Line(to) => vec![*to],
            Piece::Arc { through, to } => vec![*through, *to],
            Piece::Cubic { controls, to } => vec![controls[0], controls[1], *to],
            Piece::Spline(through) => through.clone(),
        });
        std::iter::once(self.start).chain(between)
    }

    /// The same curve from its end to its start.
    ///
    /// Names of pieces are reversed with them, and places stay the same to the last bit.
    pub(crate) fn reversed(&self) -> Self {
        let mut from = self.start;
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let end = piece.end(from);
            pieces.push(match piece {
                Piece::Line(_) => Piece::Line(from),
                Piece::Arc { through, .. } => Piece::Arc {
                    through: *through,
                    to: from,
                },
                Piece::Cubic {
                    controls: [a, b], ..
                } => Piece::Cubic {
                    controls: [*b, *a],
                    to: from,
                },
                Piece::Spline(through) => {
                    let inner = through.iter().rev().skip(1).copied();
                    Piece::Spline(inner.chain([from]).collect())
                }
            });
            from = end;
        }
        pieces.reverse();
        let mut own = self.clone();
        own.start = from;
        own.pieces = pieces;
        own.piece_names.reverse();
        own
    }

    /// Moves the start, and the end of the last piece.
    ///
    /// Points between stay, so that an arc changes its radius a little.
    pub(crate) fn with_ends(mut self, start: Vec2, end: Vec2) -> Self {
        self.start = start;
        match self.pieces.last_mut() {
            Some(Piece::Line(to) | Piece::Arc { to, .. } | Piece::Cubic { to, .. }) => *to = end,
            Some(Piece::Spline(through)) => {
                if let Some(last) = through.last_mut() {
                    *last = end;
                }
            }
            None => {}
        }
        self
    }
}

/// An ellipse: the points `center + u cos t + v sin t`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ellipse {
    /// Its centre.
    pub(crate) center: Vec2,
    /// From the centre to the point at `t = 0`.
    pub(crate) u: Vec2,
    /// From the centre to the point at a quarter.
    pub(crate) v: Vec2,
}

impl Ellipse {
    /// A circle.
    ///
    /// It begins to the right of its centre, and runs counter-clockwise.
    pub(crate) fn circle(center: Vec2, radius: f64) -> Self {
        Self {
            center,
            u: Vec2::new(radius, 0.0),
            v: Vec2::new(0.0, radius),
        }
    }

    /// Point at a parameter (rad).
    /// For a circle `t` is the angle.
    pub(crate) fn point(&self, t: f64) -> Vec2 {
        self.center + self.u * cos(t) + self.v * sin(t)
    }

    /// True if it is a circle.
    ///
    /// The half axes must have the same length and a right angle between them, within 1e-8.
    fn is_round(&self) -> bool {
        let [u, v] = [self.u.norm(), self.v.norm()];
        (u - v).abs() <= ROUND * u && self.u.dot(&self.v).abs() <= ROUND * u * v
    }

    /// Pieces from a parameter over a sweep (rad) to an end: arcs of a circle as they are, others as
    /// cubic curves.
    ///
    /// The end is given, so that the last piece meets the next curve to the last bit. An arc of a
    /// circle has at most half a turn. The controls of a cubic curve over the angle `s` are on the
    /// tangents at its ends, at the share `4/3 tan(s/4)` of the half axes.
    pub(crate) fn pieces(&self, from: f64, sweep: f64, end: Vec2) -> Vec<Piece> {
        // Arcs of a circle are exact.
        let is_round = self.is_round();
        let most = if is_round { PI } else { STRETCH };
        // A sweep is a whole turn at most, whose eighths are the shortest pieces.
        let count = (1..16).find(|&count| sweep.abs() <= most * f64::from(count) * (1.0 + 1e-12));
        let count = count.unwrap_or(16);
        let step = sweep / f64::from(count);
        let mut pieces = Vec::new();
        for k in 0..count {
            let t = from + step * f64::from(k);
            let to = if k + 1 < count {
                self.point(t + step)
            } else {
                end
            };
            if is_round {
                let through = self.point(t + 0.5 * step);
                pieces.push(Piece::Arc { through, to });
                continue;
            }
            // Controls along the tangents, so that the middle is on the ellipse.
            let reach = 4.0 / 3.0 * tan(step / 4.0);
            let tangent = |t: f64| (self.v * cos(t) - self.u * sin(t)) * reach;
            let controls = [self.point(t) + tangent(t), to - tangent(t + step)];
            pieces.push(Piece::Cubic { controls, to });
        }
        pieces
    }

    /// The whole ellipse as a closed curve.
    ///
    /// It begins and ends at the parameter 0.
    pub(crate) fn whole(&self, names: &[String]) -> Drawn {
        let start = self.point(0.0);
        Drawn {
            pieces: self.pieces(0.0, TAU, start),
            is_closed: true,
            ..Drawn::at(start, names)
        }
    }
}
