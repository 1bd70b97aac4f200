//! Things in a scene that do not go together: masses, stiffnesses, sizes.

use crate::body::{Body, BodyKind};
use crate::geometry::Aabb;
use crate::math::number::short;
use crate::math::{Vec2, cross};
use crate::scene::assemble::Setup;
use crate::scene::problem::Problem;
use crate::scene::schema::{Kind, Law, Shape};

/// Ratio of masses or stiffnesses beyond which the Newton system loses more digits than it has to spare.
const RATIO: f64 = 1e8;

/// Most of a body's size that `d_hat` may be.
const THICK: f64 = 0.5;

/// Height of a triangle relative to its longest side below which it is a sliver.
const SLIVER: f64 = 1e-4;

/// Sizes (m) beyond which the equations of this program are not what matters, or the unit is another one.
const SIZES: [f64; 2] = [1e-5, 1e4];

pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let checks = [masses(setup), stiffnesses(setup), reach(setup)];
    let mut found: Vec<Problem> = checks.into_iter().flatten().collect();
    found.extend(sizes(setup));
    found.extend(slivers(setup));
    found.extend(pieces(setup));
    found
}

/// The smallest and the largest of some values, if they are too far apart.
fn too_far<T>(values: impl Iterator<Item = (f64, T)> + Clone) -> Option<[(f64, T); 2]> {
    let values = values.filter(|(value, _)| *value > 0.0 && value.is_finite());
    let least = values.clone().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let most = values.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (most.0 > RATIO * least.0).then_some([least, most])
}

/// The bodies of the scene with their numbers; those of the world begin with them.
fn bodies(setup: &Setup) -> impl Iterator<Item = (usize, &Body)> + Clone {
    setup
        .world
        .bodies
        .iter()
        .enumerate()
        .take(setup.scene.bodies.len())
}

fn masses(setup: &Setup) -> Option<Problem> {
    let world = &setup.world;
    let mass = |(k, body): (usize, &Body)| {
        let of = match body.kind {
            BodyKind::Rigid | BodyKind::Affine => world.model.mass[body.nodes.start].x,
            BodyKind::Reduced => 0.0,
            _ => body
                .nodes
                .clone()
                .map(|node| world.model.mass[node].x)
                .sum(),
        };
        (of, k)
    };
    let [(least, light), (most, heavy)] = too_far(bodies(setup).map(mass))?;
    let [light_name, heavy_name] = [light, heavy].map(|k| &world.bodies[k].name);
    let message = format!(
        "\"{heavy_name}\", {} kg, is more than 1e8 times as heavy as \"{light_name}\", {} kg; contact between them will be \
         inaccurate; bring masses nearer to each other",
        short(most),
        short(least)
    );
    Some(Problem::warning(setup.paths[heavy].clone(), message))
}

fn stiffnesses(setup: &Setup) -> Option<Problem> {
    let scene = &setup.scene;
    let of_bodies = scene.bodies.iter().enumerate().filter_map(|(k, body)| {
        let law = scene
            .materials
            .get(&body.material)?
            .law
            .as_ref()
            .map(Law::stiffness);
        let stiffness = match body.kind {
            Kind::Rigid => return None,
            Kind::Affine(affine) => affine.stiffness?,
            _ => law?,
        };
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

/// The extent of a body at the start, circles included (m).
pub(super) fn extent(setup: &Setup, body: &Body) -> Vec2 {
    let (surface, x) = (&setup.world.model.surface, &setup.state.x);
    let around = |i: usize| Aabb::around([x[i]]).grown(surface.radius[i]);
    body.vertices
        .clone()
        .map(around)
        .fold(Aabb::EMPTY, |all, one| all.union(&one))
        .extent()
}

/// `d_hat` against the size of bodies.
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

/// Triangles that are nearly without area, the worst of each body.
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
    let told = bodies(setup).filter(|(k, _)| worst[*k].0 < SLIVER).map(|(k, body)| {
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
    told.collect()
}

/// Given meshes that fall into pieces.
fn pieces(setup: &Setup) -> Vec<Problem> {
    let is_mesh = |k: usize| {
        matches!(setup.scene.bodies[k].shape, Shape::Mesh(_))
            && setup.scene.bodies[k].kind == Kind::Deformable
    };
    let told = bodies(setup).filter(|(k, _)| is_mesh(*k)).filter_map(|(k, body)| {
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
    told.collect()
}

/// The first vertex that triangles do not join to vertex 0.
fn second_piece(count: usize, triangles: &[[usize; 3]]) -> Option<usize> {
    let mut root: Vec<usize> = (0..count).collect();
    let find = |root: &mut Vec<usize>, mut i: usize| {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    };
    for &[a, b, c] in triangles {
        for (a, b) in [(a, b), (b, c)] {
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            root[a.max(b)] = a.min(b);
        }
    }
    (0..count).find(|&i| find(&mut root, i) != 0)
}
