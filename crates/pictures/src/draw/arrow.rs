//! An arrow, its colours and its widths.

use crate::canvas::Canvas;
use crate::palette::{self, Rgb};
use crate::pen::Pen;
use ipcsim_math::Vec2;

/// Colour of normal forces.
pub(super) const NORMAL: Rgb = [196, 18, 48];
/// Colour of friction.
pub(super) const FRICTION: Rgb = [0, 72, 160];
/// Colour of reactions.
pub(super) const REACTION: Rgb = palette::INK;
/// Width of the arrows of contacts, of those in a crowd, and of reactions (pixels).
pub(super) const WIDTHS: [f64; 3] = [2.2, 1.5, 3.4];
/// Shortest arrow that is drawn (pixels).
pub(super) const SHORTEST: f64 = 3.0;
/// Shortest arrow with a head (pixels), and shortest in a crowd, where lines alone show more.
const HEADED: [f64; 2] = [8.0, 18.0];
/// Length of a head (pixels), and half of its width.
pub(super) const HEAD: [f64; 2] = [10.0, 4.2];
/// Font size of labels (pixels).
pub(super) const SMALL: f64 = 15.0;

/// An arrow in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    /// Where it begins.
    pub(super) tail: Vec2,
    /// Where it ends.
    pub(super) tip: Vec2,
    /// Its colour.
    pub(super) color: Rgb,
    /// Width of its line.
    pub(super) width: f64,
    /// True if the force is larger than its length shows.
    pub(super) is_cut: bool,
}

impl Arrow {
    /// Draws the arrow on a halo, unless it is too short to be seen.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let way = self.tip - self.tail;
        let unit = canvas.unit();
        let size = way.norm();
        if size < SHORTEST * unit || size.is_nan() {
            return;
        }

        // Heads shrink with short arrows and grow with wide ones.
        let along = way / size;
        let [long, half] = HEAD.map(|side| side * unit * (self.width / WIDTHS[0]).sqrt());
        let is_thin = self.width <= WIDTHS[1];
        let has_head = size >= unit * HEADED[usize::from(is_thin)];
        let shrink = if has_head {
            (0.65 * size / long).min(1.0)
        } else {
            0.0
        };
        let neck = self.tip - along * (0.8 * long * shrink);
        let halo = Pen {
            opacity: 0.75,
            ..Pen::new(
                palette::BACKGROUND,
                self.width + if is_thin { 1.0 } else { 2.5 },
            )
        };
        canvas.segments([[self.tail, neck]], halo);
        canvas.segments([[self.tail, neck]], Pen::new(self.color, self.width));

        if !has_head {
            return;
        }
        let sides = [long * shrink, half * shrink];
        head(canvas, self.tip, along, sides, self.color);
        if self.is_cut {
            head(canvas, self.tip - along * long, along, sides, self.color);
        }
    }
}

/// Paints a head of this length and half width that ends at `tip` in the direction `along`.
pub(super) fn head(
    canvas: &mut Canvas,
    tip: Vec2,
    along: Vec2,
    [long, half]: [f64; 2],
    color: Rgb,
) {
    let across = Vec2::new(-along.y, along.x) * half;
    let back = tip - along * long;
    canvas.polygon(&[tip, back + across, back - across], color);
}
