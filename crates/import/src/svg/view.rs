//! Lengths of the attributes of an element, also where they are shares of the view.

use super::transforms::length;
use ipcsim_math::Vec2;
use roxmltree::Node;

/// Width and height of the view of a picture.
pub(super) struct View(pub(super) [f64; 2]);

impl View {
    /// Length of an attribute; 0 if it is absent.
    ///
    /// A percentage is of the width of the view for horizontal lengths, of the height for vertical
    /// ones, and of the diagonal divided by the root of 2 for others, such as `r` (SVG 2, section
    /// "Units").
    pub(super) fn length(&self, node: Node, name: &str) -> f64 {
        let diagonal = (0.5 * (self.0[0] * self.0[0] + self.0[1] * self.0[1])).sqrt();
        let whole = match name {
            "x" | "cx" | "x1" | "x2" | "width" | "rx" => self.0[0],
            "y" | "cy" | "y1" | "y2" | "height" | "ry" => self.0[1],
            _ => diagonal,
        };
        node.attribute(name)
            .and_then(|text| length(text, whole))
            .unwrap_or(0.0)
    }

    /// Two lengths as a vector.
    ///
    /// The first is a horizontal one, the second a vertical one, in units of the view.
    pub(super) fn vector(&self, node: Node, names: [&str; 2]) -> Vec2 {
        Vec2::from(names.map(|name| self.length(node, name)))
    }
}
