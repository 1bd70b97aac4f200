//! What a picture shows at one moment, as plain data.

use crate::math::Vec2;

/// One moment of a scene.
#[derive(Clone, Debug, Default)]
pub struct Frame<'a> {
    /// All vertices, m, `[n]`; the bodies' elements are indices into it.
    pub positions: &'a [Vec2],
    /// Bodies, painted in this order.
    pub bodies: Vec<BodyShape<'a>>,
    /// Half-planes, painted before the bodies.
    pub planes: Vec<PlaneShape>,
    /// Simulated time, s.
    pub time: f64,
    /// Time steps done.
    pub step: usize,
    /// A name to show beside the step; may be empty.
    pub title: &'a str,
    /// What the colours of [`Fill::Values`] mean.
    pub scale: Option<ColorScale<'a>>,
}

/// One body: any of its lists may be empty, and elements with an unknown or infinite vertex are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyShape<'a> {
    /// Triangles, consistently oriented.
    pub triangles: &'a [[usize; 3]],
    /// Lines by themselves: springs and ropes.
    pub lines: &'a [[usize; 2]],
    /// Edges on the boundary of the triangles or of the regions; without either, wires.
    pub outline: &'a [[usize; 2]],
    /// Closed curves, outer ones and holes in opposite directions. What they enclose is painted.
    pub regions: &'a [Vec<usize>],
    /// Circles.
    pub disks: &'a [DiskShape],
    /// Vertices by themselves.
    pub points: &'a [usize],
    /// Its colours.
    pub fill: Fill<'a>,
}

/// A circle, with a spoke that shows how it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskShape {
    /// The vertex at its centre.
    pub center: usize,
    /// The vertex where the spoke ends.
    pub rim: usize,
    /// Radius, m.
    pub radius: f64,
}

/// How a body is coloured.
#[derive(Clone, Copy, Debug)]
pub enum Fill<'a> {
    /// One of the repeating body colours.
    Body(usize),
    /// The grey of what does not move by itself.
    Obstacle,
    /// A value per element, coloured by the frame's scale: the triangles' values first, then the lines'. A body without
    /// either has one value.
    Values(&'a [f64]),
}

impl Default for Fill<'_> {
    fn default() -> Self {
        Self::Body(0)
    }
}

/// The half-plane that is free, `normal . (x - origin) >= 0`; the other side is solid and is painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneShape {
    /// A point on the boundary, m.
    pub origin: Vec2,
    /// Direction into the free side, of any length.
    pub normal: Vec2,
    /// Whether it moves, which is told by a darker tone.
    pub moving: bool,
}

/// The range of values that the colour scale spans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorScale<'a> {
    /// Name of the quantity.
    pub label: &'a str,
    /// SI unit, to which a prefix may be set; empty for a pure number.
    pub unit: &'a str,
    /// The value of the darkest colour.
    pub min: f64,
    /// The value of the brightest colour.
    pub max: f64,
}

impl ColorScale<'_> {
    /// Where `value` lies between `min` (0) and `max` (1); the middle if the range has no width.
    pub fn fraction(&self, value: f64) -> f64 {
        if self.max > self.min {
            (value - self.min) / (self.max - self.min)
        } else {
            value * 0.0 + 0.5
        }
    }
}

/// Size and lettering of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Digits of the time after the point.
    pub time_decimals: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            time_decimals: 2,
        }
    }
}
