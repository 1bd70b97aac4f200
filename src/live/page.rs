//! The live page: its frame, styles and program, with modules of the viewer, and its scenes.

use super::scenes::{Entry, all};
use crate::CommandError;
use crate::view::page::{element, filled, joined, json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ipcsim_pictures::palette;
use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;

/// Frame of the page, with a comment where each part is put.
const FRAME: &str = include_str!("page/index.html");
/// Styles: those of the viewer first.
const STYLES: [&str; 2] = [
    include_str!("../view/page/style.css"),
    include_str!("page/live.css"),
];
/// Program of the worker that runs the engine in WebAssembly.
const WORKER: &str = include_str!("page/worker.js");
/// Modules of the page's program, first those of the viewer; each uses only those before it.
pub(super) const MODULES: [&str; 22] = [
    include_str!("../view/page/page.js"),
    include_str!("../view/page/numbers.js"),
    include_str!("../view/page/decode.js"),
    include_str!("../view/page/colours.js"),
    include_str!("../view/page/camera.js"),
    include_str!("../view/page/shaders.js"),
    include_str!("../view/page/gl.js"),
    include_str!("../view/page/painter.js"),
    include_str!("../view/page/arrows.js"),
    include_str!("page/engine.js"),
    include_str!("page/liverun.js"),
    include_str!("page/pace.js"),
    include_str!("page/pen.js"),
    include_str!("page/trace.js"),
    include_str!("page/link.js"),
    include_str!("page/story.js"),
    include_str!("page/gif.js"),
    include_str!("page/film.js"),
    include_str!("page/overlay.js"),
    include_str!("page/livestage.js"),
    include_str!("page/livekeys.js"),
    include_str!("page/live.js"),
];

/// What the program of the page gets beside the scenes.
#[derive(Serialize)]
struct Settings {
    /// Version of the program that wrote the page.
    version: &'static str,
    /// Address of the socket, from that of the page; none with the engine in the page.
    socket: Option<&'static str>,
    /// Colours of bodies.
    bodies: [palette::Rgb; 8],
    /// Colour of obstacles.
    obstacle: palette::Rgb,
    /// Colour of missing values.
    missing: palette::Rgb,
    /// Colours of values from the smallest to the largest.
    scale: Vec<palette::Rgb>,
}

/// The page that this program serves, which begins with a scene.
///
/// # Errors
/// [`CommandError::Json`] if a scene cannot be written as JSON.
pub(super) fn of_program(first: Option<Entry>) -> Result<String, CommandError> {
    page(first, Some("socket"), "", "'self' ws:")
}

/// A page with the engine in it: a module in WebAssembly.
///
/// # Errors
/// As [`of_program`].
pub(super) fn with_module(first: Option<Entry>, module: &[u8]) -> Result<String, CommandError> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let packed = if module.starts_with(&GZIP) {
        module.to_vec()
    } else {
        gzip(module)
    };
    let data = element("worker", "text/plain", WORKER)
        + &element("module", "text/plain", &BASE64_STANDARD.encode(packed));
    page(first, None, &data, "'none'")
}

/// Bytes in the format of gzip (RFC 1952).
fn gzip(bytes: &[u8]) -> Vec<u8> {
    const LEVEL: u8 = 10;
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    packed.extend(compress_to_vec(bytes, LEVEL));
    packed.extend(crc32fast::hash(bytes).to_le_bytes());
    // The length counts modulo 2^32.
    packed.extend(&(bytes.len() as u64).to_le_bytes()[..4]);
    packed
}

/// A page with some more `data`, which may connect to an address.
fn page(
    first: Option<Entry>,
    socket: Option<&'static str>,
    data: &str,
    connect: &str,
) -> Result<String, CommandError> {
    let scale = (0..=63).map(|k| palette::viridis(f64::from(k) / 63.0));
    let settings = Settings {
        version: env!("CARGO_PKG_VERSION"),
        socket,
        bodies: palette::BODIES,
        obstacle: palette::OBSTACLE,
        missing: palette::MISSING,
        scale: scale.collect(),
    };

    // The scene of the command line comes first.
    let scenes: Vec<Entry> = first.into_iter().chain(all()).collect();
    let data = element("settings", "application/json", &json(&settings)?)
        + &element("scenes-data", "application/json", &json(&scenes)?)
        + data;

    // All parts of the frame.
    let script = format!("<script type=\"module\">\n{}</script>\n", joined(&MODULES));
    let parts = [
        ("<!--connect-->", connect.to_owned()),
        (
            "<!--styles-->",
            format!("<style>\n{}</style>", STYLES.join("\n")),
        ),
        ("<!--data-->", data),
        ("<!--scripts-->", script),
    ];
    Ok(filled(FRAME, &parts))
}
