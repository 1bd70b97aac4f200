//! Controls: sliders that a scene has in the live page.

use super::Parameter;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A slider of the live page, which sets a number of a parameter between steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Words beside the slider.
    pub label: String,
    /// Parameter that it sets, as in `changes`.
    pub set: Parameter,
    /// Key of the number within the parameter, such as `gravity[1]`, `load.factor` or
    /// `joint.motor.speed_deg`. It begins with the value that `set` has there.
    pub number: String,
    /// Left end of the slider.
    #[key(unit = "1")]
    pub min: f64,
    /// Right end of the slider.
    #[key(unit = "1")]
    pub max: f64,
    /// Unit that is shown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Largest change of the number in a second; without it the number changes at once. Obstacles are
    /// moved with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0, unit = "1")]
    pub rate: Option<f64>,
}

impl Control {
    /// Place of the number in the JSON of the parameter, as a pointer: `gravity[1]` is `/gravity/1`.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for key in self.number.split(['.', '[']) {
            pointer.push('/');
            pointer += key.trim_end_matches(']');
        }
        pointer
    }

    /// The number that it begins with; `None` if its key leads to none.
    pub fn value(&self) -> Option<f64> {
        self.filled()?.pointer(&self.pointer())?.as_f64()
    }

    /// JSON of the parameter with the number in its place, also where a parameter leaves it out since it has
    /// its default; `None` if the key leads to no number.
    pub fn filled(&self) -> Option<Value> {
        let set = serde_json::to_value(&self.set).ok()?;
        let pointer = self.pointer();
        if set.pointer(&pointer).is_some() {
            return Some(set);
        }

        // The default is the number with which the parameter stays as it is.
        [0.0, 1.0].into_iter().find_map(|default| {
            let filled = with_number(set.clone(), &pointer, default)?;
            // From its text, so that parameters are compiled for one source only.
            let parameter: Parameter = serde_json::from_str(&filled.to_string()).ok()?;
            (parameter == self.set).then_some(filled)
        })
    }
}

/// JSON with a number at a place that it lacks: a key of an object, or an entry of a vector of two, all of whose
/// entries become that number; `None` if nothing on the way to it exists.
fn with_number(mut json: Value, pointer: &str, number: f64) -> Option<Value> {
    let (parent, key) = pointer.rsplit_once('/')?;
    if let Some(Value::Object(keys)) = json.pointer_mut(parent) {
        keys.insert(key.to_owned(), number.into());
        return Some(json);
    }
    let (above, name) = parent.rsplit_once('/')?;
    let keys = json.pointer_mut(above)?.as_object_mut()?;
    keys.insert(name.to_owned(), vec![number; 2].into());
    Some(json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The number with which a control of this parameter begins.
    fn value(set: &Value, number: &str) -> Option<f64> {
        let control = json!({ "label": "", "set": set, "number": number, "min": -1, "max": 1 });
        serde_json::from_value::<Control>(control).unwrap().value()
    }

    #[test]
    fn a_number_at_its_default_counts_and_a_key_that_is_none_does_not() {
        let press = json!({ "target": { "body": "press", "by": [0, 0] } });
        assert_eq!(value(&press, "target.by[1]"), Some(0.0));
        assert_eq!(value(&press, "target.turn_deg"), Some(0.0));
        let gravity = json!({ "gravity": [0, -9.81] });
        assert_eq!(value(&gravity, "gravity[1]"), Some(-9.81));

        for wrong in ["target.by[2]", "target.bye[1]", "target.body", "aim.by[1]"] {
            assert_eq!(value(&press, wrong), None, "{wrong}");
        }
    }
}
