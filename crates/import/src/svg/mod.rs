//! Curves of SVG pictures.
//!
//! Every visible path, rectangle, circle, ellipse, line and polygon is a curve, with the transforms
//! of the groups around it. Its names are its label in Inkscape and its `id`, then the names of the
//! groups around it, so that layers are names. Places are in the units of the picture's view box,
//! with y upwards: a point at `y` below the top is at `-y`.
//!
//! All numbers are kept in double precision. Circles and their arcs stay circles
//! where transforms let them; others become cubic curves. The format is described in "SVG 2".
//!
//! Lengths in physical units follow CSS: 96 pixels to the inch (SVG 2, "Coordinate Systems,
//! Transformations and Units"). Without `viewBox` a unit of the view is a pixel. With it the physical
//! `width` or `height` gives the length of a unit; without either the scene has to say it.
//!
//! Clip paths, masks, texts, images and markers have no curve. Each kind is counted, and one sentence
//! lists them. A broken path is drawn up to its first wrong character, as SVG 2 asks for ("Paths",
//! section "Error handling in path data").

mod path_data;
mod shapes;
mod style;
mod transforms;
mod view;

use super::ReadError;
use super::affine::Affine;
use super::drawing::{Drawing, Drawn, MOST_PIECES};
use super::names::few;
use super::pen::Pen;
use ipcsim_math::Vec2;
use ipcsim_math::number::{bytes as in_bytes, short};
use path_data::draw;
use roxmltree::{Document, Node, ParsingOptions};
use shapes::{polygon, rectangle, round};
use std::collections::BTreeMap;
use style::{Style, Styles};
use svgtypes::{Align, PointsParser};
use transforms::{aspect, factors, fit, length, metres, transform, view_box};
use view::View;

/// Namespace of the labels of Inkscape.
const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// Namespace of links.
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Length of a pixel, as CSS defines it (m).
const PIXEL: f64 = 25.4e-3 / 96.0;

/// Largest number of numbers in a picture: half a million points.
/// The limit is compared before the text is parsed, because each number takes memory then.
const MOST_NUMBERS: usize = 1_000_000;

/// Bytes that a number of a path takes while it is read, at most.
const BYTES_PER_NUMBER: f64 = 115.0;

/// Largest number of elements, copies included.
/// Copies by `<use>` may double the number of elements at each depth.
const MOST_ELEMENTS: usize = 500_000;

/// Largest number of elements and texts of a document.
/// The reader of XML stops there.
const MOST_NODES: u32 = 4_000_000;

/// Largest number of comparisons of elements with rules of style sheets.
/// Each element is compared with each rule, so that the time grows as their product.
const MOST_MATCHES: usize = 50_000_000;

/// Depth of groups and copies within each other.
/// A copy that contains itself ends here, too.
const DEEPEST: usize = 200;

/// Elements that are never drawn where they stand.
///
/// Elements in `defs` and whole symbols are drawn where a `<use>` refers to them, and letters of a
/// font only in a file that has nothing else.
const HIDDEN: [&str; 17] = [
    "defs",
    "symbol",
    "clipPath",
    "mask",
    "pattern",
    "marker",
    "linearGradient",
    "radialGradient",
    "filter",
    "style",
    "script",
    "metadata",
    "title",
    "desc",
    "namedview",
    "RDF",
    "font",
];

/// Reads a picture.
///
/// Pictures within the picture are not loaded, whatever their address: a shape in a file reads no
/// other file.
///
/// # Errors
/// If it is not an SVG picture, or has no visible curve.
pub(super) fn read(text: &str) -> Result<Drawing, ReadError> {
    let numbers = numbers_in(text);
    if numbers > MOST_NUMBERS {
        return Err(ReadError::new(format!(
            "it has about {numbers} numbers, which take about {}, but {MOST_NUMBERS} are read at most; simplify \
             its paths",
            in_bytes(BYTES_PER_NUMBER * numbers as f64)
        )));
    }

    // Many programs write a document type, and some define short names for addresses in it.
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };

    let document = Document::parse_with_options(text, options)
        .map_err(|error| ReadError::new(format!("it is not an SVG picture: {error}")))?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        let message = format!(
            "it is not an SVG picture: its first element is <{}>, but must be <svg>",
            root.tag_name().name()
        );
        return Err(ReadError::new(message));
    }

    let (view, unit) = frame(root)?;
    let mut reading = Reading::of(&document, view);
    // The top of the picture is at 0, and y points upwards.
    let mut place = Place {
        map: Affine::scale(1.0, -1.0),
        names: Vec::new(),
        style: Style::INITIAL,
        depth: 0,
    };

    if let Some(own) = root.attribute("transform").and_then(transform) {
        place.map = place.map.after(&own);
    }
    place.style = reading.styles.of_element(root, place.style);
    reading.children(root, &place)?;
    if reading.curves.is_empty() {
        reading.fonts(&document, &place)?;
    }
    reading.finish(unit)
}

/// Numbers in a text: digits after a space, a comma, a sign or a command of a path. Pictures in base 64
/// do not count.
///
/// The count is an estimate for a limit of memory: it costs one pass over the bytes and no parsing. A
/// number that follows another one by its decimal point only, as in `.5.5`, counts once.
fn numbers_in(text: &str) -> usize {
    let starts = |text: &str| {
        let pairs = text.as_bytes().windows(2);
        let is_start = |pair: &&[u8]| {
            let is_digit = pair[1].is_ascii_digit() || pair[1] == b'.';
            is_digit && b" ,-\n\r\t\"'MLHVCSQTAmlhvcsqta".contains(&pair[0])
        };
        pairs.filter(is_start).count()
    };

    let mut parts = text.split("base64,");
    let first = parts.next().map_or(0, starts);
    let others = parts.filter_map(|part| part.split_once(['"', '\'']));
    first + others.map(|(_, after)| starts(after)).sum::<usize>()
}

/// Width and height of the view, and the length of its unit (m) if the picture says it.
///
/// If the sides have physical lengths in both directions and the view is stretched
/// (`preserveAspectRatio="none"`), both must give the same length of a unit within 1e-6.
///
/// # Errors
/// If the picture is as long as it says in neither direction.
fn frame(root: Node) -> Result<([f64; 2], Option<f64>), ReadError> {
    let sides = ["width", "height"].map(|side| root.attribute(side));
    let Some(view) = root.attribute("viewBox").and_then(view_box) else {
        // Without a view box a unit is a pixel.
        let size = sides.map(|side| side.and_then(|side| length(side, 100.0)).unwrap_or(100.0));
        let is_physical = sides
            .iter()
            .any(|side| side.is_some_and(|side| metres(side).is_some()));
        return Ok((size, is_physical.then_some(PIXEL)));
    };

    let size = [view.w, view.h];
    let metres = sides.map(|side| side.and_then(metres));
    // How the view fits the size of the picture.
    let own = aspect(root.attribute("preserveAspectRatio"));
    let unit = match metres {
        [None, None] => None,
        [Some(width), None] => Some(width / view.w),
        [None, Some(height)] => Some(height / view.h),
        [Some(width), Some(height)] => {
            let [x, y] = factors(view, [width, height], own);
            if own.align == Align::None && (x / y - 1.0).abs() > 1e-6 {
                let message = format!(
                    "its width and height are as {} to 1, but its viewBox as {} to 1, so that a unit has two \
                     lengths; make them alike",
                    short(width / height),
                    short(view.w / view.h)
                );
                return Err(ReadError::new(message));
            }
            Some(x)
        }
    };

    Ok((size, unit))
}

/// Where an element stands.
///
/// A place is copied for each group, so that what a group changes ends with it.
#[derive(Clone)]
struct Place {
    /// Map from its numbers to the drawing.
    map: Affine,
    /// Names of the groups around it, the nearest first.
    names: Vec<String>,
    /// Style of the group around it.
    style: Style,
    /// Number of groups around it.
    depth: usize,
}

/// A picture while it is read.
struct Reading<'a> {
    /// Elements by their `id`.
    ///
    /// Only these can be copied: links to other files are not followed.
    by_id: BTreeMap<&'a str, Node<'a, 'a>>,
    /// Style sheets.
    styles: Styles<'a>,
    /// View, by which percentages are lengths.
    view: View,
    /// Number of elements so far.
    /// Copies count each time.
    elements: usize,
    /// Number of pieces so far.
    /// Names of curves count as well, since they take memory, too.
    pieces: usize,
    /// Curves so far.
    curves: Vec<Drawn>,
    /// Numbers of things that are left out, by what they are.
    /// The keys are phrases in the plural, as a sentence needs them.
    left: BTreeMap<&'static str, usize>,
    /// Sentences about single elements.
    notes: Vec<String>,
}

impl<'a> Reading<'a> {
    /// A picture before its first element.
    ///
    /// The style sheets are read at once, since a rule may stand after the elements that it is about.
    /// If an `id` occurs twice, the last element has it.
    fn of(document: &'a Document, view: [f64; 2]) -> Self {
        let elements = document.descendants().filter(Node::is_element);
        let by_id = elements.filter_map(|node| Some((node.attribute("id")?, node)));
        Self {
            by_id: by_id.collect(),
            styles: Styles::of(document),
            view: View(view),
            elements: 0,
            pieces: 0,
            curves: Vec::new(),
            left: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    /// Reads the elements in a group.
    ///
    /// # Errors
    /// If an element exceeds a limit, or one of its shapes does.
    fn children(&mut self, group: Node<'a, 'a>, place: &Place) -> Result<(), ReadError> {
        for node in group.children().filter(Node::is_element) {
            self.element(node, place)?;
        }
        Ok(())
    }

    /// Notes that something is left out.
    ///
    /// `what` must be a phrase in the plural, such as `"images"`, and equal ones are counted together.
    fn leave(&mut self, what: &'static str) {
        *self.left.entry(what).or_default() += 1;
    }

    /// Reads an element.
    ///
    /// Its own transform, style and names are added to the place around it. A group continues with
    /// its elements, a `<switch>` with its first one, and a shape is drawn.
    ///
    /// # Errors
    /// If there are too many elements, comparisons with rules, or groups within each other.
    fn element(&mut self, node: Node<'a, 'a>, around: &Place) -> Result<(), ReadError> {
        self.elements += 1;
        let matches = self.elements.saturating_mul(self.styles.count());
        if self.elements > MOST_ELEMENTS || matches > MOST_MATCHES || around.depth > DEEPEST {
            let message = format!(
                "it has more than {MOST_ELEMENTS} elements, copies by <use> included, too many rules of style for \
                 them, or groups deeper than {DEEPEST}; simplify it"
            );
            return Err(ReadError::new(message));
        }

        let tag = node.tag_name().name();
        if HIDDEN.contains(&tag) {
            return Ok(());
        }
        let mut place = around.clone();
        place.depth += 1;
        place.style = self.styles.of_element(node, around.style);
        if !place.style.is_displayed {
            self.leave("elements that are not displayed");
            return Ok(());
        }

        if let Some(text) = node.attribute("transform") {
            match transform(text) {
                Some(own) => place.map = around.map.after(&own),
                None => self.notes.push(format!(
                    "{} has a transform that cannot be read, which was left out",
                    named(node)
                )),
            }
        }
        add_names(node, &mut place.names);
        if node
            .attribute("clip-path")
            .is_some_and(|clip| clip != "none")
        {
            self.leave("clip paths, which would cut curves");
        }

        match tag {
            "g" | "a" => self.children(node, &place),
            "switch" => match node.first_element_child() {
                Some(first) => self.element(first, &place),
                None => Ok(()),
            },
            "svg" => self.nested(node, &place, None),
            "use" => self.copy(node, &place),
            "text" | "tspan" | "flowRoot" => {
                self.leave("texts, which could be made paths");
                Ok(())
            }
            "image" | "foreignObject" | "video" => {
                self.leave("images");
                Ok(())
            }
            _ => self.shape(node, tag, &place),
        }
    }

    /// Reads a picture or a symbol with its place and view, whose size the copy may give.
    ///
    /// A picture in a picture is displaced by its `x` and `y`; a symbol was displaced by its copy
    /// already. Its `viewBox` is fitted into `width` and `height`, which a copy replaces if it has
    /// them. Parts of a view beyond its box are not cut off.
    ///
    /// # Errors
    /// If an element within exceeds a limit.
    fn nested(
        &mut self,
        node: Node<'a, 'a>,
        place: &Place,
        copy: Option<Node>,
    ) -> Result<(), ReadError> {
        let mut inner = place.clone();
        if copy.is_none() {
            inner.map = inner
                .map
                .after(&Affine::translation(self.view.vector(node, ["x", "y"])));
        }

        if let Some(view) = node.attribute("viewBox").and_then(view_box) {
            let mut size = [view.w, view.h];
            for (side, name) in size.iter_mut().zip(["width", "height"]) {
                let owner = copy.filter(|copy| copy.has_attribute(name)).unwrap_or(node);
                let own = self.view.length(owner, name);
                if own > 0.0 {
                    *side = own;
                }
            }

            let own = fit(view, size, aspect(node.attribute("preserveAspectRatio")));
            inner.map = inner.map.after(&own);
        }

        self.children(node, &inner)
    }

    /// Reads the element that a copy refers to.
    ///
    /// The copy is displaced by its `x` and `y` and has its style passed to the element (SVG 2,
    /// section "The `use` element"). A copy of an element that the file does not have is left out
    /// with a word.
    ///
    /// # Errors
    /// If an element within exceeds a limit.
    fn copy(&mut self, node: Node<'a, 'a>, place: &Place) -> Result<(), ReadError> {
        let link = node
            .attribute("href")
            .or_else(|| node.attribute((XLINK, "href")));
        // Only elements of this file are copied.
        let target = link.and_then(|link| self.by_id.get(link.strip_prefix('#')?).copied());
        let Some(target) = target else {
            self.leave("copies of elements that do not exist here");
            return Ok(());
        };

        let mut inner = place.clone();
        inner.map = inner
            .map
            .after(&Affine::translation(self.view.vector(node, ["x", "y"])));
        if target.tag_name().name() == "symbol" {
            inner.depth += 1;
            add_names(target, &mut inner.names);
            return self.nested(target, &inner, Some(node));
        }

        self.element(target, &inner)
    }

    /// Reads an element with a shape.
    ///
    /// Elements with other tags have no curve and nothing happens. A shape is left out with a word if
    /// neither its area nor its line is seen, or if its transform leaves no area.
    ///
    /// # Errors
    /// If the curves have too many pieces and names.
    fn shape(&mut self, node: Node, tag: &str, place: &Place) -> Result<(), ReadError> {
        let mut pen = Pen::new(place.map, &place.names, Vec2::zeros());
        let mut curves = match tag {
            "path" => {
                if !draw(node.attribute("d").unwrap_or_default(), &mut pen) {
                    self.notes.push(format!(
                        "{} has data that cannot be read, and ends there",
                        named(node)
                    ));
                }
                pen.finish()
            }
            "rect" => rectangle(&self.view, node, pen),
            "circle" | "ellipse" => round(&self.view, node, &place.map, &place.names),
            "line" => {
                pen.move_to(self.view.vector(node, ["x1", "y1"]));
                pen.line_to(self.view.vector(node, ["x2", "y2"]));
                pen.finish()
            }
            "polyline" | "polygon" => {
                let points = PointsParser::from(node.attribute("points").unwrap_or_default());
                polygon(points, tag == "polygon", &mut pen);
                pen.finish()
            }
            _ => return Ok(()),
        };

        if curves.is_empty() {
            return Ok(());
        }
        if !place.style.is_visible || !(place.style.is_filled || place.style.is_stroked) {
            self.leave("paths with neither fill nor stroke");
            return Ok(());
        }

        if !place.map.is_regular() {
            self.leave("paths under a transform without area");
            return Ok(());
        }

        for curve in &mut curves {
            // A line has no area to fill.
            curve.is_filled = place.style.is_filled && tag != "line";
            self.pieces += curve.pieces.len() + curve.names.len();
        }

        if self.pieces > MOST_PIECES {
            let message = format!(
                "its paths have more than {MOST_PIECES} pieces and names of groups, copies by <use> included; \
                 simplify it"
            );
            return Err(ReadError::new(message));
        }

        self.curves.extend(curves);
        Ok(())
    }

    /// Reads the letters of fonts, side by side as in a line of text, each named by itself. Their y points
    /// upwards.
    ///
    /// The map of `place` mirrors y for a picture; letters have a displacement instead. Letters
    /// without a width take `horiz-adv-x` of the font (SVG 1.1, "Fonts"). It is called only for a
    /// file without other curves.
    ///
    /// # Errors
    /// If the letters exceed a limit.
    fn fonts(&mut self, document: &'a Document, place: &Place) -> Result<(), ReadError> {
        // Letters follow each other by their widths.
        let mut advance = 0.0;
        for font in document
            .descendants()
            .filter(|node| node.tag_name().name() == "font")
        {
            let usual = self.view.length(font, "horiz-adv-x");
            for glyph in font
                .children()
                .filter(|node| node.tag_name().name() == "glyph")
            {
                let names = ["glyph-name", "unicode"].map(|name| glyph.attribute(name));
                let own = Place {
                    map: Affine::translation(Vec2::new(advance, 0.0)),
                    names: names.into_iter().flatten().map(str::to_owned).collect(),
                    ..place.clone()
                };
                self.shape(glyph, "path", &own)?;
                let width = self.view.length(glyph, "horiz-adv-x");
                advance += if width > 0.0 { width } else { usual };
            }
        }

        if !self.curves.is_empty() {
            self.notes.push(
                "it is a font: its letters stand side by side, each with its name".to_owned(),
            );
        }

        Ok(())
    }

    /// The drawing, with a word on everything else.
    ///
    /// `unit` is the length of a unit of the view (m), if the picture says it.
    ///
    /// # Errors
    /// If there are none.
    fn finish(self, unit: Option<f64>) -> Result<Drawing, ReadError> {
        let left: Vec<String> = self
            .left
            .iter()
            .map(|(what, count)| format!("{what} ({count})"))
            .collect();
        if self.curves.is_empty() {
            let mut message =
                "it has no visible path; draw one with a fill or a stroke (texts do not count)"
                    .to_owned();
            if !left.is_empty() {
                message.push_str("; it has ");
                message.push_str(&few(&left));
            }

            return Err(ReadError::new(message));
        }

        // Numbers that overflow give no place.
        let is_wrong = |curve: &&Drawn| {
            curve
                .corners()
                .any(|x| !(x.x.is_finite() && x.y.is_finite()))
        };

        if let Some(wrong) = self.curves.iter().find(is_wrong) {
            let name = wrong.names.first().map_or("a path", String::as_str);
            return Err(ReadError::new(format!(
                "{name} has a place that is not finite"
            )));
        }

        let mut notes = self.notes;
        if !left.is_empty() {
            notes.push(format!("left out: {}", few(&left)));
        }
        Ok(Drawing {
            curves: self.curves,
            unit,
            is_downwards: true,
            notes,
        })
    }
}

/// Puts the label and the `id` of an element before the names around it.
///
/// A name that is there already is not repeated, and blank ones are left out.
fn add_names(node: Node, names: &mut Vec<String>) {
    let own = [node.attribute((INKSCAPE, "label")), node.attribute("id")];
    for name in own.into_iter().flatten().rev() {
        let name = name.trim();
        if !name.is_empty() && !names.iter().any(|other| other == name) {
            names.insert(0, name.to_owned());
        }
    }
}

/// An element by its tag and name.
///
/// The name is the label of Inkscape or else the `id`; without both it is the tag with an article.
fn named(node: Node) -> String {
    let label = node
        .attribute((INKSCAPE, "label"))
        .or_else(|| node.attribute("id"));
    match label {
        Some(label) => format!("{} \"{label}\"", node.tag_name().name()),
        None => format!("a {}", node.tag_name().name()),
    }
}
