//! Elastic energies of materials that are distorted: by heat, and by plastic flow.
//!
//! An energy that depends only on positions is the same in all steps. The energy of a distorted
//! material also depends on [`Conditions`], which a stage of a step has: so the model contains the
//! energy of the material as it is at rest, and each stage takes the energy of the same elements
//! [`under`](Energy::under) its conditions. The distortion is a part of the deformation
//! ([`Distortion`]), which gives each element another shape at rest; all formulas of the element
//! stay.
//!
//! Heat follows from time and place. The flow of each point is a part of the state: it is constant
//! within a stage, and updated at the end ([`Energy::flow`]).

mod by_flow;

use super::forward::{forward_domain, forward_elements, forward_values};
use super::{Batched, Curvature, Energy, FlowSlope, LocalEnergy, StepBound, Stressed, Summed};
use crate::material::{Distortion, Flow};
use ipcsim_math::varying::Varying;
use ipcsim_math::{Mat2, Vec2};
use std::ops::Range;
use std::sync::Arc;

/// Conditions other than positions on which the materials of a model depend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions<'a> {
    /// Time (s).
    pub time: f64,
    /// Plastic flow of all points that may flow, energy by energy, `[points]`; empty before anything
    /// has flowed.
    pub flowed: &'a [Flow],
}

/// Temperature of an element, by which it expands.
#[derive(Clone, Debug)]
pub struct Heat {
    /// Expansion of the material by temperature (1/K).
    pub expansion: f64,
    /// Change of temperature (K) since the material was at rest without stress.
    pub temperature: Arc<Varying>,
    /// Places of the points of the element at rest (m).
    pub places: Vec<Vec2>,
}

impl Heat {
    /// Stretch `1 + alpha T` of a point at a time (s), by its number in the element.
    fn stretch(&self, point: usize, time: f64) -> f64 {
        let place = self.places.get(point);
        let temperature = place.map(|&place| self.temperature.at(place, time));
        1.0 + self.expansion * temperature.unwrap_or(0.0)
    }
}

/// Largest number of points of an element.
const MOST_POINTS: usize = 3;

/// Element whose energy is taken at a few points that may be distorted.
pub trait Pointwise<const N: usize>: LocalEnergy<N> + Copy {
    /// Number of points, at most 3.
    const POINTS: usize;

    /// True if the material of the points may flow.
    fn flows(&self) -> bool;

    /// The element with these distortions of its points, `[POINTS]`.
    #[must_use]
    fn distorted(&self, distortions: &[Distortion]) -> Self;

    /// Flow of each point in a step that ends at positions `x` (m), of an element whose points are
    /// distorted as at its start, `[POINTS]`; `None` for a point that does not flow.
    fn flow(&self, x: &[Vec2; N]) -> Vec<Option<Flow>>;

    /// Values of the triangles of [`LocalEnergy::stresses`], from values of the points, `[POINTS]`.
    fn in_triangles(values: &[f64]) -> Vec<f64>;
}

/// Sum of elements whose materials are distorted.
///
/// As an [`Energy`] it is the energy of the elements at rest: patterns, bounds of steps and columns
/// of tables follow from it. Values count only [`under`](Energy::under) conditions.
#[derive(Clone, Debug)]
pub struct Distorted<E, const N: usize> {
    /// Elements without distortion.
    rest: Summed<E, N>,
    /// Heat of each element, if it has any, `[elements]`.
    heats: Vec<Option<Heat>>,
    /// True if the material of some element may flow; then each point of the sum has a flow.
    flows: bool,
}

impl<E, const N: usize> Default for Distorted<E, N> {
    fn default() -> Self {
        Self {
            rest: Summed::default(),
            heats: Vec::new(),
            flows: false,
        }
    }
}

impl<E: Pointwise<N>, const N: usize> Distorted<E, N> {
    /// Adds an element with these vertices.
    pub fn push(&mut self, stencil: [usize; N], element: E, heat: Option<Heat>) {
        self.flows |= element.flows();
        self.rest.push(stencil, element);
        self.heats.push(heat);
    }

    /// Vertices of all elements with the elements under these conditions, in order.
    fn elements(&self, conditions: Conditions) -> impl Iterator<Item = ([usize; N], E)> {
        (0..self.count()).map(move |k| {
            let flows = conditions.flowed.get(k * E::POINTS..(k + 1) * E::POINTS);
            self.element(k, conditions.time, flows.unwrap_or_default())
        })
    }

    /// Vertices of element `k`, and the element at a time (s) with the flow of its points, `[POINTS]`; empty
    /// before anything has flowed.
    fn element(&self, k: usize, time: f64, flows: &[Flow]) -> ([usize; N], E) {
        let none = Flow::default().distortion();
        let mut distortions = [none; MOST_POINTS];

        // Heat grows a point after its flow.
        for (point, distortion) in distortions.iter_mut().enumerate().take(E::POINTS) {
            let own = flows.get(point).map_or(none, Flow::distortion);
            *distortion = self.heats[k]
                .as_ref()
                .map_or(own, |heat| own.grown(heat.stretch(point, time)));
        }
        let element = self.rest.elements[k].distorted(&distortions[..E::POINTS]);
        (self.rest.stencils[k], element)
    }

    /// Number of elements.
    fn count(&self) -> usize {
        self.rest.elements.len()
    }
}

impl<E: Pointwise<N> + Batched<N> + 'static, const N: usize> Energy for Distorted<E, N> {
    forward_elements!(rest);
    forward_values!(rest);
    forward_domain!(rest);

    fn under(&self, conditions: Conditions) -> Option<Box<dyn Energy>> {
        let mut made = Summed::default();
        made.reserve(self.rest.elements.len());
        for (stencil, element) in self.elements(conditions) {
            made.push(stencil, element);
        }
        Some(Box::new(made))
    }

    fn flowing(&self) -> usize {
        if self.flows {
            E::POINTS * self.rest.elements.len()
        } else {
            0
        }
    }

    fn flow(&self, conditions: Conditions, x: &[Vec2]) -> Vec<Flow> {
        if !self.flows {
            return Vec::new();
        }
        let steps = self.elements(conditions).flat_map(|(stencil, element)| {
            let own = stencil.map(|i| x[i]);
            element.flow(&own)
        });
        // The list is empty before anything has flowed.
        let before = conditions.flowed.iter().copied();
        let before = before.chain(std::iter::repeat(Flow::default()));
        let both = before.zip(steps);
        both.map(|(before, step)| step.map_or(before, |step| before.followed_by(&step)))
            .collect()
    }

    fn flow_slopes(&self, conditions: Conditions, x: &[Vec2]) -> Vec<FlowSlope> {
        self.slopes_by_flow(conditions, x)
    }

    fn hardened(&self, flowed: &[Flow]) -> Vec<f64> {
        let points = flowed.chunks_exact(E::POINTS);
        let values = points.flat_map(|points| {
            let own: Vec<f64> = points.iter().map(|flow| flow.hardened).collect();
            E::in_triangles(&own)
        });
        values.collect()
    }
}

/// `G^-T` of a matrix with a positive determinant.
pub(super) fn inverse_transposed(g: &Mat2) -> Mat2 {
    Mat2::new(g.m22, -g.m21, -g.m12, g.m11) / g.determinant()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{LawVisitor, MassSpring, Plane, SceneLaw, solids};
    use crate::{QuadraticTriangle, Triangle, testing};
    use ipcsim_math::formula::Formula;

    const REST: [Vec2; 3] = [
        Vec2::new(0.1, 0.0),
        Vec2::new(0.4, 0.1),
        Vec2::new(0.2, 0.35),
    ];

    /// Nodes of the quadratic triangle with straight sides on `REST`.
    fn six() -> [Vec2; 6] {
        let [a, b, c] = REST;
        [a, b, c, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5]
    }

    /// Checks each law at a uniform growth and at derivatives of a distorted element.
    struct Check(Plane);

    impl Check {
        /// Checks elements of one law.
        fn law(law: impl crate::material::Distortable, name: &str, keeps_thickness: bool) {
            let growth = 1.05;
            let x = REST.map(|x| x * growth);
            let triangle = Triangle::new(law, REST, 0.3).distorted(&[Distortion::even(growth)]);

            // A free sheet grows without stress.
            let force = triangle.gradient(&x)[1].norm();
            assert!(keeps_thickness || force < 1e-14, "{name}: {force}");

            let moved = [x[0], x[1] + Vec2::new(0.02, -0.01), x[2] * 1.1];
            testing::check(&triangle, moved, 1e-6, true);
            let even = [Distortion::even(growth); 3];
            let quadratic = QuadraticTriangle::new(law, six(), 0.3).distorted(&even);
            let mut bent = six().map(|x| x * 1.1);
            bent[3] += Vec2::new(0.01, 0.004);
            testing::check(&quadratic, bent, 1e-6, true);

            // Both kinds of elements agree where strain is uniform.
            let [a, b, c] = moved;
            let nodes = [a, b, c, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
            let difference = quadratic.value(&nodes) / triangle.value(&moved) - 1.0;
            assert!(difference.abs() < 1e-12, "{name}: {difference}");
            let mut stresses = Vec::new();
            triangle.stresses(&[0, 1, 2], &moved, &mut stresses);
            quadratic.stresses(&[0, 1, 2, 3, 4, 5], &nodes, &mut stresses);
            let all = stresses
                .iter()
                .flat_map(|own| own.corners.into_iter().chain([own.middle]));
            for stress in all {
                let off = stress + stresses[0].middle * -1.0;
                assert!(off.von_mises() < 1e-12 && off.zz.abs() < 1e-12, "{name}");
            }
        }
    }

    impl LawVisitor for Check {
        type Output = ();

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
            match self.0 {
                Plane::Strain | Plane::Axisymmetric => {
                    Self::law(L::distortable(given), L::NAME, true);
                }
                Plane::Stress => Self::law(L::plane_stress(given), L::NAME, false),
            }
        }

        fn springs(self, _rank: usize, _given: &MassSpring) {}
    }

    #[test]
    fn distorted_elements_of_all_laws_have_their_derivatives_and_grow_without_stress() {
        for law in solids() {
            law.visit(Check(Plane::Strain));
            law.visit(Check(Plane::Stress));
        }
    }

    /// Checks the energy of a triangle whose temperature varies with place and time.
    struct Warm;

    impl LawVisitor for Warm {
        type Output = ();

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
            let formula = Formula::read("100*x*t").unwrap();
            let middle = Vec2::new(0.7 / 3.0, 0.15);
            let mut sum = Distorted::<Triangle<_>, 3>::default();
            let heat = Heat {
                expansion: 0.01,
                temperature: Arc::new(Varying::Formula(formula)),
                places: vec![middle],
            };
            sum.push(
                [0, 1, 2],
                Triangle::new(L::plane_stress(given), REST, 1.0),
                Some(heat),
            );
            assert!(sum.value(&REST).abs() < 1e-15);

            // At t = 0.3 the middle is 7 K warmer.
            let hot = sum
                .under(Conditions {
                    time: 0.3,
                    flowed: &[],
                })
                .unwrap();
            let grown = REST.map(|x| x * 1.07);
            assert!(hot.value(&grown).abs() < 1e-15 && hot.value(&REST) > 1e-4);
            assert_eq!(hot.stencil(0), sum.stencil(0));
        }

        fn springs(self, _rank: usize, _given: &MassSpring) {}
    }

    #[test]
    fn a_temperature_by_place_and_time_distorts_each_element_as_its_middle_says() {
        for law in solids() {
            law.visit(Warm);
        }
    }
}
