//! Transforms, lengths and view boxes of a picture.
//!
//! A list of transforms is read from the left to the right, the last one first applied. Sines and
//! tangents come from this project, so that a rotated picture has the same bits on every machine. A
//! length without a unit is one of the view; physical units are defined by CSS, 96 pixels to the inch.
//!
//! The grammar of transforms is in "CSS Transforms Module Level 1", section "Syntax of the SVG
//! `transform` attribute"; a matrix lists its columns. How a view box is fitted is described in SVG
//! 2, section "The `preserveAspectRatio` attribute".

use crate::affine::Affine;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::tan;
use std::str::FromStr;
use svgtypes::{
    Align, AspectRatio, Length, LengthUnit, TransformListParser, TransformListToken, ViewBox,
};

/// Pixels in an inch, as CSS defines them.
const PIXELS_PER_INCH: f64 = 96.0;

/// Pixels of a letter, to which some lengths refer.
/// It is the usual size of a font, and is used for `em` and, halved, for `ex`.
const LETTER: f64 = 16.0;

/// The map of an attribute `transform`; `None` if it cannot be read.
///
/// Angles of the file are in degrees. A rotation about a point has its two displacements in the list
/// already.
pub(super) fn transform(text: &str) -> Option<Affine> {
    let mut all = Affine::identity();
    for token in TransformListParser::from(text) {
        let next = match token.ok()? {
            TransformListToken::Matrix { a, b, c, d, e, f } => Affine {
                u: Vec2::new(a, b),
                v: Vec2::new(c, d),
                shift: Vec2::new(e, f),
            },
            TransformListToken::Translate { tx, ty } => Affine::translation(Vec2::new(tx, ty)),
            TransformListToken::Scale { sx, sy } => Affine::scale(sx, sy),
            TransformListToken::Rotate { angle } => Affine::rotation(angle.to_radians()),
            TransformListToken::SkewX { angle } => Affine {
                v: Vec2::new(tan(angle.to_radians()), 1.0),
                ..Affine::identity()
            },
            TransformListToken::SkewY { angle } => Affine {
                u: Vec2::new(1.0, tan(angle.to_radians())),
                ..Affine::identity()
            },
        };
        all = all.after(&next);
    }

    Some(all)
}

/// A length in units of the view; `whole` is the length that a percentage is of.
///
/// `None` if the text is not a length, or is not finite.
pub(super) fn length(text: &str, whole: f64) -> Option<f64> {
    let length = Length::from_str(text.trim()).ok()?;
    let unit = match length.unit {
        LengthUnit::None | LengthUnit::Px => 1.0,
        LengthUnit::Em => LETTER,
        LengthUnit::Ex => LETTER / 2.0,
        LengthUnit::Percent => whole / 100.0,
        physical => PIXELS_PER_INCH * inches(physical)?,
    };

    Some(length.number * unit).filter(|length| length.is_finite())
}

/// Length of a physical unit (inch).
///
/// `None` if the unit is a pixel, a percentage or the size of a letter.
fn inches(unit: LengthUnit) -> Option<f64> {
    Some(match unit {
        LengthUnit::In => 1.0,
        LengthUnit::Cm => 1.0 / 2.54,
        LengthUnit::Mm => 1.0 / 25.4,
        LengthUnit::Pt => 1.0 / 72.0,
        LengthUnit::Pc => 1.0 / 6.0,
        _ => return None,
    })
}

/// A physical length (m); `None` if its unit is not physical.
///
/// A length of 0 or below gives `None`, too, since a picture cannot have it.
pub(super) fn metres(text: &str) -> Option<f64> {
    let length = Length::from_str(text.trim()).ok()?;
    // Millimetres and centimetres without rounding by inches.
    let unit = match length.unit {
        LengthUnit::Mm => 1e-3,
        LengthUnit::Cm => 1e-2,
        unit => 25.4e-3 * inches(unit)?,
    };

    Some(length.number * unit).filter(|length| *length > 0.0 && length.is_finite())
}

/// A view box with positive sides.
///
/// `None` if it has other than four finite numbers, or a side of 0 or below.
pub(super) fn view_box(text: &str) -> Option<ViewBox> {
    let own = ViewBox::from_str(text).ok()?;
    let is_finite = [own.x, own.y, own.w, own.h].iter().all(|x| x.is_finite());
    (is_finite && own.w > 0.0 && own.h > 0.0).then_some(own)
}

/// Factors by which a view box fits a size, along the axes.
///
/// Both factors are the same unless the view is stretched: the smaller one shows the whole view, the
/// larger one (`slice`) fills the size.
pub(super) fn factors(view: ViewBox, size: [f64; 2], aspect: AspectRatio) -> [f64; 2] {
    let [x, y] = [size[0] / view.w, size[1] / view.h];
    match (aspect.align, aspect.slice) {
        (Align::None, _) => [x, y],
        (_, true) => [x.max(y); 2],
        (_, false) => [x.min(y); 2],
    }
}

/// How a view box is aligned, by the attribute of an element.
///
/// The default, also for a text that cannot be read, is to show the whole view in the middle.
pub(super) fn aspect(text: Option<&str>) -> AspectRatio {
    text.and_then(|text| AspectRatio::from_str(text).ok())
        .unwrap_or(AspectRatio {
            defer: false,
            align: Align::XMidYMid,
            slice: false,
        })
}

/// The map from a view box to a box of a size at the origin.
///
/// The point of the view with the least x and y comes to the origin, displaced by the share of the
/// room left that the alignment asks for: none, half or all of it.
pub(super) fn fit(view: ViewBox, size: [f64; 2], aspect: AspectRatio) -> Affine {
    let [x, y] = factors(view, size, aspect);
    // Room that the view leaves in the box.
    let left = Vec2::new(size[0] - view.w * x, size[1] - view.h * y);
    let share = match aspect.align {
        Align::None | Align::XMinYMin => [0.0, 0.0],
        Align::XMidYMin => [0.5, 0.0],
        Align::XMaxYMin => [1.0, 0.0],
        Align::XMinYMid => [0.0, 0.5],
        Align::XMidYMid => [0.5, 0.5],
        Align::XMaxYMid => [1.0, 0.5],
        Align::XMinYMax => [0.0, 1.0],
        Align::XMidYMax => [0.5, 1.0],
        Align::XMaxYMax => [1.0, 1.0],
    };
    Affine {
        shift: Vec2::new(
            left.x * share[0] - view.x * x,
            left.y * share[1] - view.y * y,
        ),
        ..Affine::scale(x, y)
    }
}
