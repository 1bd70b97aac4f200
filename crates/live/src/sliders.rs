//! What can be set between steps of a scene, as sliders: gravity, loads, friction, motors, targets.

use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// A slider: words, unit, range, value, the parameter that it sets and the place of its number in that.
fn slider(label: String, unit: &str, [least, most, value]: [f64; 3], set: Value, at: &str) -> Value {
    json!({ "label": label, "unit": unit, "least": least, "most": most, "value": value, "set": set, "at": at })
}

/// Sliders of a scene.
pub(crate) fn sliders(scene: &Scene) -> Vec<Value> {
    let mut all = Vec::new();
    let [gx, gy] = scene.gravity;
    let most = 2.0 * gx.hypot(gy).max(9.81);
    let gravity = json!({ "gravity": [gx, gy] });
    all.push(slider("gravity".to_owned(), "m/s²", [-most, most, gy], gravity, "/gravity/1"));
    all
}
