//! Importing scenes from tests.

use crate::program::{Place, ipcsim, project};
use crate::rigid_ipc_scenes::scene;
use ipcsim::scene::schema::{Body, Obstacle, Shape, Wire};
use ipcsim::scene::{Scene, parse};
use serde_json::{Value, json};

/// Imports the text of a scene. Returns the new scene and the warnings.
pub(crate) fn imported_text(text: &str) -> (Scene, String) {
    let place = Place::new();
    let from = place.path("from.json");
    let to = place.path("to.json");
    std::fs::write(&from, text).unwrap();
    let ended = ipcsim(&["import", "rigid-ipc", &from, "-o", &to]);
    assert_eq!(ended.code, 0, "{ended:?}");
    (parse(&place.read("to.json"), &[]).unwrap(), ended.stderr)
}

/// Scene that an import gives.
pub(crate) fn imported(scene: &Value) -> Scene {
    imported_text(&scene.to_string()).0
}

pub(crate) fn stored(name: &str) -> Scene {
    let text =
        std::fs::read_to_string(project(&format!("tests/data/rigid_ipc/{name}.json"))).unwrap();
    let (scene, said) = imported_text(&text);
    assert_eq!(said, "");
    scene
}

/// Message about a scene that cannot be imported, without the name of the file.
pub(crate) fn refused(text: &str) -> String {
    let place = Place::new();
    let from = place.path("from.json");
    let to = place.path("to.json");
    std::fs::write(&from, text).unwrap();
    let ended = ipcsim(&["import", "rigid-ipc", &from, "-o", &to]);

    assert_eq!(
        (ended.code, ended.stdout.as_str(), place.names("")),
        (2, "", vec!["from.json".to_owned()])
    );
    ended
        .stderr
        .strip_prefix(&format!("error: {from}: "))
        .unwrap()
        .to_owned()
}

/// Scene of a rod from (0, 0) to (1, 0) with given keys.
pub(crate) fn rod(more: &Value) -> Value {
    let mut body = json!({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]] });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    scene(10, 0.0, &[body])
}

pub(crate) fn one_body(more: &Value) -> Body {
    let scene = imported(&rod(more));
    assert_eq!((scene.bodies.len(), scene.obstacles.len()), (1, 0));
    scene.bodies[0].clone()
}

/// Obstacle that is imported from the scene's only body, with another body beside it.
pub(crate) fn one_obstacle(scene: &Value) -> Obstacle {
    let mut scene = scene.clone();
    let free = json!({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "position": [0, 1000] });
    scene["rigid_body_problem"]["rigid_bodies"]
        .as_array_mut()
        .unwrap()
        .push(free);
    let scene = imported(&scene);
    assert_eq!((scene.bodies.len(), scene.obstacles.len()), (1, 1));
    scene.obstacles[0].clone()
}

pub(crate) fn wire(shape: &Shape) -> &Wire {
    let Shape::Wire(wire) = shape else {
        panic!("{shape:?}")
    };
    wire
}

/// True if two points are equal up to rounding.
pub(crate) fn near(a: [f64; 2], b: [f64; 2]) -> bool {
    (a[0] - b[0]).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12
}
