//! Elastic energies of a model under the conditions of a stage.
//!
//! Most materials are the same in all steps, and their energies are those of the model. Those that heat
//! distorts are made anew for each stage, with the same elements on the same vertices, so that places in
//! the matrix, bounds of steps and names stay those of the model.

use super::model::Model;
use crate::energy::{Conditions, Energy};
use std::sync::Arc;

/// Energies of positions that conditions have changed.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    /// For each energy of the model what takes its place, if anything does; empty if nothing changes.
    changed: Vec<Option<Arc<dyn Energy>>>,
}

impl Materials {
    /// Materials of a model under these conditions.
    pub fn of(model: &Model, conditions: Conditions) -> Self {
        let made = model.energies.iter().map(|energy| energy.under(conditions));
        let changed: Vec<_> = made.map(|energy| energy.map(Arc::from)).collect();
        if changed.iter().all(Option::is_none) {
            return Self::default();
        }
        Self { changed }
    }

    /// True if all energies are those of the model at any time.
    pub fn are_constant(&self) -> bool {
        self.changed.is_empty()
    }

    /// Energies of the positions of a model, in its order: its own, or those that take their place.
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
}
