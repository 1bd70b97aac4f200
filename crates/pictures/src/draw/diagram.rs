//! Symbols of loads, supports and joints, as lines beside the bodies.

mod joints;

use super::arrow::head;
use crate::{
    canvas::Canvas,
    diagram::{Diagram, Symbol, Tooth},
    palette::{self, Rgb},
    pen::{Anchor, Pen, TextStyle},
    view::View,
};
use ipcsim_math::{Vec2, perp};
use std::f64::consts::PI;

/// Colour of loads.
const LOAD: Rgb = [150, 0, 120];
/// Colour of supports and joints.
const SUPPORT: Rgb = palette::INK;
/// Height of the picture (pixels) for which the lengths below hold.
const HEIGHT: f64 = 720.0;
/// Longest arrow of a force, and of a comb (pixels).
const LONGEST: [f64; 2] = [64.0, 36.0];
/// Shortest arrow that is drawn (pixels).
const SHORTEST: f64 = 4.0;
/// Smallest distance of the arrows of a comb, and of the symbols of supports (pixels).
const APART: [f64; 2] = [13.0, 20.0];
/// Length of a head, and half of its width (pixels).
const HEAD: [f64; 2] = [9.0, 3.8];
/// Height of the triangle of a support (pixels).
const TRIANGLE: f64 = 12.0;
/// Height of the triangle of a joint on the ground (pixels): beyond the arrow of a motor.
const GROUND: f64 = 19.0;
/// Radius of the arrow of a torque (pixels).
const TURN: f64 = 20.0;
/// Radius of a hinge (pixels).
const HINGE: f64 = 5.0;
/// Font size of names (pixels).
const SMALL: f64 = 15.0;
/// Smallest font size of names (pixels).
const LEAST: f64 = 11.0;

/// Canvas with the size of symbols.
struct Sketch<'a, 'b> {
    /// Where symbols are painted.
    canvas: &'a mut Canvas,
    /// Map from metres to pixels.
    view: &'b View,
    /// Size of symbols over their size in a picture of the usual height (1).
    size: f64,
}

/// Draws the symbols of a diagram: supports first, then loads over them.
pub(super) fn draw(canvas: &mut Canvas, view: &View, diagram: &Diagram) {
    let side = view.size().x.min(view.size().y);
    let mut sketch = Sketch {
        canvas,
        view,
        size: side / HEIGHT,
    };

    for symbol in &diagram.symbols {
        match symbol {
            Symbol::Force { tooth, label } => sketch.force(tooth, label),
            Symbol::Comb { teeth, label } => sketch.comb(teeth, label),
            Symbol::Turn { at, share, label } => sketch.turn(*at, *share, label),
            Symbol::Support { at, outward, axes } => {
                sketch.support(at, *outward, *axes == [true; 2], TRIANGLE);
            }
            Symbol::Ground { at, outward } => sketch.support(at, *outward, true, GROUND),
            Symbol::Hinge(at) => sketch.hinge(*at),
            Symbol::Rod(ends) => sketch.rod(*ends),
            joint => joints::draw(&mut sketch, joint),
        }
    }
}

impl Sketch<'_, '_> {
    /// Draws lines in a colour on a halo, so that they are seen on any ground.
    fn lines(&mut self, points: &[Vec2], color: Rgb, width: f64) {
        let halo = Pen {
            opacity: 0.75,
            ..Pen::new(palette::BACKGROUND, (width + 2.0) * self.size)
        };
        self.canvas.polyline(points.iter().copied(), halo);
        let pen = Pen::new(color, width * self.size);
        self.canvas.polyline(points.iter().copied(), pen);
    }

    /// Draws a name with its middle at a point (pixels), moved away from the point along a
    /// direction.
    fn name(&mut self, label: &str, at: Vec2, away: Vec2) {
        let size = (SMALL * self.size).max(LEAST);
        let width = self.canvas.text_width(label, size);
        let gap = Vec2::new(away.x * (0.5 * width + 0.5 * size), away.y * size);
        let style = TextStyle::new(size, LOAD, Anchor::Middle);
        self.canvas
            .text(label, at + gap + Vec2::new(0.0, 0.36 * size), style);
    }

    /// Tail and tip (pixels) of an arrow that is at most so long; `None` if it is too short to be
    /// seen.
    fn ends(&self, tooth: &Tooth, longest: f64) -> Option<[Vec2; 2]> {
        let way = View::direction(tooth.way) * (longest * self.size);
        let at = self.view.pixel(tooth.at);
        let is_seen = way.norm() >= SHORTEST * self.size && (at + way).norm().is_finite();
        is_seen.then_some(if tooth.pushes {
            [at - way, at]
        } else {
            [at, at + way]
        })
    }

    /// Draws an arrow.
    fn arrow(&mut self, [tail, tip]: [Vec2; 2], width: f64) {
        let way = tip - tail;
        let along = way.normalize();
        let sides = HEAD.map(|side| side * self.size * (width / 2.0).sqrt());
        let shrink = (0.65 * way.norm() / sides[0]).min(1.0);
        let [long, half] = sides.map(|side| side * shrink);
        self.lines(&[tail, tip - along * (0.8 * long)], LOAD, width);
        head(self.canvas, tip, along, [long, half], LOAD);
    }

    /// Draws a force with its name at the end that is away from the body.
    fn force(&mut self, tooth: &Tooth, label: &str) {
        let Some([tail, tip]) = self.ends(tooth, LONGEST[0]) else {
            return;
        };
        self.arrow([tail, tip], 2.6);
        let away = (tip - tail).normalize();
        if tooth.pushes {
            self.name(label, tail, -away);
        } else {
            self.name(label, tip, away);
        }
    }

    /// Draws a comb of arrows, not too many, with the line that joins their free ends.
    fn comb(&mut self, teeth: &[Tooth], label: &str) {
        let mut last: Option<Vec2> = None;
        let mut back: Vec<Vec2> = Vec::new();
        let mut longest: Option<(f64, Vec2, Vec2)> = None;
        for tooth in teeth {
            let Some([tail, tip]) = self.ends(tooth, LONGEST[1]) else {
                // An arrow that is too short to be seen interrupts the line of the comb.
                self.join(&mut back);
                continue;
            };
            let at = self.view.pixel(tooth.at);
            let free = if tooth.pushes { tail } else { tip };
            // Denser arrows would run into each other.
            let is_near = |last: Vec2| (last - at).norm() < APART[0] * self.size;
            if last.is_some_and(is_near) {
                continue;
            }

            // A gap in the edges is a gap in the comb.
            let is_far = |last: Vec2| (last - at).norm() > 8.0 * APART[0] * self.size;
            if last.is_some_and(is_far) {
                self.join(&mut back);
            }

            self.arrow([tail, tip], 1.4);
            back.push(free);
            last = Some(at);
            let length = (free - at).norm();
            if longest.is_none_or(|(most, ..)| length > most) {
                longest = Some((length, free, (free - at) / length));
            }
        }
        self.join(&mut back);
        if let Some((_, free, away)) = longest {
            self.name(label, free, away);
        }
    }

    /// Draws the line through the free ends of arrows, and forgets them.
    fn join(&mut self, back: &mut Vec<Vec2>) {
        if back.len() > 1 {
            self.lines(back, LOAD, 1.4);
        }
        back.clear();
    }

    /// Draws a torque.
    fn turn(&mut self, at: Vec2, share: f64, label: &str) {
        let radius = TURN * self.size * (0.5 + 0.5 * share.abs());
        let center = self.view.pixel(at);
        if share == 0.0 || !center.norm().is_finite() {
            return;
        }

        // Ordinates of pictures point down.
        let sense = -share.signum();
        let mut points = Vec::new();
        for k in 0..=24 {
            let angle = 1.5 * PI * (f64::from(k) / 24.0 - 1.0);
            let (sin, cos) = (sense * angle).sin_cos();
            points.push(center + Vec2::new(cos, sin) * radius);
        }

        self.lines(&points, LOAD, 2.2);
        let tip = points[points.len() - 1];
        let along = (tip - points[points.len() - 3]).normalize();
        let sides = HEAD.map(|side| side * self.size);
        head(
            self.canvas,
            tip + along * (0.6 * sides[0]),
            along,
            sides,
            LOAD,
        );
        self.name(label, center - Vec2::new(0.0, radius), Vec2::new(0.0, -1.0));
    }

    /// Draws a support at some of its points: a triangle of a height (pixels) whose tip is at the point,
    /// on hatched ground where it is fixed, else on rollers.
    fn support(&mut self, at: &[Vec2], outward: Vec2, is_fixed: bool, height: f64) {
        let mut drawn: Vec<Vec2> = Vec::new();
        let away = View::direction(outward).normalize();
        for &point in at {
            let tip = self.view.pixel(point);
            let is_near = |other: &Vec2| (other - tip).norm() < APART[1] * self.size;
            if !tip.norm().is_finite() || drawn.iter().any(is_near) {
                continue;
            }
            drawn.push(tip);
            self.triangle(tip, away, is_fixed, height * self.size);
        }
    }

    /// Draws a triangle of a height (pixels) with its tip at a point (pixels), on hatches or on rollers.
    fn triangle(&mut self, tip: Vec2, away: Vec2, is_fixed: bool, height: f64) {
        let across = perp(away) * (0.6 * height);
        let foot = tip + away * height;
        self.lines(
            &[foot + across, tip, foot - across, foot + across],
            SUPPORT,
            1.6,
        );

        let ground = if is_fixed {
            foot
        } else {
            let radius = 0.2 * height;
            for side in [-0.5, 0.5] {
                let center = foot + away * radius + across * side;
                let pen = Pen::new(SUPPORT, 1.4 * self.size);
                self.canvas.ring(center, radius, pen);
            }
            foot + away * (2.0 * radius)
        };

        self.lines(
            &[ground - across * 1.3, ground + across * 1.3],
            SUPPORT,
            1.6,
        );
        // Hatches are as far apart below small triangles and large ones.
        let hatches = rounded(height / (TRIANGLE * self.size));
        for k in -hatches..=hatches {
            let from = ground + across * (0.8 * f64::from(k) / f64::from(hatches));
            let to = from + (away * (0.35 * height) - across * 0.4) / f64::from(hatches).sqrt();
            self.lines(&[from, to], SUPPORT, 1.1);
        }
    }

    /// Draws a hinge.
    fn hinge(&mut self, at: Vec2) {
        let pen = Pen::new(SUPPORT, 1.8 * self.size);
        let center = self.view.pixel(at);
        self.canvas
            .disk(center, HINGE * self.size, palette::BACKGROUND, pen);
    }

    /// Draws a rod with its hinges.
    fn rod(&mut self, ends: [Vec2; 2]) {
        let line = ends.map(|end| self.view.pixel(end));
        self.lines(&line, SUPPORT, 2.0);
        for end in ends {
            self.hinge(end);
        }
    }
}

/// Nearest whole number of strokes.
#[allow(
    clippy::cast_possible_truncation,
    reason = "saturates, and strokes are few"
)]
fn rounded(count: f64) -> i32 {
    count.round() as i32
}
