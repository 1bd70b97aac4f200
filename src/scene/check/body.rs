//! Checks of bodies: their shape, kind and material, and whether they go together.

use super::copies;
use super::motion::{check_script, check_travel};
use super::report::Report;
use super::shape;
use crate::body::Lumping;
use crate::math::Vec2;
use crate::scene::kind::names_of;
use crate::scene::schema::{Axis, Body, MassFrom, Prescribed, Scene, Selection, Shape};

/// Checks a body whose JSON path is `path`.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    body.kind.rules().check(report, &format!("{path}.kind"));
    check_material(report, path, body, scene);
    report.vector(&format!("{path}.position"), body.position);
    report.vector(&format!("{path}.velocity"), body.velocity);
    report.vector(&format!("{path}.force"), body.force);

    // Numbers.
    for (key, value) in [
        ("rotation_deg", body.rotation_deg),
        ("spin_deg", body.spin_deg),
        ("torque", body.torque),
    ] {
        report.finite(&format!("{path}.{key}"), value);
    }
    for stretch in body.stretch {
        report.positive(&format!("{path}.stretch"), stretch, "");
    }

    // Shape and keys against the kind.
    let path_of_shape = format!("{path}.shape");
    if report.passes(|report| shape::check(report, &path_of_shape, &body.shape)) {
        check_fit(report, &path_of_shape, body);
    }
    check_keys(report, path, body);
    check_point(report, path, body);

    // Motion that is prescribed, and copies.
    for (k, axis) in body
        .fixed
        .iter()
        .enumerate()
        .filter(|(k, axis)| body.fixed[..*k].contains(axis))
    {
        report.add(
            &format!("{path}.fixed[{k}]"),
            format!("\"{}\" is given twice; remove one", axis_name(*axis)),
        );
    }
    if let Some(script) = &body.script {
        check_script(report, &format!("{path}.script"), script, body);
    }
    if let Some(copies) = &body.copies {
        copies::check(report, &format!("{path}.copies"), copies);
    }
    for (k, prescribed) in body.prescribed.iter().enumerate() {
        check_prescribed(report, &format!("{path}.prescribed[{k}]"), prescribed);
    }
}

/// The material exists and has the law that the kind needs.
fn check_material(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    let path = format!("{path}.material");
    let name = &body.material;
    let Some(material) = scene.materials.get(name) else {
        let known = scene.materials.keys().map(String::as_str);
        return report.no_such(&path, "material", name, known);
    };

    let rules = body.kind.rules();
    let kind = rules.name();
    match &material.law {
        None if rules.needs_law() => {
            let message = format!(
                "\"{name}\" has no law, but the body is {kind}; add a law to the material, for example \
                 \"law\": {{\"neo_hookean\": {{\"young\": 1e5, \"poisson\": 0.4}}}}, or make the body rigid"
            );
            report.add(&path, message);
        }
        Some(law) if !rules.allows_springs() && !law.summary().is_solid => {
            let message = format!(
                "\"{name}\" is made of springs, but the body is {kind}; use an elastic law"
            );
            report.add(&path, message);
        }
        _ => {}
    }
}

/// A shape that is sound by itself is one for a body of this kind.
fn check_fit(report: &mut Report, path: &str, body: &Body) {
    let rules = body.kind.rules();
    let Some(class) = shape::class(&body.shape) else {
        return report.add(
            path,
            "a half_plane is for obstacles; move it there, or use a rectangle",
        );
    };
    if rules.shapes() < class {
        let users = names_of(|kind| kind.shapes() >= class);
        let message = format!(
            "\"{}\" is for {users} bodies and obstacles, but the body is {}; set its kind to \"rigid\", or use a square, \
             rectangle, disk, regular_polygon or mesh",
            shape::name(&body.shape),
            rules.name()
        );
        return report.add(path, message);
    }

    match &body.shape {
        Shape::Wire(wire) if wire.edges.is_empty() => {
            report.add(
                path,
                "has no edge and therefore no mass; add an edge, or use a point",
            );
        }
        shape => rules.check_shape(report, path, shape),
    }
}

/// Keys that kinds read or not, and whether a body gives them.
fn given_keys(body: &Body) -> [(&'static str, bool); 7] {
    [
        ("stretch", Vec2::from(body.stretch) != Vec2::repeat(1.0)),
        ("lumping", body.lumping != Lumping::default()),
        ("prescribed", !body.prescribed.is_empty()),
        ("torque", body.torque != 0.0),
        ("fixed", !body.fixed.is_empty()),
        ("script", body.script.is_some()),
        ("mass_from", body.mass_from != MassFrom::default()),
    ]
}

/// No key is given that a body of this kind does not read.
fn check_keys(report: &mut Report, path: &str, body: &Body) {
    let rules = body.kind.rules();
    let given = given_keys(body)
        .into_iter()
        .filter(|(_, is_given)| *is_given);

    for (key, _) in given.filter(|(key, _)| !rules.keys().contains(key)) {
        let users = names_of(|kind| kind.keys().contains(&key));
        let advice = if key == "prescribed" && rules.keys().contains(&"fixed") {
            "use fixed or script"
        } else {
            "remove it"
        };
        let kind = rules.name();
        let message = format!("is for {users} bodies, but the body is {kind}; {advice}");
        report.add(&format!("{path}.{key}"), message);
    }
}

/// A point does not turn, and neither a point nor a circle has edges.
fn check_point(report: &mut Report, path: &str, body: &Body) {
    let is_point = matches!(body.shape, Shape::Point(_));
    let turning = [
        ("torque", body.torque != 0.0),
        ("spin_deg", body.spin_deg != 0.0),
        ("fixed", body.fixed.contains(&Axis::Angle)),
    ];
    for (key, _) in turning.iter().filter(|(_, is_given)| is_point && *is_given) {
        let what = if *key == "fixed" {
            "leave out \"angle\""
        } else {
            "remove it"
        };
        report.add(
            &format!("{path}.{key}"),
            format!("a point does not turn; {what}"),
        );
    }

    if body.mass_from == MassFrom::Edges && (is_point || matches!(body.shape, Shape::Circle(_))) {
        let message = format!(
            "is \"edges\", but a {} has none; remove it",
            shape::name(&body.shape)
        );
        report.add(&format!("{path}.mass_from"), message);
    }
}

/// Checks the prescribed vertices of a body.
fn check_prescribed(report: &mut Report, path: &str, prescribed: &Prescribed) {
    check_travel(report, path, prescribed.velocity, prescribed.travel);

    if let Selection::Box(bounds) = &prescribed.vertices {
        let min = bounds.min;
        let max = bounds.max;
        if !(min[0] <= max[0] && min[1] <= max[1]) {
            let message =
                format!("its min {min:?} must not be to the right of or above its max {max:?}");
            report.add(&format!("{path}.vertices.box"), message);
        }
    }

    if let Some(until) = prescribed.until {
        report.positive(&format!("{path}.until"), until, " s");
    }
    if prescribed.axis == Some(Axis::Angle) {
        report.add(
            &format!("{path}.axis"),
            "a vertex has no angle; use \"x\" or \"y\", or leave it out for both",
        );
    }
}

/// Name of a coordinate in scenes.
fn axis_name(axis: Axis) -> &'static str {
    match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Angle => "angle",
    }
}
