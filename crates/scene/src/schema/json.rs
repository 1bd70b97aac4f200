//! The JSON Schema of scenes, from the table of their keys.

use super::Scene;
use ipcsim_keys::{Form, Keys, schema};
use serde_json::Value;

/// The JSON Schema (draft 2020-12) of scenes, made from the types that are read: every key with its
/// description, range and default. The annotation `unit` names the unit of a number.
pub fn json_schema() -> Value {
    match Scene::form() {
        Form::Type(scene) => schema(scene, "Scene of ipcsim"),
        _ => Value::Null,
    }
}
