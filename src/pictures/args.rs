//! Options of pictures, the same for `run` and `render`.

use super::arrows::ForceShow;
use super::camera::Key;
use super::palette_name::PaletteName;
use super::values::{Choice, ColorBy, Range, noise};
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use ipcsim_pictures::gif::GifStyle;
use ipcsim_pictures::palette::Rgb;
use std::path::PathBuf;

/// What pictures show, and which files they become.
///
/// Without any of them `run` draws while it simulates; with one it draws when the last state is
/// known, since ranges of colours and views depend on all states.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Pictures")]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate option")]
pub(crate) struct PictureArgs {
    /// Size in pixels, for example 1920x1080 [default: the size in the scene].
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub(crate) size: Option<(u32, u32)>,
    /// Quantity that the colours show [default: body].
    #[arg(long, value_enum, value_name = "QUANTITY")]
    pub(crate) color_by: Option<ColorBy>,
    /// Range of the colours: usual is up to the 99.5th percentile of all frames that are drawn, and of
    /// the calmer frames where a few are far above the rest; whole is minimum to maximum; frame is usual
    /// for each frame alone; or two numbers, MIN:MAX, such as 0:2e5.
    ///
    /// The bar of colours has a tip at an end beyond which there are values.
    #[arg(long, value_name = "RANGE", value_parser = range, allow_hyphen_values = true)]
    pub(crate) range: Option<Range>,
    /// Colours by the logarithm of the value.
    #[arg(long)]
    pub(crate) log: bool,
    /// Average values to vertices, so that colours change smoothly in a body; otherwise each triangle
    /// has a colour.
    #[arg(long)]
    pub(crate) smooth: bool,
    /// Scale of colours for values; all can be read with any colour vision [default: viridis].
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) palette: Option<PaletteName>,
    /// Colour of a body or obstacle, for example ball=#d55e00. Can be repeated.
    #[arg(long, value_name = "BODY=COLOR", value_parser = body_color)]
    pub(crate) body_color: Vec<(String, Rgb)>,
    /// Draw arrows of the forces at contacts and supports.
    ///
    /// Contacts are read from contacts.npy or contacts.csv (output.contacts in the scene). Without
    /// these files normal forces are computed again from positions, and friction is left out.
    /// Reactions are read from forces.csv. The same as --forces arrows.
    #[arg(long, group = "of_forces")]
    pub(crate) arrows: bool,
    /// Draw forces as arrows, or as a network: a line between two bodies in contact, as wide as their
    /// normal force, over grey bodies.
    #[arg(long, value_enum, value_name = "WHAT", group = "of_forces")]
    pub(crate) forces: Option<ForceShow>,
    /// Draw arrows this many times as long, and lines of the network this many times as wide
    /// [default: 1].
    #[arg(long, value_name = "FACTOR", value_parser = positive, requires = "of_forces")]
    pub(crate) arrow_scale: Option<f64>,
    /// Draw the symbols of loads, supports and joints.
    #[arg(long)]
    pub(crate) diagram: bool,
    /// Draw the path of a point up to the moment of each frame: the centre of a body, a probe of the scene,
    /// or a point of a body at a place of the scene at rest (m). Can be repeated.
    #[arg(long, value_name = "BODY[@X,Y]", allow_hyphen_values = true)]
    pub(crate) trace: Vec<String>,
    /// Draw no time, title, scale bar and colour bar.
    #[arg(long)]
    pub(crate) no_labels: bool,
    /// Draw on a transparent ground. A GIF is not possible then; use --animation apng.
    #[arg(long)]
    pub(crate) transparent: bool,
    /// Fit the view to all positions of the bodies in the run, instead of using the view of the
    /// scene.
    #[arg(long)]
    pub(crate) fit: bool,
    /// Part of the world to show (m), by two corners.
    #[arg(long, value_name = "X,Y:X,Y", value_parser = corners, allow_hyphen_values = true, conflicts_with = "fit")]
    pub(crate) view: Option<Aabb>,
    /// Keep a body or obstacle in the middle of the view.
    #[arg(long, value_name = "BODY")]
    pub(crate) follow: Option<String>,
    /// Look at X,Y and show HEIGHT metres at TIME (s); between such moments the camera moves. Repeated
    /// for each moment.
    #[arg(
        long,
        value_name = "TIME@X,Y,HEIGHT",
        value_parser = Key::read,
        allow_hyphen_values = true,
        conflicts_with_all = ["fit", "view", "follow"]
    )]
    pub(crate) camera: Vec<Key>,
    /// Draw every Nth of the written states; the last one is always drawn [default: the number in
    /// the scene].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: Option<u32>,
    /// Steps of the frames: A..B, with both ends, A.., ..B or a single one.
    #[arg(long, value_name = "A..B", value_parser = steps)]
    pub(crate) frames: Option<[usize; 2]>,
    /// Format of the animation: GIF of 256 colours, APNG with all colours, or none [default: gif].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) animation: Option<Format>,
    /// Largest width of the animation (pixels) [default: 640].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub(crate) animation_width: Option<u32>,
    /// Largest number of frames in a second of animation or video [default: 50].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub(crate) fps: Option<u32>,
    /// Simulated seconds in a second of animation or video: 0.1 is slow motion [default: 1].
    #[arg(long, value_name = "RATIO", value_parser = positive)]
    pub(crate) speed: Option<f64>,
    /// Write a video, whose name ends in .mp4 or .webm; needs ffmpeg.
    #[arg(long, value_name = "FILE")]
    pub(crate) video: Option<PathBuf>,
    /// Draw the cell of a scene that repeats this many times along x and y, for example 3x2.
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = cells)]
    pub(crate) repeat: Option<(u32, u32)>,
    /// Write sheet.png, one picture of COLUMNS by ROWS moments of the run.
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = sheet)]
    pub(crate) sheet: Option<(u32, u32)>,
}

/// Format of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// animation.gif
    #[default]
    Gif,
    /// animation.png
    Apng,
    /// No animation.
    None,
}

impl PictureArgs {
    /// What of the forces is drawn, if anything is.
    pub(crate) fn force_show(&self) -> Option<ForceShow> {
        self.forces.or(self.arrows.then_some(ForceShow::Arrows))
    }

    /// True if an option is given.
    pub(crate) fn is_given(&self) -> bool {
        *self != Self::default()
    }

    /// Range and colours of values of a scene.
    pub(crate) fn choice(&self, scene: &Scene) -> Choice {
        let is_stress = matches!(self.color_by, Some(ColorBy::Stress | ColorBy::Hoop));
        Choice {
            range: self.range.unwrap_or_default(),
            is_log: self.log,
            palette: self.palette.map(|name| name.0).unwrap_or_default(),
            noise: if is_stress { noise(scene) } else { 0.0 },
        }
    }

    /// Size and speed of the animation.
    pub(crate) fn pace(&self) -> GifStyle {
        let usual = GifStyle::default();
        GifStyle {
            max_width: self.animation_width.unwrap_or(usual.max_width),
            max_rate: self.fps.map_or(usual.max_rate, f64::from),
            speed: self.speed.unwrap_or(usual.speed),
            ..usual
        }
    }
}

/// Reads a size from the command line: width and height (pixels).
///
/// # Errors
/// If the text is not a size, or if a side is outside its range.
fn size(text: &str) -> Result<(u32, u32), String> {
    pair(text, 16..=16_384).ok_or_else(|| {
        "expected, for example, 1920x1080; each side must be from 16 to 16384".to_owned()
    })
}

/// Reads the numbers of columns and rows of a sheet.
///
/// # Errors
/// If the text is not such a pair.
fn sheet(text: &str) -> Result<(u32, u32), String> {
    pair(text, 1..=32)
        .ok_or_else(|| "expected, for example, 4x3; each number from 1 to 32".to_owned())
}

/// Reads numbers of cells such as `3x2`.
///
/// # Errors
/// If the text is not two numbers from 1 to 12.
fn cells(text: &str) -> Result<(u32, u32), String> {
    pair(text, 1..=12)
        .ok_or_else(|| "expected, for example, 3x2; each number from 1 to 12".to_owned())
}

/// Two whole numbers in a text like `4x3`, each within a range.
fn pair(text: &str, allowed: std::ops::RangeInclusive<u32>) -> Option<(u32, u32)> {
    let (first, second) = text.split_once('x')?;
    let first = first.parse().ok()?;
    let second = second.parse().ok()?;
    (allowed.contains(&first) && allowed.contains(&second)).then_some((first, second))
}

/// Reads a range of colours.
///
/// # Errors
/// If the text is neither a word for a range nor two ascending numbers.
fn range(text: &str) -> Result<Range, String> {
    match text {
        "usual" => return Ok(Range::Usual),
        "whole" => return Ok(Range::Whole),
        "frame" => return Ok(Range::Frame),
        _ => {}
    }

    let ends = text.split_once(':');
    let ends = ends.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match ends {
        Some((min, max)) if min < max && f64::is_finite(max - min) => Ok(Range::Given(min, max)),
        _ => Err("expected usual, whole, frame, or two ascending numbers such as 0:2e5".to_owned()),
    }
}

/// Reads a colour of a body, `name=#rrggbb`.
///
/// # Errors
/// If the text is not of this form.
fn body_color(text: &str) -> Result<(String, Rgb), String> {
    let wrong = || "expected a name and a colour, for example ball=#d55e00".to_owned();
    let (name, color) = text.rsplit_once('=').ok_or_else(wrong)?;
    let digits = color.strip_prefix('#').unwrap_or(color);
    let number = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
    if digits.len() != 6 {
        return Err(wrong());
    }
    let [_, r, g, b] = number.to_be_bytes();
    Ok((name.to_owned(), [r, g, b]))
}

/// Reads a part of the world by two corners, `x,y:x,y` (m).
///
/// # Errors
/// If the text is not of this form, or the part has no area.
fn corners(text: &str) -> Result<Aabb, String> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        let [x, y]: [f64; 2] = [x.parse().ok()?, y.parse().ok()?];
        (x.is_finite() && y.is_finite()).then_some(Vec2::new(x, y))
    };
    let ends = text.split_once(':');
    let view = ends.and_then(|(a, b)| Some(Aabb::around([point(a)?, point(b)?])));
    view.filter(|view| view.extent().min() > 0.0)
        .ok_or_else(|| "expected two opposite corners in metres, for example -1,0:3,2".to_owned())
}

/// Reads a range of steps: both ends belong to it.
///
/// # Errors
/// If the text is not of one of the forms.
fn steps(text: &str) -> Result<[usize; 2], String> {
    let number = |text: &str, absent| match text {
        "" => Some(absent),
        digits => digits.parse().ok(),
    };
    let ends = match text.split_once("..") {
        Some((first, last)) => number(first, 0).zip(number(last, usize::MAX)),
        None => text.parse().ok().map(|only| (only, only)),
    };
    ends.filter(|(first, last)| first <= last)
        .map(|(first, last)| [first, last])
        .ok_or_else(|| "expected steps such as 10..20, 10.., ..20 or 10".to_owned())
}

/// Reads a positive number.
///
/// # Errors
/// If the text is none.
fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse().ok();
    value
        .filter(|&value: &f64| value > 0.0 && value.is_finite())
        .ok_or_else(|| "expected a number above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_they_are_meant() {
        assert_eq!(size("640x360"), Ok((640, 360)));
        assert!(size("8x8").is_err() && size("640").is_err());

        assert_eq!(range("0:2e5"), Ok(Range::Given(0.0, 2e5)));
        assert_eq!(range("-1:1"), Ok(Range::Given(-1.0, 1.0)));
        assert!(range("2:1").is_err() && range("0:inf").is_err());

        // The name of a body may have an equals sign.
        assert_eq!(
            body_color("a=b=#ff0010"),
            Ok(("a=b".to_owned(), [255, 0, 16]))
        );
        assert!(body_color("ball=red").is_err() && body_color("#ff0010").is_err());

        // Corners may come in any order.
        let view = corners("3,2:-1,0").unwrap();
        assert_eq!(
            (view.min, view.max),
            (Vec2::new(-1.0, 0.0), Vec2::new(3.0, 2.0))
        );
        assert!(corners("0,0:0,1").is_err());

        assert_eq!(steps("3..5"), Ok([3, 5]));
        assert_eq!(steps("..5"), Ok([0, 5]));
        assert_eq!(steps("7"), Ok([7, 7]));
        assert!(steps("5..3").is_err() && steps("x").is_err());
    }
}
