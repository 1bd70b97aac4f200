//! Warnings of masses, stiffnesses and sizes that are too far apart.

use crate::body::Body;
use crate::geometry::Aabb;
use crate::math::number::short;
use crate::math::{Vec2, cross};
use crate::scene::assemble::Setup;
use crate::scene::kind::Freedom;
use crate::scene::problem::Problem;
use crate::scene::schema::Shape;

/// Ratio of masses or stiffnesses (1) beyond which the Newton system loses half of its 16 digits. Usual
/// ratios are below 1e5.
const RATIO: f64 = 1e8;

/// Largest `d_hat` relative to a body's size (1). Beyond it bodies repel each other from afar; usual
/// values are below 0.02.
const THICK: f64 = 0.5;

/// Height of a triangle relative to its longest side (1) below which it is a sliver. Stiffness grows
/// with the inverse; usual triangles have 0.3 to 0.9.
const SLIVER: f64 = 1e-4;

/// Smallest and largest plausible size of a body (m). Beyond them other physics matters, or the unit is
/// not the metre.
const SIZES: [f64; 2] = [1e-5, 1e4];

/// All warnings of this file.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let checks = [masses(setup), stiffnesses(setup), reach(setup)];
    let mut found: Vec<Problem> = checks.into_iter().flatten().collect();
    found.extend(sizes(setup));
    found.extend(slivers(setup));
    found.extend(pieces(setup));
    found
}

/// Smallest and largest of some values, if their ratio exceeds [`RATIO`].
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

/// Warning of bodies whose masses are too far apart.
fn masses(setup: &Setup) -> Option<Problem> {
    let world = &setup.world;
    let masses = bodies(setup).map(|(k, body)| (body.mass(&world.model.mass), k));
    let [(least, light), (most, heavy)] = too_far(masses)?;
    let [light_name, heavy_name] = [light, heavy].map(|k| &world.bodies[k].name);
    let message = format!(
        "\"{heavy_name}\", {} kg, is more than 1e8 times as heavy as \"{light_name}\", {} kg; contact between them will be \
         inaccurate; bring masses nearer to each other",
        short(most),
        short(least)
    );
    Some(Problem::warning(setup.paths[heavy].clone(), message))
}

/// Warning of materials, or a material and the barrier, whose stiffnesses are too far apart.
fn stiffnesses(setup: &Setup) -> Option<Problem> {
    let scene = &setup.scene;
    let of_bodies = scene.bodies.iter().enumerate().filter_map(|(k, body)| {
        let material = scene.materials.get(&body.material)?;
        let stiffness = body.kind.rules().stiffness(material.law.as_ref())?;
        Some((
            stiffness,
            (
                format!("\"{}\"", body.name),
                format!("{}.material", setup.paths[k]),
            ),
        ))
    });
    let kappa = setup
        .derived
        .iter()
        .filter(|number| number.name == "kappa" && number.given);
    let barrier = kappa.map(|kappa| {
        (
            kappa.value,
            ("the barrier".to_owned(), "contact.kappa".to_owned()),
        )
    });
    let all: Vec<(f64, (String, String))> = of_bodies.chain(barrier).collect();
    let [(least, (soft, _)), (most, (stiff, path))] = too_far(all.into_iter())?;
    let message = format!(
        "{stiff}, {} Pa, is more than 1e8 times as stiff as {soft}, {} Pa; Newton's method will need many iterations or stop at \
         rounding; bring stiffnesses nearer to each other, or make what is stiff rigid",
        short(most),
        short(least)
    );
    Some(Problem::warning(path, message))
}

/// Width and height of a body at the start, circles included (m).
pub(super) fn extent(setup: &Setup, body: &Body) -> Vec2 {
    let (surface, x) = (&setup.world.model.surface, &setup.state.x);
    let around = |i: usize| Aabb::around([x[i]]).grown(surface.radius[i]);
    body.vertices
        .clone()
        .map(around)
        .fold(Aabb::EMPTY, |all, one| all.union(&one))
        .extent()
}

/// Warning of a `d_hat` that is large for the smallest body.
fn reach(setup: &Setup) -> Option<Problem> {
    let d_hat = setup.world.model.surface.d_hat;
    let sized = bodies(setup)
        .map(|(k, body)| (extent(setup, body).amax(), k))
        .filter(|(size, _)| *size > 0.0);
    let (size, k) = sized.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (d_hat > THICK * size).then(|| {
        let message = format!(
            "is {} m, more than half of \"{}\", {} m; bodies would repel each other from afar; use {} m or less, or leave \
             it out",
            short(d_hat),
            setup.world.bodies[k].name,
            short(size),
            short(0.02 * size)
        );
        Problem::warning("contact.d_hat", message).at(setup.state.x[setup.world.bodies[k].vertices.start])
    })
}

/// Warnings of bodies of implausible size.
fn sizes(setup: &Setup) -> Vec<Problem> {
    let [least, most] = SIZES;
    let strange = |(k, body): (usize, &Body)| {
        let size = extent(setup, body).amax();
        let word = if size > most { "large" } else { "small" };
        let is_strange = size > most || size > 0.0 && size < least;
        is_strange.then(|| {
            let message = format!(
                "\"{}\" is {} m {word}; give sizes in m, not in mm or km",
                body.name,
                short(size)
            );
            Problem::warning(format!("{}.shape", setup.paths[k]), message)
                .at(setup.state.x[body.vertices.start])
        })
    };
    bodies(setup).filter_map(strange).collect()
}

/// Warnings of slivers, the worst one of each body.
fn slivers(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;
    let slenderness = |triangle: &[usize; 3]| {
        let [a, b, c] = triangle.map(|i| world.rest[i]);
        let longest = [b - a, c - b, a - c]
            .iter()
            .map(Vec2::norm_squared)
            .fold(0.0, f64::max);
        cross(b - a, c - a) / longest
    };
    let mut worst = vec![(f64::INFINITY, 0); world.bodies.len()];
    for (k, triangle) in world.triangles.iter().enumerate() {
        let own = &mut worst[world.model.surface.body[triangle[0]]];
        if slenderness(triangle) < own.0 {
            *own = (slenderness(triangle), k);
        }
    }

    let slender = bodies(setup).filter(|(k, _)| worst[*k].0 < SLIVER);
    let found = slender.map(|(k, body)| {
        let (height, triangle) = worst[k];
        let corners = world.triangles[triangle];
        let own = corners.map(|i| i - body.vertices.start);
        let message = format!(
            "the triangle {own:?} of \"{}\" is a sliver, its height {height:.1e} of its longest side; its stiffness will spoil \
             the Newton system; make its sides more alike",
            body.name
        );
        Problem::warning(format!("{}.shape", setup.paths[k]), message).at(corners.iter().map(|&i| world.rest[i]).sum::<Vec2>() / 3.0)
    });
    found.collect()
}

/// Warnings of meshes in a scene whose triangles are not all connected.
fn pieces(setup: &Setup) -> Vec<Problem> {
    let is_mesh = |k: usize| {
        matches!(setup.scene.bodies[k].shape, Shape::Mesh(_))
            && setup.scene.bodies[k].kind.rules().freedom() == Freedom::Vertices
    };
    let meshes = bodies(setup).filter(|(k, _)| is_mesh(*k));
    let found = meshes.filter_map(|(k, body)| {
        let Shape::Mesh(mesh) = &setup.scene.bodies[k].shape else { return None };
        let first = second_piece(mesh.vertices.len(), &mesh.triangles)?;
        let message = format!(
            "\"{}\" falls into pieces: its vertex {first} is not joined to vertex 0 by triangles; join them, or make the pieces \
             bodies of their own",
            body.name
        );
        let place = setup.state.x[body.vertices.start + first];
        Some(Problem::warning(format!("{}.shape.mesh.triangles", setup.paths[k]), message).at(place))
    });
    found.collect()
}

/// First vertex that triangles do not connect to vertex 0.
fn second_piece(count: usize, triangles: &[[usize; 3]]) -> Option<usize> {
    let mut root: Vec<usize> = (0..count).collect();
    let find = |root: &mut Vec<usize>, mut i: usize| {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    };

    // Union of the pieces that each triangle touches.
    for &[a, b, c] in triangles {
        for (a, b) in [(a, b), (b, c)] {
            let a = find(&mut root, a);
            let b = find(&mut root, b);
            root[a.max(b)] = a.min(b);
        }
    }
    (0..count).find(|&i| find(&mut root, i) != 0)
}
