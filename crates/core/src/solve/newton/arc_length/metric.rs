//! Changes along a path, and their length.

use crate::solve::dirichlet::Target;
use crate::solve::model::Model;
use crate::solve::newton::force_balance::masses_of;
use ipcsim_math::{Vec2, parallel};

/// Change of coordinates and of the load time.
#[derive(Clone, Debug)]
pub struct PathChange {
    /// Change of the coordinates (m; of angles rad), `[nodes]`.
    pub way: Vec<Vec2>,
    /// Change of the load time (s).
    pub time: f64,
}

impl PathChange {
    /// Change from the coordinates (m; of angles rad) and the load time (s) of a `start`.
    pub(crate) fn since((start, from): (&[Vec2], f64), q: &[Vec2], time: f64) -> Self {
        Self {
            way: q.iter().zip(start).map(|(q, start)| q - start).collect(),
            time: time - from,
        }
    }
}

/// Product of two changes: 1 for a change with itself at the length of an increment.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    /// Factor of each coordinate (1/m^2), `[nodes]`; 0 where it is prescribed.
    weights: Vec<Vec2>,
    /// Factor of the load time (1/s^2).
    of_time: f64,
}

impl Metric {
    /// Metric of increments of a model with these prescribed coordinates, for the largest mean square displacement (m)
    /// and change of the load time (s) of one of them.
    ///
    /// The mass of all that can move is the mass of its places: vertices of soft bodies and centres
    /// of others. If nothing but angles can move it is the mass of all bodies.
    pub(crate) fn of(model: &Model, targets: &[Target], [length, lasting]: [f64; 2]) -> Self {
        let Model {
            mass, coordinates, ..
        } = model;
        let mut free = mass.clone();
        for target in targets {
            for axis in (0..2).filter(|&axis| target.axes[axis]) {
                free[target.node][axis] = 0.0;
            }
        }
        let of_place = |node: usize| {
            let lift = coordinates.lift(node);
            let along = [0, 1].map(|axis| lift[(axis, axis)].abs().min(1.0) * free[node][axis]);
            0.5 * (along[0] + along[1])
        };
        let mut moved: f64 = (0..free.len()).map(of_place).sum();
        if moved <= 0.0 {
            moved = masses_of(model).iter().sum();
        }

        // Nothing counts where nothing has mass.
        let scale = moved * length * length;
        let share = if scale > 0.0 { scale.recip() } else { 0.0 };
        Self {
            weights: free.into_iter().map(|mass| mass * share).collect(),
            of_time: (lasting * lasting).recip(),
        }
    }

    /// Product of two changes (1).
    pub(crate) fn product(&self, a: &PathChange, b: &PathChange) -> f64 {
        self.of_ways(&a.way, &b.way) + self.of_time * a.time * b.time
    }

    /// True if a change has the direction of the `last` one. Coordinates decide, unless they stay:
    /// where a contact closes the load turns round at once, and bodies move on.
    pub(crate) fn goes_on(&self, change: &PathChange, last: &PathChange) -> bool {
        let of_ways = self.of_ways(&change.way, &last.way);
        of_ways > 0.0 || of_ways == 0.0 && change.time * last.time >= 0.0
    }

    /// Squared length of a change, less 1, the squared length of an increment.
    pub(crate) fn excess(&self, gone: &PathChange) -> f64 {
        self.product(gone, gone) - 1.0
    }

    /// Derivative of the squared length of a change by the change.
    pub(crate) fn slope(&self, gone: &PathChange) -> PathChange {
        let ways = self.weights.iter().zip(&gone.way);
        PathChange {
            way: ways
                .map(|(weight, way)| 2.0 * weight.component_mul(way))
                .collect(),
            time: 2.0 * self.of_time * gone.time,
        }
    }

    /// Product of two changes of the coordinates, without load time (1).
    pub(crate) fn of_ways(&self, a: &[Vec2], b: &[Vec2]) -> f64 {
        parallel::sum(a.len(), |i| self.weights[i].component_mul(&a[i]).dot(&b[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::test_problems::Small;

    #[test]
    fn the_length_of_a_change_is_its_mean_square_over_what_can_move() {
        let mut small = Small::default();
        small.soft(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], 2.0);
        let (model, _) = small.model();

        // The last vertex is prescribed, whatever it does.
        let target = Target {
            node: 2,
            position: Vec2::zeros(),
            axes: [true; 2],
        };
        let metric = Metric::of(&model, &[target], [0.2, 0.5]);

        let ways = [[0.3, 0.4], [0.0, 0.1], [50.0, 60.0]].map(Vec2::from);
        let expected = 0.13 / (0.2 * 0.2);
        assert!((metric.of_ways(&ways, &ways) - expected).abs() < 1e-12);

        // The slope of the squared length, by a small change.
        let gone = PathChange {
            way: ways.to_vec(),
            time: 0.1,
        };
        let slope = metric.slope(&gone);

        let mut more = gone.clone();
        more.way[0].x += 1e-6;
        more.time += 1e-6;
        let change = metric.excess(&more) - metric.excess(&gone);
        assert!((change - 1e-6 * (slope.way[0].x + slope.time)).abs() < 1e-10);
        assert_eq!(slope.way[2], Vec2::zeros());
    }
}
