//! Barrier contact of one point with a polyline: vertices that edges share, corners, and the
//! clamped friction point.

use crate::support::near_point;
use ipcsim::contact::barrier::{Barrier, BarrierShape};
use ipcsim::contact::{
    Candidates, Contacts, Friction, FrictionTable, Lag, SharedVertices, Surface,
};
use ipcsim::energy::Energy;
use ipcsim::math::{Vec2, cross};
use proptest::prelude::*;

/// Distance from which on the barrier is zero (m).
const D_HAT: f64 = 0.01;
/// Stiffness of the barrier (Pa).
const KAPPA: f64 = 1e5;
/// Weight of a vertex (m^2).
const WEIGHT: f64 = 0.25;

/// Vertex 0 is the point, the others are a polyline of another body.
fn surface(vertices: usize, shared_vertices: SharedVertices) -> Surface {
    Surface {
        points: vec![0],
        edges: (1..vertices).map(|k| [k, k + 1]).collect(),
        weight: vec![WEIGHT; vertices + 1],
        shared_vertices,
        ..Surface::new((0..=vertices).map(|i| usize::from(i > 0)).collect(), D_HAT)
    }
}

fn positions(point: Vec2, polyline: &[Vec2]) -> Vec<Vec2> {
    std::iter::once(point)
        .chain(polyline.iter().copied())
        .collect()
}

fn contacts(surface: &Surface, shape: BarrierShape, x: &[Vec2]) -> Contacts {
    let barrier = Barrier {
        shape,
        kappa: KAPPA,
    };
    let candidates = Candidates::find(surface, x, |_| 0.0);
    Contacts::find(surface, &barrier.into(), &candidates, x).unwrap()
}

/// Energy and its derivative by every vertex.
fn evaluated<const N: usize>(parts: [&dyn Energy; N], x: &[Vec2]) -> (f64, Vec<Vec2>) {
    let mut gradient = vec![Vec2::zeros(); x.len()];
    for part in parts {
        part.add_gradient(x, 1.0, &mut gradient);
    }
    (parts.iter().map(|part| part.value(x)).sum(), gradient)
}

/// The barrier of a point over a polyline.
fn barrier(
    shape: BarrierShape,
    shared: SharedVertices,
    point: Vec2,
    polyline: &[Vec2],
) -> (f64, Vec<Vec2>) {
    let x = positions(point, polyline);
    evaluated(
        contacts(&surface(polyline.len(), shared), shape, &x).energies(),
        &x,
    )
}

/// The book's barrier of one pair (J): `w/2 d_hat kappa/8 (s - 1) ln s`, `s = d^2/d_hat^2`.
fn of_distance(d: f64) -> f64 {
    let s = (d / D_HAT) * (d / D_HAT);
    if s < 1.0 {
        0.5 * WEIGHT * D_HAT * KAPPA / 8.0 * (s - 1.0) * s.ln()
    } else {
        0.0
    }
}

/// Distance of a point from a segment (m).
fn to_segment(p: Vec2, a: Vec2, b: Vec2) -> f64 {
    let t = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
    (p - a - (b - a) * t).norm()
}

/// A vector (m).
fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// Lengths below are given in units of `d_hat`.
fn d_hats(points: &[(f64, f64)]) -> Vec<Vec2> {
    points.iter().map(|&(x, y)| v(x, y) * D_HAT).collect()
}

#[test]
fn over_a_convex_corner_counting_the_shared_vertex_once_halves_energy_and_force_exactly() {
    let corner = d_hats(&[(-3.0, -2.0), (0.0, 0.0), (3.0, -2.0)]);
    for shape in [BarrierShape::Log, BarrierShape::ClampedLog] {
        for point in [v(0.0, 0.4), v(0.1, 0.6), v(-0.2, 0.5)].map(|p| p * D_HAT) {
            let once = barrier(shape, SharedVertices::Once, point, &corner);
            let twice = barrier(shape, SharedVertices::PerEdge, point, &corner);
            assert!(once.0 > 0.0);
            assert_eq!(once.0.to_bits(), (0.5 * twice.0).to_bits());
            assert_eq!(once.1, twice.1.iter().map(|g| g * 0.5).collect::<Vec<_>>());
            assert!(
                shape != BarrierShape::Log
                    || (once.0 / of_distance(point.norm()) - 1.0).abs() < 1e-13
            );
        }
    }
}

#[test]
fn over_a_straight_line_of_edges_shorter_than_d_hat_the_energy_is_that_of_one_long_edge() {
    for (spacing, count) in [(0.09, 80), (0.3, 25), (0.77, 10), (1.9, 5)] {
        let line: Vec<Vec2> = (-count..=count)
            .map(|k| v(spacing * f64::from(k), 0.0) * D_HAT)
            .collect();
        for k in 0..2000 {
            for height in [0.05, 0.5, 0.95] {
                let point = v(-1.0 + 0.001 * f64::from(k), height) * D_HAT;
                let (energy, gradient) =
                    barrier(BarrierShape::Log, SharedVertices::Once, point, &line);
                let expected = of_distance(point.y);

                assert!(
                    (energy / expected - 1.0).abs() < 1e-9,
                    "{spacing} {point}: {energy} {expected}"
                );
                // Derivative of the energy of one long edge.
                let s = height * height;
                let slope =
                    WEIGHT * D_HAT * KAPPA / 16.0 * (s.ln() + 1.0 - 1.0 / s) * 2.0 * point.y
                        / D_HAT
                        / D_HAT;

                assert!(
                    (gradient[0] - v(0.0, slope)).norm() < 1e-9 * slope.abs(),
                    "{spacing} {point}"
                );
            }
        }
    }
}

/// Polylines with convex and concave corners, coarse and fine (in units of `d_hat`).
fn polylines() -> Vec<Vec<(f64, f64)>> {
    let fine: Vec<(f64, f64)> = (-9..=9)
        .map(|k: i32| (0.3 * f64::from(k), 0.25 * f64::from(k.abs())))
        .collect();
    let hill: Vec<(f64, f64)> = fine.iter().map(|&(x, y)| (x, -y)).collect();
    let stairs = vec![
        (-4.0, 0.0),
        (-0.4, 0.0),
        (-0.4, -0.9),
        (0.5, -0.9),
        (0.5, 0.1),
        (4.0, 0.1),
    ];

    // A roof, a valley and a corner, then many edges.
    vec![
        vec![(-3.0, -2.0), (0.0, 0.0), (3.0, -2.0)],
        vec![(-3.0, 2.0), (0.0, 0.0), (3.0, 2.0)],
        vec![(-3.0, 0.0), (0.0, 0.0), (0.0, 3.0)],
        fine,
        hill,
        stairs,
    ]
}

#[test]
fn energy_and_force_are_continuous_around_corners_convex_and_concave() {
    let nearest = 0.2 * D_HAT;
    let cases = polylines();

    for (shape, case) in [BarrierShape::Log, BarrierShape::ClampedLog]
        .into_iter()
        .flat_map(|s| cases.iter().map(move |c| (s, c)))
    {
        let polyline = d_hats(case);
        for height in [0.3, 0.7, 0.95] {
            let at = |k: i32| v(-2.0 + 4.0 * f64::from(k) / 8_000.0, height) * D_HAT;
            let jet = Barrier {
                shape,
                kappa: KAPPA,
            }
            .pair(nearest, D_HAT);

            // Each of all edges and vertices may contribute, none more steeply than at the smallest
            // distance.
            let terms = WEIGHT * (2 * polyline.len()) as f64;
            let ds = (at(1) - at(0)).norm();
            let steepest = terms * -jet.first;
            let sharpest = terms * (jet.second - jet.first / nearest);

            let mut before: Option<(f64, Vec2)> = None;
            for k in 0..=8_000 {
                let mut edges = polyline.windows(2);
                if !edges.all(|e| to_segment(at(k), e[0], e[1]) > nearest) {
                    before = None;
                    continue;
                }

                let (energy, gradient) = barrier(shape, SharedVertices::Once, at(k), &polyline);
                if let Some((e, g)) = before {
                    assert!((energy - e).abs() <= steepest * ds, "{case:?} {}", at(k));
                    assert!(
                        (gradient[0] - g).norm() <= sharpest * ds,
                        "{case:?} {}",
                        at(k)
                    );
                }

                before = Some((energy, gradient[0]));
            }
        }
    }
}

/// Bound of the rounding error of the sum of energies of `distances` (J). The rounding of distances
/// dominates just below `d_hat`, where the energy goes to zero as a square.
fn allowed(distances: impl Iterator<Item = f64>) -> f64 {
    const ROUNDED: f64 = 1e-14 * D_HAT;

    distances
        .map(|d| 1e-11 * of_distance(d) + ROUNDED * slope(d - ROUNDED))
        .sum::<f64>()
        + 1e-300
}

/// Steepness of the energy at a distance `d` (N), 0 from `d_hat` on.
fn slope(d: f64) -> f64 {
    let s = (d / D_HAT) * (d / D_HAT);
    if s < 1.0 {
        WEIGHT * KAPPA / 8.0 * (1.0 / s - 1.0 - s.ln()) * d / D_HAT
    } else {
        0.0
    }
}

/// Edges of the given lengths (in units of `d_hat`), each turned from the one before, and a point
/// beside edge `k`: a share of it along, and some units of `d_hat` off it. `None` if another edge
/// is too near.
fn near_a_polyline(turns: &[(f64, f64)], k: usize, at: (f64, f64)) -> Option<(Vec<Vec2>, Vec2)> {
    let mut polyline = vec![v(0.0, 0.0)];
    let mut angle = 0.0_f64;

    for (length, turn) in turns {
        angle += turn;
        polyline
            .push(polyline[polyline.len() - 1] + v(angle.cos(), angle.sin()) * (length * D_HAT));
    }

    let along = polyline[k + 1] - polyline[k];
    let point = polyline[k] + along * at.0 + v(-along.y, along.x).normalize() * (at.1 * D_HAT);
    let nearest = polyline
        .windows(2)
        .map(|e| to_segment(point, e[0], e[1]))
        .fold(f64::INFINITY, f64::min);
    (nearest > 0.01 * D_HAT).then_some((polyline, point))
}

/// Counted once, the energy is the sum over edges less that over inner vertices; and forces add up
/// to nothing.
fn assert_counted_once(polyline: &[Vec2], point: Vec2) {
    let edges = || polyline.windows(2).map(|e| to_segment(point, e[0], e[1]));
    let inner = || {
        polyline[1..polyline.len() - 1]
            .iter()
            .map(|a| (point - a).norm())
    };
    let sum = |distances: &mut dyn Iterator<Item = f64>| distances.map(of_distance).sum::<f64>();
    let (energy, gradient) = barrier(BarrierShape::Log, SharedVertices::Once, point, polyline);
    let expected = sum(&mut edges()) - sum(&mut inner());

    assert!(
        (energy - expected).abs() <= allowed(edges().chain(inner())),
        "{energy} {expected}"
    );
    let (per_edge, _) = barrier(BarrierShape::Log, SharedVertices::PerEdge, point, polyline);
    assert!(
        (per_edge - sum(&mut edges())).abs() <= allowed(edges()),
        "{per_edge}"
    );

    let whole: Vec2 = gradient.iter().sum();
    assert!(
        whole.norm() <= 1e-12 * gradient.iter().map(Vec2::norm).sum::<f64>() + 1e-300,
        "{whole}"
    );
}

proptest! {
    #[test]
    fn counted_once_the_energy_is_the_sum_over_edges_less_that_over_inner_vertices(
        turns in prop::collection::vec((0.1_f64..2.0, -2.0_f64..2.0), 2..9),
        k in any::<prop::sample::Index>(), at in (0.0_f64..1.0, -1.2_f64..1.2)
    ) {
        let near = near_a_polyline(&turns, k.index(turns.len()), at);
        prop_assume!(near.is_some());
        let (polyline, point) = near.unwrap();
        assert_counted_once(&polyline, point);
    }
}

#[test]
fn counted_once_just_within_d_hat_the_energy_is_right_up_to_the_rounding_of_distances() {
    let turns = [(1.366_961_272_136_955, 1.583_466_057_679_447_5), (0.1, 0.0)];
    for off in (0..1600).map(|k| 1.0 - 10_f64.powf(-0.01 * f64::from(k))) {
        for (k, at) in [(0, 0.185_9), (0, 0.95), (1, 0.370_5), (1, 0.846_2)] {
            for side in [-off, off] {
                let Some((polyline, point)) = near_a_polyline(&turns, k, (at, side)) else {
                    continue;
                };
                assert_counted_once(&polyline, point);
            }
        }
    }
}

/// Friction of the point sliding from `start` to `end` over an edge, by vertex.
fn friction(start: Vec2, end: Vec2, edge: &[Vec2]) -> Vec<Vec2> {
    /// Slip from which on friction is fully developed (m).
    const SLIP: f64 = 1e-6;
    /// Coefficient of friction.
    const MU: f64 = 0.3;
    let surface = surface(edge.len(), SharedVertices::Once);
    let x = positions(start, edge);
    let moved = positions(end, edge);
    let table = FrictionTable::uniform(MU, SLIP);
    let friction = Friction::lagged(
        &surface,
        &contacts(&surface, BarrierShape::Log, &x),
        &x,
        Lag::along_tangents(&table, &x, 1.0),
    );
    evaluated(friction.energies(), &moved).1
}

#[test]
fn beyond_the_end_of_an_edge_friction_acts_on_the_end_vertex_without_a_couple() {
    let edge = d_hats(&[(-3.0, 0.0), (0.0, 0.0)]);
    let point = v(0.3, 0.4) * D_HAT;
    let sliding = v(-0.8, 0.6) * (0.1 * D_HAT);
    let gradient = friction(point, point + sliding, &edge);
    let load = -Barrier {
        shape: BarrierShape::Log,
        kappa: KAPPA,
    }
    .pair(0.5 * D_HAT, D_HAT)
    .first;

    // The gap's direction is (0.6, 0.8): friction, mu lambda, is along (-0.8, 0.6) and opposes the
    // slide.
    let expected = v(-0.8, 0.6) * (0.3 * WEIGHT * load);
    near_point(gradient[0], expected, 1e-12 * expected.norm());

    // The other end has what cancels the torque about this one, across the edge.
    let across = cross(point, gradient[0]) / (3.0 * D_HAT);
    let couple = v(0.0, across);
    near_point(gradient[1], couple, 1e-12 * expected.norm());
    assert!((gradient[2] + gradient[0] + couple).norm() < 1e-12 * expected.norm());
}

#[test]
fn over_an_edge_friction_is_shared_by_the_lever_rule() {
    let edge = d_hats(&[(-3.0, 0.0), (1.0, 0.0)]);
    let point = v(0.0, 0.5) * D_HAT;
    let gradient = friction(point, point + v(0.1, 0.0) * D_HAT, &edge);
    assert!(gradient[0].x > 0.0 && gradient[0].y.abs() < 1e-15);

    // Half of d_hat above an edge of 4 d_hat: the ends cancel the couple by an eighth of the force.
    let couple = v(0.0, 0.125 * gradient[0].x);
    let size = gradient[0].norm();
    assert!((gradient[1] + gradient[0] * 0.25 + couple).norm() < 1e-12 * size);
    near_point(gradient[2] + gradient[0] * 0.75, couple, 1e-12 * size);
}
