//! Bodies of triangles or springs: every vertex free, or a reduced basis of their displacements.

use super::builder::Builder;
use super::elements::Elements;
use super::placement::Placement;
use super::shape::mesh;
use crate::body::basis::{self, Fields, reduced};
use crate::body::{
    Body, BodyKind, MassProperties, Prescribed, Role, ScriptedMotion, inertia, lump,
};
use crate::geometry::Aabb;
use crate::math::{Vec2, perp};
use crate::mesh::{Mesh, boundary};
use crate::scene::problem::Problem;
use crate::scene::schema::{self, Axis, Kind, Law, Material, Scene, Selection};
use crate::solve::softest_modes;
use nalgebra::Rotation2;
use std::collections::BTreeSet;

impl Builder {
    pub(super) fn add_deformable(
        &mut self,
        index: usize,
        body: &schema::Body,
        material: &Material,
        scene: &Scene,
    ) {
        let (Some(mesh), Some(law)) = (mesh(&body.shape), &material.law) else {
            return;
        };
        let first = self.rest.len();
        let placement = Placement::new(body.position, body.rotation_deg);
        self.rest
            .extend(mesh.vertices.iter().map(|&a| placement.place(a)));
        let mass = lump(&mesh, material.density, scene.thickness, body.lumping);
        let edges = boundary::edges(&mesh.triangles);
        let lengths = boundary::lengths(&mesh.vertices, &edges);
        self.weight
            .extend(lengths.iter().map(|length| length * scene.thickness));
        self.radius.extend(vec![0.0; mass.len()]);
        self.edges
            .extend(edges.iter().map(|edge| edge.map(|i| first + i)));
        self.filled.push(true);
        self.groups.push(body.group.clone());
        let node = self.q.len();
        self.elements.add(law, &mesh, first, scene);
        let kind = if body.kind == Kind::Deformable {
            self.add_free(body, &mesh, &mass, &placement);
            self.add_prescribed(index, first, body);
            if law.summary().is_solid {
                BodyKind::Solid
            } else {
                BodyKind::Springs
            }
        } else {
            if let Some(fields) = fields(body.kind, &mesh, &mass, (law, scene)) {
                self.add_basis(body, &mass, fields);
            } else {
                let message = format!(
                    "asks for more than {} vertices can do; use a lower number",
                    mass.len()
                );
                self.problems
                    .push(Problem::error(format!("bodies[{index}].kind"), message));
                // The rest of the scene is looked at nevertheless.
                self.add_free(body, &mesh, &mass, &placement);
            }
            BodyKind::Reduced
        };
        let (vertices, nodes) = (first..self.rest.len(), node..self.q.len());
        self.bodies.push(Body {
            name: body.name.clone(),
            kind,
            vertices,
            nodes,
        });
    }

    /// Adds a node for each vertex.
    fn add_free(&mut self, body: &schema::Body, mesh: &Mesh, mass: &[f64], placement: &Placement) {
        let stretch = Vec2::from(body.stretch);
        let x: Vec<Vec2> = mesh
            .vertices
            .iter()
            .map(|a| placement.place(a.component_mul(&stretch)))
            .collect();
        let MassProperties {
            mass: total,
            center,
            ..
        } = inertia::lumped(&x, mass);
        let spin = body.spin_deg.to_radians();
        let velocity = |x: &Vec2| {
            if spin == 0.0 {
                body.velocity.into()
            } else {
                Vec2::from(body.velocity) + perp(x - center) * spin
            }
        };
        let node = self.q.len();
        self.coordinates.add_free(x.len());
        self.q_dot.extend(x.iter().map(velocity));
        self.q.extend(x);
        self.mass.extend(mass.iter().map(|&m| Vec2::repeat(m)));
        for (i, m) in mass.iter().enumerate() {
            self.add_load(node + i, Vec2::from(body.force) * (m / total));
        }
    }

    fn add_prescribed(&mut self, index: usize, first: usize, body: &schema::Body) {
        let count = self.rest.len() - first;
        let node = self.q.len() - count;
        let x = self.q[node..].to_vec();
        let mut taken = BTreeSet::new();
        for (k, prescribed) in body.prescribed.iter().enumerate() {
            let path = format!("bodies[{index}].prescribed[{k}].vertices");
            let chosen: Vec<usize> = match &prescribed.vertices {
                Selection::All => (0..count).collect(),
                Selection::Indices(indices) => {
                    if let Some(too_large) = indices.iter().find(|&&i| i >= count) {
                        let message = format!(
                            "names vertex {too_large}, but there are only {count}, numbered from 0"
                        );
                        self.problems.push(Problem::error(&path, message));
                    }
                    indices.iter().copied().filter(|&i| i < count).collect()
                }
                Selection::Box(bounds) => {
                    let bounds = Aabb {
                        min: bounds.min.into(),
                        max: bounds.max.into(),
                    };
                    (0..count).filter(|i| bounds.contains(x[*i])).collect()
                }
            };
            let named =
                matches!(&prescribed.vertices, Selection::Indices(indices) if !indices.is_empty());
            if chosen.is_empty() && !named {
                let message = format!("selects none of the {count} vertices of \"{}\"", body.name);
                self.problems.push(Problem::error(&path, message));
            }
            let axes = match prescribed.axis {
                Some(Axis::X) => [true, false],
                Some(Axis::Y) => [false, true],
                _ => [true; 2],
            };
            let motion = ScriptedMotion {
                velocity: prescribed.velocity.into(),
                travel: prescribed.travel.unwrap_or(f64::INFINITY),
                until: prescribed.until.unwrap_or(f64::INFINITY),
                ..ScriptedMotion::REST
            };
            for i in chosen {
                let twice = (0..2)
                    .filter(|&axis| axes[axis])
                    .any(|axis| !taken.insert((i, axis)));
                if twice {
                    self.problems.push(
                        Problem::error(
                            path,
                            format!("vertex {i} is prescribed twice; name it once"),
                        )
                        .at(x[i]),
                    );
                    break;
                }
                let motion = motion.clone();
                self.prescribed.push(Prescribed {
                    node: node + i,
                    role: Role::Point,
                    start: x[i],
                    axes,
                    motion,
                });
            }
        }
    }

    /// Adds the nodes of a reduced basis for the vertices that were added last.
    fn add_basis(&mut self, body: &schema::Body, mass: &[f64], mut fields: Fields) {
        let rest = &self.rest[self.rest.len() - mass.len()..];
        let turn = Rotation2::new(body.rotation_deg.to_radians());
        fields.iter_mut().flatten().for_each(|u| *u = turn * *u);
        let MassProperties {
            mass: total,
            center,
            ..
        } = inertia::lumped(rest, mass);
        let spin = body.spin_deg.to_radians();
        let velocity = |x: &Vec2| Vec2::from(body.velocity) + perp(x - center) * spin;
        let share = |field: &Vec<Vec2>| {
            field
                .iter()
                .zip(rest)
                .zip(mass)
                .map(|((u, x), m)| m * u.dot(&velocity(x)))
                .sum::<f64>()
        };
        let speeds: Vec<f64> = fields.iter().map(share).collect();
        let map = reduced(rest, mass, &fields);
        let force = Vec2::from(body.force) / total;
        let first = self.q.len();
        let loads: Vec<Vec2> = map.lift.iter().map(|lift| lift * force).collect();
        loads
            .into_iter()
            .enumerate()
            .for_each(|(k, load)| self.add_load(first + k, load));
        let nodes = map.lift.len();
        self.coordinates.add_reduced(mass.len(), Box::new(map));
        self.q.extend(vec![Vec2::zeros(); nodes]);
        let speed = |k: usize| speeds.get(k).copied().unwrap_or(0.0);
        self.q_dot
            .extend((0..nodes).map(|k| Vec2::new(speed(2 * k), speed(2 * k + 1))));
        self.mass.extend(vec![Vec2::repeat(1.0); nodes]);
    }
}

/// The basis that a reduced body asks for, in the frame of its shape.
fn fields(kind: Kind, mesh: &Mesh, mass: &[f64], (law, scene): (&Law, &Scene)) -> Option<Fields> {
    match kind {
        Kind::Polynomial(polynomial) => basis::polynomial(&mesh.vertices, mass, polynomial.order),
        Kind::Modal(modal) => {
            let mut alone = Elements::default();
            alone.add(law, mesh, 0, scene);
            softest_modes(
                &alone.sums.into_energies(),
                &mesh.vertices,
                mass,
                modal.modes,
            )
        }
        _ => None,
    }
}
