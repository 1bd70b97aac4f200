//! Numbers of a state that a page lists: measures, sums of forces by pairs, and the ledger.

use super::reply::Reply;
use ipcsim::Simulation;
use ipcsim::math::sort::sort_by;
use ipcsim::time::{StepReport, Work};
use serde_json::{Value, json};

/// Largest number of pairs in the list of sums.
const PAIRS: usize = 12;

/// Adds the measures of the scene, and with forces the sums of each pair of bodies.
pub(crate) fn add(simulation: &Simulation, report: &StepReport, forces: bool, reply: &mut Reply) {
    let readings = simulation.measures().iter().zip(&report.measures);
    let measures = readings.map(|(measure, reading)| {
        json!({
            "name": measure.name,
            "unit": measure.unit,
            "value": reading.map(|own| own.value),
        })
    });
    reply.set("measures", measures.collect::<Vec<_>>());
    reply.set("work", work(report));
    if forces {
        reply.set("pairs", pairs(simulation));
    }
}

/// Work of the step by sources (J), where there is some; nothing if the scene keeps no ledger.
fn work(report: &StepReport) -> Value {
    let Some(ledger) = &report.record.ledger else {
        return Value::Null;
    };
    let named = Work::NAMES.iter().zip(ledger.work.values());
    let done = named.filter(|(_, work)| *work != 0.0);
    done.map(|(name, work)| ((*name).to_owned(), json!(work)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Names, force on the first body and its part by friction (N) of the pairs with the largest forces.
fn pairs(simulation: &Simulation) -> Vec<Value> {
    let bodies = &simulation.world().bodies;
    let mut pairs = simulation.sums().pairs;
    sort_by(&mut pairs, |a, b| b.force.norm().total_cmp(&a.force.norm()));
    let shown = pairs.into_iter().take(PAIRS).map(|pair| {
        let [first, second] = pair.bodies.map(|body| bodies[body].name.clone());
        json!({
            "bodies": [first, second],
            "force": [pair.force.x, pair.force.y],
            "friction": [pair.friction.x, pair.friction.y],
        })
    });
    shown.collect()
}
