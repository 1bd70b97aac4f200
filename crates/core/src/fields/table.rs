//! All fields: names, units, what they need, and the functions that give their values.

use super::{Field, Form, Owner, Snapshot, Source, Subject};
use ipcsim_energy::material::Plane;
use ipcsim_math::{PlaneTensor, Vec2};

/// All fields, in the order in which files have them.
pub const FIELDS: [Field; 15] = [
    Field {
        key: "displacement",
        name: "displacement",
        unit: "m",
        meaning: "Position less the place at rest, where a body is before it is stretched at the \
                  start",
        needs: "positions",
        form: Form::Vector,
        source: Source::Moving(displacement),
    },
    Field {
        key: "velocity",
        name: "velocity",
        unit: "m/s",
        meaning: "Velocity at the end of the step",
        needs: "velocities; run the scene with --set output.velocities=true, or take mean_velocity",
        form: Form::Vector,
        source: Source::Moving(|snapshot| snapshot.known.velocities.map(<[Vec2]>::to_vec)),
    },
    Field {
        key: "mean_velocity",
        name: "mean velocity",
        unit: "m/s",
        meaning: "Change of position since the stored state before, over the time between; at the \
                  start the velocity of the scene",
        needs: "mean velocities beside its velocities; take velocity",
        form: Form::Vector,
        source: Source::Moving(|snapshot| snapshot.known.mean_velocities.map(<[Vec2]>::to_vec)),
    },
    Field {
        key: "cauchy_stress",
        name: "Cauchy stress",
        unit: "Pa",
        meaning: "Force for each area of the deformed body, `P F^T / J`",
        needs: "bodies of triangles",
        form: Form::Tensor,
        source: Source::Tensors {
            of: |snapshot| Some(snapshot.stress()),
            reduce: components,
        },
    },
    Field {
        key: "von_mises",
        name: "von Mises stress",
        unit: "Pa",
        meaning: "Von Mises stress of the Cauchy stress, that across the plane included",
        needs: "bodies of triangles",
        form: Form::Scalar,
        source: Source::Tensors {
            of: |snapshot| Some(snapshot.stress()),
            reduce: |stress, out| out.push(stress.von_mises()),
        },
    },
    Field {
        key: "principal_stress",
        name: "principal stress",
        unit: "Pa",
        meaning: "Eigenvalues of the Cauchy stress, the largest first; one of them is that across \
                  the plane",
        needs: "bodies of triangles",
        form: Form::Principal,
        source: Source::Tensors {
            of: |snapshot| Some(snapshot.stress()),
            reduce: |stress, out| out.extend(stress.principal()),
        },
    },
    Field {
        key: "green_strain",
        name: "Green-Lagrange strain",
        unit: "1",
        meaning: "`E = (F^T F - I) / 2` along the axes of the scene at rest; across the plane 0 in \
                  plane strain, not known in plane stress",
        needs: "bodies of triangles",
        form: Form::Tensor,
        source: Source::Tensors {
            of: |snapshot| Some(snapshot.strain()),
            reduce: components,
        },
    },
    Field {
        key: "hoop_stress",
        name: "hoop stress",
        unit: "Pa",
        meaning: "Cauchy stress around the axis of bodies of revolution",
        needs: "bodies of revolution",
        form: Form::Scalar,
        source: Source::Tensors {
            of: |snapshot| is_revolved(snapshot).then(|| snapshot.stress()),
            reduce: |stress, out| out.push(stress.zz),
        },
    },
    Field {
        key: "hoop_strain",
        name: "hoop strain",
        unit: "1",
        meaning: "Green-Lagrange strain around the axis of bodies of revolution, `((r/R)^2 - 1) / 2`",
        needs: "bodies of revolution",
        form: Form::Scalar,
        source: Source::Tensors {
            of: |snapshot| is_revolved(snapshot).then(|| snapshot.strain()),
            reduce: |strain, out| out.push(strain.zz),
        },
    },
    Field {
        key: "plastic_strain",
        name: "plastic strain",
        unit: "1",
        meaning: "Equivalent plastic strain: the sum of `sqrt(2/3) |d e_p|` over all steps",
        needs: "material that may flow",
        form: Form::Scalar,
        source: Source::Tensors {
            of: |snapshot| snapshot.plastic_strain(),
            reduce: |even, out| out.push(even.xx),
        },
    },
    Field {
        key: "contact_force",
        name: "contact force",
        unit: "N",
        meaning: "Sum of the normal forces of all contacts on the vertex; the sum over a body is \
                  the force on it",
        needs: "contact forces",
        form: Form::Vector,
        source: Source::Forces(|snapshot| Some(snapshot.known.contacts?.normal.clone())),
    },
    Field {
        key: "friction_force",
        name: "friction force",
        unit: "N",
        meaning: "Sum of the friction forces of all contacts on the vertex; circles have theirs at \
                  the centre",
        needs: "friction forces; run the scene with --set output.contacts=npy or --set \
                output.vtu=true",
        form: Form::Vector,
        source: Source::Forces(|snapshot| snapshot.known.contacts?.friction.clone()),
    },
    Field {
        key: "contact_pressure",
        name: "contact pressure",
        unit: "Pa",
        meaning: "Contact force per length of the outline in contact and thickness, or present \
                  area of the full turn, linear along edges and sides of quadratic triangles; 0 inside of bodies, NaN at circles and \
                  points, which have no edges",
        needs: "contact forces",
        form: Form::Scalar,
        source: Source::Vertices(contact_pressure),
    },
    Field {
        key: "body",
        name: "body",
        unit: "1",
        meaning: "Number of the body or obstacle, in the order of `mesh.json`",
        needs: "bodies",
        form: Form::Whole,
        source: Source::Bodies(|_, owner| owner.body as f64),
    },
    Field {
        key: "material",
        name: "material",
        unit: "1",
        meaning: "Number of the material, in the order of names; -1 for obstacles without one",
        needs: "materials",
        form: Form::Whole,
        source: Source::Bodies(material),
    },
];

/// True in a scene of bodies of revolution.
fn is_revolved(snapshot: &Snapshot) -> bool {
    snapshot.subject.plane == Plane::Axisymmetric
}

/// Displacement of each vertex (m).
#[allow(
    clippy::unnecessary_wraps,
    reason = "other fields are not always known"
)]
fn displacement(snapshot: &Snapshot) -> Option<Vec<Vec2>> {
    let rest = &snapshot.subject.world.rest;
    let both = snapshot.known.x.iter().zip(rest);
    Some(both.map(|(x, rest)| x - rest).collect())
}

/// Appends the components of a tensor, in the order of [`Form::Tensor`].
fn components(tensor: &PlaneTensor, out: &mut Vec<f64>) {
    out.extend([tensor.xx, tensor.yy, tensor.xy, tensor.zz]);
}

/// Contact pressure at each vertex (Pa); NaN at circles and points, which have no edges.
fn contact_pressure(snapshot: &Snapshot) -> Option<Vec<f64>> {
    let contacts = snapshot.known.contacts?;
    let subject = snapshot.subject;
    let isolated = &subject.world.model.surface.isolated;
    let both = contacts.per_length.iter().zip(isolated);
    let pressures = both.map(|(per_length, is_isolated)| {
        if *is_isolated {
            f64::NAN
        } else {
            per_length / subject.thickness
        }
    });
    Some(pressures.collect())
}

/// Number of the material of a triangle, which that of a region decides, or else of its body. A
/// vertex may be between two materials, and has the one of its body.
fn material(subject: &Subject, owner: Owner) -> f64 {
    let triangle = owner
        .triangle
        .and_then(|k| subject.of_triangles.get(k).copied());
    let of_body = || subject.materials.get(owner.body).copied();
    let material = triangle.or_else(of_body).flatten();
    material.map_or(-1.0, |number| number as f64)
}
