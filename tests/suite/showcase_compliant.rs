//! Machines of the showcase that work by bending, against the theory of beams.

use crate::support::scene;
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use std::f64::consts::PI;

/// Force of what holds a body by its prescribed vertices (N).
fn hold(simulation: &Simulation, body: &str) -> Vec2 {
    let mut reactions = simulation.reactions();
    reactions
        .find(|reaction| reaction.body == body)
        .unwrap()
        .force
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
        pushes.push(hold(&simulation, "hook").x);
    }
    let inserted = pushes.iter().copied().fold(0.0, f64::max);
    let pulled = -pushes.iter().copied().fold(0.0, f64::min);

    // Steps of 0.02 mm miss at most 1 % of the peak, and the contact is not a point: its reach is a
    // twentieth of the head's radius, and part of it is on the corner.
    let expected = hook.inserted();
    assert!(
        (inserted / expected - 1.0).abs() < 0.03,
        "{inserted} {expected} N"
    );

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
