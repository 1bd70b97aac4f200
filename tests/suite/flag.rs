//! The swinging flag of Turek and Hron (CSM3) on two meshes of linear triangles and with two
//! steps.
//!
//! Values of the benchmark itself are in the case `motion_flag` of `validate`, on the coarser
//! mesh.

use crate::support::{Run, inline, near_ratio};
use serde_json::json;

/// Radius of the cylinder, half of the flag's height, distance of its end from the cylinder's
/// centre (m).
const RADIUS: f64 = 0.05;
const HALF: f64 = 0.01;
const END: f64 = 0.4;

/// Vertices and triangles of this number of cells along the flag and through it, four triangles a
/// cell.
fn mesh([along, through]: [u32; 2]) -> (Vec<[f64; 2]>, Vec<[usize; 3]>) {
    let at = |i: f64, j: f64| {
        let y = HALF * (2.0 * j / f64::from(through) - 1.0);
        let x = (RADIUS * RADIUS - y * y).sqrt();
        [x + (END - x) * i / f64::from(along), y]
    };
    let mut vertices = Vec::new();
    for i in 0..=along {
        vertices.extend((0..=through).map(|j| at(f64::from(i), f64::from(j))));
    }

    let mut triangles = Vec::new();
    for i in 0..along {
        for j in 0..through {
            let a = (i * (through + 1) + j) as usize;
            let b = a + through as usize + 1;
            let middle = vertices.len();
            vertices.push(at(f64::from(i) + 0.5, f64::from(j) + 0.5));
            for [p, q] in [[a, b], [b, b + 1], [b + 1, a + 1], [a + 1, a]] {
                triangles.push([p, q, middle]);
            }
        }
    }
    (vertices, triangles)
}

/// Mean frequency (1/s) of the swings of the tip in 10 s, in this number of steps on a mesh.
///
/// The flag starts at its highest place. Times at which it is there again are those of parabolas
/// through three steps.
fn frequency(cells: [u32; 2], steps: u32) -> f64 {
    let (vertices, triangles) = mesh(cells);
    let distance = |x: &[f64; 2]| x[0].hypot(x[1]);
    let held = (0..vertices.len()).filter(|&i| (distance(&vertices[i]) - RADIUS).abs() < 1e-9);
    let held: Vec<usize> = held.collect();
    let is_tip = |x: &[f64; 2]| x[0] > END - 1e-9 && x[1].abs() < 1e-9;
    let tip = vertices.iter().position(is_tip).unwrap();
    let h = 10.0 / f64::from(steps);
    let law = json!({ "st_venant_kirchhoff": { "young": 1.4e6, "poisson": 0.4 } });
    let mut run = Run::of(&inline(json!({
        "time": { "step": h, "steps": steps, "integrator": "trapezoid" },
        "gravity": [0.0, -2.0],
        "materials": { "rubber": { "density": 1000.0, "law": law } },
        "bodies": [{
            "name": "flag", "material": "rubber",
            "shape": { "mesh": { "vertices": vertices, "triangles": triangles } },
            "prescribed": [{ "vertices": { "indices": held } }]
        }],
        "solver": { "tolerance": 1e-6 }
    })));

    let mut heights = [run.state().x[tip].y; 3];
    let mut tops = Vec::new();
    for step in 1..=steps {
        run.step();
        heights = [heights[1], heights[2], run.state().x[tip].y];
        let [a, b, c] = heights;
        if b > a && b >= c {
            let after = 0.5 * (a - c) / (a - 2.0 * b + c);
            tops.push(h * (f64::from(step) - 1.0 + after));
        }
    }
    tops.len() as f64 / tops[tops.len() - 1]
}

/// 9,600 triangles and 2,000 steps beside four times as many triangles and twice as many steps.
#[test]
#[ignore = "ten minutes"]
fn half_the_mesh_size_and_half_the_step_change_the_frequency_by_less_than_a_fifth_of_a_percent() {
    let coarse = frequency([200, 12], 2000);
    let fine = frequency([400, 24], 4000);
    println!("{coarse} {fine}");
    near_ratio(coarse, fine, 0.002);
    near_ratio(coarse, 1.0995, 0.01);
}
