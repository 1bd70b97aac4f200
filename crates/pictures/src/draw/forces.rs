//! Arrows of forces: contact forces on both sides, reactions of supports, and their legend.
//!
//! A normal force pushes both bodies away from the point of contact: two arrows that begin there. A
//! friction force pulls them along: two opposite half arrows, each on the side of its body. A
//! reaction comes from outside, and its arrow ends at the point where it acts. Lengths are
//! proportional to forces up to a longest one, whose arrow has two heads. The network of forces has
//! a line between bodies in contact instead, as wide as their force.

use super::arrow::{Arrow, FRICTION, HEAD, NORMAL, REACTION, SHORTEST, SMALL, WIDTHS, head};
use super::force_legend;
use crate::{
    canvas::Canvas,
    frame::{ContactArrow, ForceArrows, ForceLink, ReactionArrow},
    palette,
    pen::{Anchor, Pen, TextStyle},
    view::View,
};
use ipcsim_math::Vec2;
use ipcsim_math::number;

/// Number of contacts from which on arrows are thin.
const CROWD: usize = 150;
/// Distance of friction's arrows from the surface (pixels).
const BESIDE: f64 = 4.5;
/// Radius of the arrow of a moment (pixels).
const TURN: f64 = 15.0;
/// Share of a force times the size of the picture below which a moment is rounding (1).
const ROUNDING: f64 = 1e-6;
/// Widest line of the network of forces, and narrowest (pixels).
const WIDEST: [f64; 2] = [24.0, 0.8];

/// What arrows of a frame are drawn with.
struct Arrows<'a, 'b> {
    /// Where they are painted.
    canvas: &'a mut Canvas,
    /// Map from metres to pixels.
    view: &'b View,
    /// Scale (pixels/N).
    scale: f64,
    /// Largest length (pixels).
    longest: f64,
    /// Moment above which moments are more than rounding (N m).
    least_moment: f64,
    /// True once an arrow is shorter than its force.
    has_cut: bool,
}

/// Draws all arrows of a frame, and their legend.
pub(super) fn draw(canvas: &mut Canvas, view: &View, forces: &ForceArrows) {
    let unit = canvas.unit();
    let scale = forces.legend.scale * unit;
    for link in &forces.links {
        draw_link(canvas, view, link, forces.legend.width * unit);
    }

    let is_crowd = forces.contacts.len() > CROWD;
    let width = if is_crowd { WIDTHS[1] } else { WIDTHS[0] };
    let mut arrows = Arrows {
        scale,
        longest: forces.legend.longest * unit,
        least_moment: least_moment(view, forces),
        has_cut: forces.legend.has_cut,
        canvas,
        view,
    };
    for contact in &forces.contacts {
        arrows.contact(contact, width);
    }
    for reaction in &forces.reactions {
        arrows.reaction(reaction);
    }
    let has_cut = arrows.has_cut;
    force_legend::draw(canvas, view, &forces.legend, has_cut);
}

/// Moment above which moments of a frame are more than rounding (N m).
fn least_moment(view: &View, forces: &ForceArrows) -> f64 {
    let reactions = forces.reactions.iter();
    // A force at the other end of the picture has the largest moment that matters.
    let force = reactions.clone().map(|one| one.force.norm());
    let force = force.chain(forces.contacts.iter().map(|one| one.normal.norm()));
    let moment = reactions.map(|one| one.moment.unwrap_or_default().abs());
    let size = view.size().norm() / view.scale();
    ROUNDING
        * force
            .fold(0.0, f64::max)
            .mul_add(size, moment.fold(0.0, f64::max))
}

/// Draws a line of the network of forces, whose width is the force at a scale (pixels/N).
fn draw_link(canvas: &mut Canvas, view: &View, link: &ForceLink, scale: f64) {
    let [widest, narrowest] = WIDEST;
    // Pens are in units of the picture.
    let width = (link.force * scale / canvas.unit()).min(widest);
    if width > 0.0 {
        let line = link.ends.map(|end| view.pixel(end));
        canvas.segments([line], Pen::new(NORMAL, width.max(narrowest)));
    }
}

impl Arrows<'_, '_> {
    /// Draws normal force and friction of a contact on both sides.
    fn contact(&mut self, contact: &ContactArrow, width: f64) {
        let at = self.view.pixel(contact.at);
        for side in [1.0, -1.0] {
            let (way, is_cut) = self.length(contact.normal * side);
            self.arrow(Arrow {
                tail: at,
                tip: at + way,
                color: NORMAL,
                width,
                is_cut,
            });
        }

        // Next to the surface, on the side of the body that the friction acts on.
        let outward = contact.normal.try_normalize(0.0).map(View::direction);
        for side in [1.0, -1.0] {
            let (way, is_cut) = self.length(contact.friction * side);
            let gap = side * BESIDE * self.canvas.unit();
            let next_to = at + outward.unwrap_or_default() * gap;
            self.arrow(Arrow {
                tail: next_to,
                tip: next_to + way,
                color: FRICTION,
                width,
                is_cut,
            });
        }
    }

    /// Draws the force of a support, which ends at its point, and its moment around the point.
    fn reaction(&mut self, reaction: &ReactionArrow) {
        let at = self.view.pixel(reaction.at);
        let (way, is_cut) = self.length(reaction.force);
        let unit = self.canvas.unit();
        if way.norm() >= SHORTEST * unit {
            let away = -way.normalize();
            let length = self.room(at, away, way.norm());
            let arrow = Arrow {
                tail: at + away * length,
                tip: at,
                color: REACTION,
                width: WIDTHS[2],
                is_cut: is_cut || length < way.norm(),
            };
            let tail = arrow.tail;
            self.arrow(arrow);

            // The label stands behind the tail.
            let label = number::with_unit(reaction.force.norm(), "N");
            self.label(&label, tail, away);
        }

        let moment = reaction.moment.filter(|m| m.abs() > self.least_moment);
        if let Some(moment) = moment {
            draw_turn(self.canvas, at, moment);
            let label = number::with_unit(moment.abs(), "N m");
            self.label(&label, at - Vec2::new(0.0, TURN * unit), -Vec2::y());
        }
    }

    /// Length (pixels) up to `length` of an arrow from a point along a direction within which its
    /// end and its label are in the picture; all of it if the point itself is near the border.
    fn room(&self, at: Vec2, away: Vec2, length: f64) -> f64 {
        let inset = 2.0 * SMALL * self.canvas.letters();
        let size = self.view.size();
        // As far as the nearest border that the direction leads to.
        let mut free = length;
        for axis in 0..2 {
            let border = if away[axis] > 0.0 {
                size[axis] - inset - at[axis]
            } else {
                at[axis] - inset
            };
            if away[axis].abs() > 1e-9 {
                free = free.min(border / away[axis].abs());
            }
        }
        if free < 1.5 * SMALL * self.canvas.letters() {
            length
        } else {
            free
        }
    }

    /// Writes a label away from a point along a direction, beyond the point and within the picture.
    fn label(&mut self, label: &str, at: Vec2, away: Vec2) {
        let letters = self.canvas.letters();
        let half = Vec2::new(
            0.5 * self.canvas.text_width(label, SMALL) + 4.0 * letters,
            0.5 * SMALL * letters + 4.0 * letters,
        );
        let reach = (half.x * away.x.abs()).max(half.y * away.y.abs()) + 2.0 * letters;
        let place = at + away * reach;

        // Arrows that are elsewhere have no label.
        let size = self.view.size();
        if (0..2).any(|axis| place[axis] < -half.x || place[axis] > size[axis] + half.x) {
            return;
        }
        let inside = Vec2::new(
            place.x.min(size.x - half.x).max(half.x),
            place.y.min(size.y - half.y).max(half.y),
        );
        let base = inside + Vec2::new(0.0, 0.36 * SMALL * letters);
        let style = TextStyle::new(SMALL, REACTION, Anchor::Middle);
        self.canvas.text(label, base, style);
    }

    /// Way of an arrow for a force (N), and true if it is cut off.
    fn length(&self, force: Vec2) -> (Vec2, bool) {
        let way = View::direction(force) * self.scale;
        let size = way.norm();
        if size > self.longest {
            (way * (self.longest / size), true)
        } else {
            (way, false)
        }
    }

    /// Draws an arrow.
    fn arrow(&mut self, arrow: Arrow) {
        self.has_cut |= arrow.is_cut;
        arrow.draw(self.canvas);
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
