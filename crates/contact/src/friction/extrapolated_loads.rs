//! Friction with normal forces extrapolated along a motion.
//!
//! Lagged loads follow from the present normal forces. To first order a displacement `d` of the
//! vertices changes the load `mu lambda` of a contact by `mu dlambda/dx . d`, and never below 0.

use super::law::SlipLaw;
use super::{Friction, Group};
use crate::segments::Growth;
use ipcsim_math::Vec2;

/// Lagged loads of a group of contacts, and their derivatives by the positions of vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Growths {
    /// Lagged load of each contact (N; of rolling N m).
    loads: Vec<f64>,
    /// Number of the terms of all contacts up to the end of each one.
    ends: Vec<usize>,
    /// Vertices with their parts of the derivative (N/m; of rolling N), contact by contact.
    terms: Vec<(usize, Vec2)>,
    /// Load, force and stiffness of each contact where a direction begins.
    outsets: Vec<Reference>,
}

/// Load of a contact (N; of rolling N m), and relative to it its force `f_1` (1) and the stiffness `f_1'` that
/// Newton's method has for it (1/m).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reference {
    load: f64,
    force: f64,
    stiffness: f64,
}

impl Reference {
    /// A contact with this `load` and law that has slid by `u` (m; of rolling rad), where the force `expected` (1)
    /// is expected.
    pub(super) fn of(load: f64, law: &SlipLaw, u: f64, expected: f64) -> Self {
        Self {
            load,
            force: law.signed_force(u),
            stiffness: law.stiffness(u, expected),
        }
    }

    /// Derivative of the energy by the slip (N; of rolling N m) that Newton's method expects after a change `du` of
    /// slip, with a load in place of the one here, less the part that the Hessian has of the change:
    /// `load_led (f_1(u) + f_1'(u) du) - load_begun f_1'(u) du`.
    pub(super) fn led_slope(&self, load: f64, du: f64) -> f64 {
        let change = (load - self.load) * self.stiffness * du;
        load * self.force + change
    }
}

impl Growths {
    /// Takes memory for `count` contacts.
    pub(super) fn reserve(&mut self, count: usize) {
        self.loads.reserve(count);
        self.ends.reserve(count);
        self.terms.reserve(4 * count);
    }

    /// Adds a contact with its load, which has the derivative `factor` (1; of rolling m) times
    /// `growth`.
    pub(super) fn push(&mut self, load: f64, factor: f64, growth: &Growth) {
        self.loads.push(load);
        let terms = growth.terms().iter();
        self.terms.extend(terms.map(|(i, g)| (*i, g * factor)));
        self.ends.push(self.terms.len());
    }

    /// Lagged load of each contact (N; of rolling N m).
    pub(super) fn loads(&self) -> &[f64] {
        &self.loads
    }

    /// Vertices of the contact `k` with their parts of the derivative of its load.
    pub(super) fn of(&self, k: usize) -> &[(usize, Vec2)] {
        let start = k.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[start..self.ends[k]]
    }

    /// Removes all contacts and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.loads.clear();
        self.ends.clear();
        self.terms.clear();
        self.outsets.clear();
    }

    /// Loads of all contacts after a displacement of the vertices (m), to first order, at least 0.
    ///
    /// A load whose derivative is not finite stays.
    fn after<'a>(&'a self, displacement: &'a [Vec2]) -> impl Iterator<Item = f64> + 'a {
        let mut start = 0;
        self.loads.iter().zip(&self.ends).map(move |(&load, &end)| {
            let terms = &self.terms[start..end];
            start = end;
            let change: f64 = terms.iter().map(|(i, g)| g.dot(&displacement[*i])).sum();
            if change.is_finite() {
                (load + change).max(0.0)
            } else {
                load
            }
        })
    }
}

impl Friction {
    /// Notes that directions begin at the positions `y` (m, `[vertices]`; see
    /// [`super::FrictionContact`]).
    pub fn set_out(&mut self, y: &[Vec2]) {
        self.pairs.set_out(y);
        self.triples.set_out(y);
        self.quadruples.set_out(y);
    }

    /// Gives each contact the load that a displacement of the vertices (m, `[vertices]`) from the
    /// lagged positions leads to, to first order and at least 0. A displacement of zero gives the
    /// lagged loads.
    pub fn extrapolate(&mut self, displacement: &[Vec2]) {
        self.pairs.extrapolate(displacement);
        self.triples.extrapolate(displacement);
        self.quadruples.extrapolate(displacement);
    }

    /// Adds `factor` times the gradient (N), `[vertices]`, that Newton's method expects after the
    /// motion `p` (m, `[vertices]`) from where directions begin, see [`Friction::set_out`]. Loads that
    /// are led replace loads at the beginning, less the part that the Hessian with these has of it:
    ///
    /// `(load_led (f_1(u) + f_1'(u) du) - load_begun f_1'(u) du) c_i` for each contact.
    pub fn add_led_gradient(&self, p: &[Vec2], factor: f64, out: &mut [Vec2]) {
        self.pairs.add_led_gradient(p, factor, out);
        self.triples.add_led_gradient(p, factor, out);
        self.quadruples.add_led_gradient(p, factor, out);
    }
}

impl<const N: usize> Group<N> {
    /// Notes force and stiffness of each contact at `y`.
    fn set_out(&mut self, y: &[Vec2]) {
        let contacts = self.sum.iter();
        self.growths.outsets.clear();
        self.growths
            .outsets
            .extend(contacts.map(|(stencil, contact)| {
                let u = contact.slide(&stencil.map(|i| y[i]));
                Reference::of(contact.load, &contact.law, u, contact.dual)
            }));
    }

    /// Gives each contact the load after a displacement.
    fn extrapolate(&mut self, displacement: &[Vec2]) {
        let loads = self.growths.after(displacement);
        for (contact, load) in self.sum.elements.iter_mut().zip(loads) {
            contact.load = load;
        }
    }

    /// Adds the gradient after the motion `p`.
    fn add_led_gradient(&self, p: &[Vec2], factor: f64, out: &mut [Vec2]) {
        for ((stencil, contact), outset) in self.sum.iter().zip(&self.growths.outsets) {
            let parts = contact.weights.iter().zip(stencil);
            let du: f64 = parts.map(|(c, &i)| c.dot(&p[i])).sum();
            let slope = outset.led_slope(contact.load, du);
            for (&i, c) in stencil.iter().zip(contact.weights) {
                out[i] += c * (factor * slope);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::barrier::{Barrier, BarrierShape};
    use crate::{Candidates, Contacts, Friction, FrictionTable, Lag, Surface};
    use ipcsim_math::Vec2;

    /// Friction of two polylines at the positions `x` (m): a corner over a corner, with pieces whose
    /// ends move along the edges.
    fn friction(x: &[Vec2], is_integrated: bool) -> Friction {
        let surface = Surface {
            points: (0..x.len()).collect(),
            edges: vec![[0, 1], [1, 2], [3, 4], [4, 5]],
            edge_area: vec![1.0; 4],
            weight: vec![1.0; 6],
            integrated: vec![is_integrated; 2],
            ..Surface::new(vec![0, 0, 0, 1, 1, 1], 0.05)
        };
        let barrier = Barrier {
            shape: BarrierShape::Inverse,
            kappa: 3.0,
        };
        let candidates = Candidates::find(&surface, x, |_| 0.0);
        let contacts = Contacts::find(&surface, &barrier.into(), &candidates, x).unwrap();
        let table = FrictionTable::uniform(0.3, 1e-3);
        let lag = Lag::along_tangents(&table, x, 1e-2);
        Friction::lagged(&surface, &contacts, x, lag)
    }

    /// Loads of all contacts (N).
    fn loads(friction: &Friction) -> Vec<f64> {
        let pairs = friction.pairs.sum.elements.iter().map(|c| c.load);
        let triples = friction.triples.sum.elements.iter().map(|c| c.load);
        let quadruples = friction.quadruples.sum.elements.iter().map(|c| c.load);
        pairs.chain(triples).chain(quadruples).collect()
    }

    /// Extrapolated loads of a small motion equal the loads of contacts that are found anew after
    /// it, also where pieces of edges end over a vertex.
    #[test]
    fn loads_that_a_motion_leads_to_are_those_after_it() {
        let x = [
            [-0.31, 0.3],
            [0.01, 0.012],
            [0.4, 0.21],
            [-0.5, -0.05],
            [0.03, 0.0],
            [0.6, -0.13],
        ]
        .map(Vec2::from);
        let motion = [
            [0.3, 0.1],
            [-0.2, 0.5],
            [0.1, -0.4],
            [0.2, 0.3],
            [-0.1, -0.2],
            [0.5, 0.1],
        ]
        .map(|p| Vec2::from(p) * 1e-7);
        for is_integrated in [true, false] {
            let mut extrapolated = friction(&x, is_integrated);
            let before = loads(&extrapolated);
            let after = loads(&friction(
                &std::array::from_fn::<_, 6, _>(|i| x[i] + motion[i]),
                is_integrated,
            ));
            extrapolated.extrapolate(&motion);

            assert_eq!(before.len(), after.len());
            assert!(before.len() > 1, "{before:?}");
            for (k, load_after) in loads(&extrapolated).into_iter().enumerate() {
                let [change, expected] = [load_after, after[k]].map(|load| load - before[k]);
                let most = expected.abs().max(1e-6 * before[k]);
                assert!(
                    (change - expected).abs() < 1e-3 * most,
                    "{k}: {change} {expected}"
                );
            }
        }
    }
}
