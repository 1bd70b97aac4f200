//! Selections of vertices of a body, by place, side, number or name, and combinations of them.
//!
//! Places are given at the start, in the world. Sides are the sides of the shape before it is
//! placed and rotated. In JSON a selection is a word or an object with one key; a separate reader
//! keeps the place of an error within it.

use ipcsim_keys::Keys;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Selection of vertices of a body: "all", "boundary", the name of one of the body's `selections`, or
/// an object with one key.
#[derive(Clone, Debug, PartialEq, Serialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// All vertices of the body.
    All,
    /// Vertices of the outline, holes included.
    Boundary,
    /// Vertices with these numbers, from 0.
    Indices(Vec<usize>),
    /// Vertices inside this box at the start.
    Box(Bounds),
    /// Vertices inside this disk at the start.
    Disk(Within),
    /// Vertices behind this line at the start.
    HalfPlane(Behind),
    /// The vertex that is nearest to this point at the start (m).
    Nearest([f64; 2]),
    /// Vertices near the outline of another body or obstacle at the start.
    Near(NearBody),
    /// Vertices along the outline as far as it goes on without a corner, as "select tangent" of CAD.
    Tangent(Tangent),
    /// Vertices on a side of the shape, before it is placed and rotated: the vertices that are
    /// farthest to the left, to the right, below or above.
    Side(Side),
    /// Vertices that at least one of these selections has.
    Any(Vec<Selection>),
    /// Vertices that each of these selections has.
    AllOf(Vec<Selection>),
    /// Vertices that this selection does not have.
    Not(Box<Selection>),
    /// Name of one of the body's `selections`.
    #[serde(untagged)]
    Named(String),
}

/// An axis-aligned rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Lower left corner (m).
    pub min: [f64; 2],
    /// Upper right corner (m).
    pub max: [f64; 2],
}

impl Bounds {
    /// The rectangle from the lower left to the upper right corner (m).
    pub fn new(min: [f64; 2], max: [f64; 2]) -> Self {
        Self { min, max }
    }
}

/// A disk in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// Centre (m).
    pub center: [f64; 2],
    /// Radius (m).
    #[key(at_least = 0)]
    pub radius: f64,
}

/// A half of the world, on the other side of a line than its normal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Behind {
    /// Direction away from the half (1), of any length, as the normal of a half-plane.
    pub normal: [f64; 2],
    /// A point of the line (m).
    pub origin: [f64; 2],
}

/// A distance from the outline of a body or obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct NearBody {
    /// Name of another body or obstacle. The name of a body with `copies` stands for all of them.
    pub body: String,
    /// Largest distance of a vertex from its outline (m).
    #[key(at_least = 0)]
    pub within: f64,
}

/// A part of an outline between two corners.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Tangent {
    /// Point from whose nearest edge of the outline the selection begins, both ways (m).
    pub from: [f64; 2],
    /// Angle by which the outline may turn at a vertex (degrees). Where it turns by more is a corner, which is
    /// the last vertex.
    #[serde(default = "smooth")]
    #[key(at_least = 0, at_most = 180)]
    pub angle_deg: f64,
}

/// Default of [`Tangent::angle_deg`] (degrees): more than at the vertices of a circle of 24.
fn smooth() -> f64 {
    20.0
}

/// A side of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Smallest x.
    Left,
    /// Largest x.
    Right,
    /// Smallest y.
    Bottom,
    /// Largest y.
    Top,
}

/// Key of a selection that is an object.
#[derive(Deserialize)]
#[serde(variant_identifier, rename_all = "snake_case")]
enum Key {
    /// Numbers of vertices.
    Indices,
    /// An axis-aligned box.
    Box,
    /// A disk.
    Disk,
    /// Half of the world.
    HalfPlane,
    /// The vertex nearest to a point.
    Nearest,
    /// Vertices near another body.
    Near,
    /// Vertices along the outline up to corners.
    Tangent,
    /// A side of the shape.
    Side,
    /// One of several selections.
    Any,
    /// All of several selections.
    AllOf,
    /// All but a selection.
    Not,
}

impl Selection {
    /// Vertices of a side of the shape.
    pub fn side(side: Side) -> Self {
        Self::Side(side)
    }

    /// Vertices within `radius` of `center` at the start (m).
    pub fn disk(center: [f64; 2], radius: f64) -> Self {
        Self::Disk(Within { center, radius })
    }

    /// Vertices in the box from `min` to `max` at the start (m).
    pub fn within(min: [f64; 2], max: [f64; 2]) -> Self {
        Self::Box(Bounds::new(min, max))
    }

    /// Moves all places by a displacement (m), as copies of a body are.
    pub(crate) fn move_by(&mut self, [x, y]: [f64; 2]) {
        let moved = |at: [f64; 2]| [at[0] + x, at[1] + y];
        match self {
            Self::Box(bounds) => *bounds = Bounds::new(moved(bounds.min), moved(bounds.max)),
            Self::Disk(disk) => disk.center = moved(disk.center),
            Self::HalfPlane(half) => half.origin = moved(half.origin),
            Self::Nearest(at) => *at = moved(*at),
            Self::Tangent(tangent) => tangent.from = moved(tangent.from),
            Self::Any(parts) | Self::AllOf(parts) => {
                for part in parts {
                    part.move_by([x, y]);
                }
            }
            Self::Not(part) => part.move_by([x, y]),
            Self::All
            | Self::Boundary
            | Self::Indices(_)
            | Self::Near(_)
            | Self::Side(_)
            | Self::Named(_) => {}
        }
    }
}

impl<'de> Deserialize<'de> for Selection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Tells words from objects.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Selection;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"all\", \"boundary\", the name of a selection, or an object with one key such as box or side")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Selection, E> {
        Ok(match word {
            "all" => Selection::All,
            "boundary" => Selection::Boundary,
            name => Selection::Named(name.to_owned()),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Selection, A::Error> {
        let Some(key) = map.next_key::<Key>()? else {
            return Err(A::Error::custom(
                "missing key: a selection has one, such as box or side",
            ));
        };
        let selection = match key {
            Key::Indices => Selection::Indices(map.next_value()?),
            Key::Box => Selection::Box(map.next_value()?),
            Key::Disk => Selection::Disk(map.next_value()?),
            Key::HalfPlane => Selection::HalfPlane(map.next_value()?),
            Key::Nearest => Selection::Nearest(map.next_value()?),
            Key::Near => Selection::Near(map.next_value()?),
            Key::Tangent => Selection::Tangent(map.next_value()?),
            Key::Side => Selection::Side(map.next_value()?),
            Key::Any => Selection::Any(map.next_value()?),
            Key::AllOf => Selection::AllOf(map.next_value()?),
            Key::Not => Selection::Not(map.next_value()?),
        };

        if map.next_key::<IgnoredAny>()?.is_some() {
            let message = "a selection has one key; combine several by any or all_of";
            return Err(A::Error::custom(message));
        }
        Ok(selection)
    }
}
