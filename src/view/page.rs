//! The page: its frame, styles and program as they stand in the folder `page`, and the runs.
//!
//! The program is written as modules, which a page without files beside it cannot import. They are
//! joined to one, in an order in which each uses only those before it: lines that import are left
//! out, and the word `export` too. Text that belongs to a run is escaped, so that no name can end
//! the element that it stands in.

use super::payload::Payload;
use super::samples::Quantity;
use crate::CommandError;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ipcsim_pictures::palette;
use serde::Serialize;

/// Frame of the page, with a comment where each part is put.
const FRAME: &str = include_str!("page/index.html");
/// Styles, those of the charts first.
const STYLES: [&str; 2] = [
    include_str!("page/vendor/uPlot.min.css"),
    include_str!("page/style.css"),
];
/// Library of the charts.
pub(super) const CHARTS: &str = include_str!("page/vendor/uPlot.iife.min.js");
/// Modules of the page's program; each uses only those before it.
pub(super) const MODULES: [&str; 22] = [
    include_str!("page/page.js"),
    include_str!("page/numbers.js"),
    include_str!("page/decode.js"),
    include_str!("page/run.js"),
    include_str!("page/motion.js"),
    include_str!("page/colours.js"),
    include_str!("page/camera.js"),
    include_str!("page/shaders.js"),
    include_str!("page/gl.js"),
    include_str!("page/painter.js"),
    include_str!("page/arrows.js"),
    include_str!("page/symbols.js"),
    include_str!("page/surroundings.js"),
    include_str!("page/pick.js"),
    include_str!("page/clock.js"),
    include_str!("page/charts.js"),
    include_str!("page/panel.js"),
    include_str!("page/legend.js"),
    include_str!("page/controls.js"),
    include_str!("page/stage.js"),
    include_str!("page/keys.js"),
    include_str!("page/main.js"),
];

/// What the program of the page gets beside the runs.
#[derive(Serialize)]
struct Settings {
    /// Version of the program that wrote the page.
    version: &'static str,
    /// Quantity that colours show at first.
    quantity: &'static str,
    /// Colours of bodies.
    bodies: [palette::Rgb; 8],
    /// Colour of obstacles.
    obstacle: palette::Rgb,
    /// Colour of missing values.
    missing: palette::Rgb,
    /// Colours of values from the smallest to the largest.
    scale: Vec<palette::Rgb>,
}

/// The page of some runs, which begins with colours of `quantity`.
///
/// # Errors
/// [`CommandError::Json`] if a head cannot be written as JSON.
pub(super) fn page(payloads: &[Payload], quantity: Quantity) -> Result<String, CommandError> {
    let scale = (0..=63).map(|k| palette::viridis(f64::from(k) / 63.0));
    let settings = Settings {
        version: env!("CARGO_PKG_VERSION"),
        quantity: quantity.name(),
        bodies: palette::BODIES,
        obstacle: palette::OBSTACLE,
        missing: palette::MISSING,
        scale: scale.collect(),
    };

    // Data of the runs, each as two elements that are not executed.
    let mut runs = element("settings", "application/json", &json(&settings)?);
    for (number, payload) in payloads.iter().enumerate() {
        let head = json(&payload.head)?;
        let bytes = BASE64_STANDARD.encode(&payload.bytes);
        runs += &element(&format!("head-{number}"), "application/json", &head);
        runs += &element(&format!("data-{number}"), "text/plain", &bytes);
    }

    let names: Vec<&str> = payloads
        .iter()
        .map(|payload| payload.head.name.as_str())
        .collect();
    let scripts = format!(
        "<script>\n{CHARTS}</script>\n<script type=\"module\">\n{}</script>\n",
        program()
    );
    let parts = [
        ("<!--title-->", escaped(&names.join(", "))),
        (
            "<!--styles-->",
            format!("<style>\n{}</style>", STYLES.join("\n")),
        ),
        ("<!--runs-->", runs),
        ("<!--scripts-->", scripts),
    ];
    Ok(filled(FRAME, &parts))
}

/// A frame with each comment replaced by its part. Parts themselves are not searched.
pub(crate) fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = frame;
    for (comment, part) in parts {
        let (before, after) = rest.split_once(comment).unwrap_or((rest, ""));
        text += before;
        text += part;
        rest = after;
    }
    text + rest
}

/// All modules of this page as one.
pub(super) fn program() -> String {
    joined(&MODULES)
}

/// Modules as one, in an order in which each uses only those before it.
pub(crate) fn joined(modules: &[&str]) -> String {
    let mut text = String::from("\"use strict\";\n");
    for line in modules.iter().flat_map(|module| module.lines()) {
        if !line.starts_with("import ") {
            text += line.strip_prefix("export ").unwrap_or(line);
            text.push('\n');
        }
    }
    text
}

/// An element with data for the program.
pub(crate) fn element(id: &str, kind: &str, text: &str) -> String {
    format!("<script type=\"{kind}\" id=\"{id}\">{text}</script>\n")
}

/// A value as JSON in which no `<` stands: names cannot end an element or begin a comment.
///
/// # Errors
/// [`CommandError::Json`] if it cannot be written as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<String, CommandError> {
    let text =
        serde_json::to_string(value).map_err(|error| CommandError::Json(error.to_string()))?;
    Ok(text.replace('<', "\\u003c"))
}

/// Text for an element of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
