//! Places where two bodies press on each other, as impulses between them see them.

use super::frames::each_frame;
use super::table::{Coefficients, FrictionTable};
use crate::{Contacts, Surface};
use ipcsim_math::Vec2;
use smallvec::SmallVec;

/// Vertices, and a weight along each axis for each of them.
pub type VertexWeights = SmallVec<[(usize, Vec2); 4]>;

/// One place where two bodies press on each other.
///
/// Contacts of a point that correct each other are one place, with the sum of their forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Press {
    /// Both ends of an edge or twice a point, then both ends of the other side.
    pub vertices: [usize; 4],
    /// Body of the point, and body of the other side.
    pub bodies: [usize; 2],
    /// Normal force that the barrier gives there (N), positive.
    pub force: f64,
    /// Weight of each vertex in the growth of the gap: it opens by `sum_i n_i . d_i` with displacements
    /// `d_i` (1).
    pub opening: VertexWeights,
    /// The same with the normal that the contact had at the start of the step.
    pub opening_before: VertexWeights,
    /// Weight of each vertex in the slip along the tangent, `sum_i c_i . d_i` (1).
    pub sliding: VertexWeights,
    /// Speed at which belts add to the slip (m/s).
    pub carried: f64,
    /// Coefficients of friction of the two bodies.
    pub coefficients: Coefficients,
}

impl Contacts {
    /// All places where two bodies press on each other at the positions `x` (m, `[vertices]`), at which
    /// the contacts were found, with the friction of a table, in a step that began at the positions
    /// `start`.
    pub fn presses(
        &self,
        surface: &Surface,
        table: &FrictionTable,
        start: &[Vec2],
        x: &[Vec2],
    ) -> Vec<Press> {
        let mut presses = Vec::with_capacity(self.len());
        each_frame(self, x, |frame| {
            let force = frame.load(1.0);
            if force > 0.0 {
                let [point, _, other, _] = frame.vertices;
                let bodies = [surface.body[point], surface.body[other]];
                let [a, b] = bodies;
                presses.push(Press {
                    vertices: frame.vertices,
                    bodies,
                    force,
                    opening: frame.opening_weights(frame.normal),
                    opening_before: frame.opening_weights(frame.normal_at_start(surface, start, x)),
                    sliding: frame.sliding_weights(surface, x),
                    carried: frame.carried(table.belts(a, b)),
                    coefficients: table.get(a, b),
                });
            }
        });
        presses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::{Barrier, BarrierShape};
    use crate::{Candidates, HalfPlane};

    #[test]
    fn a_point_over_an_edge_opens_along_the_normal_and_slides_along_the_edge() {
        let surface = Surface {
            points: vec![0],
            edges: vec![[1, 2]],
            weight: vec![0.1; 3],
            ..Surface::new(vec![0, 1, 1], 0.01)
        };
        let barrier = Barrier {
            shape: BarrierShape::Log,
            kappa: 1e5,
        };
        let x = [
            Vec2::new(0.5, 0.005),
            Vec2::new(-1.0, 0.0),
            Vec2::new(1.0, 0.0),
        ];
        let candidates = Candidates::find(&surface, &x, |_| 0.0);
        let contacts = Contacts::find(&surface, &barrier.into(), &candidates, &x).unwrap();
        let presses = contacts.presses(&surface, &FrictionTable::uniform(0.3, 1e-3), &x, &x);
        assert_eq!(presses.len(), 1);

        // The barrier gives the force.
        let press = &presses[0];
        let normal = contacts.forces(&surface, &x).next().unwrap();
        assert_eq!(press.bodies, [0, 1]);
        assert!((press.force - normal.force).abs() < 1e-12 * normal.force);
        assert_eq!(press.opening, press.opening_before);
        assert_eq!(press.coefficients.sticking, 0.3);

        // Velocities of the vertices: speeds of the gap and of the slip at the nearest point.
        let v = [
            Vec2::new(3.0, 1.0),
            Vec2::new(2.0, 0.0),
            Vec2::new(2.0, 0.4),
        ];
        let along = |weights: &VertexWeights| -> f64 {
            weights.iter().map(|(i, weight)| weight.dot(&v[*i])).sum()
        };
        assert!((along(&press.opening) - (1.0 - 0.3)).abs() < 1e-12);
        // The edge turns at 0.2 rad/s below the point, 5 mm away.
        assert!((along(&press.sliding) - (1.0 + 0.2 * 0.005)).abs() < 1e-12);
    }

    #[test]
    fn a_belt_adds_its_speed_to_the_slip() {
        let plane = HalfPlane {
            normal: Vec2::y(),
            origin: 1,
            along: None,
        };
        let surface = Surface {
            points: vec![0],
            planes: vec![plane],
            weight: vec![0.1; 2],
            ..Surface::new(vec![0, 1], 0.01)
        };
        let barrier = Barrier {
            shape: BarrierShape::Log,
            kappa: 1e5,
        };
        let x = [Vec2::new(0.5, 0.005), Vec2::zeros()];
        let candidates = Candidates::find(&surface, &x, |_| 0.0);
        let contacts = Contacts::find(&surface, &barrier.into(), &candidates, &x).unwrap();
        let mut table = FrictionTable::uniform(0.3, 1e-3);
        table.belts = vec![0.0, 2.0];
        let press = &contacts.presses(&surface, &table, &x, &x)[0];
        assert!((press.carried.abs() - 2.0).abs() < 1e-12);
    }
}
