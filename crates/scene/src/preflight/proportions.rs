//! Warnings of masses, stiffnesses and sizes that are too far apart.
//!
//! Newton's method solves one linear system for all bodies. Its condition grows with the ratios of
//! masses and stiffnesses, and beyond 1e8 half of the 16 digits are lost. Triangles that are nearly
//! flat are as stiff as their height is small. Sizes matter as well: a `d_hat` as large as a body
//! lets bodies repel each other from afar, and a body of a micrometre or of ten kilometres is
//! probably in another unit.
//!
//! All checks look at the built world at the start and return warnings, since such scenes can run.

use super::units;
use crate::assemble::Setup;
use crate::kind::Freedom;
use crate::problem::Problem;
use crate::schema::Shape;
use ipcsim_core::body::Body;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::groups::Groups;
use ipcsim_math::number::short;
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeSet;

/// Ratio of masses or stiffnesses (1) beyond which the Newton system loses half of its 16 digits.
///
/// Usual ratios are below 1e5.
const RATIO: f64 = 1e8;

/// Largest `d_hat` relative to a body's size (1).
///
/// Beyond it bodies repel each other from afar; usual values are below 0.02.
const THICK: f64 = 0.5;

/// Height of a triangle relative to its longest side (1) below which it is a sliver.
///
/// Stiffness grows with the inverse; usual triangles have 0.3 to 0.9.
const SLIVER: f64 = 1e-4;

/// Smallest and largest plausible size of a body (m).
///
/// Beyond them other physics matters, or the unit is not the metre.
const SIZES: [f64; 2] = [1e-5, 1e4];

/// Ratio of the thickness to the size of a small body (1) up to which the body is meant to be small: who
/// gives both in micrometres has not mistaken the unit.
const ALIKE: f64 = 1e3;

/// All warnings of this file, in the order of the checks.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let mut found = Vec::new();
    found.extend(masses(setup));
    found.extend(stiffnesses(setup));
    found.extend(reach(setup));
    found.extend(sizes(setup));
    found.extend(slivers(setup));
    found.extend(pieces(setup));

    // A number in a wrong unit has its own warning, and this is what follows from it.
    if units::warnings(&setup.scene).is_empty() && sizes(setup).is_empty() {
        found.extend(sags(setup));
    }
    found
}

/// Warnings of bodies that their own weight presses flat: `rho g H / E` is above 1, for the height
/// `H` along gravity. Stiffness in the wrong unit shows by this.
fn sags(setup: &Setup) -> Vec<Problem> {
    let scene = &setup.scene;
    let gravity = Vec2::from(scene.gravity);
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();

    for (k, body) in bodies(setup) {
        let entry = &scene.bodies[k];
        let Some(material) = scene.materials.get(&entry.material) else {
            continue;
        };
        let Some(stiffness) = entry.kind.rules().stiffness(material.law.as_ref()) else {
            continue;
        };
        let is_solid = material
            .law
            .as_ref()
            .is_some_and(|law| law.summary().is_solid);
        let is_soft = is_solid && entry.kind.rules().freedom() != Freedom::Whole;

        // Heights times gravity, as the ratio has them.
        let heights = body
            .vertices
            .clone()
            .map(|i| gravity.dot(&setup.state.x[i]));
        let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| {
            [low.min(h), high.max(h)]
        });

        let ratio = material.density * (high - low) / stiffness;
        // Copies share a path, for which one warning suffices.
        if is_soft && ratio > 1.0 && ratio.is_finite() && seen.insert(setup.paths[k].clone()) {
            let message = format!(
                "\"{}\" is pressed flat by its own weight, which is {} times what its stiffness of {} Pa \
                 bears; give the stiffness in Pa: 1 MPa is 1e6, 1 GPa is 1e9",
                body.name,
                short(ratio),
                short(stiffness)
            );
            found.push(Problem::warning(setup.paths[k].clone(), message));
        }
    }
    found
}

/// Smallest and largest of some values, if their ratio exceeds [`RATIO`].
///
/// Values that are not positive and finite are left out.
fn too_far<T>(values: impl Iterator<Item = (f64, T)> + Clone) -> Option<[(f64, T); 2]> {
    let values = values.filter(|(value, _)| *value > 0.0 && value.is_finite());
    let least = values.clone().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let most = values.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (most.0 > RATIO * least.0).then_some([least, most])
}

/// Bodies of the scene with their numbers, without obstacles. The world's list begins with them.
fn bodies(setup: &Setup) -> impl Iterator<Item = (usize, &Body)> + Clone {
    setup
        .world
        .bodies
        .iter()
        .enumerate()
        .take(setup.scene.bodies.len())
}

/// Warning of bodies whose masses are too far apart, at the heaviest one.
fn masses(setup: &Setup) -> Option<Problem> {
    let world = &setup.world;
    let masses = bodies(setup).map(|(k, body)| (body.mass(&world.model.mass), k));
    let [(least, light), (most, heavy)] = too_far(masses)?;
    let [light_name, heavy_name] = [light, heavy].map(|k| &world.bodies[k].name);

    let message = format!(
        "\"{heavy_name}\", {} kg, is more than 1e8 times as heavy as \"{light_name}\", {} kg; \
         contact between them will be inaccurate; bring masses nearer to each other",
        short(most),
        short(least)
    );
    Some(Problem::warning(setup.paths[heavy].clone(), message))
}

/// Something that has a stiffness: a body or the barrier.
#[derive(Clone)]
struct Stiff {
    /// Description in messages.
    what: String,
    /// JSON path of the value that gives the stiffness.
    path: String,
}

/// Warning of materials, or a material and the barrier, whose stiffnesses are too far apart.
///
/// The barrier counts only if the scene gives `kappa`: the default follows from the materials.
fn stiffnesses(setup: &Setup) -> Option<Problem> {
    let scene = &setup.scene;
    let mut all = Vec::new();
    for (k, body) in scene.bodies.iter().enumerate() {
        let material = scene.materials.get(&body.material);
        let stiffness = material.and_then(|m| body.kind.rules().stiffness(m.law.as_ref()));
        all.extend(stiffness.map(|stiffness| {
            let what = format!("\"{}\"", body.name);
            let path = format!("{}.material", setup.paths[k]);
            (stiffness, Stiff { what, path })
        }));
    }

    // The barrier, if the author has chosen its stiffness.
    let numbers = setup.derived.iter();
    for kappa in numbers.filter(|number| number.name == "kappa" && number.given) {
        let what = "the barrier".to_owned();
        let path = "contact.kappa".to_owned();
        all.push((kappa.value, Stiff { what, path }));
    }

    let [(least, soft), (most, stiff)] = too_far(all.into_iter())?;
    let message = format!(
        "{}, {} Pa, is more than 1e8 times as stiff as {}, {} Pa; Newton's method will need many \
         iterations or stop at rounding; bring stiffnesses nearer to each other, or make what is \
         stiff rigid",
        stiff.what,
        short(most),
        soft.what,
        short(least)
    );
    Some(Problem::warning(stiff.path, message))
}

/// Width and height of a body at the start, circles included (m).
pub(super) fn extent(setup: &Setup, body: &Body) -> Vec2 {
    let surface = &setup.world.model.surface;
    let x = &setup.state.x;
    let vertices = body.vertices.clone();
    vertices
        .map(|i| Aabb::around([x[i]]).grown(surface.radius[i]))
        .fold(Aabb::EMPTY, |all, one| all.union(&one))
        .extent()
}

/// Warning of a `d_hat` that is large for the smallest body.
///
/// A body's size is the larger of its width and height; bodies without a size do not count.
fn reach(setup: &Setup) -> Option<Problem> {
    let d_hat = setup.scene.contact.d_hat?;
    let sized = bodies(setup)
        .map(|(k, body)| (extent(setup, body).amax(), k))
        .filter(|(size, _)| *size > 0.0);
    let (size, k) = sized.min_by(|a, b| a.0.total_cmp(&b.0))?;

    (d_hat > THICK * size).then(|| {
        let body = &setup.world.bodies[k];
        let message = format!(
            "is {} m, more than half of \"{}\", {} m; bodies would repel each other from afar; \
             use {} m or less, or leave it out",
            short(d_hat),
            body.name,
            short(size),
            short(0.02 * size)
        );
        let place = setup.state.x[body.vertices.start];
        Problem::warning("contact.d_hat", message).at(place)
    })
}

/// Warnings of bodies whose larger side is outside [`SIZES`]. A point has no size and no warning, nor has
/// a small body in a scene whose thickness is small, too.
fn sizes(setup: &Setup) -> Vec<Problem> {
    let [least, most] = SIZES;
    let mut found = Vec::new();
    for (k, body) in bodies(setup) {
        let size = extent(setup, body).amax();
        let word = if size > most {
            "large"
        } else if size > 0.0 && size < least && setup.scene.thickness > ALIKE * size {
            "small"
        } else {
            continue;
        };

        let message = format!(
            "\"{}\" is {} m {word}; give sizes in m, not in mm or km",
            body.name,
            short(size)
        );
        let path = format!("{}.shape", setup.paths[k]);
        let place = setup.state.x[body.vertices.start];
        found.push(Problem::warning(path, message).at(place));
    }
    found
}

/// Height of a triangle with these corners, relative to its longest side (1).
///
/// With the area `A` and the longest side `l` it is `2 A / l^2`; negative for a clockwise triangle.
fn slenderness([a, b, c]: [Vec2; 3]) -> f64 {
    let longest = [b - a, c - b, a - c]
        .iter()
        .map(Vec2::norm_squared)
        .fold(0.0, f64::max);
    cross(b - a, c - a) / longest
}

/// Warnings of slivers, the worst one of each body.
fn slivers(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;

    // For each body the smallest height, and the number of the triangle that has it.
    let mut worst = vec![(f64::INFINITY, 0); world.bodies.len()];
    for (k, triangle) in world.triangles.iter().enumerate() {
        let height = slenderness(triangle.map(|i| world.rest[i]));
        let own = &mut worst[world.model.surface.body[triangle[0]]];
        if height < own.0 {
            *own = (height, k);
        }
    }

    let slender = bodies(setup).filter(|(k, _)| worst[*k].0 < SLIVER);
    let found = slender.map(|(k, body)| {
        let (height, triangle) = worst[k];
        let corners = world.triangles[triangle];
        let own = corners.map(|i| i - body.vertices.start);
        let message = format!(
            "the triangle {own:?} of \"{}\" is a sliver, its height {height:.1e} of its longest \
             side; its stiffness will spoil the Newton system; make its sides more alike",
            body.name
        );
        let place = corners.iter().map(|&i| world.rest[i]).sum::<Vec2>() / 3.0;
        Problem::warning(format!("{}.shape", setup.paths[k]), message).at(place)
    });
    found.collect()
}

/// Warnings of deformable meshes whose triangles are not all connected.
///
/// Other kinds of bodies move as one, whatever their triangles.
fn pieces(setup: &Setup) -> Vec<Problem> {
    let mut found = Vec::new();
    for (k, body) in bodies(setup) {
        let spec = &setup.scene.bodies[k];
        let Shape::Mesh(mesh) = &spec.shape else {
            continue;
        };
        if spec.kind.rules().freedom() != Freedom::Vertices {
            continue;
        }
        let Some(first) = second_piece(mesh.vertices.len(), &mesh.triangles) else {
            continue;
        };

        let message = format!(
            "\"{}\" falls into pieces: its vertex {first} is not joined to vertex 0 by \
             triangles; join them, or make the pieces bodies of their own",
            body.name
        );
        let path = format!("{}.shape.mesh.triangles", setup.paths[k]);
        let place = setup.state.x[body.vertices.start + first];
        found.push(Problem::warning(path, message).at(place));
    }
    found
}

/// First of `count` vertices that triangles do not connect to vertex 0; `None` if all are
/// connected.
///
/// The first piece is the group of vertex 0.
fn second_piece(count: usize, triangles: &[[usize; 3]]) -> Option<usize> {
    let mut pieces = Groups::new(count);
    for &[a, b, c] in triangles {
        pieces.join(a, b);
        pieces.join(b, c);
    }
    (0..count).find(|&i| pieces.root(i) != 0)
}
