//! Runs with every law of triangles and with damping, in contact: the same bits after resuming and
//! on any number of threads, certificates, and a ledger that closes.

use crate::cli_resume::same_and_proved;
use crate::program::Place;
use serde_json::{Value, json};

/// Materials of the blocks, from the lowest: laws, some with damping.
fn materials() -> Value {
    let elastic = json!({ "young": 2e5, "poisson": 0.35 });
    json!({
        "stable": { "density": 1000.0, "law": { "stable_neo_hookean": elastic },
            "damping": { "mass": 2.0, "stiffness": 0.01 } },
        "mooney": { "density": 900.0, "law": { "mooney_rivlin": { "c10": 3e4, "c01": 5e3, "bulk": 4e5 } },
            "damping": { "shear_viscosity": 300.0, "bulk_viscosity": 100.0 } },
        "yeoh": { "density": 950.0, "law": { "yeoh": { "c1": 4e4, "c2": -2e3, "c3": 500.0, "bulk": 4e5 } } },
        "wood": { "density": 700.0, "law": { "orthotropic": {
            "young": [4e5, 1e5, 1e5], "poisson": [0.3, 0.2, 0.2], "shear": 6e4, "angle_deg": 30.0 } },
            "damping": { "stiffness": 0.005 } },
        "corotated": { "density": 800.0, "law": { "fixed_corotated": elastic } }
    })
}

/// Writes a scene with a pile of blocks, one of each material, that falls on the ground and turns.
fn pile(place: &Place, plane: &str, integrator: &str) -> String {
    let names = ["stable", "mooney", "yeoh", "wood", "corotated"];
    let blocks: Vec<Value> = names
        .iter()
        .enumerate()
        .map(|(k, name)| {
            json!({ "name": format!("block of {name}"), "material": name,
                "shape": { "rectangle": { "size": [1.0, 0.5], "segments": [4, 2] } },
                "position": [0.1 * k as f64, 0.3 + 0.6 * k as f64], "spin_deg": 20.0 })
        })
        .collect();
    let scene = json!({
        "time": { "step": 0.01, "steps": 24, "integrator": integrator },
        "plane": plane,
        "materials": materials(),
        "bodies": blocks,
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0.0, 1.0], "origin": [0.0, 0.0] } } }],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "ledger": true }
    });
    place.scene(&scene)
}

#[test]
fn laws_and_damping_keep_their_bits_on_any_threads_and_after_resuming_and_are_proved() {
    for (plane, integrator) in [
        ("strain", "implicit_euler"),
        ("stress", "bdf2"),
        ("strain", "trapezoid"),
        ("stress", "tr_bdf2"),
    ] {
        let place = Place::new();
        let scene = pile(&place, plane, integrator);
        same_and_proved(&place, &scene, 6);
        let table = place.read("whole/energies.csv");
        let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        let column = header.iter().position(|name| *name == "work_damping");
        let last: Vec<&str> = table.lines().last().unwrap().split(',').collect();
        let heat: f64 = last[column.unwrap()].parse().unwrap();
        assert!(heat < 0.0, "{plane}, {integrator}: {heat}");
    }
}
