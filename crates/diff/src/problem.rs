//! A scene with the numbers that its gradients are by.
//!
//! A problem builds its scene twice. The first build shows the numbers that are derived, and the
//! stiffness of affine bodies becomes a given number in the second one. So scenes with other
//! values keep it.
//!
//! The solver gets tighter tolerances than the scene asks for. A reverse pass needs each step at
//! the exact balance of forces, and polishing reaches it only from near by: the tolerance is at
//! most a hundredth of the least reach of contacts over a step. Friction follows within a step
//! ([`Lagging::Follow`]), so that the end of a step solves one set of equations.

use crate::error::Error;
use crate::frozen::{difference, freeze, is_of_contact};
use crate::parameter::Parameter;
use ipcsim::math::Vec2;
use ipcsim::scene::{Derived, Setting, Setup, Source, Template};
use ipcsim::time::linear::Refused;
use ipcsim::time::{Lagging, State, World};
use serde_json::{Value, json};

/// Share of the least reach of contacts by which a solve may miss the balance of forces, from where the
/// balance to rounding is near.
const NEAR: f64 = 1e-2;
/// Imbalance of a solve relative to its tolerance.
const BALANCE: f64 = 0.1;

/// A scene with the numbers that its gradients are by.
///
/// It is built once. Scenes with other values come from the same template by [`Problem::with`].
#[derive(Debug)]
pub struct Problem {
    template: Template,
    /// Setup of the scene with the values of its parameters.
    pub setup: Setup,
    /// Numbers of the scene.
    pub parameters: Vec<Parameter>,
    /// Number of steps.
    pub steps: usize,
    /// Memory for states (bytes).
    pub memory: usize,
}

/// Memory for states (bytes), unless another one is given: 1 GiB.
pub const MEMORY: usize = 1 << 30;

impl Problem {
    /// The scene of a source, and the paths of numbers in it: keys and numbers of list entries from 0,
    /// joined by dots.
    ///
    /// `steps` replaces the number of steps of the scene.
    ///
    /// # Errors
    /// [`Error`] of the scene, of an option that has no derivative, or of a path.
    pub fn new(source: &Source, paths: &[String], steps: Option<usize>) -> Result<Self, Error> {
        let template = Template::new(source)?;
        let setup = template.with(&[])?.build()?;
        refuse_options(&setup)?;
        let template = template.set(&stiffness_of_affine_bodies(&setup))?;
        let mut setup = template.with(&[])?.build()?;
        setup.world.lagging = Lagging::Follow;

        // Tolerances from where polishing reaches the balance to rounding.
        let newton = &mut setup.world.newton;
        let reach = setup.world.model.surface.least_d_hat();
        let speed = NEAR * reach / setup.world.h;
        newton.tolerance = newton.tolerance.min(speed);
        newton.imbalance = newton.imbalance.min(BALANCE * newton.tolerance);
        let parameters = paths
            .iter()
            .map(|path| Parameter::at(&template, path))
            .collect::<Result<_, _>>()?;
        let steps = steps.unwrap_or(setup.scene.time.steps);
        Ok(Self {
            template,
            setup,
            parameters,
            steps,
            memory: MEMORY,
        })
    }

    /// World and first state of the scene.
    pub fn reference(&self) -> (&World, &State) {
        (&self.setup.world, &self.setup.state)
    }

    /// World and first state of the scene with other values of its parameters, with the derived
    /// numbers of the reference.
    ///
    /// `values` has one number for each parameter, in its unit. The mesh must connect the same
    /// vertices, so that states of one scene have a meaning in the other.
    ///
    /// # Errors
    /// [`Error::Scene`], or [`Error::OtherMesh`].
    pub fn with(&self, values: &[f64]) -> Result<Setup, Error> {
        let pairs = self.parameters.iter().zip(values);
        let changed =
            pairs.filter(|(parameter, value)| parameter.value.to_bits() != value.to_bits());
        let settings: Vec<Setting> = changed
            .clone()
            .map(|(parameter, value)| Setting {
                key: parameter.path.clone(),
                value: Value::from(*value),
            })
            .collect();
        let mut setup = self.template.with(&settings)?.build()?;
        let reference = &self.setup.world;
        if let Some(what) = difference(&setup.world, reference) {
            let (parameter, value) = changed
                .clone()
                .next()
                .unwrap_or((&self.parameters[0], &0.0));
            return Err(Error::OtherMesh {
                path: parameter.path.clone(),
                value: *value,
                what,
            });
        }

        // Given numbers of contact change, derived ones do not.
        let mut touching = settings;
        touching.retain(|setting| is_of_contact(&setting.key));
        if touching.is_empty() {
            freeze(&mut setup.world, reference, reference);
        } else {
            let touching = self.template.with(&touching)?.build()?;
            freeze(&mut setup.world, reference, &touching.world);
        }

        // The first step meets the same adapted barriers.
        let adapted = &self.setup.state.memory.options.stiffening;
        setup.state.memory.options.stiffening = adapted.clone();
        Ok(setup)
    }

    /// Values of the parameters.
    pub fn values(&self) -> Vec<f64> {
        let values = self.parameters.iter();
        values.map(|parameter| parameter.value).collect()
    }

    /// No motion of all nodes.
    pub(crate) fn no_motion(&self) -> Vec<Vec2> {
        vec![Vec2::zeros(); self.setup.state.q.len()]
    }
}

/// Settings that give affine bodies the stiffness that was derived for them.
///
/// Bodies that give a stiffness themselves are left as they are.
fn stiffness_of_affine_bodies(setup: &Setup) -> Vec<Setting> {
    let mut settings = Vec::new();
    let of_stiffness = |row: &&Derived| row.name == "affine_stiffness" && !row.given;
    for row in setup.derived.iter().filter(of_stiffness) {
        let bodies = setup.scene.bodies.iter();
        let own = bodies.filter(|body| {
            let is_own = row.of.is_empty() || row.of.contains(&body.name);
            let kind = json!(body.kind);
            let affine = kind.get("affine");
            is_own && affine.is_some_and(|own| own.get("stiffness").is_none())
        });
        settings.extend(own.map(|body| Setting {
            key: format!("bodies.{}.kind.affine.stiffness", body.name),
            value: Value::from(row.value),
        }));
    }
    settings
}

/// Reason of what may be covered later.
const LATER: &str = "it is not covered yet";

/// What has a derivative that is not covered yet: true if a scene has it, how it is named, and the reason.
///
/// Each one has a smooth equation, so that a later version may cover it.
fn not_covered(setup: &Setup) -> [(bool, &'static str, &'static str); 4] {
    let world = &setup.world;
    let mut energies = world.model.energies.iter();
    let joins_in_cell = setup.scene.periodic.is_some() && !setup.scene.joints.is_empty();
    let is_cell_in_motion = setup.scene.periodic.is_some() && !world.integrator.is_static();
    [
        (
            energies.any(|energy| energy.section().is_some()),
            "a bolt with preload",
            LATER,
        ),
        (
            !setup.scene.contact.interference.is_empty(),
            "contact.interference",
            LATER,
        ),
        (is_cell_in_motion, "periodic in motion", LATER),
        (joins_in_cell, "joints in a cell that repeats", LATER),
    ]
}

/// Refuses options of a scene whose states have no derivative.
///
/// A refusal comes before the first step and names the key, so that nobody waits for a run
/// without a gradient.
fn refuse_options(setup: &Setup) -> Result<(), Refused> {
    let world = &setup.world;
    let options = &world.options;

    // Options that branch: their states are not smooth functions of parameters.
    let has_memory = "it decides between two kinds of step";
    let refused = [
        (options.sleep.is_some(), "solver.sleep", has_memory),
        (
            setup.until.is_some(),
            "time.until",
            "the last step is not a smooth function",
        ),
        (
            options.adaptive.is_some(),
            "time.adaptive",
            "lengths of substeps follow from errors",
        ),
        (
            options.keeps_energy,
            "time.energy = kept",
            "velocities are corrected by a sum of all energies",
        ),
    ];
    for (is, option, reason) in refused.into_iter().chain(not_covered(setup)) {
        if is {
            return Err(Refused::Option {
                option: option.to_owned(),
                reason,
            });
        }
    }
    Ok(())
}
