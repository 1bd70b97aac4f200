//! What a scene must satisfy beyond its syntax. All problems are found, not just the first.

use super::parse::nearest;
use super::schema::{Body, Bounds, Elastic, InlineMesh, Law, Material, Obstacle, Scene, Selection, Shape};
use std::collections::BTreeSet;
use std::fmt;

/// Something in a scene that keeps it from being simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// JSON path of the value.
    pub path: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Most cells that a generated mesh may have.
const MAX_CELLS: usize = 20_000_000;

/// All problems that can be seen without building the scene.
pub fn check(scene: &Scene) -> Vec<Problem> {
    let mut report = Report::default();
    report.positive("time.step", scene.time.step, " s");
    report.positive("thickness", scene.thickness, " m");
    report.vector("gravity", scene.gravity);
    if scene.bodies.is_empty() {
        report.add("bodies", "there is no body; add at least one");
    }
    for (name, material) in &scene.materials {
        check_material(&mut report, &format!("materials.{name}"), material);
    }
    for (k, body) in scene.bodies.iter().enumerate() {
        check_body(&mut report, &format!("bodies[{k}]"), body, scene);
    }
    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        check_obstacle(&mut report, &format!("obstacles[{k}]"), obstacle);
    }
    check_names(&mut report, scene);
    check_contact(&mut report, scene);
    report.positive("solver.tolerance", scene.solver.tolerance, " m/s");
    report.at_least_one("solver.max_iterations", scene.solver.max_iterations);
    check_output(&mut report, scene);
    report.problems
}

/// Collects problems.
#[derive(Default)]
struct Report {
    problems: Vec<Problem>,
}

impl Report {
    fn add(&mut self, path: &str, message: impl Into<String>) {
        self.problems.push(Problem { path: path.to_owned(), message: message.into() });
    }

    fn positive(&mut self, path: &str, value: f64, unit: &str) {
        if !(value > 0.0 && value.is_finite()) {
            self.add(path, format!("is {value}{unit}, but must be positive"));
        }
    }

    fn not_negative(&mut self, path: &str, value: f64, unit: &str) {
        if !(value >= 0.0 && value.is_finite()) {
            self.add(path, format!("is {value}{unit}, but must not be negative"));
        }
    }

    fn at_least_one(&mut self, path: &str, value: usize) {
        if value == 0 {
            self.add(path, "is 0, but must be at least 1");
        }
    }

    fn vector(&mut self, path: &str, value: [f64; 2]) {
        if !value.iter().all(|c| c.is_finite()) {
            self.add(path, format!("is {value:?}, but must be finite"));
        }
    }

    fn cells(&mut self, path: &str, segments: [usize; 2]) {
        self.at_least_one(&format!("{path}.segments"), segments[0].min(segments[1]));
        if segments[0].saturating_mul(segments[1]) > MAX_CELLS {
            let message = format!("{} x {} cells are more than {MAX_CELLS}; use fewer", segments[0], segments[1]);
            self.add(&format!("{path}.segments"), message);
        }
    }
}

fn check_material(report: &mut Report, path: &str, material: &Material) {
    report.positive(&format!("{path}.density"), material.density, " kg/m^3");
    let Some(law) = &material.law else { return };
    let (law, elastic) = match law {
        Law::MassSpring(spring) => {
            return report.positive(&format!("{path}.law.mass_spring.stiffness"), spring.stiffness, " Pa");
        }
        Law::NeoHookean(elastic) => ("neo_hookean", elastic),
        Law::FixedCorotated(elastic) => ("fixed_corotated", elastic),
        Law::StVenantKirchhoff(elastic) => ("st_venant_kirchhoff", elastic),
        Law::Linear(elastic) => ("linear", elastic),
    };
    let Elastic { young, poisson } = *elastic;
    report.positive(&format!("{path}.law.{law}.young"), young, " Pa");
    if !(poisson > -1.0 && poisson < 0.5) {
        let message = format!(
            "Poisson's ratio is {poisson}, but must be above -1 and below 0.5, where the material would be incompressible; \
             for rubber use 0.45 to 0.495"
        );
        report.add(&format!("{path}.law.{law}.poisson"), message);
    }
}

fn check_body(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    if !scene.materials.contains_key(&body.material) {
        let known = scene.materials.keys().map(String::as_str);
        report.add(&format!("{path}.material"), no_such("material", &body.material, known));
    }
    report.vector(&format!("{path}.position"), body.position);
    report.vector(&format!("{path}.velocity"), body.velocity);
    report.vector(&format!("{path}.rotation_deg"), [body.rotation_deg, 0.0]);
    for stretch in body.stretch {
        report.positive(&format!("{path}.stretch"), stretch, "");
    }
    check_shape(report, &format!("{path}.shape"), &body.shape);
    for (k, prescribed) in body.prescribed.iter().enumerate() {
        let path = format!("{path}.prescribed[{k}]");
        check_motion(report, &path, prescribed.velocity, prescribed.travel);
        if let Selection::Box(bounds) = &prescribed.vertices {
            check_bounds(report, &format!("{path}.vertices.box"), bounds.min, bounds.max);
        }
    }
}

fn check_shape(report: &mut Report, path: &str, shape: &Shape) {
    match shape {
        Shape::Square(square) => {
            report.positive(&format!("{path}.square.side"), square.side, " m");
            report.cells(&format!("{path}.square"), [square.segments; 2]);
        }
        Shape::Rectangle(rectangle) => {
            rectangle.size.iter().for_each(|&size| report.positive(&format!("{path}.rectangle.size"), size, " m"));
            report.cells(&format!("{path}.rectangle"), rectangle.segments);
        }
        Shape::Disk(disk) => {
            report.positive(&format!("{path}.disk.radius"), disk.radius, " m");
            report.cells(&format!("{path}.disk"), [disk.segments; 2]);
        }
        Shape::RegularPolygon(polygon) => {
            report.positive(&format!("{path}.regular_polygon.radius"), polygon.radius, " m");
            if polygon.sides < 3 {
                report.add(
                    &format!("{path}.regular_polygon.sides"),
                    format!("is {}, but must be at least 3", polygon.sides),
                );
            }
            report.cells(
                &format!("{path}.regular_polygon"),
                [polygon.segments, polygon.segments.saturating_mul(polygon.sides)],
            );
        }
        Shape::Mesh(mesh) => check_mesh(report, &format!("{path}.mesh"), mesh),
        _ => {}
    }
}

fn check_mesh(report: &mut Report, path: &str, mesh: &InlineMesh) {
    let count = mesh.vertices.len();
    let mut used = vec![false; count];
    if mesh.triangles.is_empty() {
        return report.add(&format!("{path}.triangles"), "there is no triangle; add at least one");
    }
    for (k, position) in mesh.vertices.iter().enumerate() {
        report.vector(&format!("{path}.vertices[{k}]"), *position);
    }
    for (k, triangle) in mesh.triangles.iter().enumerate() {
        let path = format!("{path}.triangles[{k}]");
        if let Some(index) = triangle.iter().find(|&&index| index >= count) {
            report.add(&path, format!("names vertex {index}, but there are only {count}, numbered from 0"));
            continue;
        }
        for &index in triangle {
            used[index] = true;
        }
        let [a, b, c] = triangle.map(|index| crate::math::Vec2::from(mesh.vertices[index]));
        let turns_left = crate::math::cross(b - a, c - a) > 0.0;
        if !turns_left {
            report.add(&path, format!("{triangle:?} has no area or is clockwise; list its vertices counter-clockwise"));
        }
    }
    if let Some(index) = used.iter().position(|used| !used) {
        report.add(&format!("{path}.vertices[{index}]"), "belongs to no triangle; remove it or use it");
    }
}

fn check_obstacle(report: &mut Report, path: &str, obstacle: &Obstacle) {
    check_motion(report, path, obstacle.velocity, obstacle.travel);
    let Shape::HalfPlane(plane) = &obstacle.shape else {
        return;
    };
    report.vector(&format!("{path}.shape.half_plane.origin"), plane.origin);
    let length = plane.normal[0].hypot(plane.normal[1]);
    if !(length > 0.0 && length.is_finite()) {
        let message = format!("is {:?}, but must be a direction", plane.normal);
        report.add(&format!("{path}.shape.half_plane.normal"), message);
    }
}

fn check_motion(report: &mut Report, path: &str, velocity: [f64; 2], travel: Option<f64>) {
    report.vector(&format!("{path}.velocity"), velocity);
    if let Some(travel) = travel {
        report.not_negative(&format!("{path}.travel"), travel, " m");
    }
}

fn check_bounds(report: &mut Report, path: &str, min: [f64; 2], max: [f64; 2]) {
    if !(min[0] <= max[0] && min[1] <= max[1]) {
        report.add(path, format!("its min {min:?} must not be to the right of or above its max {max:?}"));
    }
}

fn check_names(report: &mut Report, scene: &Scene) {
    let mut seen = BTreeSet::new();
    let bodies = scene.bodies.iter().enumerate().map(|(k, body)| (format!("bodies[{k}]"), &body.name));
    let obstacles = scene.obstacles.iter().enumerate().map(|(k, obstacle)| (format!("obstacles[{k}]"), &obstacle.name));
    for (path, name) in bodies.chain(obstacles) {
        if !seen.insert(name.as_str()) {
            report.add(&format!("{path}.name"), format!("\"{name}\" is used twice; names must be unique"));
        }
    }
    let mut pairs = BTreeSet::new();
    for (k, pair) in scene.contact.friction.pairs.iter().enumerate() {
        let path = format!("contact.friction.pairs[{k}]");
        for name in pair.between.iter().filter(|name| !seen.contains(name.as_str())) {
            let message = no_such("body or obstacle", name, seen.iter().copied());
            report.add(&format!("{path}.between"), message);
        }
        let [a, b] = &pair.between;
        if !pairs.insert((a.min(b), a.max(b))) {
            report.add(&format!("{path}.between"), format!("the pair \"{a}\" and \"{b}\" is given twice; remove one"));
        }
        report.not_negative(&format!("{path}.coefficient"), pair.coefficient, "");
    }
}

fn check_contact(report: &mut Report, scene: &Scene) {
    let contact = &scene.contact;
    if let Some(d_hat) = contact.d_hat {
        report.positive("contact.d_hat", d_hat, " m");
    }
    if let Some(kappa) = contact.kappa {
        report.positive("contact.kappa", kappa, " Pa");
    }
    report.not_negative("contact.friction.default", contact.friction.default, "");
    report.positive("contact.friction.eps_v", contact.friction.eps_v, " m/s");
    report.at_least_one("contact.friction.lag_iterations", contact.friction.lag_iterations);
}

fn check_output(report: &mut Report, scene: &Scene) {
    const LARGEST: u32 = 16_384;
    let output = &scene.output;
    report.at_least_one("output.every", output.every);
    for (path, pixels) in [("output.width", output.width), ("output.height", output.height)] {
        if !(16..=LARGEST).contains(&pixels) {
            report.add(path, format!("is {pixels} pixels, but must be from 16 to {LARGEST}"));
        }
    }
    if let Some(view) = output.view {
        let Bounds { min, max } = view;
        if !(min[0] < max[0] && min[1] < max[1]) {
            report.add("output.view", format!("its min {min:?} must be to the left of and below its max {max:?}"));
        }
    }
}

fn no_such<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("no {what} is named \"{name}\"; did you mean \"{near}\"?"),
        None => format!("no {what} is named \"{name}\"; there are: {}", known.collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::parse;

    #[test]
    fn all_problems_are_reported_at_once() {
        let text = r#"{ "time": { "step": 0, "steps": 3 },
          "materials": { "rubber": { "density": -1, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.5 } } } },
          "bodies": [ { "name": "a", "shape": { "square": { "side": 1, "segments": 0 } }, "material": "ruber" },
                      { "name": "a", "shape": { "mesh": { "vertices": [[0,0],[1,0],[0,1],[2,2]],
                        "triangles": [[0,2,1],[0,1,9]] } }, "material": "rubber" } ],
          "obstacles": [ { "name": "ground", "shape": { "half_plane": { "normal": [0,0], "origin": [0,0] } } } ],
          "contact": { "d_hat": -1, "friction": { "pairs": [ { "between": ["a", "grund"], "coefficient": -0.1 } ] } },
          "output": { "every": 0, "width": 4 } }"#;
        let problems = check(&parse(text, &[]).unwrap());
        let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
        let expected = [
            "time.step",
            "materials.rubber.density",
            "materials.rubber.law.neo_hookean.poisson",
            "bodies[0].material",
            "bodies[0].shape.square.segments",
            "bodies[1].shape.mesh.triangles[0]",
            "bodies[1].shape.mesh.triangles[1]",
            "bodies[1].shape.mesh.vertices[3]",
            "obstacles[0].shape.half_plane.normal",
            "bodies[1].name",
            "contact.friction.pairs[0].between",
            "contact.friction.pairs[0].coefficient",
            "contact.d_hat",
            "output.every",
            "output.width",
        ];
        assert_eq!(paths, expected);
        assert!(problems[3].message.contains("did you mean \"rubber\"?"));
        assert!(problems[10].message.contains("did you mean \"ground\"?"));
    }
}
