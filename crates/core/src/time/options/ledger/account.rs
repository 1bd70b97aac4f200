//! Work and impulses of one stage.

use super::forces::{Forces, Shares};
use super::momentum::{Pairing, planes_couple};
use super::{Impulse, Impulses, Work};
use crate::body::Configuration;
use crate::constraint::stored_in;
use crate::solve::{Iterate, Materials, Model, Potential, Stage, Target};
use crate::time::cell::{forces_on_periods, own_velocities};
use crate::time::options::restitution::ByScripts;
use crate::time::state::State;
use crate::time::step::joint_memory::outset;
use crate::time::world::World;
use ipcsim_contact::Contacts;
use ipcsim_energy::Conditions;
use ipcsim_energy::material::Flow;
use ipcsim_math::Vec2;

/// Start of a stage, as its account needs it.
pub(in crate::time) struct StageStart<'a> {
    /// Bodies and loads.
    world: &'a World,
    /// State at the start.
    from: &'a State,
    /// Prescribed positions at the end.
    targets: &'a [Target],
    /// Energy of the barriers at the start (J).
    barrier: f64,
}

/// Cause of a jump of velocities at the end of a stage.
#[derive(Clone, Copy)]
pub(in crate::time) enum Jump {
    /// Coefficients of restitution.
    Restitution,
    /// Contacts that would add energy.
    Impacts,
    /// Energy that the integrator has taken and the world keeps.
    Restored,
}

/// Work and impulses of a stage, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::time) struct Account {
    /// Work by sources.
    pub(in crate::time) work: Work,
    /// Impulses by sources.
    pub(in crate::time) impulses: Impulses,
}

impl<'a> StageStart<'a> {
    /// Start of a stage with these `contacts`; `None` if the world keeps neither a ledger nor its
    /// energy.
    pub(in crate::time) fn of(
        world: &'a World,
        from: &'a State,
        targets: &'a [Target],
        contacts: &Contacts,
    ) -> Option<Self> {
        world.keeps_account().then(|| Self {
            world,
            from,
            targets,
            barrier: barrier(contacts, &from.x),
        })
    }

    /// Account of the stage, which ends at the minimum `end` of a `potential`, where materials have
    /// `flowed`.
    pub(in crate::time) fn account(
        &self,
        potential: &Potential,
        end: &Iterate,
        flowed: &[Flow],
    ) -> Account {
        let forces = Forces::of(self.world, self.from, potential, end);
        let work = Work {
            plasticity: work_of_flow(potential, &end.at, flowed),
            ..self.work(&forces, potential, end)
        };
        Account {
            work,
            impulses: self.impulses(&forces, potential, end),
        }
    }

    /// Work of all forces along the displacement of the stage, and the loss of the integrator.
    fn work(&self, forces: &Forces, potential: &Potential, end: &Iterate) -> Work {
        let Potential { model, stage, .. } = potential;
        let Iterate { at, contacts } = end;
        let duration = stage.end - self.from.time;
        let way = self.way(at);

        // Forces that do work. Belts do theirs by friction.
        let y = potential.tangent_positions(at);
        let mut belts = potential.friction.belt_work(&y);
        if belts != 0.0 {
            belts *= duration / stage.slip_time;
        }
        let [supports, residual] = self.parted(&forces.missing);

        // Potentials that act at the end of the stage, or in part at its start.
        let Shares { end, start } = Shares::of(stage);
        let Stored { before, stage: now } = self.stored(model, stage, at);
        let at_end = now[0] - now[1] - product(&forces.elastic, &way);
        let at_start = if start > 0.0 {
            start * (before[0] - before[1] - product(&forces.elastic_before, &way))
        } else {
            0.0
        };
        let joined = potential.constraints.work(
            &self.from.parameters.joints(&model.joints),
            &outset(stage, self.from),
            [&self.from.x, &at.x],
        );
        let on_bodies =
            product(&forces.joints, &way) + start * product(&forces.joints_before, &way);
        let touched = self.barrier - barrier(contacts, &at.x) - product(&forces.contact, &way);

        // Forces on periods count apart.
        let [pulled, held] = [&forces.loads, &supports].map(|own| on_periods(model, own, &way));

        let work = Work {
            loads: product(&forces.loads, &way) - pulled,
            periods: pulled + held,
            hands: product(&forces.hands, &way),
            gas: product(&forces.gas, &way),
            prescribed: product(&supports, &way) - held + belts,
            friction: product(&forces.friction, &way) - belts,
            joints: joined.of_integrator(on_bodies),
            dampers: joined.dampers,
            brakes: joined.brakes,
            motors: joined.motors,
            limits: joined.limits,
            damping: product(&forces.damping, &way),
            temperature: end * (now[0] - before[0]) + start * (now[1] - before[1]),
            inertia: -self.lost_in_inertia(model, stage, forces, &way),
            elasticity: -(end * at_end + at_start),
            contact: -touched,
            residual: product(&residual, &way),
            ..Work::default()
        };
        count_from_cell(work, potential, contacts, (at, &way))
    }

    /// Stored energies at the start of the stage and at its end `at`, under the conditions of both.
    fn stored(&self, model: &Model, stage: &Stage, at: &Configuration) -> Stored {
        let from = self.from;
        let at_both = |materials: &Materials| {
            let ends = [[&from.x, &from.q], [&at.x, &at.q]];
            ends.map(|[x, q]| stored(model, materials, x, q))
        };

        let now = at_both(&stage.materials);

        // Constant materials have the same energy under both conditions.
        Stored {
            before: if stage.materials.are_constant() {
                now
            } else {
                at_both(&Materials::of(model, from.conditions()))
            },
            stage: now,
        }
    }

    /// Loss by the integrator's inertia (J), `M A . dq - dv . M v_mean`, as two products of
    /// differences that are small where steps are short:
    ///
    /// `dv . M (dq/t - v_mean) + (t A - dv) . M dq/t` for a stage of the duration `t`.
    fn lost_in_inertia(&self, model: &Model, stage: &Stage, forces: &Forces, way: &[Vec2]) -> f64 {
        let duration = stage.end - self.from.time;

        // Velocities count from the mean motion of a scene that repeats.
        let of_nodes = (0..way.len()).map(|i| self.speeds(stage, way, i));
        let (before, after): (Vec<Vec2>, Vec<Vec2>) =
            of_nodes.map(|[before, after]| (before, after)).unzip();
        let start = &self.from.q;
        let end: Vec<Vec2> = start.iter().zip(way).map(|(q, way)| q + way).collect();
        let before = own_velocities(model, start, &before);
        let after = own_velocities(model, &end, &after);

        let mut lost = 0.0;
        for (i, mass) in model.mass.iter().enumerate() {
            let [before, after] = [before[i], after[i]];
            let mean = way[i] / duration;
            let change = mass.component_mul(&(after - before));
            let unmatched = forces.inertia[i] * duration - change;
            lost += change.dot(&(mean - (before + after) * 0.5)) + unmatched.dot(&mean);
        }
        lost
    }

    /// Velocities of a node before and after the stage (m/s; of angles rad/s), impacts left out.
    fn speeds(&self, stage: &Stage, way: &[Vec2], node: usize) -> [Vec2; 2] {
        let after = stage.beta.map_or(Vec2::zeros(), |beta| {
            (self.from.q[node] + way[node] - stage.reference.q[node]) / beta
        });
        [self.from.q_dot[node], after]
    }

    /// Impulses of all forces in the stage, and the change by the integrator without them.
    fn impulses(&self, forces: &Forces, potential: &Potential, end: &Iterate) -> Impulses {
        let Potential { model, stage, .. } = potential;
        let Iterate { at, contacts } = end;
        let duration = stage.end - self.from.time;
        let way = self.way(at);
        let Shares { end, start } = Shares::of(stage);
        let [supports, residual] = self.parted(&forces.missing);

        // Momentum that no force explains, and the momentum of the displacement by velocities.
        let mut unmatched = Vec::with_capacity(way.len());
        let mut momenta = Vec::with_capacity(way.len());
        for (i, mass) in model.mass.iter().enumerate() {
            let [before, after] = self.speeds(stage, &way, i);
            unmatched.push(mass.component_mul(&(after - before)) - forces.inertia[i] * duration);
            momenta.push(mass.component_mul(&before));
        }
        let now = Pairing::of(model, at);
        let then = Pairing::of(model, &self.from.configuration());
        let mut integrator = now.impulse(&unmatched, 1.0);
        integrator.angular += now.moment(&momenta) - then.moment(&momenta);

        let mut loads = now.impulse(&forces.loads, duration);
        loads += now.impulse(&forces.hands, duration);
        loads += now.impulse(&forces.gas, duration);

        let mut internal = now.impulse(&forces.contact, duration);
        internal += now.impulse(&forces.friction, duration);
        internal += now.impulse(&forces.joints, duration);
        internal += now.impulse(&forces.elastic, duration * end);
        internal += now.impulse(&forces.elastic_before, duration * start);
        internal += now.impulse(&forces.joints_before, duration * start);

        // A half-plane supports by a couple too, for which it has no coordinate.
        let couple = duration * planes_couple(self.world, potential, contacts, at);
        let mut supports = now.impulse(&supports, duration);
        supports.angular += couple;
        internal.angular -= couple;

        Impulses {
            gravity: now.impulse(&forces.gravity, duration),
            loads,
            damping: now.impulse(&forces.damping, duration),
            residual: now.impulse(&residual, duration),
            supports,
            internal,
            integrator,
            ..Impulses::default()
        }
    }

    /// Displacement of all nodes (m; of angles rad), `[nodes]`.
    fn way(&self, at: &Configuration) -> Vec<Vec2> {
        let ends = at.q.iter().zip(&self.from.q);
        ends.map(|(q, from)| q - from).collect()
    }

    /// Forces (N; on angles N m), `[nodes]`, on prescribed components, and those on all others.
    fn parted(&self, forces: &[Vec2]) -> [Vec<Vec2>; 2] {
        let mut supports = vec![Vec2::zeros(); forces.len()];
        let mut others = forces.to_vec();
        for target in self.targets {
            for axis in (0..2).filter(|&axis| target.axes[axis]) {
                supports[target.node][axis] = forces[target.node][axis];
                others[target.node][axis] = 0.0;
            }
        }
        [supports, others]
    }
}

impl Account {
    /// Adds a jump of velocities at the configuration `at` of a model, from `before` to `after` (m/s; of
    /// angles rad/s), `[nodes]`, by its cause.
    pub(in crate::time) fn add_jump(
        &mut self,
        cause: Jump,
        model: &Model,
        at: &Configuration,
        [before, after]: [&[Vec2]; 2],
    ) {
        // Kinetic energy counts from the mean motion of a scene that repeats.
        let [before, after] = [before, after].map(|q_dot| own_velocities(model, &at.q, q_dot));
        let (work, impulse) = jump(model, at, &before, &after);
        let Self {
            work: sums,
            impulses,
        } = self;
        let (of_work, of_impulse) = match cause {
            Jump::Restitution => (&mut sums.restitution, &mut impulses.restitution),
            Jump::Impacts => (&mut sums.impacts, &mut impulses.impacts),
            Jump::Restored => (&mut sums.restored, &mut impulses.restored),
        };
        *of_work += work;
        *of_impulse += impulse;
    }

    /// Gives scripts the work of impulses on bodies that velocities have and their forces do not, which their
    /// causes have so far.
    pub(in crate::time) fn add_by_scripts(&mut self, by: ByScripts) {
        let ByScripts {
            restitution,
            impacts,
            integrator,
        } = by;
        // The sum of all work stays.
        self.work.restitution -= restitution;
        self.work.impacts -= impacts;
        self.work.inertia -= integrator;
        self.work.prescribed += restitution + impacts + integrator;
    }

    /// The account with the energy that springs of `joints` with these numbers lose as they break in
    /// a state.
    pub(in crate::time) fn with_breaks(
        mut self,
        model: &Model,
        state: &State,
        joints: &[usize],
    ) -> Self {
        let all = state.parameters.joints(&model.joints);
        self.work.breaks -= stored_in(&all, joints, &state.x, &state.memory.turned);
        self
    }
}

/// Work (J) and impulse of a jump of velocities at the configuration `at` of a model, from `before`
/// to `after` (m/s; of angles rad/s), `[nodes]`.
pub(in crate::time) fn jump(
    model: &Model,
    at: &Configuration,
    before: &[Vec2],
    after: &[Vec2],
) -> (f64, Impulse) {
    if before == after {
        return (0.0, Impulse::default());
    }

    // 1/2 |v_1|^2 - 1/2 |v_0|^2 = (v_1 - v_0) . (v_1 + v_0) / 2
    let mut jumps = Vec::with_capacity(after.len());
    let mut work = 0.0;
    for (i, mass) in model.mass.iter().enumerate() {
        let jump = mass.component_mul(&(after[i] - before[i]));
        work += 0.5 * jump.dot(&(after[i] + before[i]));
        jumps.push(jump);
    }
    (work, Pairing::of(model, at).impulse(&jumps, 1.0))
}

/// Stored energies but gravity and barriers (J) at the start and at the end of a stage.
struct Stored {
    /// Under the conditions of the start.
    before: [f64; 2],
    /// Under the conditions of the stage.
    stage: [f64; 2],
}

/// Stored energies but gravity and barriers (J) at positions `x` (m) and coordinates `q`.
fn stored(model: &Model, materials: &Materials, x: &[Vec2], q: &[Vec2]) -> f64 {
    let energies = materials.energies(model);
    let of_positions: f64 = energies.map(|energy| energy.value(x)).sum();
    let own: f64 = model.own.iter().map(|energy| energy.value(q)).sum();
    of_positions + own
}

/// Change of the stored energies at the end `at` of a stage (J), as materials move on to have
/// `flowed`.
fn work_of_flow(potential: &Potential, at: &Configuration, flowed: &[Flow]) -> f64 {
    if flowed.is_empty() {
        return 0.0;
    }
    let Potential { model, stage, .. } = potential;
    let after = Conditions {
        time: stage.end,
        flowed,
    };
    let after = Materials::of(model, after);
    let [after, before] =
        [&after, &stage.materials].map(|materials| stored(model, materials, &at.x, &at.q));
    after - before
}

/// Energy of all barriers at positions `x` (J).
fn barrier(contacts: &Contacts, x: &[Vec2]) -> f64 {
    let parts = contacts.energies();
    parts.iter().map(|part| part.value(x)).sum()
}

/// Work of forces on nodes (N; `[nodes]` or none) that act on the periods of a scene that repeats.
fn on_periods(model: &Model, forces: &[Vec2], way: &[Vec2]) -> f64 {
    let lattice = model.coordinates.lattice().into_iter();
    let periods = lattice.flat_map(|lattice| lattice.periods());
    let works = periods.filter_map(|node| Some(forces.get(node)?.dot(&way[node])));
    works.sum()
}

/// Sum over nodes of the products of two vectors; 0 without forces.
fn product(forces: &[Vec2], way: &[Vec2]) -> f64 {
    let pairs = forces.iter().zip(way);
    pairs.map(|(force, way)| force.dot(way)).sum()
}

/// Counts kinetic energy from the mean motion of a scene that repeats: the work of the mean stress is the
/// one on its periods, and the rest is inertia.
fn count_from_cell(
    work: Work,
    potential: &Potential,
    contacts: &Contacts,
    (at, way): (&Configuration, &[Vec2]),
) -> Work {
    let Potential { model, stage, .. } = potential;
    let on_periods = forces_on_periods(potential, contacts, at);
    let (Some(lattice), Some(on_periods), Some(_)) =
        (model.coordinates.lattice(), on_periods, stage.beta)
    else {
        return work;
    };

    let both = lattice.periods().into_iter().zip(on_periods);
    let periods: f64 = both.map(|(node, force)| force.dot(&way[node])).sum();
    Work {
        inertia: work.inertia + work.periods - periods,
        periods,
        ..work
    }
}
