//! Machines of the showcase that work by bending, against the theory of beams.

use crate::support::{near, near_ratio, scene};
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use std::f64::consts::PI;

/// Force of what holds a body by one of its lists of prescribed vertices (N).
fn hold(simulation: &Simulation, body: &str, list: usize) -> Vec2 {
    let reactions = simulation.reactions();
    let mut own = reactions.filter(|reaction| reaction.body == body);
    own.nth(list).unwrap().force
}

/// The hook of the snap-fit: a cantilever whose head slides under a lip.
struct Hook {
    /// Young's modulus in plane strain, `E / (1 - nu^2)`, and shear modulus (Pa).
    moduli: [f64; 2],
    /// Width across the plane, height of the beam, length from its root to where the slope of the head
    /// ends, and height of that place above the axis (m).
    width: f64,
    height: f64,
    length: f64,
    arm: f64,
    /// Height of the lip above the axis, and radius of its edge (m).
    lip: f64,
    round: f64,
    /// Slope of the head (rad), and coefficient of friction.
    slope: f64,
    friction: f64,
}

impl Hook {
    /// Bending stiffness of the beam (N m^2).
    fn stiffness(&self) -> f64 {
        self.moduli[0] * self.width * self.height.powi(3) / 12.0
    }

    /// How far the head is down where the edge of the lip comes to the end of its slope (m), if it has
    /// turned by an angle (rad).
    fn down(&self, turned: f64) -> f64 {
        self.arm - self.lip - self.round * (1.0 - (self.slope + turned).cos())
    }

    /// Force of insertion (N) for a force `press` across the beam: the wedge with friction.
    fn wedge(&self, press: f64, turned: f64) -> f64 {
        press * (self.slope + turned + self.friction.atan()).tan()
    }

    /// The formula of designers: `P = 3 E I y / L^3`, and `W = P (mu + tan a) / (1 - mu tan a)`.
    fn designed(&self) -> f64 {
        let press = 3.0 * self.stiffness() * self.down(0.0) / self.length.powi(3);
        self.wedge(press, 0.0)
    }

    /// The same for a beam that also shears, and on whose head `W` acts at an arm `e` and as an axial
    /// force: with the load of Euler `Q = pi^2 E I / (4 L^2)`
    ///
    /// ```text
    /// y (1 - W/Q) = P L^3 (1 + s) / (3 E I) - W e L^2 / (2 E I),   s = 3.6 E I / (G A L^2) + 1.5 e t / L
    /// t (1 - W/Q) = P L^2 / (2 E I) - W e L / (E I)
    /// ```
    ///
    /// and the wedge is steeper by the angle `t` by which the head has turned, which also moves the place of
    /// `P` forward by `e t`.
    fn inserted(&self) -> f64 {
        let [stiffness, length] = [self.stiffness(), self.length];
        let area = self.width * self.height;
        let sheared = 3.6 * stiffness / (self.moduli[1] * area * length.powi(2));
        let euler = PI.powi(2) * stiffness / (4.0 * length.powi(2));
        let [mut force, mut turned] = [0.0, 0.0];

        // Each round takes force and angle of the one before; they settle by a factor of ten.
        for _ in 0..50 {
            let left = 1.0 - force / euler;
            let bent =
                self.down(turned) * left + force * self.arm * length.powi(2) / (2.0 * stiffness);
            let further = sheared + 1.5 * self.arm * turned / length;
            let press = bent * 3.0 * stiffness / length.powi(3) / (1.0 + further);
            let moment = 0.5 * press * length - force * self.arm;
            turned = moment * length / stiffness / left;
            force = self.wedge(press, turned);
        }
        force
    }
}

#[test]
fn the_snap_fit_goes_in_by_the_force_of_a_beam_and_comes_out_by_three_times_that() {
    let hook = Hook {
        moduli: [2.6e9 / (1.0 - 0.35 * 0.35), 2.6e9 / 2.7],
        width: 0.008,
        height: 0.002,
        length: 0.031_062,
        arm: 0.002_472,
        lip: 0.0011,
        round: 0.0005,
        slope: 25_f64.to_radians(),
        friction: 0.2,
    };
    let mut simulation = Simulation::new(scene("showcase/snap_fit", &[])).unwrap();
    let mut pushes = Vec::new();
    for _ in 0..150 {
        simulation.run(1).unwrap();
        pushes.push(hold(&simulation, "hook", 0).x);
    }
    let inserted = pushes.iter().copied().fold(0.0, f64::max);
    let pulled = -pushes.iter().copied().fold(0.0, f64::min);

    // Steps of 0.02 mm miss at most 1 % of the peak, and the contact is not a point: its reach is a
    // twentieth of the head's radius, and part of it is on the corner.
    let expected = hook.inserted();
    near_ratio(inserted, expected, 0.03);

    // Arm and turned head, which designers neglect, take a fifth more.
    let designed = hook.designed();
    assert!(
        (1.0..1.25).contains(&(inserted / designed)),
        "{inserted} {designed} N"
    );

    // Once it has snapped in nothing touches it; then it holds.
    assert!(pushes[110].abs() < 1e-6, "{} N", pushes[110]);
    assert!(pulled > 3.0 * inserted, "{pulled} {inserted} N");
}

/// Curvature (1/m) of a finger with closed chambers under a pressure (Pa) of the air in them.
///
/// The pressure on the chambers' ends, `p b` on a height `b`, is carried by the two walls beside them. About
/// their common centre it has the arm `e`, so that they bend by `p b e / (E' I)`: the second moment `I`
/// is that of both walls, and `E' = E / (1 - nu^2)`. Ribs are too thin for the walls to be relieved there.
fn bending(pressure: f64) -> f64 {
    let [thick, chamber, thin] = [0.006, 0.014, 0.002_f64];
    let walls = [(thick, 0.5 * thick), (thin, thick + chamber + 0.5 * thin)];
    let area: f64 = walls.iter().map(|(height, _)| height).sum();
    let moment: f64 = walls.iter().map(|(height, place)| height * place).sum();
    let center = moment / area;
    let parts = walls
        .iter()
        .map(|(height, place)| height.powi(3) / 12.0 + height * (place - center).powi(2));
    let second: f64 = parts.sum();

    let arm = thick + 0.5 * chamber - center;
    let modulus = 1e6 / (1.0 - 0.45 * 0.45);
    pressure * chamber * arm / (modulus * second)
}

/// Angles (rad) of two pieces of the left finger's inner face, which is straight at the start: between the
/// middles of ribs, the first two and the last two.
fn slopes(face: &[Vec2; 4]) -> [f64; 2] {
    [[0, 1], [2, 3]].map(|[above, below]| {
        let along = face[above] - face[below];
        along.y.atan2(along.x)
    })
}

#[test]
fn a_finger_bends_by_the_moment_of_the_air_about_its_walls() {
    let free = [
        "time.integrator=static",
        "gravity=[0,0]",
        "bodies.ball.position=[0.3,0.0202]",
        "bodies.ball.fixed=[\"x\",\"y\",\"angle\"]",
        "loads.0.pressure=6000",
        "loads.1.pressure=6000",
    ];
    let mut simulation = Simulation::new(scene("showcase/pneumatic_gripper", &free)).unwrap();

    // Middles of ribs on the inner face, in the scene: at -6 mm and 90 mm, turned by -26 degrees.
    let root = Vec2::new(-0.006, 0.09);
    let down = -Vec2::new(26_f64.to_radians().sin(), 26_f64.to_radians().cos());
    let x = simulation.body("left finger").unwrap().x();
    let vertices = [1.5, 10.5, 55.5, 64.5].map(|way| {
        let place = root + down * (1e-3 * way);
        let near = |i: &usize| (x[*i] - place).norm() < 1e-7;
        (0..x.len()).find(near).unwrap()
    });
    let straight = slopes(&vertices.map(|i| x[i]));
    near(straight[0], straight[1], 1e-6);

    simulation.run(1).unwrap();
    let x = simulation.body("left finger").unwrap().x();
    let bent = slopes(&vertices.map(|i| x[i]));
    let curvature = (bent[1] - bent[0]) / 0.054;

    // The middles of ribs relieve the walls a little, so that it is somewhat less.
    let expected = bending(6000.0);
    near_ratio(curvature, expected, 0.2);
}

#[test]
fn the_pneumatic_gripper_lifts_its_ball_by_friction() {
    let mut simulation = Simulation::new(scene("showcase/pneumatic_gripper", &[])).unwrap();
    let start = simulation.body("ball").unwrap().centre();
    simulation.run(220).unwrap();
    let lifted = simulation.body("ball").unwrap().centre() - start;
    near(lifted.y, 0.045, 0.003);

    // The fingers alone carry it: 400 kg/m^3, 20 mm of radius, 30 mm of thickness.
    let weight = 9.81 * 400.0 * PI * 0.02_f64.powi(2) * 0.03;
    let on_ball = simulation
        .contacts()
        .filter(|contact| contact.bodies.contains(&"ball"));
    let [mut carried, mut rubbed] = [Vec2::zeros(); 2];
    for contact in on_ball {
        let sign = if contact.bodies[0] == "ball" {
            1.0
        } else {
            -1.0
        };
        carried += contact.force_on("ball");
        rubbed += contact.friction_force * sign;
        assert!(!contact.bodies.contains(&"table"), "{:?}", contact.bodies);
    }
    near_ratio(carried.y, weight, 1e-3);
    assert!(rubbed.y > 0.5 * weight, "{rubbed} {weight} N");

    // Without friction it stays where it is.
    let slippery = ["contact.friction.default=0"];
    let mut simulation = Simulation::new(scene("showcase/pneumatic_gripper", &slippery)).unwrap();
    simulation.run(220).unwrap();
    let height = simulation.body("ball").unwrap().centre().y;
    assert!(height < 0.021, "{height} m");
}

/// Hinges of the right half of the compliant gripper in its pseudo-rigid-body model (Howell 2001), at the
/// middles of its thin places (m): on the ground, between arm and link, between link and stem.
const GROUND: Vec2 = Vec2::new(0.018, 0.0);
const ELBOW: Vec2 = Vec2::new(0.015, 0.02);
const STEM: Vec2 = Vec2::new(0.003, 0.012);

/// Direction of a vector (rad).
fn direction(way: Vec2) -> f64 {
    way.y.atan2(way.x)
}

/// Angles (rad) by which the arm and the link have turned when the stem is down by `pull` (m).
///
/// Ground, elbow and stem are corners of a triangle with two known sides, arm and link.
fn turned(pull: f64) -> [f64; 2] {
    let arm = (ELBOW - GROUND).norm();
    let link = (ELBOW - STEM).norm();
    let stem = STEM - Vec2::new(0.0, pull);
    let way = stem - GROUND;
    let corner = (arm * arm + way.norm_squared() - link * link) / (2.0 * arm * way.norm());
    let angle = direction(way) - corner.acos();

    let elbow = GROUND + Vec2::new(angle.cos(), angle.sin()) * arm;
    let starts = [ELBOW - GROUND, ELBOW - STEM].map(direction);
    [angle - starts[0], direction(elbow - stem) - starts[1]]
}

/// Where a point of the arm is when the stem is down by `pull` (m).
fn swung(point: Vec2, pull: f64) -> Vec2 {
    let (sin, cos) = turned(pull)[0].sin_cos();
    let arm = point - GROUND;
    GROUND + Vec2::new(arm.x * cos - arm.y * sin, arm.x * sin + arm.y * cos)
}

/// Force on the stem (N) that bends all six thin places: the slope of `K/2` times the sum of squares of
/// their angles, with `K = E I / (l (1 - nu^2))` for a length `l` of 2 mm, 0.5 mm thick and 10 mm wide.
fn springs(pull: f64) -> f64 {
    let modulus = 1.4e9 / (1.0 - 0.4 * 0.4);
    let stiffness = modulus * 0.01 * 5e-4_f64.powi(3) / 12.0 / 0.002;
    let energy = |pull: f64| {
        let [arm, link] = turned(pull);
        stiffness * (arm * arm + link * link + (arm - link).powi(2))
    };
    (energy(pull + 1e-6) - energy(pull - 1e-6)) / 2e-6
}

#[test]
fn the_compliant_gripper_moves_and_presses_as_rigid_bodies_with_hinges_do() {
    let mut simulation = Simulation::new(scene("showcase/compliant_gripper", &[])).unwrap();
    let start = simulation.body("gripper").unwrap().x().to_vec();
    let corner = Vec2::new(0.004, 0.06);
    let near = |i: &usize| (start[*i] - corner).norm() < 1e-7;
    let tip = (0..start.len()).find(near).unwrap();

    // Before the jaws meet the pin: the way of a jaw over that of the stem, 1.9.
    simulation.run(50).unwrap();
    let pull = 0.001;
    let moved = (start[tip] - simulation.body("gripper").unwrap().x()[tip]).x / pull;
    let expected = (corner - swung(corner, pull)).x / pull;
    near_ratio(moved, expected, 0.01);

    // What is beside a thin place gives way as well, so that the springs are softer than such ones.
    let force = -hold(&simulation, "gripper", 1).y;
    let expected = springs(pull);
    assert!(
        (0.75..1.0).contains(&(force / expected)),
        "{force} {expected} N"
    );

    // On the pin each jaw has the force of the stem, less that of the springs, over twice the advantage, by
    // virtual work. The jaws meet the pin when they are 2.5 mm further in.
    simulation.run(50).unwrap();
    let on_pin = simulation.contacts().map(|contact| {
        let force = contact.force_on("pin").x;
        force.max(0.0)
    });
    let pressed: f64 = on_pin.sum();
    let face = Vec2::new(0.004, 0.057);
    let met = 0.0013;
    let advantage = (swung(face, met - 1e-6) - swung(face, met + 1e-6)).x / 2e-6;
    let gained = -hold(&simulation, "gripper", 1).y - springs(0.002);
    near_ratio(gained, 2.0 * advantage * pressed, 0.05);
}
