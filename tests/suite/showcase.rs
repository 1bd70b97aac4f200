//! Behaviour that the showcase scenes promise. Long runs to their ends are in `showcase_runs.rs`.

use crate::support::{Run, scene};
use ipcsim::geometry::distance::point_edge;
use ipcsim::math::Vec2;

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;

/// A scene of the showcase.
pub(crate) fn show(name: &str, overrides: &[&str]) -> Run {
    Run::of(&scene(&format!("showcase/{name}"), overrides))
}

/// Number of the body with a given name.
pub(crate) fn body(run: &Run, name: &str) -> usize {
    run.world()
        .bodies
        .iter()
        .position(|body| body.name == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

/// Numbers of the bodies whose names begin with `start`.
pub(crate) fn bodies(run: &Run, start: &str) -> Vec<usize> {
    (0..run.world().bodies.len())
        .filter(|&k| run.world().bodies[k].name.starts_with(start))
        .collect()
}

/// Centre of mass of a rigid body (m).
pub(crate) fn center(run: &Run, body: usize) -> Vec2 {
    run.state().q[run.world().bodies[body].nodes.start]
}

/// Angle of a rigid body (rad).
pub(crate) fn angle(run: &Run, body: usize) -> f64 {
    run.state().q[run.world().bodies[body].nodes.start + 1].x
}

/// Positions of a body's vertices (m).
pub(crate) fn points(run: &Run, body: usize) -> &[Vec2] {
    &run.state().x[run.world().bodies[body].vertices.clone()]
}

/// Height of the highest vertex of some bodies (m).
pub(crate) fn top(run: &Run, bodies: &[usize]) -> f64 {
    bodies
        .iter()
        .flat_map(|&k| points(run, k))
        .map(|x| x.y)
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Checks that nothing intersects and no triangle is inverted.
fn assert_sound(run: &Run) {
    let step = run.state().step;
    run.assert_apart();
    assert!(
        run.world()
            .least_area_ratio(&run.state().x)
            .is_none_or(|ratio| ratio > 0.0),
        "step {step}"
    );
}

/// Makes a number of `steps`; each must end without intersection.
pub(crate) fn advance(run: &mut Run, steps: usize) {
    for _ in 0..steps {
        run.step();
        assert_sound(run);
    }
}

/// The distance between the surfaces of two bodies (m), without any shortcut.
fn gap(run: &Run, a: usize, b: usize) -> f64 {
    let surface = &run.world().model.surface;
    let x = &run.state().x;
    let one_way = |a: usize, b: usize| {
        let points = surface
            .points
            .iter()
            .filter(move |&&i| surface.body[i] == a);
        points.flat_map(move |&i| {
            let edges = surface
                .edges
                .iter()
                .filter(move |[e, _]| surface.body[*e] == b);
            edges.map(move |&[e0, e1]| {
                point_edge(x[i], x[e0], x[e1]).distance - surface.radius[i] - surface.radius[e0]
            })
        })
    };
    one_way(a, b)
        .chain(one_way(b, a))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn every_scene_has_a_name_a_description_a_tight_tolerance_and_starts_well() {
    let mut files: Vec<_> = std::fs::read_dir("scenes/showcase")
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{files:?}");

    for file in files {
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let scene = scene(&format!("showcase/{stem}"), &[]);
        assert!(
            scene.description.is_some() && file.metadata().unwrap().len() < 40_000,
            "{stem}"
        );

        // Balls at 10 km/s are solved to a smaller share of their speed than anything else, and cells of some
        // centimetres have derived tolerances of 1e-8 m/s in statics and 1e-5 m/s in motion.
        assert!(
            scene
                .solver
                .tolerance
                .is_some_and(|tolerance| tolerance <= 1e-3)
                || ["bullet_through_paper", "chiral_cell", "granular_cell"].contains(&stem),
            "{stem}"
        );
        let frames = scene.time.steps / scene.output.every;
        // A cell that is crushed in statics has a frame for each increment.
        let is_smooth = (90..=300).contains(&frames) || stem == "chiral_cell";
        assert!(is_smooth, "{stem}: {frames} frames");
        advance(&mut Run::of(&scene), 5);
    }
}

#[test]
fn no_ball_passes_a_sheet_or_a_wall_of_a_millimetre_at_any_speed() {
    let mut run = show("bullet_through_paper", &[]);
    let speeds = [10, 100, 1000, 10_000];
    let mut nearest = [f64::INFINITY; 4];

    for _ in 0..300 {
        advance(&mut run, 1);
        for (k, speed) in speeds.into_iter().enumerate() {
            let ball = run.centre(body(&run, &format!("ball at {speed} m/s"))).x;
            let wall = run.centre(body(&run, &format!("wall {}", k + 1))).x;
            assert!(ball < wall, "step {}: {speed} m/s", run.state().step);
            nearest[k] = nearest[k].min(wall - ball);
        }
    }

    // Faster than 100 m/s, balls carry their sheet to the wall. One of 1,000 m/s is flattened against it;
    // one of 10,000 m/s has bounced before the step ends in which it comes there.
    assert!(nearest[2] < 0.02 && nearest[3] < 0.06, "{nearest:?}");
}

#[test]
fn dominoes_fall_one_after_the_other_and_the_last_one_throws_the_beach_ball() {
    let mut run = show("dominoes", &[]);
    let dominoes = bodies(&run, "domino ");
    let mut fallen = Vec::new();
    let mut highest = f64::NEG_INFINITY;

    for _ in 0..560 {
        advance(&mut run, 1);
        for &k in &dominoes {
            if angle(&run, k).abs() > 20_f64.to_radians() && !fallen.contains(&k) {
                fallen.push(k);
            }
        }
        highest = highest.max(run.centre(body(&run, "beach ball")).y);
    }

    assert_eq!(fallen, dominoes);
    // The ball lies at 0.32 m. How high it flies hangs on one step in which it is squeezed.
    assert!(highest > 0.7, "{highest}");
}

#[test]
fn in_the_end_bodies_of_all_kinds_hang_together() {
    let mut run = show("all_kinds", &[]);
    advance(&mut run, 440);
    let d_hat = run.world().model.surface.reach.most();
    let plough = body(&run, "plough");
    let mut reached = vec![plough];
    let mut next = 0;

    while next < reached.len() {
        let near = |&k: &usize| !reached.contains(&k) && gap(&run, reached[next], k) < d_hat;
        let near: Vec<usize> = (0..run.world().bodies.len()).filter(near).collect();
        reached.extend(near);
        next += 1;
    }

    for (k, other) in run
        .world()
        .bodies
        .iter()
        .enumerate()
        .filter(|(_, body)| body.name != "ground")
    {
        // What lies on the ground in the wire basket is held by it.
        assert!(
            reached.contains(&k) || other.name == "point",
            "{} touches nothing",
            other.name
        );
    }
    let point = center(&run, body(&run, "point"));
    let basket = points(&run, body(&run, "wire basket"));
    let [left, right] =
        [f64::min, f64::max].map(|pick| basket.iter().map(|x| x.x).reduce(pick).unwrap());

    assert!(left < point.x && point.x < right, "{left} {point} {right}");
}

#[test]
fn the_house_of_cards_stands_by_friction() {
    let mut run = show("house_of_cards", &[]);
    let start = run.state().x.clone();
    advance(&mut run, 150);
    let moved = run
        .state()
        .x
        .iter()
        .zip(&start)
        .map(|(x, s)| (x - s).norm())
        .fold(0.0, f64::max);

    assert!(moved < 5e-3, "{moved}");

    // The foot of a card that leans by 16 degrees slides where friction is below about half of tan
    // 16 = 0.29.
    let mut slippery = show("house_of_cards", &["contact.friction.default=0.1"]);
    advance(&mut slippery, 60);
    let fell = top(&run, &bodies(&run, "card")) - top(&slippery, &bodies(&slippery, "card"));

    assert!(fell > 0.3, "{fell}");
}

#[test]
fn an_arch_stands_from_the_thickness_that_milankovitch_found() {
    // That is 0.1075 of its radius.
    let mut run = show("arches", &[]);
    let tops =
        |run: &Run| ["thick stone", "thin stone"].map(|stones| top(run, &bodies(run, stones)));
    let [thick, thin] = tops(&run);
    advance(&mut run, 90);
    let [thick_now, thin_now] = tops(&run);

    assert!(
        thick - thick_now < 0.01 && thin - thin_now > 0.2,
        "{thick_now} {thin_now}"
    );
}

#[test]
fn the_race_has_the_accelerations_of_textbooks() {
    let mut run = show("rolling", &[]);
    let names = ["disk", "hoop", "block", "soft ball"];
    let places = |run: &Run| {
        names.map(|name| {
            if name == "soft ball" {
                run.centre(body(run, name))
            } else {
                center(run, body(run, name))
            }
        })
    };
    let start = places(&run);
    advance(&mut run, 120);
    let end = places(&run);
    let (sin, cos) = 15_f64.to_radians().sin_cos();

    // Implicit Euler goes a h^2 n (n + 1) / 2 in n steps.
    let acceleration = |k: usize| {
        let along = (end[k] - start[k]).dot(&Vec2::new(cos, -sin));
        along / (0.5 * 1.2 * 1.21)
    };
    let rolling = |inertia: f64| GRAVITY * sin / (1.0 + inertia);
    let sliding = GRAVITY * (sin - 0.2 * cos);

    for (k, expected, share) in [
        (0, rolling(0.5), 1e-3),
        (1, rolling(1.0), 0.03),
        (2, sliding, 0.02),
    ] {
        let found = acceleration(k);
        assert!(
            (found / expected - 1.0).abs() < share,
            "{}: {found} instead of {expected}",
            names[k]
        );
    }

    // The hoop is a polygon of 40 sides. The soft ball loses energy where it is bent.
    assert!(
        (1.0..rolling(0.5)).contains(&acceleration(3)),
        "{}",
        acceleration(3)
    );
}

/// The largest gap between pieces of the chain that follow each other, and the largest distance
/// between their centres of mass (m).
pub(crate) fn joints(run: &Run) -> (f64, f64) {
    let chain = bodies(run, "link ");
    let largest = |of: &dyn Fn(usize, usize) -> f64| {
        chain.windows(2).map(|k| of(k[0], k[1])).fold(0.0, f64::max)
    };

    let last = chain[chain.len() - 1];
    (
        largest(&|a, b| gap(run, a, b)).max(gap(run, last, body(run, "wrecking ball"))),
        largest(&|a, b| (center(run, a) - center(run, b)).norm()),
    )
}

/// How far a knob of 58 mm comes out of a socket of 62.5 mm whose mouth is 98.5 mm wide: until both
/// lips hold it, 8 mm; and 1.5 mm by which the sides of a knob are nearer to its middle than its
/// corners (m).
pub(crate) const JOINT_PLAY: f64 = 0.0095;

#[test]
fn links_of_the_chain_hold_each_other() {
    let mut run = show("chain", &[]);
    let ball = body(&run, "wrecking ball");
    let start = center(&run, ball);
    let energy = run.step().record.total;
    advance(&mut run, 118);

    // It swings and gains no energy.
    let record = run.step().record;
    assert!(
        record.total < energy && record.kinetic > 0.0,
        "{} {energy}",
        record.total
    );
    assert!(
        start.y - center(&run, ball).y > 0.5,
        "{}",
        center(&run, ball)
    );

    let (loosest, longest) = joints(&run);
    assert!(
        loosest < JOINT_PLAY && longest < 0.26 + JOINT_PLAY,
        "{loosest} {longest}"
    );
}
