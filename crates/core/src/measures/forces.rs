//! Numbers of forces that measures take: of a pair, a body, a joint, a load.

use super::part::{Part, part};
use crate::forces::{Grains, JointState, Sums};
use crate::time::{ChamberState, State, World};
use ipcsim_math::{Mat2, Vec2, cross};

/// Force and moment of a load, or of a support.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resultant {
    /// Force on the body (N).
    pub force: Vec2,
    /// Moment on the body (N m), counter-clockwise.
    pub moment: f64,
}

/// Force between two bodies.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairOf {
    /// Force on the first body and moment about its centre.
    pub whole: Resultant,
    /// Part of the force that is friction (N).
    pub friction: Vec2,
}

/// Forces on a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyForces {
    /// Sum of all contacts, about the centre of the body.
    pub contact: Resultant,
    /// Sum of all supports, about the place of the first.
    pub reaction: Resultant,
    /// Number of bodies and obstacles in contact with it.
    pub neighbours: usize,
    /// Mean stress by contacts (Pa); `None` for a body without an inside.
    pub stress: Option<Mat2>,
}

/// Numbers of a pair of bodies.
pub static OF_PAIRS: [Part<PairOf>; 7] = [
    part(
        "force_x",
        "N",
        "Contact force on the first body along x",
        |own| Some(own.whole.force.x),
    ),
    part(
        "force_y",
        "N",
        "Contact force on the first body along y",
        |own| Some(own.whole.force.y),
    ),
    part("force", "N", "Size of the contact force", |own| {
        Some(own.whole.force.norm())
    }),
    part(
        "friction_x",
        "N",
        "Part of the force that is friction, along x",
        |own| Some(own.friction.x),
    ),
    part(
        "friction_y",
        "N",
        "Part of the force that is friction, along y",
        |own| Some(own.friction.y),
    ),
    part("friction", "N", "Size of the friction", |own| {
        Some(own.friction.norm())
    }),
    part(
        "moment",
        "N m",
        "Moment on the first body about its centre",
        |own| Some(own.whole.moment),
    ),
];

/// Numbers of the forces on a body.
pub static OF_BODIES: [Part<BodyForces>; 14] = [
    part(
        "contact_x",
        "N",
        "Sum of all contact forces on a body along x",
        |own| Some(own.contact.force.x),
    ),
    part(
        "contact_y",
        "N",
        "Sum of all contact forces on a body along y",
        |own| Some(own.contact.force.y),
    ),
    part(
        "contact",
        "N",
        "Size of the sum of all contact forces on a body",
        |own| Some(own.contact.force.norm()),
    ),
    part(
        "contact_moment",
        "N m",
        "Moment of all contact forces about the centre of a body",
        |own| Some(own.contact.moment),
    ),
    part(
        "reaction_x",
        "N",
        "Sum of the forces of all supports of a body along x",
        |own| Some(own.reaction.force.x),
    ),
    part(
        "reaction_y",
        "N",
        "Sum of the forces of all supports of a body along y",
        |own| Some(own.reaction.force.y),
    ),
    part(
        "reaction",
        "N",
        "Size of the sum of the forces of all supports of a body",
        |own| Some(own.reaction.force.norm()),
    ),
    part(
        "reaction_moment",
        "N m",
        "Moment of all supports of a body about the place of the first",
        |own| Some(own.reaction.moment),
    ),
    part(
        "neighbours",
        "1",
        "Number of bodies and obstacles in contact with a body",
        |own| Some(own.neighbours as f64),
    ),
    part(
        "mean_stress_xx",
        "Pa",
        "Mean stress of a body by its contacts, xx; tension is positive",
        |own| Some(own.stress?[(0, 0)]),
    ),
    part("mean_stress_xy", "Pa", "Mean stress of a body, xy", |own| {
        Some(own.stress?[(0, 1)])
    }),
    part("mean_stress_yx", "Pa", "Mean stress of a body, yx", |own| {
        Some(own.stress?[(1, 0)])
    }),
    part("mean_stress_yy", "Pa", "Mean stress of a body, yy", |own| {
        Some(own.stress?[(1, 1)])
    }),
    part(
        "mean_pressure",
        "Pa",
        "Mean pressure in a body by its contacts, `-(xx + yy) / 2`",
        |own| Some(-0.5 * own.stress?.trace()),
    ),
];

/// Numbers of a joint, as columns of `joints.csv`.
pub static OF_JOINTS: [Part<JointState>; 14] = [
    part(
        "angle",
        "rad",
        "Angle by which the second body has turned against the first",
        |own| Some(own.angle?[0]),
    ),
    part("spin", "rad/s", "Rate of the angle", |own| {
        Some(own.angle?[1])
    }),
    part(
        "length",
        "m",
        "Displacement along the line of a joint, or distance of its ends",
        |own| Some(own.length?[0]),
    ),
    part("rate", "m/s", "Rate of the length", |own| {
        Some(own.length?[1])
    }),
    part("force_x", "N", "Force on the first body along x", |own| {
        Some(own.force.x)
    }),
    part("force_y", "N", "Force on the first body along y", |own| {
        Some(own.force.y)
    }),
    part("force", "N", "Size of the force of a joint", |own| {
        Some(own.force.norm())
    }),
    part(
        "moment",
        "N m",
        "Moment on the first body about the place of a joint",
        |own| Some(own.moment?.moment),
    ),
    part(
        "motor",
        "N m or N",
        "Torque or force of the motor, positive where it makes angle or length larger",
        |own| own.drives.motor,
    ),
    part(
        "spring",
        "N m or N",
        "Torque or force of the spring",
        |own| own.drives.spring,
    ),
    part(
        "damper",
        "N m or N",
        "Torque or force of the damper",
        |own| own.drives.damper,
    ),
    part("brake", "N m or N", "Torque or force of the brake", |own| {
        own.drives.brake
    }),
    part(
        "limit",
        "N m or N",
        "Torque or force of the limits",
        |own| own.drives.limit,
    ),
    part("power", "W", "Power of the motor", |own| own.drives.power),
];

/// Numbers of a load.
pub static OF_LOADS: [Part<Resultant>; 4] = [
    part("force_x", "N", "Resultant of a load along x", |own| {
        Some(own.force.x)
    }),
    part("force_y", "N", "Resultant of a load along y", |own| {
        Some(own.force.y)
    }),
    part("force", "N", "Size of the resultant of a load", |own| {
        Some(own.force.norm())
    }),
    part(
        "moment",
        "N m",
        "Moment of a load about the centre of its body",
        |own| Some(own.moment),
    ),
];

/// Numbers of the gas in a chamber.
pub static OF_CHAMBERS: [Part<ChamberState>; 4] = [
    part(
        "pressure",
        "Pa",
        "Absolute pressure of the gas in a chamber",
        |own| Some(own.pressure),
    ),
    part(
        "gauge",
        "Pa",
        "Pressure of the gas in a chamber over the ambient one",
        |own| Some(own.gauge),
    ),
    part("volume", "m^3", "Volume of a chamber", |own| {
        Some(own.volume)
    }),
    part(
        "amount",
        "m^3",
        "Amount of gas in a chamber: its volume at 101325 Pa",
        |own| Some(own.amount),
    ),
];

/// Force between two bodies; the first may have the larger number.
pub(super) fn pair(
    sums: &Sums,
    [first, second]: [usize; 2],
    world: &World,
    state: &State,
) -> PairOf {
    let bodies = [first.min(second), first.max(second)];
    let Some(own) = sums.pairs.iter().find(|own| own.bodies == bodies) else {
        return PairOf::default();
    };
    if first < second {
        return PairOf {
            whole: Resultant {
                force: own.force,
                moment: own.moment,
            },
            friction: own.friction,
        };
    }

    // The opposite force, about the centre of the other body.
    let centre = world.at_centre(&world.bodies[first], &state.q, &state.x);
    PairOf {
        whole: Resultant {
            force: -own.force,
            moment: -(own.moment + cross(own.about - centre, own.force)),
        },
        friction: -own.friction,
    }
}

/// Forces on a body.
pub(super) fn on_body(
    sums: &Sums,
    grains: Option<&Grains>,
    body: usize,
    (world, state): (&World, &State),
) -> BodyForces {
    let mut all = BodyForces {
        stress: grains.and_then(|grains| grains.mean_stress[body]),
        ..BodyForces::default()
    };
    for own in &sums.pairs {
        let [a, b] = own.bodies;
        if body != a && body != b {
            continue;
        }
        let other = if body == a { b } else { a };
        let PairOf { whole, .. } = pair(sums, [body, other], world, state);
        all.contact.force += whole.force;
        all.contact.moment += whole.moment;
        all.neighbours += 1;
    }

    // Moments about the place of the first support.
    let mut place = None;
    for own in sums.reactions.iter().filter(|own| own.body == body) {
        let about = *place.get_or_insert(own.about);
        all.reaction.force += own.force;
        all.reaction.moment += own.moment + cross(own.about - about, own.force);
    }
    all
}

/// Number of bodies and obstacles that each body touches, `[bodies]`.
pub(super) fn neighbours(sums: &Sums, bodies: usize) -> Vec<usize> {
    let mut counts = vec![0; bodies];
    for body in sums.pairs.iter().flat_map(|own| own.bodies) {
        counts[body] += 1;
    }
    counts
}
