//! What can be set between steps of a scene, as sliders: gravity, friction, loads, motors and springs of
//! joints, and places of obstacles.
//!
//! A slider has the parameters that it sets, as `changes` of a scene have them, and the place of its number
//! in each. The page puts a number there and sends them.

use ipcsim::scene::Scene;
use ipcsim::scene::schema::Control;
use serde_json::{Value, json};

/// Largest number of bodies and obstacles whose friction one slider sets for all pairs.
const CROWD: usize = 14;
/// Largest speed of motors whose speed is a formula (degrees/s, m/s).
const MOTOR: [f64; 2] = [720.0, 1.0];
/// Share of the size of a scene by which a script may be shifted (1), and in which time (s).
const SHIFT: [f64; 2] = [0.5, 2.0];

/// Largest number of sliders that shift obstacles.
const SHIFTS: usize = 6;

/// A slider in the making.
///
/// A page shows it without knowing what the number means: the parameters and the place of the
/// number are part of it.
struct Slider {
    /// Words.
    label: String,
    /// Unit of the number.
    unit: &'static str,
    /// Least and largest number.
    range: [f64; 2],
    /// Number at the start; unknown where the scene has a formula.
    value: Option<f64>,
    /// Parameters that it sets.
    set: Vec<Value>,
    /// Place of the number in each (a JSON pointer).
    at: &'static str,
    /// Largest change of the number in a second; without one it changes at once.
    rate: Option<f64>,
}

impl Slider {
    /// The slider for the page.
    fn shown(self) -> Value {
        let [least, most] = self.range;
        json!({
            "label": self.label, "unit": self.unit, "least": least, "most": most, "value": self.value,
            "set": self.set, "at": self.at, "rate": self.rate,
        })
    }
}

/// Sliders of a scene of a size (m).
///
/// A scene that names its own has only those. Otherwise the order is gravity, friction, loads, joints and obstacles. Things without a name have no
/// slider, since parameters refer to names.
pub(crate) fn sliders(scene: &Scene, size: f64) -> Vec<Value> {
    if !scene.controls.is_empty() {
        return scene.controls.iter().map(of_control).collect();
    }
    let text = scene.to_json();
    let mut all = vec![gravity(scene)];
    all.extend(friction(scene, &text));

    // Loads that have a name.
    for load in list(&text, "loads") {
        if let Some(name) = load["name"].as_str() {
            all.push(Slider {
                label: format!("load \"{name}\""),
                unit: "×",
                range: [-2.0, 4.0],
                value: Some(1.0),
                set: vec![json!({ "load": { "name": name, "factor": 1 } })],
                at: "/load/factor",
                rate: None,
            });
        }
    }

    // Motors and springs, then obstacles.
    for joint in list(&text, "joints") {
        let inner = joint.as_object().and_then(|own| own.values().next());
        all.extend(inner.into_iter().flat_map(of_joint));
    }
    let obstacles = list(&text, "obstacles").iter();
    all.extend(
        obstacles
            .flat_map(|obstacle| shifts(obstacle, size))
            .take(SHIFTS),
    );
    all.into_iter().map(Slider::shown).collect()
}

/// The slider of a control that the scene names.
fn of_control(control: &Control) -> Value {
    json!({
        "label": control.label, "unit": control.unit, "least": control.min, "most": control.max,
        "value": control.value(), "set": [control.filled()], "at": control.pointer(), "rate": control.rate,
    })
}

/// A list of the scene; empty if it has none.
fn list<'a>(scene: &'a Value, key: &str) -> &'a [Value] {
    scene[key].as_array().map_or(&[], Vec::as_slice)
}

/// Gravity along y.
///
/// The range is twice the gravity of the scene, and at least twice 9.81 m/s^2.
fn gravity(scene: &Scene) -> Slider {
    let [x, y] = scene.gravity;
    let most = 2.0 * x.hypot(y).max(9.81);
    Slider {
        label: "gravity".to_owned(),
        unit: "m/s²",
        range: [-most, most],
        value: Some(y),
        set: vec![json!({ "gravity": [x, y] })],
        at: "/gravity/1",
        rate: None,
    }
}

/// Friction of all pairs, where there are few bodies.
///
/// The number of pairs grows with the square of the number of bodies.
fn friction(scene: &Scene, text: &Value) -> Option<Slider> {
    let bodies = scene.bodies.iter().map(|body| &body.name);
    let names: Vec<&String> = bodies
        .chain(scene.obstacles.iter().map(|own| &own.name))
        .collect();
    if names.len() > CROWD {
        return None;
    }
    let friction = &text["contact"]["friction"];
    let default = friction["default"].as_f64().unwrap_or(0.0);
    let is_one = list(friction, "pairs").is_empty() && list(friction, "materials").is_empty();

    // One parameter for each pair.
    let mut set = Vec::new();
    for (k, first) in names.iter().enumerate() {
        for second in &names[k + 1..] {
            set.push(json!({ "friction": { "between": [first, second], "coefficient": 0 } }));
        }
    }
    Some(Slider {
        label: "friction of all pairs".to_owned(),
        unit: "",
        range: [0.0, 1.5],
        value: is_one.then_some(default),
        set,
        at: "/friction/coefficient",
        rate: None,
    })
}

/// Motor and spring of a joint with a name.
fn of_joint(joint: &Value) -> Vec<Slider> {
    let Some(name) = joint["name"].as_str() else {
        return Vec::new();
    };
    let numbers = [
        (
            "motor",
            "speed_deg",
            "/joint/motor/speed_deg",
            "°/s",
            MOTOR[0],
        ),
        ("motor", "speed", "/joint/motor/speed", "m/s", MOTOR[1]),
        ("motor", "angle_deg", "/joint/motor/angle_deg", "°", 180.0),
        ("spring", "rest_deg", "/joint/spring/rest_deg", "°", 90.0),
        ("spring", "length", "/joint/spring/length", "m", 1.0),
    ];
    let mut all = Vec::new();
    for (part, key, at, unit, usual) in numbers {
        let value = &joint[part][key];
        if value.is_null() {
            continue;
        }
        let number = value.as_f64();
        let most = number.map_or(usual, |number| 2.0 * number.abs()).max(1e-3);
        let least = if key == "length" { 0.0 } else { -most };
        all.push(Slider {
            label: format!("{part} \"{name}\""),
            unit,
            range: [least, most],
            value: number,
            set: vec![json!({ "joint": { "name": name, part: { key: 0 } } })],
            at,
            rate: None,
        });
    }
    all
}

/// Shifts of an obstacle, unless it is a half-plane that stays.
///
/// Shifts have a rate, so that an obstacle moves to its new place in time instead of jumping
/// there.
fn shifts(obstacle: &Value, size: f64) -> Vec<Slider> {
    // Planes that stay are floors and walls.
    let is_plane = !obstacle["shape"]["half_plane"].is_null();
    let numbers = obstacle["velocity"].as_array();
    let is_fast = numbers.is_some_and(|parts| parts.iter().any(|part| part.as_f64() != Some(0.0)));
    let scripts = ["keyframes", "motion", "script", "displacement"];
    let moves = is_fast || scripts.iter().any(|key| !obstacle[*key].is_null());
    let name = obstacle["name"].as_str();
    let Some(name) = name.filter(|_| moves || !is_plane) else {
        return Vec::new();
    };
    let [share, time] = SHIFT;
    let most = share * size;
    let axes = [("→", "/target/by/0"), ("↑", "/target/by/1")];
    let of_axis = axes.map(|(arrow, at)| Slider {
        label: format!("\"{name}\" {arrow}"),
        unit: "m",
        range: [-most, most],
        value: Some(0.0),
        set: vec![json!({ "target": { "body": name, "by": [0, 0] } })],
        at,
        rate: Some(most / time),
    });
    of_axis.into()
}
