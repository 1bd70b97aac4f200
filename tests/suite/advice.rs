//! Advice that failures give, tried on them: a scene fails with the words of the advice in its
//! message, and the same scene completes once each thing that they name is done.

use crate::support::{Run, inline};
use serde_json::{Value, json};

/// A scene that fails, and its remedies.
struct Case {
    /// Name of the failure.
    kind: &'static str,
    /// Scene that fails within its steps.
    scene: Value,
    /// Each remedy: the words of the message that name it, and changes of the scene by JSON pointers.
    remedies: Vec<(&'static str, Vec<(&'static str, Value)>)>,
}

/// A scene of 20 steps without gravity, with other keys.
fn scene(more: &Value) -> Value {
    merged(
        json!({
            "time": { "step": 0.01, "steps": 20 },
            "gravity": [0, 0],
            "materials": {
                "stone": { "density": 1000 },
                "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } }
            },
            "obstacles": []
        }),
        more,
    )
}

/// A static scene of two increments, with other keys.
fn statics(more: &Value) -> Value {
    let time = json!({ "step": 0.5, "steps": 2, "integrator": "static" });
    let scene = scene(&json!({ "time": time, "gravity": [0, -9.81], "contact": {} }));
    merged(scene, more)
}

/// A scene with some keys replaced.
fn merged(mut scene: Value, more: &Value) -> Value {
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    scene
}

/// A rigid rectangle of a size.
fn rigid(name: &str, size: [f64; 2], position: [f64; 2]) -> Value {
    json!({ "name": name, "kind": "rigid", "material": "stone", "position": position,
            "shape": { "rectangle": { "size": size, "segments": [1, 1] } } })
}

/// A soft block of a size over the ground.
fn soft(size: [f64; 2], height: f64) -> Value {
    json!({ "name": "block", "material": "rubber", "position": [0, height],
            "shape": { "rectangle": { "size": size, "segments": [4, 4] } } })
}

/// The ground at `y = 0`.
fn ground() -> Value {
    json!([{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }])
}

/// A square obstacle that bodies of the group `jointed` pass.
fn pin(name: &str, position: [f64; 2], velocity: f64) -> Value {
    json!({ "name": name, "position": position, "group": "jointed", "velocity": [velocity, 0.0],
            "shape": { "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } } })
}

/// Bodies that turn or fly too fast for a step.
fn too_fast() -> Vec<Case> {
    let turned = merged(
        rigid("block", [0.2, 0.2], [0.0, 1.0]),
        &json!({ "torque": 1e9 }),
    );
    let bullet = merged(
        rigid("bullet", [0.05, 0.05], [-0.6, 0.1]),
        &json!({ "velocity": [1e8, 0.0] }),
    );
    let plate = rigid("plate", [0.02, 1.0], [0.0, 0.0]);

    vec![
        Case {
            kind: "spinning",
            scene: scene(&json!({ "bodies": [turned] })),
            remedies: vec![
                ("its torque", vec![("/bodies/0/torque", json!(1e6))]),
                ("or time.step", vec![("/time/step", json!(1e-4))]),
            ],
        },
        Case {
            kind: "cuts_through",
            scene: scene(&json!({ "bodies": [plate, bullet] })),
            remedies: vec![
                (
                    "lower its speed",
                    vec![("/bodies/1/velocity/0", json!(1e4))],
                ),
                ("or time.step", vec![("/time/step", json!(1e-8))]),
            ],
        },
    ]
}

/// Solves that do not end, or whose matrix has no factor.
fn unsolved() -> Vec<Case> {
    let thrown = merged(soft([0.4, 0.2], 0.12), &json!({ "velocity": [0, -3] }));
    let rubber =
        json!({ "density": 1000, "law": { "neo_hookean": { "young": 1e300, "poisson": 0.3 } } });
    let young = "/materials/rubber/law/neo_hookean/young";

    vec![
        Case {
            kind: "iterations",
            scene: scene(&json!({
                "gravity": [0, -9.81], "bodies": [thrown], "obstacles": ground(),
                "solver": { "max_iterations": 3 }
            })),
            remedies: vec![
                (
                    "raise solver.max_iterations",
                    vec![("/solver/max_iterations", json!(100))],
                ),
                ("or lower time.step", vec![("/time/step", json!(1e-4))]),
            ],
        },
        Case {
            kind: "indefinite",
            scene: scene(&json!({
                "gravity": [0, -9.81], "bodies": [soft([0.4, 0.2], 0.12)], "obstacles": ground(),
                "materials": { "rubber": rubber }
            })),
            remedies: vec![(
                "extreme ratios of stiffness or mass",
                vec![(young, json!(1e12))],
            )],
        },
    ]
}

/// Motions that are prescribed and cannot be.
fn impossible() -> Vec<Case> {
    let top = json!([{ "vertices": { "side": "top" }, "displacement": { "y": "-0.6 * t" } }]);
    let pressed = merged(soft([0.1, 0.1], 0.051), &json!({ "prescribed": top }));
    let rod = merged(
        rigid("rod", [2.0, 0.1], [0.0, 0.0]),
        &json!({ "group": "jointed" }),
    );
    let hinge = |pin: &str, x: f64| json!({ "hinge": { "bodies": [pin, "rod"], "at": [x, 0] } });

    vec![
        Case {
            kind: "blocked",
            scene: scene(&json!({ "bodies": [pressed], "obstacles": ground() })),
            remedies: vec![(
                "prescribe a motion that leaves room",
                vec![("/bodies/0/prescribed/0/displacement/y", json!("-0.3 * t"))],
            )],
        },
        Case {
            kind: "open",
            scene: scene(&json!({
                "bodies": [rod],
                "obstacles": [pin("left", [-1.0, 0.0], 0.0), pin("right", [1.0, 0.0], 1.0)],
                "joints": [hinge("left", -1.0), hinge("right", 1.0)]
            })),
            remedies: vec![
                (
                    "prescribed motions that contradict each other",
                    vec![("/obstacles/1/velocity/0", json!(0))],
                ),
                (
                    "look for joints",
                    vec![("/joints", json!([hinge("left", -1.0)]))],
                ),
            ],
        },
    ]
}

/// Static scenes that nothing holds.
fn unheld() -> Vec<Case> {
    let bar = rigid("bar", [0.5, 0.05], [0.0, 1.0]);
    let weld = json!([{ "weld": { "bodies": ["pin", "bar"], "at": [0, 1.1] } }]);

    vec![
        Case {
            kind: "unheld",
            scene: statics(&json!({ "bodies": [bar] })),
            remedies: vec![
                (
                    "(\"fixed\"",
                    vec![("/bodies/0/fixed", json!(["x", "y", "angle"]))],
                ),
                (
                    "a joint)",
                    vec![
                        ("/bodies/0/group", json!("jointed")),
                        ("/obstacles", json!([pin("pin", [0.0, 1.2], 0.0)])),
                        ("/joints", weld),
                    ],
                ),
                (
                    "put something in its way",
                    vec![
                        ("/obstacles", ground()),
                        ("/contact/friction", json!({ "default": 0.5 })),
                    ],
                ),
            ],
        },
        Case {
            kind: "loose",
            scene: statics(&json!({ "bodies": [bar], "obstacles": ground() })),
            remedies: vec![
                ("(\"fixed\"", vec![("/bodies/0/fixed", json!(["x"]))]),
                (
                    "give its contacts friction",
                    vec![("/contact/friction", json!({ "default": 0.5 }))],
                ),
            ],
        },
    ]
}

/// Sets a value at a JSON pointer; the last key may be new.
fn set(scene: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = scene.pointer_mut(parent).unwrap();
    match parent {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        _ => parent[key] = value,
    }
}

#[test]
fn what_a_failure_advises_helps_against_it() {
    for Case {
        kind,
        scene,
        remedies,
    } in [too_fast(), unsolved(), impossible(), unheld()]
        .into_iter()
        .flatten()
    {
        let steps = scene["time"]["steps"].as_u64().unwrap();
        let mut failing = Run::of(&inline(scene.clone()));
        let failure = (0..steps)
            .find_map(|_| failing.try_step().err())
            .unwrap_or_else(|| panic!("{kind}: no failure"));
        let message = failure.to_string();
        assert_eq!(failure.kind(), kind, "{message}");

        for (words, changes) in remedies {
            assert!(message.contains(words), "{kind}: {words}: {message}");
            let mut changed = scene.clone();
            for (pointer, value) in changes {
                set(&mut changed, pointer, value);
            }
            let mut run = Run::of(&inline(changed));
            for _ in 0..steps {
                run.try_step()
                    .unwrap_or_else(|failure| panic!("{kind}: {words}: {failure}"));
            }
        }
    }
}
