//! Laws as one type, for elements that are compiled once for all of them.
//!
//! Nine laws with their forms in plane strain, in plane stress and around an axis are sixteen types, and
//! there are twelve kinds of sums of elements. Compiled for each pair, these were a sixth of all code in a
//! page of the web.
//!
//! A call by the kind of law takes a few nanoseconds, most laws about a hundred. So only laws that are
//! much faster, or have a form for the lanes of a register, have elements in plane strain compiled for
//! themselves ([`SceneLaw::Compiled`](super::SceneLaw::Compiled)).

/// Writes an enumeration of laws that is itself a law, by the one that it holds.
///
/// Laws of the enumeration have no form for lanes ([`Hyperelastic::response`](super::Hyperelastic::response)).
macro_rules! any_law {
    ($(#[$about:meta])* $any:ident { $($(#[$own:meta])* $name:ident($law:ty),)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub enum $any {
            $($(#[$own])* $name($law),)*
        }

        $(impl From<$law> for $any {
            fn from(law: $law) -> Self {
                Self::$name(law)
            }
        })*

        impl $crate::material::Hyperelastic for $any {
            type Parameters = [f64; 0];

            fn parameters(&self) -> [f64; 0] {
                []
            }

            fn energy_density(&self, f: &Mat2) -> f64 {
                match self {
                    $(Self::$name(law) => law.energy_density(f),)*
                }
            }

            fn stress(&self, f: &Mat2) -> Mat2 {
                match self {
                    $(Self::$name(law) => law.stress(f),)*
                }
            }

            fn stress_across(&self, f: &Mat2) -> f64 {
                match self {
                    $(Self::$name(law) => law.stress_across(f),)*
                }
            }

            fn thickness(&self, f: &Mat2) -> f64 {
                match self {
                    $(Self::$name(law) => law.thickness(f),)*
                }
            }

            fn modes(&self, f: &Mat2) -> Modes {
                match self {
                    $(Self::$name(law) => law.modes(f),)*
                }
            }
        }

        impl $crate::material::Distortable for $any {
            fn flows(&self) -> bool {
                match self {
                    $(Self::$name(law) => law.flows(),)*
                }
            }

            fn distorted(self, distortion: &Distortion) -> Self {
                match self {
                    $(Self::$name(law) => Self::$name(law.distorted(distortion)),)*
                }
            }

            fn stretched_across(self, growth: f64) -> Self {
                match self {
                    $(Self::$name(law) => Self::$name(law.stretched_across(growth)),)*
                }
            }

            fn space_modes(&self, f: &Mat2) -> SpaceModes {
                match self {
                    $(Self::$name(law) => law.space_modes(f),)*
                }
            }

            fn flow(&self, f: &Mat2) -> Option<Flow> {
                match self {
                    $(Self::$name(law) => law.flow(f),)*
                }
            }
        }
    };
}

pub(super) use any_law;
