//! Contact along edges, against sums over many points of both outlines.

use crate::barrier::{Barrier, BarrierShape};
use crate::{Candidates, Contacts, Surface};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::distance::point_edge;

/// Activation distance (m).
const D_HAT: f64 = 0.05;

/// Stiffness of the barrier (Pa).
const KAPPA: f64 = 3.0;

/// Two outlines with the positions of their vertices (m).
struct Case {
    x: Vec<Vec2>,
    edges: Vec<[usize; 2]>,
    body: Vec<usize>,
}

impl Case {
    /// Two open polylines.
    fn of(first: &[[f64; 2]], second: &[[f64; 2]]) -> Self {
        let count = first.len() + second.len();
        let x = first.iter().chain(second).map(|&p| Vec2::from(p)).collect();
        let edges = (0..count - 1).filter(|&k| k + 1 != first.len());
        Self {
            x,
            edges: edges.map(|k| [k, k + 1]).collect(),
            body: (0..count).map(|k| usize::from(k >= first.len())).collect(),
        }
    }

    /// Lengths at rest times thickness, which differ from lengths (m^2).
    fn areas(&self) -> Vec<f64> {
        let edges = self.edges.iter();
        edges
            .map(|&[a, b]| 1.1 * (self.x[b] - self.x[a]).norm())
            .collect()
    }

    /// Energy (J) and gradient (N) of all contacts at the positions `x` (m), with the areas of this
    /// case.
    fn energy(&self, x: &[Vec2]) -> (f64, Vec<Vec2>) {
        let surface = Surface {
            points: (0..x.len()).collect(),
            edges: self.edges.clone(),
            edge_area: self.areas(),
            integrated: vec![true; 2],
            ..Surface::new(self.body.clone(), D_HAT)
        };
        let barrier = Barrier {
            shape: BarrierShape::Inverse,
            kappa: KAPPA,
        };
        let candidates = Candidates::find(&surface, x, |_| 0.0);
        let contacts = Contacts::find(&surface, &barrier.into(), &candidates, x).unwrap();
        let mut gradient = vec![Vec2::zeros(); x.len()];
        let mut energy = 0.0;
        for part in contacts.energies() {
            energy += part.value(x);
            part.add_gradient(x, 1.0, &mut gradient);
        }
        (energy, gradient)
    }

    /// The energy (J) as a sum over many points of all edges.
    fn sampled(&self, count: usize) -> f64 {
        let barrier = Barrier {
            shape: BarrierShape::Inverse,
            kappa: KAPPA,
        };
        let mut sum = 0.0;
        for (edge, area) in self.edges.iter().zip(self.areas()) {
            let [a, b] = edge.map(|i| self.x[i]);
            let others = self
                .edges
                .iter()
                .filter(|other| self.body[other[0]] != self.body[edge[0]]);
            let others: Vec<[usize; 2]> = others.copied().collect();
            for k in 0..count {
                let at = a + (b - a) * ((k as f64 + 0.5) / count as f64);
                sum += 0.5 * area / count as f64 * self.density(&barrier, at, &others);
            }
        }
        sum
    }

    /// Sum of the barriers of a point with all edges, where each inner vertex is counted once.
    fn density(&self, barrier: &Barrier, at: Vec2, edges: &[[usize; 2]]) -> f64 {
        let of = |d: f64| {
            if d < D_HAT {
                barrier.plane(d, D_HAT).value
            } else {
                0.0
            }
        };
        let near = |[a, b]: [usize; 2]| of(point_edge(at, self.x[a], self.x[b]).distance);
        let all: f64 = edges.iter().map(|&edge| near(edge)).sum();
        let starts: Vec<usize> = edges.iter().map(|edge| edge[0]).collect();
        let inner = edges
            .iter()
            .map(|edge| edge[1])
            .filter(|end| starts.contains(end));
        all - inner.map(|v| of((at - self.x[v]).norm())).sum::<f64>()
    }
}

/// Outlines that meet at different features.
fn cases() -> Vec<Case> {
    vec![
        // A long edge over many, flat, tilted and bent.
        Case::of(
            &[[0.0, 0.03], [1.0, 0.03]],
            &[[-0.2, 0.0], [0.3, 0.0], [0.41, 0.0], [1.3, 0.0]],
        ),
        Case::of(
            &[[0.0, 0.02], [1.0, 0.08]],
            &[[-0.2, 0.0], [0.3, 0.003], [0.41, -0.004], [1.3, 0.0]],
        ),
        Case::of(
            &[[0.0, 0.03], [0.35, 0.029], [0.52, 0.031], [1.0, 0.03]],
            &[[1.3, 0.0], [0.5, 0.001], [0.41, -0.001], [-0.2, 0.0]],
        ),
        // Many edges of both, all nearly straight.
        Case::of(
            &(0..9)
                .map(|k| [0.125 * f64::from(k), 0.045 + 1e-4 * f64::from(k * k % 5)])
                .collect::<Vec<_>>(),
            &(0..200)
                .map(|k| [1.3 - 0.013 * f64::from(k), 0.0])
                .collect::<Vec<_>>(),
        ),
        // A vertex before an edge, vertices before each other, an inner corner.
        Case::of(
            &[[0.1, 0.5], [0.4, 0.01], [0.9, 0.6]],
            &[[0.0, 0.0], [1.0, 0.0]],
        ),
        Case::of(
            &[[0.1, 0.5], [0.4, 0.02], [0.9, 0.6]],
            &[[0.0, -0.3], [0.41, 0.0], [1.0, -0.4]],
        ),
        Case::of(
            &[[0.37, 0.3], [0.4, 0.03], [0.43, 0.3]],
            &[[0.0, 0.3], [0.4, 0.0], [0.8, 0.3]],
        ),
    ]
}

#[test]
fn the_energy_is_the_integral_over_both_outlines() {
    for (k, case) in cases().into_iter().enumerate() {
        let (found, _) = case.energy(&case.x);
        let expected = case.sampled(50_000);
        assert!(
            (found / expected - 1.0).abs() < 2e-6,
            "case {k}: {found} {expected}"
        );
    }
}

#[test]
fn the_gradient_is_that_of_the_energy_while_pieces_move() {
    for (k, case) in cases().into_iter().enumerate() {
        let (energy, gradient) = case.energy(&case.x);
        let scale = gradient.iter().map(Vec2::norm).fold(0.0, f64::max);
        for i in 0..2 * case.x.len() {
            let step = 1e-6;
            let at = |sign: f64| {
                let mut x = case.x.clone();
                x[i / 2][i % 2] += sign * step;
                case.energy(&x).0
            };
            let slope = (at(1.0) - at(-1.0)) / (2.0 * step);
            let error = (slope - gradient[i / 2][i % 2]).abs();
            assert!(
                error < 1e-6 * scale + 1e-9 * energy / step,
                "case {k}, {i}: {slope} {}",
                gradient[i / 2][i % 2]
            );
        }
    }
}
