//! A table of at most 256 colours: those of the theme, and the mixtures that smoothing makes of
//! them.
//!
//! Every picture of this program has the colours of one theme, so the table is fixed and no frame
//! needs to be analysed. The nearest colour is found by search. A small memory, addressed by a hash
//! of the colour, spares the search for colours that were met before; a colour that is pushed out
//! of the memory is searched for again, with the same result.

use super::palette::{self, Rgb};

/// Number of remembered colours; a power of two.
const MEMORY: usize = 1 << 14;

/// Finds the nearest colour of a fixed table.
pub(super) struct Quantizer {
    /// Colours by index, at most 255.
    table: Vec<Rgb>,
    /// Colours met before, each with its index, `[MEMORY]`.
    memory: Vec<(Rgb, u8)>,
}

impl Quantizer {
    /// Index of transparent pixels, which no colour has.
    pub(super) const TRANSPARENT: u8 = 255;

    /// A quantizer with the table of the theme and an empty memory.
    pub(super) fn new() -> Self {
        let table = theme();
        let memory = vec![(table[0], 0); MEMORY];
        Self { table, memory }
    }

    /// Red, green and blue of every index, `[256][3]`; unused indices are black.
    pub(super) fn table(&self) -> Vec<u8> {
        let mut bytes = self.table.concat();
        bytes.resize(3 * 256, 0);
        bytes
    }

    /// Indices of the colours nearest to the given pixels, three bytes each.
    pub(super) fn indices(&mut self, rgb: &[u8]) -> Vec<u8> {
        rgb.chunks_exact(3)
            .map(|pixel| self.index([pixel[0], pixel[1], pixel[2]]))
            .collect()
    }

    /// Index of the colour nearest to `color`, from the memory or by search.
    fn index(&mut self, color: Rgb) -> u8 {
        let [r, g, b] = color.map(usize::from);
        let slot = (r * 961 + g * 31 + b) % MEMORY;
        let (known, index) = self.memory[slot];
        if known == color {
            return index;
        }
        let index = nearest(&self.table, color);
        self.memory[slot] = (color, index);
        index
    }
}

/// Index of the nearest colour, by a distance that weighs green most; the first of equals.
fn nearest(table: &[Rgb], color: Rgb) -> u8 {
    (0..=254)
        .zip(table)
        .min_by_key(|(_, other)| distance(color, **other))
        .map_or(0, |(index, _)| index)
}

/// Square of a distance between two colours, `3 dr^2 + 4 dg^2 + 2 db^2`.
fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |c: usize| u32::from(a[c].abs_diff(b[c])).pow(2);
    3 * square(0) + 4 * square(1) + 2 * square(2)
}

/// At most 255 colours: greys; for each body the mixtures of its fill, outline and background; the
/// scale of values, pure, darkened by mesh lines and faded at the rim.
fn theme() -> Vec<Rgb> {
    let mut table = vec![palette::BACKGROUND, [255; 3]];
    table.extend(blends(palette::BACKGROUND, palette::INK, 28));
    table.push(palette::INK);

    for color in palette::BODIES {
        let tint = palette::tint(color);
        let shade = palette::shade(color);
        table.extend(blends(tint, shade, 8));
        table.extend(blends(shade, palette::BACKGROUND, 5));
    }

    // A part of the scale has more colours where its areas are larger.
    table.extend(scale(56));
    table.extend(scale(16).map(|c| palette::mix(c, palette::INK, 0.3)));
    table.extend(scale(16).map(|c| palette::mix(c, palette::INK, 0.6)));
    table.extend(scale(12).map(|c| palette::mix(c, palette::BACKGROUND, 0.4)));
    table
}

/// `n` mixtures of `a` and `b`, from `a` up to the one before `b`.
fn blends(a: Rgb, b: Rgb, n: u32) -> impl Iterator<Item = Rgb> {
    (0..n).map(move |k| palette::mix(a, b, f64::from(k) / f64::from(n)))
}

/// `n` colours equally spaced along the scale of values, half a spacing from its ends.
fn scale(n: u32) -> impl Iterator<Item = Rgb> {
    (0..n).map(move |k| palette::viridis((f64::from(k) + 0.5) / f64::from(n)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_leaves_room_for_transparency_and_holds_the_theme() {
        let mut quantizer = Quantizer::new();
        // One of 256 entries stays for transparency.
        assert!(quantizer.table.len() <= 255);
        let theme = [
            palette::BACKGROUND,
            palette::INK,
            palette::tint(palette::BODIES[3]),
            palette::shade(palette::BODIES[7]),
        ];

        for color in theme {
            let index = quantizer.indices(&color)[0];
            assert_eq!(quantizer.table[usize::from(index)], color);
        }
    }

    #[test]
    fn remembered_colours_are_the_nearest_ones_too() {
        let mut quantizer = Quantizer::new();
        let colors: Vec<Rgb> = (0..20_000_u32)
            .map(|k| (k * 7919).to_le_bytes())
            .map(|[a, b, c, _]| [a, b, c])
            .collect();

        // More colours than the memory holds, so that some are pushed out.
        let once = quantizer.indices(&colors.concat());
        assert_eq!(quantizer.indices(&colors.concat()), once);
        assert!(
            colors
                .iter()
                .zip(&once)
                .all(|(c, &i)| nearest(&quantizer.table, *c) == i)
        );
    }
}
