//! Examples in the schema, one of each thing that is written often.
//!
//! Editors show them next to the description of a key. A test reads every example, so that they
//! stay valid.

use serde_json::{Value, json};

/// A whole scene: a ball and a block of rubber on the ground.
pub(super) fn scene() -> Value {
    json!({
        "$schema": "scene.schema.json",
        "time": { "step": 0.01, "steps": 200 },
        "materials": { "rubber": material() },
        "bodies": [
            {
                "name": "ball",
                "shape": { "disk": { "radius": 0.1, "segments": 24 } },
                "material": "rubber",
                "position": [0.0, 0.5],
                "velocity": [0.5, 0.0]
            },
            {
                "name": "block",
                "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [8, 4] } },
                "material": "rubber",
                "position": [0.1, 0.11]
            }
        ],
        "obstacles": [
            {
                "name": "ground",
                "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } }
            }
        ],
        "contact": { "friction": { "default": 0.3 } }
    })
}

/// A rubber band, 1 cm thick.
pub(super) fn rod() -> Value {
    json!({ "young": 1e6, "thickness": 0.01 })
}

/// The largest stress of a body, with its place and time.
pub(super) fn measure() -> Value {
    json!({ "name": "peak", "max": "von_mises", "of": "block" })
}

/// A balloon at 2 kPa over the ambient pressure.
pub(super) fn chamber() -> Value {
    json!({ "name": "air", "walls": [{ "body": "balloon" }], "pressure": { "gauge": 2000 } })
}

/// Soft rubber.
pub(super) fn material() -> Value {
    json!({ "density": 1000, "law": { "neo_hookean": { "young": 100_000, "poisson": 0.4 } } })
}

/// Contact with friction, static and kinetic; without between a box and the ground; and a wheel that
/// resists rolling.
pub(super) fn contact() -> Value {
    json!({
        "d_hat": 0.001,
        "exclude": [["lid", "box"]],
        "interference": [{ "between": ["shaft", "hub"], "until": 0.1 }],
        "friction": {
            "default": 0.3,
            "kinetic": 0.2,
            "pairs": [
                { "between": ["box", "ground"], "coefficient": 0.0 },
                { "between": ["wheel", "rail"], "coefficient": 0.5, "kinetic": 0.4, "rolling": 3e-4 }
            ]
        }
    })
}

/// The right end of a bar that stays straight across it.
pub(super) fn tie() -> Value {
    json!({
        "name": "plane end",
        "terms": [
            { "body": "bar", "vertices": { "side": "right" }, "axis": "x" },
            { "body": "bar", "vertices": { "nearest": [1.0, 0.0] }, "axis": "x", "factor": -1 }
        ]
    })
}

/// A hinge between a door and its frame.
pub(super) fn joint() -> Value {
    json!({ "hinge": { "bodies": ["door", "frame"], "at": [0.0, 1.0] } })
}

/// Wind in gusts on the left side of a beam.
pub(super) fn load() -> Value {
    json!({
        "name": "wind",
        "body": "beam",
        "on": { "side": "left" },
        "traction": ["50*(1 + sin(2*pi*t))", 0]
    })
}

/// A rigid lid that turns while it falls.
pub(super) fn body() -> Value {
    json!({
        "name": "lid",
        "kind": "rigid",
        "shape": { "rectangle": { "size": [0.4, 0.05], "segments": [1, 1] } },
        "material": "steel",
        "position": [0.0, 1.0],
        "rotation_deg": 30,
        "spin_deg": -90
    })
}

/// A body of 20 modes of vibration.
pub(super) fn kind() -> Value {
    json!({ "modal": { "modes": 20 } })
}

/// A disk with a mesh.
pub(super) fn shape() -> Value {
    json!({ "disk": { "radius": 0.1, "segments": 24 } })
}

/// A unit square of two triangles.
pub(super) fn mesh() -> Value {
    json!({ "vertices": [[0, 0], [1, 0], [1, 1], [0, 1]], "triangles": [[0, 1, 2], [0, 2, 3]] })
}

/// A square with a square hole.
pub(super) fn outline() -> Value {
    json!({
        "points": [[0, 0], [3, 0], [3, 3], [0, 3]],
        "holes": [[[1, 1], [2, 1], [2, 2], [1, 2]]]
    })
}

/// The upper edge of a body, which is pushed down by 0.2 m.
pub(super) fn prescribed() -> Value {
    json!({
        "vertices": { "box": { "min": [-0.5, 0.49], "max": [0.5, 0.51] } },
        "velocity": [0.0, -0.1],
        "travel": 0.2
    })
}

/// A body that is lifted, turned and released.
pub(super) fn script() -> Value {
    json!({
        "keyframes": [
            { "time": 0.5, "position": [0.0, 1.0] },
            { "time": 1.5, "position": [1.0, 1.0], "rotation_deg": 90 }
        ],
        "interpolation": "smooth",
        "until": 2.0
    })
}

/// A press that comes down by 0.8 m.
pub(super) fn obstacle() -> Value {
    json!({
        "name": "press",
        "shape": { "half_plane": { "normal": [0, -1], "origin": [0, 2] } },
        "velocity": [0.0, -0.5],
        "travel": 0.8
    })
}

/// Stresses of every tenth written state.
pub(super) fn vtu() -> Value {
    json!({ "every": 10, "fields": ["displacement", "cauchy_stress", "von_mises"] })
}

/// The middle of the free end of a beam.
pub(super) fn probe() -> Value {
    json!({ "name": "tip", "body": "beam", "at": [1.0, 0.05] })
}

/// A line across a beam at its clamped end.
pub(super) fn section() -> Value {
    json!({ "name": "root", "body": "beam", "from": [0.0, 0.0], "to": [0.0, 0.1], "points": 21 })
}

/// A plate with a round hole, finer around it, on a foot with a rounded corner.
pub(super) fn area() -> Value {
    json!({
        "outline": {
            "path": {
                "points": [
                    [-0.1, -0.05],
                    { "line": { "to": [0.1, -0.05], "name": "foot" } },
                    [0.1, 0.03],
                    { "arc": { "through": [0.094, 0.044], "to": [0.08, 0.05] } },
                    [-0.1, 0.05]
                ]
            }
        },
        "holes": [{ "circle": { "center": [0, 0], "radius": 0.02, "name": "bore" } }],
        "mesh": { "size": 0.02, "along": { "bore": 0.004 } }
    })
}

/// Curves of a picture.
pub(super) fn file() -> Value {
    json!({ "path": "bracket.svg", "unit": "mm", "mesh": { "size": 0.004 } })
}

/// Grains of several sizes that fill most of a box.
pub(super) fn pack() -> Value {
    json!({
        "region": { "box": { "min": [-0.2, 0], "max": [0.2, 0.5] } },
        "fill": 0.7,
        "radius": { "uniform": [0.008, 0.012] },
        "seed": 1
    })
}
