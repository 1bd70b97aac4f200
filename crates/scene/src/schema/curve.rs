//! Closed curves of lines, arcs, splines and circles.
//!
//! In JSON a point of a path is a pair of numbers, to which a straight line leads, or an object
//! with one key that says how the curve goes on; a separate reader keeps the place of an error
//! within it.

use ipcsim_keys::Keys;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A closed curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Curve {
    /// A curve of lines, arcs and splines.
    Path(Path),
    /// A circle.
    Circle(RoundCurve),
}

/// A closed curve of lines, arcs and splines, in either direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// Where the curve begins (m), and how it goes on. A straight line joins its end to its beginning,
    /// unless they are at one place.
    pub points: Vec<Stop>,
    /// Name, which selects the vertices on the curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A circle as a curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct RoundCurve {
    /// Centre (m).
    pub center: [f64; 2],
    /// Radius of the circle (m).
    #[key(above = 0)]
    pub radius: f64,
    /// Name, which selects the vertices on the circle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// How a path goes on: a point (m), to which a straight line leads, or an object with one key.
#[derive(Clone, Debug, PartialEq, Serialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// A straight line with a name.
    Line(LineTo),
    /// An arc of a circle.
    Arc(ArcTo),
    /// A cubic Bezier curve.
    Cubic(CubicTo),
    /// A smooth curve through points: a Catmull-Rom spline, whose tangent at a point is along the
    /// line from its neighbour before to its neighbour behind.
    Spline(SplineThrough),
    /// A straight line to this point (m).
    #[serde(untagged)]
    Point([f64; 2]),
}

/// A straight line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct LineTo {
    /// End of the line (m).
    pub to: [f64; 2],
    /// Name, which selects the vertices on the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// An arc of a circle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct ArcTo {
    /// A point of the arc between its ends (m).
    pub through: [f64; 2],
    /// End of the arc (m).
    pub to: [f64; 2],
    /// Name, which selects the vertices on the arc.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A cubic Bezier curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct CubicTo {
    /// Points that the curve leaves towards, and comes from (m).
    pub controls: [[f64; 2]; 2],
    /// End of the curve (m).
    pub to: [f64; 2],
    /// Name, which selects the vertices on the curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A smooth curve through points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct SplineThrough {
    /// Points in order (m); the curve ends at the last one.
    pub through: Vec<[f64; 2]>,
    /// Name, which selects the vertices on the curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Curve {
    /// A closed curve of straight lines through these points (m).
    pub fn polygon(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self::path(points.into_iter().map(Stop::Point))
    }

    /// A closed curve of lines, arcs and splines.
    pub fn path(points: impl IntoIterator<Item = Stop>) -> Self {
        Self::Path(Path {
            points: points.into_iter().collect(),
            name: None,
        })
    }

    /// A circle around `center` with this radius (m).
    pub fn circle(center: [f64; 2], radius: f64) -> Self {
        Self::Circle(RoundCurve {
            center,
            radius,
            name: None,
        })
    }

    /// Gives the curve a name, which selects the vertices on it.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        match &mut self {
            Self::Path(path) => path.name = Some(name.into()),
            Self::Circle(circle) => circle.name = Some(name.into()),
        }
        self
    }

    /// Name of the curve, and names of its pieces.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Circle(circle) => circle.name.as_deref().into_iter().collect(),
            Self::Path(path) => {
                let pieces = path.points.iter().filter_map(Stop::name);
                path.name.as_deref().into_iter().chain(pieces).collect()
            }
        }
    }
}

impl Stop {
    /// An arc through a point to its end (m).
    pub fn arc(through: [f64; 2], to: [f64; 2]) -> Self {
        Self::Arc(ArcTo {
            through,
            to,
            name: None,
        })
    }

    /// Name of the piece that leads here.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Point(_) => None,
            Self::Line(line) => line.name.as_deref(),
            Self::Arc(arc) => arc.name.as_deref(),
            Self::Cubic(cubic) => cubic.name.as_deref(),
            Self::Spline(spline) => spline.name.as_deref(),
        }
    }
}

impl<'de> Deserialize<'de> for Stop {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Key of a stop that is an object.
#[derive(Deserialize)]
#[serde(variant_identifier, rename_all = "snake_case")]
enum Key {
    /// A line with a name.
    Line,
    /// An arc of a circle.
    Arc,
    /// A cubic Bezier curve.
    Cubic,
    /// A smooth curve through points.
    Spline,
}

/// Tells points from objects.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Stop;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a point [x, y], or an object with one key: line, arc, cubic or spline")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Stop, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(seq)).map(Stop::Point)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stop, A::Error> {
        let Some(key) = map.next_key::<Key>()? else {
            return Err(A::Error::custom(
                "missing key: a piece of a path has one, such as arc or spline",
            ));
        };
        let stop = match key {
            Key::Line => Stop::Line(map.next_value()?),
            Key::Arc => Stop::Arc(map.next_value()?),
            Key::Cubic => Stop::Cubic(map.next_value()?),
            Key::Spline => Stop::Spline(map.next_value()?),
        };

        if map.next_key::<IgnoredAny>()?.is_some() {
            let message = "a piece of a path has one key; list the next piece separately";
            return Err(A::Error::custom(message));
        }
        Ok(stop)
    }
}
