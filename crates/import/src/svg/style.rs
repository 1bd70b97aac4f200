//! Which elements of a picture are drawn: properties of style sheets, attributes and groups around.
//!
//! Properties come, from the weakest to the strongest, from the group around an element, its own
//! attributes, rules of style sheets by their weight, and its attribute `style`. `fill`, `stroke` and
//! `visibility` pass from a group to its elements; `display` holds for the whole group.
//!
//! Colours, opacity and widths are not looked at: a path with a white fill is a path.
//!
//! The order of weights is given in CSS ("Cascading Order"). `!important` is read and has no effect,
//! since drawing programs rarely write it. Selectors are read by `simplecss`: by tag, class, `id`,
//! attribute and first child.

use roxmltree::{Document, Node};
use simplecss::{AttributeOperator, DeclarationTokenizer, Element, PseudoClass, StyleSheet};

/// Properties that decide if an element is drawn.
#[expect(clippy::struct_excessive_bools, reason = "four properties of SVG")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// True if areas are filled.
    pub(super) is_filled: bool,
    /// True if lines are drawn.
    pub(super) is_stroked: bool,
    /// False if the element is hidden, but elements in it may be seen.
    pub(super) is_visible: bool,
    /// False if the element and all in it are left out.
    pub(super) is_displayed: bool,
}

impl Style {
    /// Style of a picture: areas are black.
    pub(super) const INITIAL: Self = Self {
        is_filled: true,
        is_stroked: false,
        is_visible: true,
        is_displayed: true,
    };

    /// Applies a property of an element to the style of the group around it.
    ///
    /// Only four properties matter, and others are ignored. `inherit` keeps the value so far.
    fn apply(&mut self, name: &str, value: &str) {
        let value = value.trim().trim_end_matches("!important").trim();
        if value == "inherit" {
            return;
        }
        match name {
            "fill" => self.is_filled = value != "none",
            "stroke" => self.is_stroked = value != "none",
            "visibility" => self.is_visible = value == "visible",
            "display" => self.is_displayed = value != "none",
            _ => {}
        }
    }
}

/// Style sheets of a picture.
pub(super) struct Styles<'a> {
    /// Rules of all sheets, sorted by weight by the reader of CSS.
    sheet: StyleSheet<'a>,
}

impl<'a> Styles<'a> {
    /// All style sheets of a document.
    ///
    /// All `<style>` elements count, wherever they stand. Rules that cannot be read are left out.
    pub(super) fn of(document: &'a Document) -> Self {
        let mut sheet = StyleSheet::new();
        for node in document.descendants().filter(Node::is_element) {
            if node.tag_name().name() == "style" {
                for text in node.children().filter_map(|child| child.text()) {
                    sheet.parse_more(text);
                }
            }
        }
        Self { sheet }
    }

    /// Number of rules.
    /// Each element is compared with all of them, so that the number limits the work.
    pub(super) fn count(&self) -> usize {
        self.sheet.rules.len()
    }

    /// Style of an element in a group with a style.
    ///
    /// Fill, stroke and visibility are passed down from the group. A group that is not displayed is
    /// never entered, so that its elements need not know.
    pub(super) fn of_element(&self, node: Node, around: Style) -> Style {
        let mut style = Style {
            is_displayed: true,
            ..around
        };

        for attribute in node
            .attributes()
            .filter(|attribute| attribute.namespace().is_none())
        {
            style.apply(attribute.name(), attribute.value());
        }
        // Rules are in the order of their weight.
        for rule in &self.sheet.rules {
            if rule.selector.matches(&Queried(node)) {
                for declaration in &rule.declarations {
                    style.apply(declaration.name, declaration.value);
                }
            }
        }

        // The attribute is stronger than any rule.
        if let Some(own) = node.attribute("style") {
            for declaration in DeclarationTokenizer::from(own) {
                style.apply(declaration.name, declaration.value);
            }
        }
        style
    }
}

/// An element as style sheets ask for it.
///
/// Local names are compared without their namespace.
struct Queried<'a>(Node<'a, 'a>);

impl Element for Queried<'_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Queried)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Queried)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, local_name: &str, operator: AttributeOperator) -> bool {
        let value = self.0.attribute(local_name);
        value.is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass) -> bool {
        class == PseudoClass::FirstChild && self.prev_sibling_element().is_none()
    }
}
