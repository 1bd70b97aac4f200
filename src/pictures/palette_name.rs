//! Names of palettes on the command line.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use ipcsim_pictures::palette::Palette;

/// A palette that is an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PaletteName(pub(crate) Palette);

impl ValueEnum for PaletteName {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(Palette::Viridis),
            Self(Palette::Cividis),
            Self(Palette::Magma),
            Self(Palette::Grey),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, colors) = match self.0 {
            Palette::Viridis => ("viridis", "Violet, green, yellow"),
            Palette::Cividis => (
                "cividis",
                "Blue, grey, yellow: the same with and without red and green",
            ),
            Palette::Magma => ("magma", "Black, red, cream"),
            Palette::Grey => ("grey", "Dark to light grey"),
        };
        Some(PossibleValue::new(name).help(colors))
    }
}
