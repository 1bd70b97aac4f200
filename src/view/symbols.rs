//! Symbols of joints, supports and loads, as the page computes them from its vertices.
//!
//! The page gets what a symbol follows, and not where it is in each state, so that symbols need no
//! room that grows with the number of states. Only loads change with time: as whole numbers of
//! thousandths of their largest value.

use super::source::Recorded;
use crate::CommandError;
use crate::pictures::carried::Carried;
use crate::pictures::sketch::{DrawnLoad, DrawnSupport, Sketch};
use ipcsim::body::Action;
use ipcsim::math::Vec2;
use ipcsim_pictures::diagram::Symbol;
use ipcsim_store::table::Moment;
use serde::Serialize;

/// Parts of a load's largest value that its numbers count.
const PARTS: f64 = 1000.0;
/// Largest number of numbers of a load in all states; of more only some of its arrows are drawn.
const MOST: usize = 400_000;
/// Digits behind the point of a weight of a vertex.
const DIGITS: f64 = 1e7;

/// A sum of vertices: each with the numbers `s` and `t` of its turn and scaling.
pub(super) type Terms = Vec<(usize, f64, f64)>;

/// A symbol in the page. Each kind uses some of the keys.
#[derive(Debug, Default, Serialize)]
struct Drawn {
    /// Kind of the symbol.
    kind: &'static str,
    /// Points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at: Vec<Terms>,
    /// Direction of a guide, or from which the angles of stops count.
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<Terms>,
    /// Length of a rope (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    /// Limits of an angle (rad).
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[f64; 2]>,
    /// True if the block of a guide may turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    turns: bool,
    /// True if the line of a guide never moves.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    grounded: bool,
    /// Axes that a support holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    axes: Option<[bool; 2]>,
    /// Direction of a support away from its body.
    #[serde(skip_serializing_if = "Option::is_none")]
    outward: Option<[f64; 2]>,
    /// Times from which and until which a support holds (s); without an end it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<(f64, Option<f64>)>,
    /// Name of a load.
    #[serde(skip_serializing_if = "str::is_empty")]
    label: String,
    /// Number of the body of a load.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<usize>,
    /// Edges that a pressure acts on, with the inside on the left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edges: Vec<[usize; 2]>,
    /// Normals of the surface at the points of a traction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    normals: Vec<[f64; 2]>,
    /// Values of a load in each state: of a pressure and a torque one for each edge or point, of
    /// others two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Vec<i32>>,
}

/// All symbols of a run as JSON.
///
/// # Errors
/// [`CommandError::Json`] if they cannot be written as JSON.
pub(super) fn symbols(run: &Recorded) -> Result<Vec<u8>, CommandError> {
    let sketch = Sketch::of(&run.setup);
    let mut all: Vec<Drawn> = sketch.supports.iter().map(of_support).collect();
    all.extend(sketch.joints.iter().filter_map(of_joint));
    let loads = sketch.loads.iter().filter(|load| load.peak > 0.0);
    all.extend(loads.map(|load| of_load(load, &run.moments)));
    serde_json::to_vec(&all).map_err(|error| CommandError::Json(error.to_string()))
}

/// Terms of a point, with rounded weights.
pub(super) fn terms(carried: &Carried) -> Terms {
    let mut rounded = Vec::with_capacity(carried.terms.len());
    for &(vertex, weights) in &carried.terms {
        let [s, t] = weights.map(|weight| (weight * DIGITS).round() / DIGITS);
        rounded.push((vertex, s, t));
    }
    rounded
}

/// A support.
fn of_support(support: &DrawnSupport) -> Drawn {
    let [from, until] = support.window;
    Drawn {
        kind: "support",
        at: support.points.iter().map(terms).collect(),
        axes: Some(support.axes),
        outward: Some(support.outward.into()),
        // JSON has no infinite numbers.
        window: Some((from.max(0.0), until.is_finite().then_some(until))),
        ..Drawn::default()
    }
}

/// A symbol of a joint; `None` for others.
fn of_joint(symbol: &Symbol<Carried>) -> Option<Drawn> {
    let simple = |kind, points: &[Carried]| Drawn {
        kind,
        at: points.iter().map(terms).collect(),
        ..Drawn::default()
    };
    let one = std::slice::from_ref;
    Some(match symbol {
        Symbol::Hinge(at) => simple("hinge", one(at)),
        Symbol::Weld(at) => simple("weld", one(at)),
        Symbol::Motor(at) => simple("motor", one(at)),
        Symbol::Rod(ends) => simple("rod", ends),
        Symbol::Spring(ends) => simple("spring", ends),
        Symbol::Cylinder(ends) => simple("cylinder", ends),
        Symbol::Gear(centres) => simple("gear", centres),
        Symbol::Glue(points) => simple("glue", points),
        Symbol::Strut { ends, axis } => Drawn {
            axis: Some(terms(axis)),
            ..simple("strut", ends)
        },
        Symbol::Rope { ends, length } => Drawn {
            length: Some(*length),
            ..simple("rope", ends)
        },
        Symbol::Guide {
            origin,
            at,
            axis,
            turns,
            is_grounded,
        } => Drawn {
            axis: Some(terms(axis)),
            turns: *turns,
            grounded: *is_grounded,
            ..simple("guide", &[origin.clone(), at.clone()])
        },
        Symbol::Stops { at, from, range } => Drawn {
            axis: Some(terms(from)),
            range: range
                .iter()
                .all(|limit| limit.is_finite())
                .then_some(*range),
            ..simple("stops", one(at))
        },
        Symbol::Ground { at, outward } => Drawn {
            outward: Some((*outward).into()),
            ..simple("ground", at)
        },
        Symbol::Force { .. }
        | Symbol::Comb { .. }
        | Symbol::Turn { .. }
        | Symbol::Support { .. } => return None,
    })
}

/// A load with its values in all states.
fn of_load(load: &DrawnLoad, moments: &[Moment]) -> Drawn {
    let rows: Vec<Vec<Vec2>> = moments.iter().map(|at| load.values(at.time)).collect();
    let per_edge = load.points.len() / load.edges.len().max(1);

    // Of many arrows only some, so that loads need little room.
    let places = load.points.len().max(1);
    let stride = (places * moments.len()).div_ceil(MOST).max(1);
    let mut drawn = Drawn {
        label: load.applied.name.clone(),
        body: Some(load.applied.body),
        at: load.points.iter().step_by(stride).map(terms).collect(),
        ..Drawn::default()
    };
    // What each kind shows of its values.
    let parts: fn(&Vec2) -> Vec<f64> = match &load.applied.action {
        Action::Spread(spread) => {
            drawn.kind = if load.is_single() {
                "force"
            } else {
                "traction"
            };
            let normals = spread.samples.iter().map(|sample| sample.normal.into());
            drawn.normals = normals.step_by(stride).collect();
            |value| vec![value.x, value.y]
        }
        Action::Pressing(_) => {
            drawn.kind = "pressure";
            // The page spreads arrows over an edge.
            drawn.at.clear();
            let edges = load.edges.iter().step_by(per_edge.max(1));
            drawn.edges = edges.step_by(stride).copied().collect();
            |value| vec![value.x]
        }
        Action::Turning(_) => {
            drawn.kind = "torque";
            |value| vec![value.x]
        }
    };

    // All arrows of an edge have one value.
    let each = if drawn.edges.is_empty() { 1 } else { per_edge };
    for row in &rows {
        let kept = row.iter().step_by(each.max(1)).step_by(stride);
        let numbers = kept.flat_map(parts).map(|value| whole(value / load.peak));
        drawn.values.push(numbers.collect());
    }
    drawn
}

/// A share of the largest value in whole parts.
#[allow(clippy::cast_possible_truncation, reason = "from -1000 to 1000")]
fn whole(share: f64) -> i32 {
    (share * PARTS).round().clamp(-PARTS, PARTS) as i32
}
