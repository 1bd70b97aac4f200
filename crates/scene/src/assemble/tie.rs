//! Ties: linear equations between displacements of vertices, as joints with a row for each equation.
//!
//! Equations that follow from others are left out, if their values agree at all times; otherwise they
//! contradict each other. Elimination finds both: each equation is reduced by those before it, and what is
//! left is solved for one component that is free.
//!
//! Components that are prescribed at all times come last in the order of elimination. So an equation is
//! solved for one of them only if it has no other left, and then nothing could fulfil it: its residual
//! would stay open whatever forces act. A component that is prescribed in a window of time counts as free,
//! since the equation has a meaning outside of the window.
//!
//! Values of ties are functions of time. They are kept as multiples during elimination, and compared
//! at some times of the run only where an equation follows from others.
//!
//! A row has the factors of its vertices in the weights of its frames. Its stiffness begins with the
//! inertia of the lightest vertex, as that of all joints does, and grows where it closes slowly.

use super::builder::Builder;
use crate::moments::{LOOKS, times};
use crate::problem::Problem;
use crate::schema::{Axis, Scene, Tie, WORLD};
use ipcsim_core::body::Configuration;
use ipcsim_core::constraint::{
    self, Aim, ConstraintAction, ConstraintRow, Joint, JointFrame, Motor, Rule,
};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::sort::sort_by;
use ipcsim_math::varying::Varying;
use std::collections::{BTreeMap, BTreeSet};

/// Factor that counts as 0 after equations have been subtracted from each other, relative to the largest one
/// (1).
const NOTHING: f64 = 1e-11;

/// Difference of the values of equations that say the same, relative to the size of their body (1).
const SAME: f64 = 1e-12;

/// Difference of places of vertices along two sides that match, relative to the length of a side (1).
const MATCHED: f64 = 1e-6;

/// Component of a vertex: true if it is prescribed at all times, its vertex, and 0 or 1 for x or y.
type Component = (bool, usize, usize);

/// An equation between displacements.
#[derive(Clone, Debug, Default)]
struct Equation {
    /// Factors of components (1).
    factors: BTreeMap<Component, f64>,
    /// Its value: multiples of the values of ties, by their numbers.
    values: BTreeMap<usize, f64>,
}

impl Equation {
    /// Subtracts a multiple of another equation.
    ///
    /// Components that cancel stay with a factor of 0 or of the size of rounding; the caller
    /// removes them.
    fn subtract(&mut self, other: &Self, times: f64) {
        for (component, factor) in &other.factors {
            *self.factors.entry(*component).or_default() -= times * factor;
        }
        for (tie, factor) in &other.values {
            *self.values.entry(*tie).or_default() -= times * factor;
        }
    }
}

/// Equations so far, each solved for a component, by which later ones are reduced.
#[derive(Default)]
struct Solved {
    /// Equations by the component that they are solved for, whose factor is 1.
    by_component: BTreeMap<Component, Equation>,
}

/// What an equation adds to those before it.
enum Added {
    /// It is independent.
    New,
    /// It follows from them, with these multiples of values in place of 0.
    Known(BTreeMap<usize, f64>),
    /// All that is left of it is prescribed: this vertex among others.
    Prescribed(usize),
}

impl Solved {
    /// Adds an equation if it is independent of those before.
    ///
    /// The components are walked in their order. Each that a known equation is solved for is
    /// eliminated, which may bring later components in and never earlier ones, so that one walk is
    /// enough.
    fn add(&mut self, mut equation: Equation) -> Added {
        let largest = equation
            .factors
            .values()
            .fold(0.0_f64, |most, f| most.max(f.abs()));
        let mut next = equation.factors.keys().next().copied();
        while let Some(component) = next {
            let factor = equation.factors[&component];
            if let Some(known) = self.by_component.get(&component) {
                equation.subtract(known, factor);
            }
            // An equation is solved for its first component, so that none before comes back.
            let after = equation.factors.range(component..).map(|(own, _)| *own);
            next = after.clone().find(|own| *own > component);
        }

        equation
            .factors
            .retain(|_, factor| factor.abs() > NOTHING * largest);
        let Some((&first, &factor)) = equation.factors.iter().next() else {
            return Added::Known(equation.values);
        };
        if first.0 {
            return Added::Prescribed(first.1);
        }
        for own in equation
            .factors
            .values_mut()
            .chain(equation.values.values_mut())
        {
            *own /= factor;
        }
        self.by_component.insert(first, equation);
        Added::New
    }
}

impl Builder {
    /// Adds the ties of a scene, after its joints.
    ///
    /// Numbers of joints are those of the scene, and ties follow them.
    pub(super) fn add_ties(&mut self, scene: &Scene) {
        if scene.ties.is_empty() {
            return;
        }
        let q = self.nodes.iter().map(|node| node.q).collect();
        let at = Configuration::of(&self.coordinates, q);

        // Equations are independent of all before them, also of other ties.
        let held = self.held_components();
        let mut solved = Solved::default();
        for number in 0..scene.ties.len() {
            self.add_tie(scene, number, &at, &held, &mut solved);
        }
    }

    /// Adds the tie with this number, unless something is wrong, which becomes a problem.
    ///
    /// `held` are the components of vertices that are prescribed at all times, and `solved` the equations
    /// of the ties before.
    fn add_tie(
        &mut self,
        scene: &Scene,
        number: usize,
        at: &Configuration,
        held: &BTreeSet<(usize, usize)>,
        solved: &mut Solved,
    ) {
        let tie = &scene.ties[number];
        let path = format!("ties[{number}]");
        let Some(bodies) = self.tied_bodies(tie) else {
            return;
        };
        let Some(equations) = self.equations_of(tie, scene, at, &path) else {
            return;
        };
        let Ok(value) = tie.equals.read() else { return };

        // Openings count relative to the larger body.
        let size = bodies.iter().map(|&body| self.diameter(body, &at.x));
        let size = size.fold(0.0, f64::max);

        // A row for each equation that says something new.
        let mut rows = Vec::new();
        for parts in equations {
            let mut equation = Equation::default();
            for (vertex, factors) in &parts {
                for axis in (0..2).filter(|&axis| factors[axis] != 0.0) {
                    let component = (held.contains(&(*vertex, axis)), *vertex, axis);
                    equation.factors.insert(component, factors[axis]);
                }
            }
            equation.values.insert(number, 1.0);
            match solved.add(equation) {
                Added::New => rows.push(self.tied(&parts, &value, &at.x, size)),
                Added::Known(values) => {
                    if let Some((t, left)) = disagreement(scene, &values, size) {
                        let message = format!(
                            "contradicts the ties before it: at t = {t} s its sum misses what they say by \
                             {left:e} m; remove one of them"
                        );
                        let mut problem = Problem::error(path, message);
                        problem
                            .places
                            .extend(parts.first().map(|part| at.x[part.0]));
                        self.problems.push(problem);
                        return;
                    }
                }
                Added::Prescribed(vertex) => {
                    let message = "is between displacements that are all prescribed, or follow from prescribed \
                                   ones, so that nothing could fulfil it; remove it, or prescribe fewer vertices";
                    let problem = Problem::error(path, message.to_owned());
                    self.problems.push(problem.at(at.x[vertex]));
                    return;
                }
            }
        }

        // Forces of all equations are those of one joint.
        self.joints.push(Joint {
            label: tie.label(),
            bodies,
            rows,
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        });
    }

    /// Components of vertices that are prescribed at all times.
    ///
    /// The axis of bodies of revolution prescribes vertices, too. Obstacles are no part of ties.
    fn held_components(&self) -> BTreeSet<(usize, usize)> {
        let always = self
            .prescribed
            .iter()
            .filter(|own| own.from <= 0.0 && own.motion.until.is_infinite());
        let held = always.flat_map(|own| {
            let vertex = self.coordinates.vertex_of(own.node);
            let axes = (0..2).filter(|&axis| own.axes[axis]);
            axes.map(move |axis| (vertex, axis)).collect::<Vec<_>>()
        });
        held.collect()
    }

    /// Numbers of the two bodies of a tie: the world is the second where it has one. `None` where the
    /// checks have found a name that does not exist.
    fn tied_bodies(&self, tie: &Tie) -> Option<[usize; 2]> {
        let numbers = self.names();
        let names = tie.bodies();
        let first = numbers.get(names.first()?)?;
        let second = numbers.get(names.get(1).unwrap_or(&WORLD))?;
        Some([*first, *second])
    }

    /// Equations of a tie: vertices with their factors along x and y (1). `None`, and problems, where terms
    /// do not match.
    ///
    /// A vertex that several terms name has the sum of their factors, which may be 0: a face that is tied
    /// to one of its own vertices has an equation without a meaning, which elimination leaves out.
    fn equations_of(
        &mut self,
        tie: &Tie,
        scene: &Scene,
        at: &Configuration,
        path: &str,
    ) -> Option<Vec<Vec<(usize, Vec2)>>> {
        let names: BTreeMap<String, usize> = self
            .names()
            .into_iter()
            .map(|(name, number)| (name.to_owned(), number))
            .collect();

        // Vertices of each term, in the order in which they are paired.
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for (k, term) in tie.terms.iter().enumerate() {
            let path = format!("{path}.terms[{k}].vertices");
            let body = *names.get(&term.body)?;
            let mut chosen = self.chosen_of((body, &term.body), scene, at, &term.vertices, &path);
            if chosen.is_empty() {
                return None;
            }
            in_order(&mut chosen, &at.x);
            if term.reversed {
                chosen.reverse();
            }
            lists.push(chosen);
        }

        // Terms with several vertices must match.
        let longest = (0..lists.len()).find(|&k| lists[k].len() > 1);
        let count = longest.map_or(1, |k| lists[k].len());
        for (k, list) in lists.iter().enumerate().filter(|(_, list)| list.len() > 1) {
            let first = &lists[longest?];
            let path = format!("{path}.terms[{k}].vertices");
            if let Some((message, place)) = mismatch(first, list, &at.x) {
                self.problems.push(Problem::error(path, message).at(place));
                return None;
            }
        }

        let equation = |row: usize| {
            let mut sum: BTreeMap<usize, Vec2> = BTreeMap::new();
            for (term, list) in tie.terms.iter().zip(&lists) {
                let vertex = if list.len() > 1 { list[row] } else { list[0] };
                let axis = usize::from(term.axis == Axis::Y);
                sum.entry(vertex).or_default()[axis] += term.factor;
            }
            sum.into_iter().collect()
        };
        Some((0..count).map(equation).collect())
    }

    /// Row of an equation between vertices, with their factors along x and y (1), whose sum has this value
    /// (m), in bodies of a size (m).
    ///
    /// A value that is constant is 0, since values begin at 0. Others are followed as by a motor whose force
    /// has no bound.
    fn tied(
        &self,
        parts: &[(usize, Vec2)],
        value: &Varying,
        x: &[Vec2],
        size: f64,
    ) -> ConstraintRow {
        // The lightest vertex decides how stiff the first guess of a force is.
        let parts: Vec<(usize, Vec2)> = parts
            .iter()
            .filter(|part| part.1 != Vec2::zeros())
            .copied()
            .collect();
        let inertia = parts.iter().map(|&(vertex, factor)| {
            let node = self.coordinates.nodes_of(vertex).start;
            self.nodes[node].mass.x / factor.norm_squared()
        });
        let inertia = inertia.fold(f64::INFINITY, f64::min);

        // The sum where nothing has moved.
        let rest = parts
            .iter()
            .map(|(vertex, factor)| factor.dot(&x[*vertex]))
            .sum();
        let frames: [JointFrame; 2] = constraint::Tie::frames(&parts);
        let rule = Rule::Tie(constraint::Tie { rest });
        let action = match value {
            Varying::Constant(_) => ConstraintAction::Closed,
            _ => ConstraintAction::Driven(Motor {
                aim: Aim::Place(value.clone()),
                unit: 1.0,
                most: f64::INFINITY,
            }),
        };
        ConstraintRow::new(rule, action, &frames, inertia, size)
    }

    /// Notes a problem where a tie names an image of another vertex across the periods, which moves with
    /// that and the period.
    ///
    /// Images are known only after the cell was built, long after the ties.
    pub(super) fn refuse_tied_images(&mut self) {
        let mut found = Vec::new();
        for joint in &self.joints {
            let rows = joint
                .rows
                .iter()
                .filter(|row| matches!(row.rule, Rule::Tie(_)));
            let mut vertices = rows.flat_map(|row| *row.vertices());
            if let Some(image) = vertices.find(|&vertex| self.originals[vertex].is_some()) {
                let message = format!(
                    "the {} names the image of a vertex across the period, whose displacement follows from \
                     the mean strain; select the vertex on the other side",
                    joint.label
                );
                found.push(Problem::error("ties", message).at(self.vertices[image].rest));
            }
        }
        self.problems.extend(found);
    }
}

/// Sorts vertices at `x` (m) along the side of the box around them that is longer.
///
/// Places decide, and not numbers, so that meshes of any origin have the same pairs. Vertices at equal
/// places along that side are sorted along the other one.
fn in_order(vertices: &mut [usize], x: &[Vec2]) {
    let extent = Aabb::around(vertices.iter().map(|&i| x[i])).extent();
    let along = usize::from(extent.y > extent.x);
    sort_by(vertices, |&a, &b| {
        let [one, other] = [a, b].map(|i| x[i]);
        let first = one[along].total_cmp(&other[along]);
        first.then(one[1 - along].total_cmp(&other[1 - along]))
    });
}

/// Message about vertices at `x` (m) of two lists that do not match, and the place of one; `None` if each
/// has its partner, at the same distance from the first one.
///
/// Distances do not depend on where a side is or how it is turned, so that opposite and mirrored sides
/// match.
fn mismatch(first: &[usize], list: &[usize], x: &[Vec2]) -> Option<(String, Vec2)> {
    let [a, b] = [first[0], list[0]].map(|i| x[i]);
    if first.len() != list.len() {
        let message = format!(
            "are {} vertices, but another term of the tie has {}; select as many, or one",
            list.len(),
            first.len()
        );
        return Some((message, b));
    }
    let length = (x[first[first.len() - 1]] - a).norm();
    let mut pairs = first.iter().zip(list);
    let (_, &off) = pairs.find(|&(&one, &other)| {
        let apart = (x[one] - a).norm() - (x[other] - b).norm();
        apart.abs() > MATCHED * length
    })?;
    let message = "lie at other distances from each other than those of another term of the tie, so that they \
                   have no partners; mesh both sides alike, or set \"reversed\"";
    Some((message.to_owned(), x[off]))
}

/// Time (s) at which multiples of the values of ties do not cancel in bodies of a size (m), and their sum (m).
///
/// Values are compared at some times of the run, so that a difference between these may stay unseen; the
/// joints of the tie would then stay open, and the step would fail by their name.
fn disagreement(scene: &Scene, values: &BTreeMap<usize, f64>, size: f64) -> Option<(f64, f64)> {
    let mut all = times(&scene.time, LOOKS);
    all.find_map(|t| {
        let parts = values.iter().filter_map(|(&tie, factor)| {
            let value = scene.ties[tie].equals.read().ok()?;
            Some(factor * value.at(Vec2::zeros(), t))
        });
        let sum: f64 = parts.sum();
        (sum.abs() > SAME * size).then_some((t, sum))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An equation between components along x with these factors.
    fn equation(factors: &[(usize, f64)], tie: usize) -> Equation {
        Equation {
            factors: factors
                .iter()
                .map(|&(vertex, f)| ((false, vertex, 0), f))
                .collect(),
            values: BTreeMap::from([(tie, 1.0)]),
        }
    }

    #[test]
    fn an_equation_that_follows_from_others_is_known() {
        let mut solved = Solved::default();
        assert!(matches!(
            solved.add(equation(&[(0, 1.0), (1, -1.0)], 0)),
            Added::New
        ));
        assert!(matches!(
            solved.add(equation(&[(1, 2.0), (2, -2.0)], 1)),
            Added::New
        ));

        // u_0 - u_2 is the first and half of the second.
        let Added::Known(values) = solved.add(equation(&[(0, 1.0), (2, -1.0)], 2)) else {
            panic!()
        };
        assert_eq!(values, BTreeMap::from([(0, -1.0), (1, -0.5), (2, 1.0)]));
        assert!(matches!(
            solved.add(equation(&[(0, 1.0), (2, 1.0)], 3)),
            Added::New
        ));
    }

    #[test]
    fn an_equation_between_prescribed_displacements_leaves_nothing_free() {
        let mut solved = Solved::default();
        let mut held = equation(&[(3, 1.0)], 0);
        held.factors.insert((true, 4, 0), 1.0);
        assert!(matches!(solved.add(held.clone()), Added::New));
        held.factors.insert((true, 5, 1), 1.0);
        assert!(matches!(solved.add(held), Added::Prescribed(5)));
    }
}
