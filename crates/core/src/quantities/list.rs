//! All quantities of the scene and of bodies.

use super::{Of, Quantity};

/// Quantities of the whole scene.
pub const SCENE: [Quantity; 20] = [
    Quantity::new(
        "speed",
        "m/s",
        "Largest speed of a vertex at the end of the step",
        Of::Step(|at| Some(at.motion?.speed)),
    ),
    Quantity::new(
        "acceleration",
        "m/s^2",
        "Largest change of a vertex's velocity in the step, over its length",
        Of::Step(|at| Some(at.motion?.acceleration)),
    ),
    Quantity::new(
        "kinetic",
        "J",
        "Kinetic energy",
        Of::Record(|record| Some(record.kinetic)),
    ),
    Quantity::new(
        "total",
        "J",
        "Kinetic energy and all potentials but friction",
        Of::Record(|record| Some(record.total)),
    ),
    Quantity::new(
        "min_gap",
        "m",
        "Smallest distance of a contact; infinite in conditions without contacts",
        Of::Record(|record| record.min_gap),
    )
    .or("gap")
    .else_as(f64::INFINITY),
    Quantity::count("contacts", "Number of contacts", |record| {
        Some(record.contacts as f64)
    }),
    Quantity::new(
        "min_area_ratio",
        "1",
        "Smallest ratio of a triangle's area to its area at rest; 1 in conditions without triangles",
        Of::Record(|record| record.min_area_ratio),
    )
    .or("min_j")
    .else_as(1.0),
    Quantity::new(
        "momentum_x",
        "kg m/s",
        "Linear momentum along x",
        Of::Record(|record| Some(record.momentum.x)),
    ),
    Quantity::new(
        "momentum_y",
        "kg m/s",
        "Linear momentum along y",
        Of::Record(|record| Some(record.momentum.y)),
    ),
    Quantity::count(
        "newton_iterations",
        "Number of Newton directions of the step",
        |record| Some(record.newton_iterations as f64),
    ),
    Quantity::new(
        "imbalance",
        "m/s",
        "Speed that the forces left over would give a body in a step",
        Of::Record(|record| Some(record.imbalance)),
    ),
    Quantity::new(
        "stiffening",
        "J",
        "Energy that barriers gain by becoming stiffer after the step",
        Of::Record(|record| Some(record.stiffening)),
    ),
    Quantity::count(
        "unstable",
        "With arc length: number of negative eigenvalues of the stiffness",
        |record| record.unstable.map(|count| count as f64),
    ),
    Quantity::count(
        "asleep",
        "Where bodies may sleep: number of bodies that the step left asleep",
        |record| record.asleep.map(|count| count as f64),
    ),
    Quantity::new(
        "cell_strain_xx",
        "1",
        "Where the scene repeats: mean strain along x",
        Of::Record(|record| Some(record.cell?.strain[0])),
    ),
    Quantity::new(
        "cell_strain_yy",
        "1",
        "Where the scene repeats: mean strain along y",
        Of::Record(|record| Some(record.cell?.strain[1])),
    ),
    Quantity::new(
        "cell_strain_xy",
        "1",
        "Where the scene repeats: mean strain of shear, along x on the upper side",
        Of::Record(|record| Some(record.cell?.strain[2])),
    ),
    Quantity::new(
        "cell_stress_xx",
        "Pa",
        "Where the scene repeats: mean stress, over areas at rest, along x",
        Of::Record(|record| Some(record.cell?.stress?[0])),
    ),
    Quantity::new(
        "cell_stress_yy",
        "Pa",
        "Where the scene repeats: mean stress, over areas at rest, along y",
        Of::Record(|record| Some(record.cell?.stress?[1])),
    ),
    Quantity::new(
        "cell_stress_xy",
        "Pa",
        "Where the scene repeats: mean stress, over areas at rest, of shear, along x on the upper side",
        Of::Record(|record| Some(record.cell?.stress?[2])),
    ),
];

/// Quantities of a body or obstacle; in conditions their names follow its name and a dot.
#[allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself is not general enough over the lifetime"
)]
pub const BODY: [Quantity; 11] = [
    Quantity::new(
        "x",
        "m",
        "Abscissa of the centre of mass",
        Of::Body(|at, body| Some(at.centre(body).x)),
    ),
    Quantity::new(
        "y",
        "m",
        "Ordinate of the centre of mass",
        Of::Body(|at, body| Some(at.centre(body).y)),
    ),
    Quantity::new(
        "velocity_x",
        "m/s",
        "Velocity of the centre of mass along x",
        Of::Body(|at, body| Some(at.velocity(body).x)),
    )
    .or("vx"),
    Quantity::new(
        "velocity_y",
        "m/s",
        "Velocity of the centre of mass along y",
        Of::Body(|at, body| Some(at.velocity(body).y)),
    )
    .or("vy"),
    Quantity::new(
        "angle",
        "rad",
        "Angle of a rigid body or obstacle, counted over full turns",
        Of::Body(|at, body| body.angle(&at.state.q)),
    ),
    Quantity::new(
        "spin",
        "rad/s",
        "Angular velocity of a rigid body or obstacle",
        Of::Body(|at, body| body.angle(&at.state.q_dot)),
    ),
    Quantity::new(
        "kinetic",
        "J",
        "Kinetic energy of a body",
        Of::Body(|at, body| at.world.kinetic_of(body, at.state)),
    ),
    Quantity::new(
        "elastic",
        "J",
        "Energy that a body stores by deforming",
        Of::Body(|at, body| at.elastic(body)),
    ),
    Quantity::new(
        "gravity",
        "J",
        "Potential of a body's weight, as in the column of `energies.csv`",
        Of::Body(|at, body| at.world.potential_of(body, at.state)),
    ),
    Quantity::new(
        "tension",
        "N",
        "Force across the section at which a body is tightened",
        Of::Body(|at, body| at.world.tension_of(body, at.state)),
    ),
    Quantity::new(
        "shortening",
        "m",
        "Length by which a body is shorter at the section at which it is tightened",
        Of::Body(|at, body| at.world.shortening_of(body, at.state)),
    ),
];
