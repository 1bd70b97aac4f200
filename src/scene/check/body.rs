//! Checks of bodies: their shape, kind and material, and whether they go together.

use super::copies;
use super::motion::{check_script, check_travel};
use super::report::Report;
use super::shape;
use crate::body::{Lumping, inertia};
use crate::math::Vec2;
use crate::mesh::Outline;
use crate::scene::schema::{
    Axis, Body, Kind, MassFrom, Modal, Polynomial, Prescribed, Scene, Selection, Shape,
};

pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    check_kind(report, path, body.kind);
    check_material(report, path, body, scene);
    report.vector(&format!("{path}.position"), body.position);
    report.vector(&format!("{path}.velocity"), body.velocity);
    report.vector(&format!("{path}.force"), body.force);
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
    let path_of_shape = format!("{path}.shape");
    if report.passes(|report| shape::check(report, &path_of_shape, &body.shape)) {
        check_fit(report, &path_of_shape, body);
    }
    check_honoured(report, path, body);
    check_point(report, path, body);
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

/// The parameters of a kind.
fn check_kind(report: &mut Report, path: &str, kind: Kind) {
    const HIGHEST_ORDER: usize = 8;
    const RIGID_MODES: usize = 3;
    match kind {
        Kind::Deformable | Kind::Rigid => {}
        Kind::Affine(affine) => {
            if let Some(stiffness) = affine.stiffness {
                report.positive(&format!("{path}.kind.affine.stiffness"), stiffness, " Pa");
            }
        }
        Kind::Polynomial(Polynomial { order }) => {
            if !(1..=HIGHEST_ORDER).contains(&order) {
                let message = format!("is {order}, but must be from 1 to {HIGHEST_ORDER}");
                report.add(&format!("{path}.kind.polynomial.order"), message);
            }
        }
        Kind::Modal(Modal { modes }) => {
            report.at_least(RIGID_MODES, &format!("{path}.kind.modal.modes"), modes);
        }
    }
}

/// The material is there, and has the law that the kind needs.
fn check_material(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    let path = format!("{path}.material");
    let name = &body.material;
    let Some(material) = scene.materials.get(name) else {
        let known = scene.materials.keys().map(String::as_str);
        return report.no_such(&path, "material", name, known);
    };
    let kind = kind_name(body.kind);
    match (body.kind, &material.law) {
        (Kind::Rigid | Kind::Affine(_), _) => {}
        (_, None) => {
            let message = format!(
                "\"{name}\" has no law, but the body is {kind}; add a law to the material, for example \
                 \"law\": {{\"neo_hookean\": {{\"young\": 1e5, \"poisson\": 0.4}}}}, or make the body rigid"
            );
            report.add(&path, message);
        }
        (Kind::Polynomial(_) | Kind::Modal(_), Some(law)) if !law.summary().is_solid => {
            let message = format!(
                "\"{name}\" is made of springs, but the body is {kind}; use an elastic law"
            );
            report.add(&path, message);
        }
        (_, Some(_)) => {}
    }
}

/// Whether a shape that is good by itself is one for a body of this kind.
fn check_fit(report: &mut Report, path: &str, body: &Body) {
    let kind = body.kind;
    let (users, is_one) = match &body.shape {
        Shape::Circle(_) | Shape::Point(_) => ("rigid bodies and obstacles", kind == Kind::Rigid),
        Shape::HalfPlane(_) => {
            return report.add(
                path,
                "a half_plane is for obstacles; move it there, or use a rectangle",
            );
        }
        Shape::Outline(_)
        | Shape::Ring(_)
        | Shape::Gear(_)
        | Shape::Polyline(_)
        | Shape::Wire(_) => (
            "rigid and affine bodies and obstacles",
            matches!(kind, Kind::Rigid | Kind::Affine(_)),
        ),
        _ => ("any body", true),
    };
    if !is_one {
        let message = format!(
            "\"{}\" is for {users}, but the body is {}; set its kind to \"rigid\", or use a square, rectangle, disk, \
             regular_polygon or mesh",
            shape::name(&body.shape),
            kind_name(kind)
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
        shape if matches!(kind, Kind::Affine(_)) && lies_on_a_line(shape) => {
            report.add(path, "lies on a line, across which an affine body would have no inertia; make the body rigid");
        }
        _ => {}
    }
}

/// Whether the edges of a shape without an inside, and with them its mass, are all on one line.
fn lies_on_a_line(shape: &Shape) -> bool {
    const NEGLIGIBLE: f64 = 1e-12;
    let points = |list: &[[f64; 2]]| list.iter().map(|&point| point.into()).collect();
    let outline = match shape {
        Shape::Polyline(line) => Outline::polyline(points(&line.points), line.closed),
        Shape::Wire(wire) => Outline::wire(points(&wire.vertices), wire.edges.clone()),
        _ => return false,
    };
    let second = inertia::edges(&outline, 1.0).second;
    second.determinant() <= NEGLIGIBLE * second.trace() * second.trace()
}

/// No key is given that a body of this kind does not look at.
fn check_honoured(report: &mut Report, path: &str, body: &Body) {
    let kind = kind_name(body.kind);
    let (is_deformable, is_rigid) = (body.kind == Kind::Deformable, body.kind == Kind::Rigid);
    let is_lumped = is_rigid || matches!(body.kind, Kind::Affine(_));
    let keys = [
        (
            "stretch",
            Vec2::from(body.stretch) != Vec2::repeat(1.0),
            is_deformable,
            "deformable",
        ),
        (
            "lumping",
            body.lumping != Lumping::default(),
            is_deformable,
            "deformable",
        ),
        (
            "prescribed",
            !body.prescribed.is_empty(),
            is_deformable,
            "deformable",
        ),
        ("torque", body.torque != 0.0, is_rigid, "rigid"),
        ("fixed", !body.fixed.is_empty(), is_rigid, "rigid"),
        ("script", body.script.is_some(), is_rigid, "rigid"),
        (
            "mass_from",
            body.mass_from != MassFrom::default(),
            is_lumped,
            "rigid and affine",
        ),
    ];
    for (key, _, _, users) in keys
        .into_iter()
        .filter(|(_, is_given, is_honoured, _)| *is_given && !is_honoured)
    {
        let advice = match key {
            "prescribed" if is_rigid => "use fixed or script",
            _ => "remove it",
        };
        report.add(
            &format!("{path}.{key}"),
            format!("is for {users} bodies, but the body is {kind}; {advice}"),
        );
    }
}

/// What a point or a circle cannot have.
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

fn check_prescribed(report: &mut Report, path: &str, prescribed: &Prescribed) {
    check_travel(report, path, prescribed.velocity, prescribed.travel);
    if let Selection::Box(bounds) = &prescribed.vertices {
        let (min, max) = (bounds.min, bounds.max);
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

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Deformable => "deformable",
        Kind::Rigid => "rigid",
        Kind::Affine(_) => "affine",
        Kind::Polynomial(_) => "polynomial",
        Kind::Modal(_) => "modal",
    }
}

fn axis_name(axis: Axis) -> &'static str {
    match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Angle => "angle",
    }
}
