//! Elastic energies of a model under the conditions of a stage.
//!
//! Most materials are the same in all steps, and their energies belong to the model. Materials that
//! heat or plastic flow distorts are made anew for each stage, with the same elements on the same
//! vertices, so that places in the matrix, bounds of steps and names stay.
//!
//! Code that needs the value of an elastic energy asks [`Materials`], not the model.

use super::model::Model;
use crate::body::Configuration;
use ipcsim_energy::material::Flow;
use ipcsim_energy::{Conditions, Energy};
use ipcsim_math::Vec2;
use std::sync::Arc;

/// Energies of positions that conditions have changed.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    /// Replacement of each energy of the model, if it has one; empty if nothing changes.
    changed: Vec<Option<Arc<dyn Energy>>>,
}

impl Materials {
    /// Materials of a model under these conditions.
    pub fn of(model: &Model, conditions: Conditions) -> Self {
        let made = with_own(model, conditions).map(|(energy, own)| energy.under(own));
        let changed: Vec<_> = made.map(|energy| energy.map(Arc::from)).collect();
        if changed.iter().all(Option::is_none) {
            return Self::default();
        }
        Self { changed }
    }

    /// Plastic flow of all points of a model, `[points]`, at the end of a stage with the positions `x`
    /// (m), whose materials had these conditions; empty if no material flows.
    pub fn flow(model: &Model, conditions: Conditions, x: &[Vec2]) -> Vec<Flow> {
        let flows = with_own(model, conditions).map(|(energy, own)| energy.flow(own, x));
        flows.flatten().collect()
    }

    /// True if all energies belong to the model at any time.
    pub fn are_constant(&self) -> bool {
        self.changed.is_empty()
    }

    /// Energies of the positions of a model, in its order, or their replacements.
    pub fn energies<'a>(
        &'a self,
        model: &'a Model,
    ) -> impl Iterator<Item = &'a dyn Energy> + Clone {
        let own = model.energies.iter().enumerate();
        own.map(|(k, energy)| {
            let changed = self.changed.get(k).and_then(Option::as_deref);
            changed.unwrap_or(energy.as_ref())
        })
    }

    /// Derivatives of all energies of a model but contact, friction and joints with respect to the
    /// coordinates (N; of angles N m), `[nodes]`, at a configuration; empty without such energies.
    pub fn gradient(&self, model: &Model, at: &Configuration) -> Vec<Vec2> {
        if model.energies.is_empty() && model.own.is_empty() {
            return Vec::new();
        }

        let mut by_q = vec![Vec2::zeros(); at.q.len()];
        for energy in &model.own {
            energy.add_gradient(&at.q, 1.0, &mut by_q);
        }
        let mut by_x = vec![Vec2::zeros(); at.x.len()];
        for energy in self.energies(model) {
            energy.add_gradient(&at.x, 1.0, &mut by_x);
        }
        model.coordinates.pull_back(at, &by_x, &mut by_q);
        by_q
    }
}

/// Energies of the positions of a model, each with the conditions of its points.
pub fn with_own<'a>(
    model: &'a Model,
    conditions: Conditions<'a>,
) -> impl Iterator<Item = (&'a dyn Energy, Conditions<'a>)> {
    let mut rest = conditions.flowed;
    model.energies.iter().map(move |energy| {
        let (flowed, others) = rest.split_at(energy.flowing().min(rest.len()));
        rest = others;
        (
            energy.as_ref(),
            Conditions {
                flowed,
                ..conditions
            },
        )
    })
}
