//! How the state at the start of a step enters, and what follows from its end.
//!
//! The balance of forces depends on the start by inertia, friction, damping, flow and rates of joints;
//! velocities, anchors and flow of the end follow from both. Each method has its transposed one, of the same name
//! with `back` or `to`.
//!
//! A state of an integrator that looks back has the state before it as well, and its derivatives come to both
//! with the weights of the reference `q_ref = w_n q_n - w_(n-1) q_(n-1)`.

use super::contact_slopes::from_anchor;
use super::fields::{add, add_nodes, along, along_nodes};
use super::linear_step::LinearStep;
use super::variation::{Explicit, Variation};
use ipcsim_math::Vec2;

impl LinearStep {
    /// Changes velocities, flow and anchors at the end as its coordinates, the forces of joints times
    /// the factor of contact, and its start change.
    ///
    /// Velocities are `(q - r) / beta` with the reference `r` of the integrator, a weighted sum
    /// of the coordinates at the start and before. Impacts replace some of them.
    pub(super) fn follow(
        &self,
        from: &Variation,
        change: &Explicit,
        (q, forces): (&[Vec2], &[f64]),
        to: &mut Variation,
    ) {
        if let Some(beta) = self.beta {
            let [newer, older] = self.weights;
            for (node, v) in to.q_dot.iter_mut().enumerate() {
                let reference = from.q[node] * newer - from.past_q[node] * older;
                *v = (q[node] - reference) / beta;
            }
            let forces: Vec<f64> = forces.iter().map(|force| force / self.contact).collect();
            let after = self.impact.times(q, from, &forces);
            for (&(node, axis), after) in self.impact.changed.iter().zip(after) {
                to.q_dot[node][axis] = after + change.velocities[node][axis];
            }
        }
        if self.keeps_velocities {
            to.q_dot.clone_from(&from.q_dot);
        }
        to.flows = self.flowing.end(q, &from.flows);
        for (to, change) in to.flows.iter_mut().zip(&change.flows) {
            *to += change;
        }
        to.anchors.clone_from(&change.anchors);
        let [of_start, of_past] = self.slip_origins(from);
        for anchor in &self.anchors {
            let contact = &self.friction[anchor.contact];
            let mut slid = along_nodes(&contact.nodes, &contact.by_end.slid, q)
                + along_nodes(&contact.nodes, &contact.by_start.slid, &of_start)
                + along_nodes(&contact.nodes, &contact.by_past.slid, &of_past);
            if let Some((number, across)) = from_anchor(contact) {
                slid += across * from.anchors[number];
            }
            to.anchors[anchor.number] += anchor.across * slid;
        }
    }

    /// Adds derivatives by velocities at the end to those by its coordinates, by the start and by the forces
    /// of joints (N). Returns those by velocities that impacts have changed.
    pub(super) fn velocities_back(
        &self,
        to: &Variation,
        q: &mut [Vec2],
        from: &mut Variation,
        forces: &mut [f64],
    ) -> Vec<Vec2> {
        let mut velocities = vec![Vec2::zeros(); to.q.len()];
        if let Some(beta) = self.beta {
            let mut plain = to.q_dot.clone();
            let mut after = Vec::new();
            for &(node, axis) in &self.impact.changed {
                let by = std::mem::take(&mut plain[node][axis]);
                velocities[node][axis] = by;
                after.push(by);
            }
            self.impact.add_transposed(&after, q, from, forces);
            let [newer, older] = self.weights;
            add(q, 1.0 / beta, &plain);
            add(&mut from.q, -newer / beta, &plain);
            add(&mut from.past_q, older / beta, &plain);
        }
        if self.keeps_velocities {
            add(&mut from.q_dot, 1.0, &to.q_dot);
        }
        velocities
    }

    /// Adds derivatives by anchors at the end to those by its coordinates and by the anchors of the start.
    /// Returns those by the configurations from which slip counts.
    pub(super) fn anchors_back(
        &self,
        to: &Variation,
        q: &mut [Vec2],
        from: &mut Variation,
    ) -> [Vec<Vec2>; 2] {
        let mut of_start = vec![Vec2::zeros(); to.q.len()];
        let mut of_past = vec![Vec2::zeros(); to.q.len()];
        for anchor in &self.anchors {
            let contact = &self.friction[anchor.contact];
            let by = anchor.across * to.anchors[anchor.number];
            add_nodes(&contact.nodes, by, &contact.by_end.slid, q);
            add_nodes(&contact.nodes, by, &contact.by_start.slid, &mut of_start);
            add_nodes(&contact.nodes, by, &contact.by_past.slid, &mut of_past);
            if let Some((number, across)) = from_anchor(contact) {
                from.anchors[number] += across * by;
            }
        }
        [of_start, of_past]
    }

    /// Adds the derivatives by the start of residuals from which rates of joints count.
    pub(super) fn rates_back(&self, slope: &[Vec2], openings: &[f64], from: &mut Variation) {
        for rate in &self.rates {
            let mut by = along(&rate.slope, slope) * self.contact;
            if let Some(equation) = rate.equation {
                by += rate.aim * openings[equation];
            }
            for (which, target) in rate.by.iter().zip([&mut from.q, &mut from.past_q]) {
                for (node, part) in which {
                    target[*node] += part * by;
                }
            }
        }
    }

    /// Changes of the configurations from which slip counts.
    pub(super) fn slip_origins(&self, from: &Variation) -> [Vec<Vec2>; 2] {
        if !self.slips_from_reference {
            return [from.q.clone(), from.past_q.clone()];
        }
        let [newer, older] = self.weights;
        let pairs = from.q.iter().zip(&from.past_q);
        let reference = pairs.map(|(now, past)| now * newer - past * older);
        [reference.collect(), vec![Vec2::zeros(); from.q.len()]]
    }

    /// Adds derivatives by the configurations from which slip counts.
    pub(super) fn add_slip_origins(
        &self,
        of_start: &[Vec2],
        of_past: &[Vec2],
        from: &mut Variation,
    ) {
        if !self.slips_from_reference {
            add(&mut from.q, 1.0, of_start);
            add(&mut from.past_q, 1.0, of_past);
            return;
        }
        let [newer, older] = self.weights;
        add(&mut from.q, newer, of_start);
        add(&mut from.past_q, -older, of_start);
    }

    /// Adds the change of the balance of forces by the start of the step.
    ///
    /// Inertia depends on coordinates and velocities at the start, friction on the slip from
    /// there and on the anchors, damping on strains and velocities, and metals on their flow.
    pub(super) fn add_by_start(&self, from: &Variation, slope: &mut [Vec2]) {
        let [newer, older] = self.weights;
        if let Some(beta) = self.beta {
            for (node, slope) in slope.iter_mut().enumerate() {
                let q = from.q[node] * newer - from.past_q[node] * older;
                let v = from.q_dot[node] * newer - from.past_q_dot[node] * older;
                *slope -= (q + v * beta).component_mul(&self.mass[node]);
            }
        }
        for dyad in &self.dyads {
            dyad.add_by_start(from, slope);
        }
        self.flowing.add_by_start(&from.flows, slope);
        let [of_start, of_past] = self.slip_origins(from);
        for contact in &self.friction {
            let by_start = contact.times(&contact.by_start, &of_start);
            let by_past = contact.times(&contact.by_past, &of_past);
            for (k, &node) in contact.nodes.iter().enumerate() {
                let by = by_start.get(k).copied().unwrap_or_default()
                    + by_past.get(k).copied().unwrap_or_default();
                slope[node] += by * self.contact;
            }
            if let Some((number, across)) = from_anchor(contact) {
                let by = contact.load * contact.force[1] * across * from.anchors[number];
                for (along, &node) in contact.along.iter().zip(&contact.nodes) {
                    slope[node] += along * (self.contact * by);
                }
            }
        }
    }

    /// The transposed of [`LinearStep::add_by_start`].
    pub(super) fn add_to_start(
        &self,
        slope: &[Vec2],
        from: &mut Variation,
        slip: [&mut Vec<Vec2>; 2],
    ) {
        let [newer, older] = self.weights;
        if let Some(beta) = self.beta {
            for (node, slope) in slope.iter().enumerate() {
                let by = slope.component_mul(&self.mass[node]);
                from.q[node] -= by * newer;
                from.past_q[node] += by * older;
                from.q_dot[node] -= by * (newer * beta);
                from.past_q_dot[node] += by * (older * beta);
            }
        }
        for dyad in &self.dyads {
            dyad.add_to_start(slope, from);
        }
        self.flowing.add_to_start(slope, &mut from.flows);
        let [of_start, of_past] = slip;
        for contact in &self.friction {
            contact.add_transposed(&contact.by_start, self.contact, slope, of_start);
            contact.add_transposed(&contact.by_past, self.contact, slope, of_past);
            if let Some((number, across)) = from_anchor(contact) {
                let along = along_nodes(&contact.nodes, &contact.along, slope);
                let by = contact.load * contact.force[1] * across;
                from.anchors[number] += self.contact * by * along;
            }
        }
    }
}
