//! Arrows of forces: contact forces on both sides, reactions of supports, and their legend.
//!
//! A normal force pushes both bodies away from the point of contact: two arrows that begin there. A
//! friction force pulls them along: two opposite half arrows, each on the side of its body. A
//! reaction comes from outside, and its arrow ends at the point where it acts. Lengths are
//! proportional to forces up to a longest one, whose arrow has two heads.

use crate::{
    canvas::Canvas,
    frame::{ContactArrow, ForceArrows, ReactionArrow},
    palette::{self, Rgb},
    pen::{Anchor, Pen, TextStyle},
    view::View,
};
use ipcsim_math::Vec2;
use ipcsim_math::number;

/// Colour of normal forces.
const NORMAL: Rgb = [196, 18, 48];
/// Colour of friction.
const FRICTION: Rgb = [0, 72, 160];
/// Colour of reactions.
const REACTION: Rgb = palette::INK;
/// Width of the arrows of contacts, of those in a crowd, and of reactions (pixels).
const WIDTHS: [f64; 3] = [2.2, 1.5, 3.4];
/// Longest arrow (pixels).
const LONGEST: f64 = 150.0;
/// Shortest arrow that is drawn (pixels).
const SHORTEST: f64 = 3.0;
/// Shortest arrow with a head (pixels), and shortest in a crowd, where lines alone show more.
const HEADED: [f64; 2] = [8.0, 18.0];
/// Number of contacts from which on arrows are thin.
const CROWD: usize = 150;
/// Length of a head (pixels), and half of its width.
const HEAD: [f64; 2] = [10.0, 4.2];
/// Distance of friction's arrows from the surface (pixels).
const BESIDE: f64 = 4.5;
/// Radius of the arrow of a moment (pixels).
const TURN: f64 = 15.0;
/// Font size of labels (pixels).
const SMALL: f64 = 15.0;
/// Distance of the legend from the sides of the picture (pixels).
const MARGIN: f64 = 24.0;

/// An arrow in pixels.
struct Arrow {
    /// Where it begins.
    tail: Vec2,
    /// Where it ends.
    tip: Vec2,
    /// Its colour.
    color: Rgb,
    /// Width of its line.
    width: f64,
    /// True if the force is larger than its length shows.
    is_cut: bool,
}

/// Draws all arrows of a frame, and their legend in the lower left.
pub(super) fn draw(canvas: &mut Canvas, view: &View, forces: &ForceArrows) {
    let scale = forces.scale * canvas.unit();
    let is_crowd = forces.contacts.len() > CROWD;
    let width = if is_crowd { WIDTHS[1] } else { WIDTHS[0] };
    for contact in &forces.contacts {
        draw_contact(canvas, view, contact, scale, width);
    }
    for reaction in &forces.reactions {
        draw_reaction(canvas, view, reaction, scale);
    }
    draw_legend(canvas, view, scale);
}

/// Draws normal force and friction of a contact on both sides.
fn draw_contact(canvas: &mut Canvas, view: &View, contact: &ContactArrow, scale: f64, width: f64) {
    let at = view.pixel(contact.at);
    for side in [1.0, -1.0] {
        let (way, is_cut) = length(contact.normal * side, scale, canvas.unit());
        let arrow = Arrow {
            tail: at,
            tip: at + way,
            color: NORMAL,
            width,
            is_cut,
        };
        arrow.draw(canvas);
    }

    // Beside the surface, on the side of the body that the friction acts on.
    let outward = contact.normal.try_normalize(0.0).map(View::direction);
    for side in [1.0, -1.0] {
        let (way, is_cut) = length(contact.friction * side, scale, canvas.unit());
        let beside = at + outward.unwrap_or_default() * (side * BESIDE * canvas.unit());
        let arrow = Arrow {
            tail: beside,
            tip: beside + way,
            color: FRICTION,
            width,
            is_cut,
        };
        arrow.draw(canvas);
    }
}

/// Draws the force of a support, which ends at its point, and its moment around the point.
fn draw_reaction(canvas: &mut Canvas, view: &View, reaction: &ReactionArrow, scale: f64) {
    let at = view.pixel(reaction.at);
    let (way, is_cut) = length(reaction.force, scale, canvas.unit());
    let arrow = Arrow {
        tail: at - way,
        tip: at,
        color: REACTION,
        width: WIDTHS[2],
        is_cut,
    };
    let style = TextStyle::new(SMALL, REACTION, Anchor::Middle);
    if way.norm() >= SHORTEST * canvas.unit() {
        arrow.draw(canvas);

        // The label stands behind the tail.
        let behind = arrow.tail - way.normalize() * (14.0 * canvas.letters())
            + Vec2::new(0.0, 0.36 * SMALL * canvas.letters());
        let label = number::with_unit(reaction.force.norm(), "N");
        canvas.text(&label, behind, style);
    }

    if let Some(moment) = reaction.moment {
        draw_turn(canvas, at, moment);
        let label = number::with_unit(moment.abs(), "N m");
        let above = (TURN + 8.0) * canvas.unit();
        canvas.text(&label, at - Vec2::new(0.0, above), style);
    }
}

/// Draws three quarters of a circle with a head, in the sense of a moment.
fn draw_turn(canvas: &mut Canvas, center: Vec2, moment: f64) {
    // Ordinates of pictures point down, so a positive moment turns against the angle here.
    let sense = -moment.signum();
    let mut points = Vec::new();
    for k in 0..=24 {
        // The head is on the right, where no label is.
        let angle = 1.5 * std::f64::consts::PI * (f64::from(k) / 24.0 - 1.0);
        let (sin, cos) = (sense * angle).sin_cos();
        points.push(center + Vec2::new(cos, sin) * (TURN * canvas.unit()));
    }
    let halo = Pen {
        opacity: 0.75,
        ..Pen::new(palette::BACKGROUND, WIDTHS[0] + 3.0)
    };
    canvas.polyline(points.iter().copied(), halo);
    canvas.polyline(points.iter().copied(), Pen::new(REACTION, WIDTHS[0]));

    let last = points[points.len() - 1];
    let along = (last - points[points.len() - 3]).normalize();
    let sides = HEAD.map(|side| side * canvas.unit());
    head(
        canvas,
        last + along * (0.6 * sides[0]),
        along,
        sides,
        REACTION,
    );
}

/// Way of an arrow for a force (N) at a scale (pixels/N), and true if it is cut off, in a picture whose
/// lines have the size `unit`.
fn length(force: Vec2, scale: f64, unit: f64) -> (Vec2, bool) {
    let way = View::direction(force) * scale;
    let size = way.norm();
    let longest = LONGEST * unit;
    if size > longest {
        (way * (longest / size), true)
    } else {
        (way, false)
    }
}

impl Arrow {
    /// Draws the arrow on a halo, unless it is too short to be seen.
    fn draw(&self, canvas: &mut Canvas) {
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

/// Draws in the lower left, on a ground of its own, the meaning of the colours and an arrow of a
/// round force.
fn draw_legend(canvas: &mut Canvas, view: &View, scale: f64) {
    let letters = canvas.letters();
    let longest = LONGEST * canvas.unit();
    let force = number::round_down(0.6 * longest / scale);
    let pixels = force * scale;
    let rows = [
        (
            number::with_unit(force, "N"),
            palette::MUTED,
            pixels.clamp(0.0, longest),
        ),
        ("reaction of a support".to_owned(), REACTION, 30.0 * letters),
        ("friction on each body".to_owned(), FRICTION, 30.0 * letters),
        (
            "normal force on each body".to_owned(),
            NORMAL,
            30.0 * letters,
        ),
    ];

    // The ground, as large as the longest row.
    let small = SMALL * letters;
    let margin = MARGIN * letters;
    let line = 1.45 * small;
    let mut base = view.size().y - margin;
    let lengths = rows
        .iter()
        .map(|(label, _, pixels)| canvas.text_width(label, SMALL) + pixels);
    let right = margin + 20.0 * letters + lengths.fold(0.0, f64::max);
    let [left, low] = [margin - 10.0 * letters, base + 10.0 * letters];
    let high = base - 3.0 * line - small - 4.0 * letters;
    let corners =
        [(left, low), (right, low), (right, high), (left, high)].map(|(x, y)| Vec2::new(x, y));
    canvas.polygon(&corners, palette::BACKGROUND);
    canvas.segments(
        (0..4).map(|i| [corners[i], corners[(i + 1) % 4]]),
        Pen::new(palette::GRID, 1.2),
    );

    for (label, color, pixels) in rows {
        let tail = Vec2::new(margin, base - 0.36 * small);
        let arrow = Arrow {
            tail,
            tip: tail + Vec2::new(pixels, 0.0),
            color,
            width: WIDTHS[0],
            is_cut: false,
        };
        arrow.draw(canvas);
        let style = TextStyle::new(SMALL, palette::INK, Anchor::Left);
        canvas.text(&label, Vec2::new(arrow.tip.x + 10.0 * letters, base), style);
        base -= line;
    }
}
