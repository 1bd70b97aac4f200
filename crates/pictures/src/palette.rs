//! Colours: a light theme, and scales that colour-blind readers can follow.
//!
//! Bodies and curves take eight colours in turn. Areas are a light tint of a colour and outlines a
//! dark shade of it, so that one number decides the look of a body. Values are shown by viridis,
//! whose brightness grows with the value.

/// Red, green and blue, 0 to 255 (sRGB).
pub type Rgb = [u8; 3];

/// Background of a picture.
pub const BACKGROUND: Rgb = [252, 252, 253];
/// Text, and the most important line.
pub const INK: Rgb = [38, 42, 51];
/// Secondary text.
pub const MUTED: Rgb = [104, 110, 122];
/// Faint lines behind data.
pub const GRID: Rgb = [226, 229, 234];
/// Obstacles: half-planes and scripted bodies.
pub const OBSTACLE: Rgb = [118, 125, 137];
/// A value that is missing or not a number.
pub const MISSING: Rgb = [200, 203, 208];

/// Colours of bodies and of curves, distinct for readers with any common colour vision.
///
/// The first six are from Okabe and Ito, *Color Universal Design* (2008), without yellow, which is
/// faint on a light background. The last two are from Paul Tol's "muted" scheme
/// (SRON/EPS/TN/09-002).
pub const BODIES: [Rgb; 8] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [213, 94, 0],
    [153, 153, 51],
    [136, 34, 85],
];

/// Ten colours equally spaced along viridis (Smith and van der Walt, matplotlib 2015).
const VIRIDIS: [Rgb; 10] = [
    [68, 1, 84],
    [72, 40, 120],
    [62, 74, 137],
    [49, 104, 142],
    [38, 130, 142],
    [31, 158, 137],
    [53, 183, 121],
    [110, 206, 88],
    [181, 222, 43],
    [253, 231, 37],
];

/// Ten colours equally spaced along cividis (Nuñez, Anderton and Renslow 2018), which
/// looks the same to readers who cannot tell red from green.
const CIVIDIS: [Rgb; 10] = [
    [0, 34, 78],
    [23, 51, 110],
    [59, 73, 108],
    [86, 92, 108],
    [112, 113, 115],
    [138, 134, 120],
    [167, 156, 117],
    [195, 180, 105],
    [225, 204, 85],
    [254, 232, 56],
];

/// Ten colours equally spaced along magma (Smith and van der Walt, matplotlib 2015), from the second
/// to the last but one of twelve, so that neither end is lost against lines or background.
const MAGMA: [Rgb; 10] = [
    [21, 14, 56],
    [59, 15, 112],
    [100, 26, 128],
    [140, 41, 129],
    [181, 54, 122],
    [222, 73, 104],
    [246, 110, 92],
    [254, 159, 109],
    [254, 206, 145],
    [252, 235, 185],
];

/// Ten greys, for print.
const GREYS: [Rgb; 10] = [
    [40; 3], [61; 3], [82; 3], [103; 3], [124; 3], [145; 3], [166; 3], [187; 3], [208; 3], [229; 3],
];

/// Scale of colours for values. The brightness of each grows with the value, so that all can be read
/// with any colour vision, and in grey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Violet, green, yellow.
    #[default]
    Viridis,
    /// Blue, grey, yellow: the same with and without red and green.
    Cividis,
    /// Black, red, cream.
    Magma,
    /// Dark to light grey.
    Grey,
}

impl Palette {
    /// Colour at the fraction `s` of the scale, from dark at 0 to bright at 1.
    ///
    /// Fractions outside 0..1 take the colour of the nearer end; a NaN is grey.
    pub fn color(self, s: f64) -> Rgb {
        along(
            match self {
                Self::Viridis => &VIRIDIS,
                Self::Cividis => &CIVIDIS,
                Self::Magma => &MAGMA,
                Self::Grey => &GREYS,
            },
            s,
        )
    }
}

/// Colour of body or curve `index`; the eight colours repeat.
pub fn body(index: usize) -> Rgb {
    BODIES[index % BODIES.len()]
}

/// Light tone of `color`, for areas: 58 % of the way to white.
pub fn tint(color: Rgb) -> Rgb {
    mix(color, [255; 3], 0.58)
}

/// Dark tone of `color`, for outlines: 22 % of the way to black.
pub fn shade(color: Rgb) -> Rgb {
    mix(color, [0; 3], 0.22)
}

/// The mixture `(1 - t) a + t b`, with `t` limited to 0..1.
pub fn mix(a: Rgb, b: Rgb, t: f64) -> Rgb {
    let t = t.clamp(0.0, 1.0);
    std::array::from_fn(|c| round(f64::from(a[c]) * (1.0 - t) + f64::from(b[c]) * t))
}

/// The nearest whole number, for a value between 0 and 255.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mean of bytes is a byte"
)]
fn round(value: f64) -> u8 {
    value.round() as u8
}

/// Colour at the fraction `s` of viridis, from dark violet at 0 to yellow at 1.
pub fn viridis(s: f64) -> Rgb {
    Palette::Viridis.color(s)
}

/// Colour at the fraction `s` of a list of colours, linear between the two nearest.
///
/// Fractions outside 0..1 take the colour of the nearer end; a NaN is grey.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product lies between 0 and 9"
)]
fn along(colors: &[Rgb; 10], s: f64) -> Rgb {
    if s.is_nan() {
        return MISSING;
    }

    // Linear between the two nearest of ten colours.
    let place = s.clamp(0.0, 1.0) * (colors.len() - 1) as f64;
    let below = (place as usize).min(colors.len() - 2);
    mix(colors[below], colors[below + 1], place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, up to the constant (ITU-R BT.709), of linear light.
    fn luminance(color: Rgb) -> f64 {
        let linear = color.map(|c| (f64::from(c) / 255.0).powf(2.2));
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn the_scale_of_values_grows_brighter_throughout() {
        use Palette::{Cividis, Grey, Magma, Viridis};
        for palette in [Viridis, Cividis, Magma, Grey] {
            let steps: Vec<f64> = (0..=90)
                .map(|i| luminance(palette.color(f64::from(i) / 90.0)))
                .collect();
            assert!(
                steps.windows(2).all(|pair| pair[0] < pair[1]),
                "{palette:?}"
            );
        }
    }

    #[test]
    fn values_off_the_scale_take_its_ends_and_a_nan_is_grey() {
        assert_eq!(
            (viridis(-3.0), viridis(f64::INFINITY)),
            (VIRIDIS[0], VIRIDIS[9])
        );
        assert_eq!(viridis(f64::NAN), MISSING);
    }

    #[test]
    fn colours_repeat_after_the_eighth() {
        assert_eq!(body(3), body(11));
        assert_ne!(body(0), body(7));
    }
}
