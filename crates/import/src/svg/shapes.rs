//! Curves of the basic shapes of a picture: circles, ellipses, rectangles and polygons (SVG 2, section
//! "Basic Shapes").

use super::view::View;
use crate::affine::Affine;
use crate::drawing::{Drawn, Ellipse};
use crate::pen::Pen;
use ipcsim_math::Vec2;
use roxmltree::Node;
use std::f64::consts::PI;
use svgtypes::PointsParser;

/// A circle or an ellipse.
///
/// It is empty if a radius is 0 or below, as SVG 2 does not draw it then.
pub(super) fn round(view: &View, node: Node, map: &Affine, names: &[String]) -> Vec<Drawn> {
    // A radius that is absent is as the other one, and both are of a circle.
    let radii = if node.has_attribute("r") {
        ["r", "r"]
    } else if !node.has_attribute("rx") {
        ["ry", "ry"]
    } else if !node.has_attribute("ry") {
        ["rx", "rx"]
    } else {
        ["rx", "ry"]
    };
    let [x, y] = radii.map(|name| view.length(node, name));
    if !(x > 0.0 && y > 0.0) {
        return Vec::new();
    }
    let ellipse = Ellipse {
        center: view.vector(node, ["cx", "cy"]),
        u: Vec2::new(x, 0.0),
        v: Vec2::new(0.0, y),
    };
    vec![map.ellipse(&ellipse).whole(names)]
}

/// A rectangle, whose corners may be round.
///
/// Radii are at most half of the sides (SVG 2, section "The `rect` element"). The path begins at
/// the upper left and runs clockwise in the picture. A rectangle without width or height has no
/// curve.
pub(super) fn rectangle(view: &View, node: Node, mut pen: Pen) -> Vec<Drawn> {
    let low = view.vector(node, ["x", "y"]);
    let size = view.vector(node, ["width", "height"]);
    if !(size.x > 0.0 && size.y > 0.0) {
        return Vec::new();
    }
    let is_given = |name: &str| node.attribute(name).is_some_and(|value| value != "auto");
    // A radius that is absent is as the other one.
    let radii = match ["rx", "ry"].map(is_given) {
        [false, _] => view.vector(node, ["ry", "ry"]),
        [_, false] => view.vector(node, ["rx", "rx"]),
        _ => view.vector(node, ["rx", "ry"]),
    };

    let radii = Vec2::new(
        radii.x.clamp(0.0, size.x / 2.0),
        radii.y.clamp(0.0, size.y / 2.0),
    );
    // Without radii it has four corners.
    let high = low + size;
    if radii.x == 0.0 || radii.y == 0.0 {
        pen.move_to(low);
        pen.line_to(Vec2::new(high.x, low.y));
        pen.line_to(high);
        pen.line_to(Vec2::new(low.x, high.y));
        pen.close();
        return pen.finish();
    }

    // Each corner takes a quarter of an ellipse, between ends on the sides to the last bit.
    let [inner, outer] = [low + radii, high - radii];
    let corners = [
        (
            [outer.x, inner.y],
            [outer.x, low.y],
            [high.x, inner.y],
            -PI / 2.0,
        ),
        (
            [outer.x, outer.y],
            [high.x, outer.y],
            [outer.x, high.y],
            0.0,
        ),
        (
            [inner.x, outer.y],
            [inner.x, high.y],
            [low.x, outer.y],
            PI / 2.0,
        ),
        ([inner.x, inner.y], [low.x, inner.y], [inner.x, low.y], PI),
    ];
    pen.move_to(Vec2::new(inner.x, low.y));
    for (center, start, end, from) in corners {
        let ellipse = Ellipse {
            center: center.into(),
            u: Vec2::new(radii.x, 0.0),
            v: Vec2::new(0.0, radii.y),
        };
        // Sides between corners that meet have no length.
        if pen.at != Vec2::from(start) {
            pen.line_to(start.into());
        }
        pen.arc_to(&ellipse, from, PI / 2.0, end.into());
    }

    pen.close();
    pen.finish()
}

/// Draws lines through points.
///
/// The numbers end at the first one that cannot be read, and a last x without y is left out.
pub(super) fn polygon(points: PointsParser, is_closed: bool, pen: &mut Pen) {
    for (k, (x, y)) in points.enumerate() {
        let to = Vec2::new(x, y);
        if k == 0 {
            pen.move_to(to);
        } else {
            pen.line_to(to);
        }
    }

    if is_closed {
        pen.close();
    }
}
