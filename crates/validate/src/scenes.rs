//! What scenes of cases share: materials, ground, exact numbers of contact, sums of forces.
//!
//! Cases state the numbers that decide their accuracy themselves, unless the defaults are the
//! point: `d_hat`, `kappa`, `eps_v` and the tolerance of Newton's method.

use ipcsim::contact::barrier::BarrierShape;
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Stick;
use ipcsim_store::ledger::Books;

/// Acceleration of gravity (m/s^2).
pub(super) const G: f64 = 9.81;

/// Density of [`STONE`] (kg/m^3).
pub(super) const DENSITY: f64 = 1000.0;

/// Name of the material without an elastic law that every scene has.
pub(super) const STONE: &str = "stone";

/// Name of the elastic material of a scene with [`Exact::elastic`].
pub(super) const RUBBER: &str = "rubber";

/// A scene of `steps` steps of `h` (s) with the material [`STONE`], solved to 1e-10 m/s.
pub(super) fn scene(h: f64, steps: usize) -> Scene {
    let mut scene = Scene::new(Time::new(h, steps)).with_material(STONE, Material::rigid(DENSITY));
    scene.solver.tolerance = Some(1e-10);
    scene
}

/// A static scene whose loads and scripts reach their values at the time 1 s in this number of
/// increments, with the material [`STONE`].
pub(super) fn statics(increments: usize) -> Scene {
    let time = Time::new(1.0 / increments as f64, increments).by(Scheme::Static);
    Scene::new(time).with_material(STONE, Material::rigid(DENSITY))
}

/// The half-plane above `y = 0`.
pub(super) fn ground() -> Obstacle {
    Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0]))
}

/// Ground that falls to the right at an angle (rad), through the origin.
pub(super) fn slope(angle: f64) -> Obstacle {
    let (sin, cos) = angle.sin_cos();
    Obstacle::new("ground", HalfPlane::new([sin, cos], [0.0, 0.0]))
}

/// Position of a point at the distance `along` down a [`slope`] and `above` it (m).
pub(super) fn on_slope(angle: f64, along: f64, above: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [along * cos + above * sin, above * cos - along * sin]
}

/// Settings of contact, friction and solver that a case states.
pub(super) trait Exact {
    /// Sets reach (m) and stiffness (Pa) of the barrier.
    fn barrier(self, d_hat: f64, kappa: f64) -> Self;
    /// Sets the formula of the barrier of vertices.
    fn shape(self, shape: BarrierShape) -> Self;
    /// Lets what sticks creep at less than the speed of full friction, instead of holding by
    /// anchors.
    fn creeping(self) -> Self;
    /// Sets the coefficient of friction (1) and the speed of full friction (m/s).
    fn rough(self, coefficient: f64, eps_v: f64) -> Self;
    /// Adds the elastic material [`RUBBER`] of density [`DENSITY`].
    fn elastic(self, law: Law) -> Self;
    /// Sets the tolerance of Newton's method (m/s).
    fn tolerance(self, tolerance: f64) -> Self;
    /// Removes gravity.
    fn weightless(self) -> Self;
}

impl Exact for Scene {
    fn barrier(mut self, d_hat: f64, kappa: f64) -> Self {
        self.contact.d_hat = Some(d_hat);
        self.contact.kappa = Some(kappa);
        self
    }

    fn shape(mut self, shape: BarrierShape) -> Self {
        self.contact.barrier = Some(shape);
        self
    }

    fn creeping(mut self) -> Self {
        self.contact.friction.stick = Some(Stick::Creep);
        self
    }

    fn rough(mut self, coefficient: f64, eps_v: f64) -> Self {
        self.contact.friction.default = coefficient;
        self.contact.friction.eps_v = Some(eps_v);
        self
    }

    fn elastic(self, law: Law) -> Self {
        self.with_material(RUBBER, Material::new(DENSITY, law))
    }

    fn tolerance(mut self, tolerance: f64) -> Self {
        self.solver.tolerance = Some(tolerance);
        self
    }

    fn weightless(self) -> Self {
        self.with_gravity([0.0, 0.0])
    }
}

/// A simulation of the scene after `steps` steps.
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn after(scene: Scene, steps: usize) -> Result<Simulation, Error> {
    let mut simulation = Simulation::new(scene)?;
    simulation.run(steps)?;
    Ok(simulation)
}

/// A simulation of the scene at a time (s).
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn until(scene: Scene, time: f64) -> Result<Simulation, Error> {
    let mut simulation = Simulation::new(scene)?;
    while simulation.time() < time {
        simulation.step()?;
    }
    Ok(simulation)
}

/// Sums of work and impulses over `steps` steps of a scene, whose ledger this switches on.
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn booked(mut scene: Scene, steps: usize) -> Result<Books, Error> {
    scene.output.ledger = true;
    let mut simulation = Simulation::new(scene)?;
    let mut books = Books::default();
    books.enter(&simulation.begin()?.record);
    for _ in 0..steps {
        books.enter(&simulation.step()?.record);
    }
    Ok(books)
}

/// Sum of the forces of all contacts on a body or obstacle (N).
pub(super) fn force_on(simulation: &Simulation, name: &str) -> Vec2 {
    let contacts = simulation.contacts();
    contacts.map(|contact| contact.force_on(name)).sum()
}

/// Sum of the forces between two bodies or obstacles, on the first one (N).
pub(super) fn force_between(simulation: &Simulation, on: &str, by: &str) -> Vec2 {
    let contacts = simulation.contacts();
    contacts
        .filter(|contact| contact.bodies.contains(&by))
        .map(|contact| contact.force_on(on))
        .sum()
}

/// Half of the width and half of the height (m) of a slender block that rocks on the ground.
pub(super) const ROCKER: Slender = Slender { b: 0.1, h: 0.4 };

/// A slender block, by the halves of its sides (m).
#[derive(Clone, Copy)]
pub(super) struct Slender {
    /// Half of the width (m).
    b: f64,
    /// Half of the height (m).
    h: f64,
}

/// A block that rocks, and its angle at the start (rad).
pub(super) struct Rocker {
    /// Simulation of the block, which is named "block", on rough ground.
    pub(super) simulation: Simulation,
    /// Angle at the start (rad); the body counts its own angle from there.
    pub(super) start: f64,
}

impl Slender {
    /// Distance of a corner from the centre (m).
    fn radius(self) -> f64 {
        self.b.hypot(self.h)
    }

    /// Angle `a` (rad) at which the centre is above a corner.
    pub(super) fn angle(self) -> f64 {
        (self.b / self.h).atan()
    }

    /// Square of the rate `p` of rocking (1/s^2): `m g R` over the inertia `4/3 m R^2`.
    pub(super) fn rate_squared(self) -> f64 {
        0.75 * G / self.radius()
    }

    /// Twice the potential energy at an angle (rad) over the inertia, from upright (1/s^2).
    pub(super) fn energy(self, angle: f64) -> f64 {
        2.0 * self.rate_squared() * ((self.angle() - angle).cos() - self.angle().cos())
    }

    /// The block at rest on its left corner, tilted by a share of `a`, in steps of `h` (s).
    ///
    /// # Errors
    /// If the scene cannot be built.
    pub(super) fn tilted(self, share: f64, h: f64) -> Result<Rocker, Error> {
        let start = share * self.angle();
        let (sin, cos) = start.sin_cos();
        // Just within the reach of the barrier, where its force is nearly zero.
        let gap = 0.99e-5;
        let at = [
            self.b * cos - self.h * sin,
            self.b * sin + self.h * cos + gap,
        ];

        let block = Rectangle::new([2.0 * self.b, 2.0 * self.h], [1, 1]);
        let scene = scene(h, 1)
            .barrier(1e-5, 1e6)
            .rough(2.0, 1e-5)
            .with_body(
                Body::rigid("block", block, STONE)
                    .at(at)
                    .rotated(start.to_degrees()),
            )
            .with_obstacle(ground());
        let simulation = Simulation::new(scene)?;
        Ok(Rocker { simulation, start })
    }
}

/// The wall at `x = 0` with its free side to the right.
pub(super) fn wall() -> Obstacle {
    Obstacle::new("wall", HalfPlane::new([1.0, 0.0], [0.0, 0.0]))
}

/// A thin elastic bar without Poisson's effect, in which waves are one-dimensional.
pub(super) const BAR: Bar = Bar {
    length: 1.0,
    height: 0.02,
    young: 1e6,
    velocity: 0.1,
};

/// Measures of an elastic bar along the x axis.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    /// Length (m).
    pub(super) length: f64,
    /// Height (m).
    height: f64,
    /// Young's modulus (Pa).
    young: f64,
    /// Speed of impact (m/s).
    pub(super) velocity: f64,
}

impl Bar {
    /// Speed of waves, `sqrt(E / rho)` (m/s).
    pub(super) fn speed(self) -> f64 {
        (self.young / DENSITY).sqrt()
    }

    /// Force (N) of an impact on a rigid wall, `rho c v A`.
    pub(super) fn force(self) -> f64 {
        DENSITY * self.speed() * self.velocity * self.height
    }

    /// A bar of `lengths` lengths in `cells` cells, around the origin.
    pub(super) fn body(self, name: &str, lengths: f64, cells: usize) -> Body {
        let size = [lengths * self.length, self.height];
        Body::deformable(name, Rectangle::new(size, [cells, 1]), RUBBER)
    }

    /// Adds the material of the bar to a scene, without gravity and with a stiff, short barrier.
    pub(super) fn materials(self, scene: Scene) -> Scene {
        let scene = scene.elastic(Law::linear(self.young, 0.0));
        scene.weightless().barrier(1e-4, 1e7)
    }
}

/// Deflection (m) under its own weight of a rectangle of this length and height (m), held at its
/// left end, of a linear material of this modulus (Pa) and Poisson's ratio (1). The shape is
/// centred.
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn cantilever(
    beam: Body,
    [length, height]: [f64; 2],
    [young, poisson]: [f64; 2],
) -> Result<f64, Error> {
    bent(beam, [length, height], Law::linear(young, poisson))
}

/// The same of any law.
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn bent(beam: Body, [length, height]: [f64; 2], law: Law) -> Result<f64, Error> {
    let end = Bounds::new([-0.501 * length, -height], [-0.499 * length, height]);
    let beam = beam.with_prescribed(Prescribed::held(Selection::Box(end)));
    let scene = scene(10.0, 6).tolerance(1e-12).elastic(law).with_body(beam);
    let simulation = after(scene, 6)?;

    // The mean of the free end.
    let beam = simulation.body("beam")?.body().vertices.clone();
    let x = &simulation.state().x[beam.clone()];
    let rest = &simulation.world().rest[beam];
    let free: Vec<usize> = (0..x.len())
        .filter(|&i| rest[i].x > 0.499 * length)
        .collect();
    let sum: f64 = free.iter().map(|&i| rest[i].y - x[i].y).sum();
    Ok(sum / free.len() as f64)
}

/// A rod on a hinge.
pub(super) struct Hinged {
    /// Simulation of the rod, which is named "rod", on a hinge at the origin.
    pub(super) simulation: Simulation,
    /// Weight of the rod (N).
    pub(super) weight: f64,
}

/// An obstacle that holds joints and touches nothing, in the group of all jointed bodies.
pub(super) fn holder(name: &str, at: [f64; 2]) -> Obstacle {
    let mut holder = Obstacle::new(name, Rectangle::new([0.02, 0.02], [1, 1])).at(at);
    holder.group = Some("jointed".to_owned());
    holder
}

/// Width of rods (m).
pub(super) const ROD_WIDTH: f64 = 0.02;

/// A uniform straight rod between two points (m), in the group of all jointed bodies.
pub(super) fn rod(name: &str, from: Vec2, to: Vec2) -> Body {
    let half = 0.5 * (to - from).norm();
    let middle = 0.5 * (from + to);
    let angle = (to.y - from.y).atan2(to.x - from.x);
    let bar = Rectangle::new([2.0 * half, ROD_WIDTH], [1, 1]);
    let mut rod = Body::rigid(name, bar, STONE)
        .at([middle.x, middle.y])
        .rotated(angle.to_degrees());
    rod.group = Some("jointed".to_owned());
    rod
}

/// A rod of this length (m) at an angle (rad) from the vertical, at rest, on a hinge at the origin.
///
/// # Errors
/// If the scene cannot be built.
pub(super) fn hinged_rod(length: f64, angle: f64, h: f64) -> Result<Hinged, Error> {
    let end = Vec2::new(length * angle.sin(), -length * angle.cos());
    let scene = scene(h, 1)
        .tolerance(1e-11)
        .with_body(rod("rod", Vec2::zeros(), end))
        .with_obstacle(holder("holder", [0.0, 0.0]))
        .with_joint(Joint::hinge("holder", "rod", [0.0, 0.0]));
    let simulation = Simulation::new(scene)?;
    let weight = G * simulation.body("rod")?.mass();
    Ok(Hinged { simulation, weight })
}

/// Position now (m) of the point of a rigid body that was at `at` (m) at the start, where its
/// centre was at `centre` (m).
///
/// # Errors
/// If there is no body of this name.
pub(super) fn carried(
    simulation: &Simulation,
    name: &str,
    centre: Vec2,
    at: Vec2,
) -> Result<Vec2, Error> {
    let body = simulation.body(name)?;
    let turn = nalgebra::Rotation2::new(body.angle().unwrap_or(f64::NAN));
    Ok(body.centre() + turn * (at - centre))
}

/// Speeds (m/s) of a row of disks of radius 0.1 m with gaps (m) between them, 0.2 s after the first
/// one has been thrown at the others with 1 m/s from 0.02 m farther away.
pub(super) fn speeds_of_row(mut scene: Scene, count: u32, gap: f64) -> Result<Vec<f64>, Error> {
    for k in 0..count {
        let first = k == 0;
        let x = (0.2 + gap) * f64::from(k) - if first { 0.02 } else { 0.0 };
        let ball = Body::rigid(format!("ball {k}"), Circle::new(0.1), STONE).at([x, 0.0]);
        scene = scene.with_body(ball.with_velocity([f64::from(u8::from(first)), 0.0]));
    }

    let mut simulation = Simulation::new(scene)?;
    while simulation.time() < 0.2 {
        simulation.step()?;
    }
    Ok(simulation.bodies().map(|body| body.velocity().x).collect())
}
