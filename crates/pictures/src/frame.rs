//! Contents of a picture at one moment, as plain data.
//!
//! A [`Frame`] borrows positions and topology from the caller and owns only the lists of bodies and
//! half-planes. Every element is an index into [`Frame::positions`]. An index that is out of range,
//! or a position that is not finite, drops the element and not the picture.

use super::{
    diagram::Diagram,
    palette::{Palette, Rgb},
};
use ipcsim_math::Vec2;

/// One moment of a scene: all that [`draw`](super::draw::draw) paints.
#[derive(Clone, Debug, Default)]
pub struct Frame<'a> {
    /// Positions of all vertices (m), `[vertices]`; elements of bodies are indices into it.
    pub positions: &'a [Vec2],
    /// Bodies, painted in this order.
    pub bodies: Vec<BodyShape<'a>>,
    /// Half-planes, painted before the bodies.
    pub planes: Vec<PlaneShape>,
    /// True if the axis x = 0 of bodies of revolution is drawn.
    pub has_axis: bool,
    /// Sides of the cell of a scene that repeats (m); none otherwise.
    pub cell: Vec<[Vec2; 2]>,
    /// Simulated time (s).
    pub time: f64,
    /// Number of time steps done.
    pub step: usize,
    /// Title shown beside the step; may be empty.
    pub title: &'a str,
    /// Scale of the colours of [`Fill::Values`].
    pub scale: Option<ColorScale<'a>>,
    /// Least and largest value, which stand below the bar of colours.
    pub extremes: Option<Extremes>,
    /// Symbols of loads, supports and joints, drawn over the bodies.
    pub diagram: Option<&'a Diagram>,
    /// Arrows of forces, drawn over everything else.
    pub forces: Option<&'a ForceArrows>,
    /// Paths of points, drawn over the bodies.
    pub traces: &'a [Trace],
}

/// Path of a point up to the present moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Places (m) in the order of time; the last is the present one.
    pub places: Vec<Vec2>,
    /// Colour of the path.
    pub color: Rgb,
}

/// Arrows of the forces of one moment, or their network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceArrows {
    /// Forces at contacts.
    pub contacts: Vec<ContactArrow>,
    /// Forces of supports.
    pub reactions: Vec<ReactionArrow>,
    /// Lines between bodies in contact: the network of forces.
    pub links: Vec<ForceLink>,
    /// How long and wide all of them are.
    pub legend: ForceLegend,
}

/// How forces become lengths and widths, the same in all frames of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLegend {
    /// Scale of the arrows (pixels of a picture of 1280 x 720, over N).
    pub scale: f64,
    /// Largest length of an arrow (pixels of such a picture).
    pub longest: f64,
    /// Scale of the widths of links (pixels of such a picture, over N); 0 where there are none.
    pub width: f64,
    /// True if some arrows of the run are longer than the largest length.
    pub has_cut: bool,
    /// Corner of the picture in which the legend stands.
    pub corner: Corner,
}

impl Default for ForceLegend {
    fn default() -> Self {
        Self {
            scale: 1.0,
            longest: 150.0,
            width: 0.0,
            has_cut: false,
            corner: Corner::default(),
        }
    }
}

/// A corner of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corner {
    /// Lower left.
    #[default]
    LowerLeft,
    /// Upper left, below the title.
    UpperLeft,
    /// Upper right, below the bar of colours.
    UpperRight,
    /// Lower right, above the bar of length.
    LowerRight,
}

impl Corner {
    /// All corners, the usual one first.
    pub const ALL: [Self; 4] = [
        Self::LowerLeft,
        Self::UpperLeft,
        Self::UpperRight,
        Self::LowerRight,
    ];

    /// Upper left corner (pixels) of a box of a size in this corner of a picture, beyond the title,
    /// the bar of colours and the bar of length, with letters of this size over those of a picture of
    /// 1280 x 720 pixels.
    pub fn place(self, picture: Vec2, size: Vec2, letters: f64) -> Vec2 {
        const MARGIN: f64 = 14.0;
        const OTHERS: [f64; 3] = [88.0, 106.0, 66.0];
        let margin = MARGIN * letters;
        let [title, colors, length] = OTHERS.map(|height| height * letters);
        let right = picture.x - margin - size.x;
        match self {
            Self::LowerLeft => Vec2::new(margin, picture.y - margin - size.y),
            Self::LowerRight => Vec2::new(right, picture.y - length - size.y),
            Self::UpperLeft => Vec2::new(margin, title),
            Self::UpperRight => Vec2::new(right, colors),
        }
    }
}

/// A line of the network of forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLink {
    /// Ends of the line (m): centres of bodies, or the place of contact of an obstacle.
    pub ends: [Vec2; 2],
    /// Size of the normal force (N).
    pub force: f64,
}

/// Forces at a contact, on the first body; the second feels the opposite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactArrow {
    /// Point of contact (m).
    pub at: Vec2,
    /// Normal force (N).
    pub normal: Vec2,
    /// Friction force (N).
    pub friction: Vec2,
}

/// Force and moment of a support.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReactionArrow {
    /// Point where the support acts (m).
    pub at: Vec2,
    /// Force (N).
    pub force: Vec2,
    /// Moment (N m), if it is shown.
    pub moment: Option<f64>,
}

/// One body. Any list may be empty; elements with an unknown or infinite vertex are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyShape<'a> {
    /// Triangles, consistently oriented.
    pub triangles: &'a [[usize; 3]],
    /// Single lines between two vertices: springs and ropes.
    pub lines: &'a [[usize; 2]],
    /// Edges on the boundary of the triangles or of the regions; without either, wires.
    pub outline: &'a [[usize; 2]],
    /// Thickness of the outline of a rod (m); 0 for other bodies.
    pub thickness: f64,
    /// Closed curves whose inside is painted; holes run in the opposite direction.
    pub regions: &'a [Vec<usize>],
    /// Circles of the body, each with a spoke.
    pub disks: &'a [DiskShape],
    /// Single vertices, painted as dots.
    pub points: &'a [usize],
    /// Colours of the body: one tone, or a value per element.
    pub fill: Fill<'a>,
}

/// A circle, with a spoke that shows how it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskShape {
    /// Vertex at the centre.
    pub center: usize,
    /// Vertex where the spoke ends.
    pub rim: usize,
    /// Radius of the circle (m).
    pub radius: f64,
}

/// Colouring of a body.
#[derive(Clone, Copy, Debug)]
pub enum Fill<'a> {
    /// One of the repeating body colours.
    Body(usize),
    /// A colour of one's own; areas and outlines are tones of it.
    Own(Rgb),
    /// Grey, for obstacles.
    Obstacle,
    /// A value per element, coloured by the frame's scale: first the triangles, then the lines. A
    /// body without either has one value.
    Values(&'a [f64]),
    /// A value per vertex of the frame, linear in each triangle, for a body of triangles.
    Nodes(&'a [f64]),
}

impl Default for Fill<'_> {
    fn default() -> Self {
        Self::Body(0)
    }
}

/// A half-plane: `normal . (x - origin) >= 0` is free, and the other side is solid and painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneShape {
    /// A point on the boundary (m).
    pub origin: Vec2,
    /// Direction into the free side, of any length.
    pub normal: Vec2,
    /// True if the half-plane moves; it gets a darker tone.
    pub moving: bool,
}

/// Range of values that the colours span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorScale<'a> {
    /// Name of the quantity.
    pub label: &'a str,
    /// SI unit, which may get a prefix; empty for a pure number.
    pub unit: &'a str,
    /// Value of the darkest colour.
    pub min: f64,
    /// Value of the brightest colour.
    pub max: f64,
    /// True if colours follow the logarithm of the value; then `min` is positive.
    pub is_log: bool,
    /// True if there are values below `min`, and if there are some above `max`; the bar shows that by a
    /// tip at that end.
    pub beyond: [bool; 2],
    /// Colours of the values.
    pub palette: Palette,
    /// True if the place of the largest value of a picture is marked.
    pub marks_largest: bool,
}

/// Least and largest value of one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// Least value.
    pub least: f64,
    /// Largest value.
    pub largest: f64,
    /// Place of the largest value (m).
    pub at: Vec2,
}

impl ColorScale<'_> {
    /// Place of `value` in the range: 0 at `min`, 1 at `max`, beyond them outside 0..1. On a
    /// logarithmic scale it is `ln(value / min) / ln(max / min)`, and 0 for values that have no
    /// logarithm.
    ///
    /// If the range has no width, it is 1/2 for every finite value. It is NaN for a NaN.
    pub fn fraction(&self, value: f64) -> f64 {
        if self.is_log && self.min > 0.0 && self.max > self.min {
            let ratio = (value / self.min).ln() / (self.max / self.min).ln();
            if value <= 0.0 { 0.0 } else { ratio }
        } else if self.max > self.min {
            (value - self.min) / (self.max - self.min)
        } else {
            // A value that is not finite gives NaN, also in a range without width.
            value * 0.0 + 0.5
        }
    }

    /// Colour of a value.
    pub fn color(&self, value: f64) -> Rgb {
        self.palette.color(self.fraction(value))
    }
}

/// Size and lettering of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Width of the picture (pixels).
    pub width: u32,
    /// Height of the picture (pixels).
    pub height: u32,
    /// Number of decimals of the time.
    pub time_decimals: usize,
    /// Size of lines and letters over their size in a picture of 1280 x 720 pixels (1).
    pub unit: f64,
    /// True if time, title, scale bar and colour bar are drawn.
    pub labels: bool,
    /// True if nothing is painted behind the bodies.
    pub transparent: bool,
}

impl Style {
    /// Style of a picture of `width` x `height` pixels: lines and letters grow with the shorter side, in
    /// proportion to 1280 x 720. Pictures with a side below 120 pixels have no labels, for which they
    /// have no room.
    pub fn of_size(width: u32, height: u32) -> Self {
        let unit = (f64::from(width) / 1280.0).min(f64::from(height) / 720.0);
        Self {
            width,
            height,
            time_decimals: 2,
            unit: unit.max(0.4),
            labels: width.min(height) >= 120,
            transparent: false,
        }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::of_size(1280, 720)
    }
}
