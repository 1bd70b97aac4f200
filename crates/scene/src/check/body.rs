//! Checks of bodies: their shape, kind and material, and whether they go together.
//!
//! A body of the scene has keys for every kind of body. Most combinations mean nothing: a
//! deformable circle, a fixed coordinate of a body that has none, a torque on a point. The kind
//! answers through its rules which shapes, laws and keys it reads, and this room turns each
//! contradiction into an error that names the key and the way out.
//!
//! Checks run from the particular to the general: numbers first, then the shape by itself, then the
//! shape for this kind. A shape that is wrong by itself gets no second error.

use super::motion::{Start, check_motion};
use super::report::Report;
use super::shape;
use super::{
    copies, dilatation, kinds, load, preload, prescribed, quadratic, region, relative_stiffness,
    resting, temperature,
};
use crate::kind::names_of;
use crate::schema::{Axis, Body, Damping, Dilatation, Elements, MassFrom, Scene, Shape};
use ipcsim_core::body::Lumping;
use ipcsim_math::Vec2;

/// Checks a body whose JSON path is `path`.
///
/// A material that does not exist, a wrong shape and a key that the kind does not read are all
/// reported. Whether the shape goes with the kind is only asked of a shape that is sound.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    kinds::check(report, &format!("{path}.kind"), &body.kind);
    check_material(report, path, body, scene);
    report.ranges(path);

    // Shape and keys against the kind.
    let path_of_shape = format!("{path}.shape");
    let place = (body.position, body.rotation_deg);
    let is_sound =
        report.passes(|report| shape::check_placed(report, &path_of_shape, &body.shape, place));
    if is_sound && report.ranges(&path_of_shape) {
        check_fit(report, &path_of_shape, body);
    }
    quadratic::check(report, path, body, scene);
    dilatation::check(report, path, body, scene);
    relative_stiffness::check(report, path, body, scene);
    region::check(report, path, body, scene);
    temperature::check(report, path, body, scene);
    preload::check(report, path, body, scene);
    check_keys(report, path, body);
    check_point(report, path, body);

    // Motion that is prescribed, and copies.
    check_fixed(report, path, body);
    check_script(report, path, body);
    copies::check(report, path, body);
    for (k, entry) in body.prescribed.iter().enumerate() {
        prescribed::check(report, &format!("{path}.prescribed[{k}]"), entry, body);
    }
    load::check_named(report, &format!("{path}.selections"), body);
    resting::check(report, path, body, scene);
}

/// Checks that the material exists and has the law that the kind needs.
///
/// Deformable and reduced bodies need a law, and reduced ones a law of triangles. Rigid and affine
/// bodies take any material.
fn check_material(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    let path = format!("{path}.material");
    let name = &body.material;
    let Some(material) = scene.materials.get(name) else {
        let known = scene.materials.keys().map(String::as_str);
        return report.no_such(&path, "material", name, known);
    };

    let rules = body.kind.rules();
    let kind = rules.name();
    let resists_strain = |damping: &Damping| damping.resists_strain();
    if !rules.allows_strain_damping() && material.damping.as_ref().is_some_and(resists_strain) {
        let message = format!(
            "\"{name}\" resists rates of strain, which a {kind} does not have; use a material with \
             `mass` alone in its damping"
        );
        report.add(&path, message);
    }

    match &material.law {
        None if rules.needs_law() => {
            let message = format!(
                "\"{name}\" has no law, but the body is {kind}; add a law to the material, for \
                 example \"law\": {{\"neo_hookean\": {{\"young\": 1e5, \"poisson\": 0.4}}}}, or \
                 make the body rigid"
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

/// Checks that a shape which is sound by itself is one for a body of this kind.
///
/// `path` is that of the key `shape`. A wire without edges is sound, and fits obstacles, but a body
/// of it would have no mass.
fn check_fit(report: &mut Report, path: &str, body: &Body) {
    let rules = body.kind.rules();
    let Some(class) = shape::class(&body.shape) else {
        return report.add(
            path,
            "a half_plane is for obstacles; move it there, or use a rectangle",
        );
    };

    // Classes are ordered: a kind takes all shapes up to its own class.
    if rules.shapes() < class {
        let users = names_of(|kind| kind.shapes() >= class);
        let message = format!(
            "\"{}\" is for {users} bodies and obstacles, but the body is {}; set its kind to \
             \"rigid\", or use a square, rectangle, disk, regular_polygon, mesh or area",
            shape::name(&body.shape),
            rules.name()
        );
        return report.add(path, message);
    }

    match &body.shape {
        Shape::Wire(wire) if wire.pairs().is_empty() => {
            report.add(
                path,
                "has no edge and therefore no mass; add an edge, or use a point",
            );
        }
        shape => kinds::check_shape(report, path, &body.kind, shape),
    }
}

/// Keys that some kinds read and others do not, each with true if the body gives it.
///
/// A key with its default value does not count as given.
fn given_keys(body: &Body) -> [(&'static str, bool); 16] {
    [
        ("stretch", Vec2::from(body.stretch) != Vec2::repeat(1.0)),
        ("elements", body.elements != Elements::default()),
        ("dilatation", body.dilatation != Dilatation::default()),
        ("lumping", body.lumping != Lumping::default()),
        ("prescribed", !body.prescribed.is_empty()),
        ("regions", !body.regions.is_empty()),
        ("relative_stiffness", !body.relative_stiffness.is_empty()),
        ("temperature", body.temperature.is_some()),
        ("torque", body.torque != 0.0),
        ("fixed", !body.fixed.is_empty()),
        ("script", body.script.is_some()),
        ("mass_from", body.mass_from != MassFrom::default()),
        ("mass", body.mass.is_some()),
        ("centre", body.centre.is_some()),
        ("moment", body.moment.is_some()),
        ("damping", body.damping.is_some()),
    ]
}

/// Checks that no key is given which a body of this kind does not read.
///
/// The message names the kinds that do read it. Silence would let an author believe that, for
/// example, a torque acts on a deformable body.
fn check_keys(report: &mut Report, path: &str, body: &Body) {
    let rules = body.kind.rules();
    let kind = rules.name();

    for (key, is_given) in given_keys(body) {
        if !is_given || rules.keys().contains(&key) {
            continue;
        }
        let users = names_of(|kind| kind.keys().contains(&key));
        // Other keys serve the same wish.
        let advice = match key {
            "prescribed" if rules.keys().contains(&"fixed") => "use fixed or script",
            "mass" | "centre" | "moment" => {
                "every part of it has the density of its material, which moves and weighs by itself"
            }
            "damping" => "give \"damping\": { \"mass\": ... } to its material",
            _ => "remove it",
        };
        let message = format!("is for {users} bodies, but the body is {kind}; {advice}");
        report.add(&format!("{path}.{key}"), message);
    }
}

/// Checks that a point does not turn, and that mass from edges is not asked of a point or a circle.
///
/// A point has no orientation: torque, spin and a fixed angle mean nothing for it.
fn check_point(report: &mut Report, path: &str, body: &Body) {
    let is_point = matches!(body.shape, Shape::Point(_));
    let turning = [
        ("torque", body.torque != 0.0),
        ("spin_deg", body.spin_deg != 0.0),
        ("fixed", body.fixed.contains(&Axis::Angle)),
    ];
    let of_mass = [
        ("mass", body.mass.is_some()),
        ("centre", body.centre.is_some()),
        ("moment", body.moment.is_some()),
    ];
    for (key, _) in of_mass.iter().filter(|(_, is_given)| is_point && *is_given) {
        let message = "a point has its mass in its shape, and at its place; remove it";
        report.add(&format!("{path}.{key}"), message);
    }
    for (key, _) in turning.iter().filter(|(_, is_given)| is_point && *is_given) {
        let what = if *key == "fixed" {
            "leave out \"angle\""
        } else {
            "remove it"
        };
        let message = format!("a point does not turn; {what}");
        report.add(&format!("{path}.{key}"), message);
    }

    // Neither a point nor a circle has edges.
    if body.mass_from == MassFrom::Edges && (is_point || matches!(body.shape, Shape::Circle(_))) {
        let message = format!(
            "is \"edges\", but a {} has none; remove it",
            shape::name(&body.shape)
        );
        report.add(&format!("{path}.mass_from"), message);
    }
}

/// Checks that no fixed coordinate is listed twice.
fn check_fixed(report: &mut Report, path: &str, body: &Body) {
    for (k, axis) in body.fixed.iter().enumerate() {
        if body.fixed[..k].contains(axis) {
            report.add(
                &format!("{path}.fixed[{k}]"),
                format!("\"{}\" is given twice; remove one", axis_name(*axis)),
            );
        }
    }
}

/// Checks the script of a rigid body, which begins where the body is placed. A body without a
/// script passes.
fn check_script(report: &mut Report, path: &str, body: &Body) {
    let Some(script) = &body.script else { return };
    let path = format!("{path}.script");
    let start = Start {
        position: body.position,
        rotation_deg: body.rotation_deg,
    };
    check_motion(report, &path, script, start);
}

/// Name of a coordinate in scenes.
fn axis_name(axis: Axis) -> &'static str {
    match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Angle => "angle",
    }
}
