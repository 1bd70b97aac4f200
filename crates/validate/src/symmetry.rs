//! One scene in several places: turned, mirrored, moved, scaled.
//!
//! The laws of motion do not know where they act. A scene whose places, directions and numbers are
//! all changed by one map must move as the original does, changed by the same map.

use super::case::Outcome;
use super::plot::Plot;
use super::scenes::{DENSITY, Exact, G};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

/// Map of a scene: mirrored at the y axis, scaled, turned, moved, and all of it in uniform motion.
#[derive(Clone, Copy)]
pub(super) struct Map {
    /// True if x becomes `-x`.
    pub(super) is_mirrored: bool,
    /// Factor of lengths (1). Times and densities stay, so that stresses change with its square.
    pub(super) scale: f64,
    /// Rotation, counter-clockwise (degrees).
    pub(super) degrees: f64,
    /// Translation (m).
    pub(super) shift: [f64; 2],
    /// Velocity that everything has in addition (m/s).
    pub(super) velocity: [f64; 2],
    /// True if bodies are listed in the opposite order.
    pub(super) is_reversed: bool,
}

/// The map that changes nothing.
pub(super) const SAME: Map = Map {
    is_mirrored: false,
    scale: 1.0,
    degrees: 0.0,
    shift: [0.0; 2],
    velocity: [0.0; 2],
    is_reversed: false,
};

/// Step (s), number of steps, names of the bodies.
const H: f64 = 0.005;
const STEPS: usize = 80;
const NAMES: [&str; 5] = ["square", "disk", "brick", "plate", "ball"];

impl Map {
    /// A direction or distance under the map.
    fn direction(self, [x, y]: [f64; 2]) -> Vec2 {
        let x = if self.is_mirrored { -x } else { x };
        nalgebra::Rotation2::new(self.degrees.to_radians()) * Vec2::new(x, y) * self.scale
    }

    /// A place (m) under the map, at a time (s).
    fn place(self, x: [f64; 2], time: f64) -> Vec2 {
        self.direction(x) + Vec2::from(self.shift) + Vec2::from(self.velocity) * time
    }

    /// An angle or angular velocity (degrees) under the map, without the map's own rotation.
    fn turned(self, degrees: f64) -> f64 {
        if self.is_mirrored { -degrees } else { degrees }
    }

    /// A body under the map, at rest relative to it at the start.
    fn body(self, body: Body, at: [f64; 2], degrees: f64, velocity: [f64; 2]) -> Body {
        let moved = self.direction(velocity) + Vec2::from(self.velocity);
        body.at(self.place(at, 0.0).into())
            .rotated(self.turned(degrees) + self.degrees)
            .with_velocity(moved.into())
    }

    /// Five bodies of all kinds that fall on each other and on a rough ground.
    fn scene(self) -> Scene {
        let s = self.scale;
        let gravity = self.direction([0.0, -G]);
        let normal = self.direction([0.0, 1.0]) / s;
        let ground = HalfPlane::new(normal.into(), self.place([0.0, 0.0], 0.0).into());

        // Times and densities stay, so that pressures grow with the square of the scale.
        let mut scene = Scene::new(Time::new(H, STEPS))
            .with_material("stone", Material::rigid(DENSITY))
            .with_material("rubber", Material::neo_hookean(DENSITY, 1e5 * s * s, 0.4))
            .with_gravity(gravity.into())
            .barrier(1e-3 * s, 1e5 * s * s)
            .rough(0.4, 1e-3 * s)
            .tolerance(1e-11 * s)
            .with_obstacle(Obstacle::new("ground", ground).with_velocity(self.velocity));

        let affine = Kind::Affine(Affine {
            stiffness: Some(1e8 * s * s),
        });
        let square = Body::deformable("square", Square::new(0.2 * s, 4), "rubber");
        let disk = Body::deformable("disk", Disk::new(0.1 * s, 4), "rubber");
        let brick = Body::rigid("brick", Rectangle::new([0.3 * s, 0.1 * s], [2, 2]), "stone");
        let plate = Body::new("plate", affine, Square::new(0.15 * s, 2), "stone");
        let ball = Body::rigid("ball", Circle::new(0.08 * s), "stone");

        scene.bodies = vec![
            self.body(square, [0.0, 0.102], 0.0, [0.0, 0.0]),
            self.body(disk, [0.05, 0.33], 0.0, [0.3, -0.5])
                .with_spin(self.turned(200.0)),
            self.body(brick, [-0.32, 0.2], 20.0, [0.5, -0.5]),
            self.body(plate, [0.35, 0.15], 10.0, [-1.0, 0.0]),
            self.body(ball, [-0.1, 0.55], 0.0, [0.2, -1.5])
                .with_spin(self.turned(-300.0)),
        ];
        if self.is_reversed {
            scene.bodies.reverse();
        }
        scene
    }
}

/// Compares the mapped scene with the original at the end: adds the largest deviation of a centre,
/// as a share of the map's lengths, and both sets of paths.
///
/// # Errors
/// If a scene cannot be built or a step fails.
pub(super) fn compare(
    outcome: &mut Outcome,
    label: &str,
    map: Map,
    tolerance: f64,
) -> Result<(), Error> {
    let [original, mapped] = [paths(SAME)?, paths(map)?];
    let mut largest = 0.0_f64;
    let [mut expected, mut got] = [Vec::new(), Vec::new()];
    for (k, (original, mapped)) in original.iter().zip(&mapped).enumerate() {
        let time = H * (k / NAMES.len() + 1) as f64;
        let place = map.place((*original).into(), time);
        largest = largest.max((place - mapped).norm() / map.scale);
        expected.push([time, place.y]);
        got.push([time, mapped.y]);
    }
    let name = format!("largest deviation, {label}");
    outcome.absolute(name, "m", 0.0, largest, tolerance);

    // Heights of the ball, the last of the bodies.
    let of_ball = |points: Vec<[f64; 2]>| points.into_iter().skip(4).step_by(NAMES.len()).collect();
    outcome
        .plot
        .line(format!("{label}, original mapped"), of_ball(expected));
    outcome.plot.points(label, of_ball(got));
    Ok(())
}

/// An empty outcome with the axes of [`compare`].
pub(super) fn outcome() -> Outcome {
    Outcome::new(Plot::new("time (s)", "height of the ball (m)"))
}

/// Centres (m) of all bodies after each step, in the order of [`NAMES`].
fn paths(map: Map) -> Result<Vec<Vec2>, Error> {
    let mut simulation = Simulation::new(map.scene())?;
    let mut paths = Vec::new();
    for _ in 0..STEPS {
        simulation.step()?;
        for name in NAMES {
            paths.push(simulation.body(name)?.centre());
        }
    }
    Ok(paths)
}
