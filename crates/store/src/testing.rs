//! Records for tests.

use ipcsim::math::Vec2;
use ipcsim::time::{Ledger, Record};

/// Record of a step that has nothing but a ledger.
pub(crate) fn record(step: usize, ledger: Ledger) -> Record {
    Record {
        step,
        time: 0.0,
        kinetic: 0.0,
        potentials: Vec::new(),
        total: 0.0,
        momentum: Vec2::zeros(),
        imbalance: 0.0,
        stiffening: 0.0,
        unstable: None,
        cell: None,
        asleep: None,
        ledger: Some(ledger),
        chambers: Vec::new(),
        newton_iterations: 0,
        contacts: 0,
        min_gap: None,
        min_area_ratio: None,
        flattest: None,
    }
}
