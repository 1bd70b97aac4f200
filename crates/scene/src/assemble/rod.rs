//! Rods in the world: vertices along a line, with a segment between any two of them.
//!
//! A rod has a node for each vertex, with half of the mass of both segments there, an element of
//! stretch for each segment, and one of bending for each vertex between two segments. The energies
//! are those of [`ipcsim_energy::Bend`] and [`ipcsim_energy::Stretch`].

use super::builder::{Builder, Vertex};
use super::deformable::Meshed;
use super::new_body::NewBody;
use super::new_rod::NewRod;
use super::placement::Placement;
use crate::schema::{ElasticRod, Shape};
use crate::shape_geometry::outline;
use ipcsim_contact::RodChain;
use ipcsim_core::body::BodyKind;
use ipcsim_energy::{Bend, Stretch};
use ipcsim_math::Vec2;
use ipcsim_mesh::{Mesh, boundary};
use std::f64::consts::FRAC_PI_2;

/// Ranks of the energies of rods, behind those of all laws of materials.
pub(super) const RANKS: [usize; 2] = [1000, 1001];

/// Distance from the end of a rod, relative to its segment (1), within which a joint is at the end.
const END_OF_ROD: f64 = 1e-6;

/// Numbers of a section of a rod.
struct Section {
    /// Axial stiffness `EA` (N).
    axial: f64,
    /// Bending stiffness `EI` (N m^2).
    bending: f64,
    /// Mass of a length (kg/m).
    mass: f64,
}

impl Section {
    /// The section of a body that is a rod. `E t w` and `E t^3 w / 12`, for Young's modulus `E`, the
    /// thickness `t` in the plane and `w` across it. Checks have found all of these.
    fn of(rod: &ElasticRod, body: &NewBody) -> Self {
        let width = body.scene.thickness;
        let thickness = rod.thickness.unwrap_or(0.0);
        let area = thickness * width;
        let young = rod.young.unwrap_or(0.0);
        let inertia = area * thickness * thickness / 12.0;
        Self {
            axial: rod.axial_stiffness.unwrap_or(young * area),
            bending: rod.bending_stiffness.unwrap_or(young * inertia),
            mass: rod.mass_per_length.unwrap_or(body.material.density * area),
        }
    }
}

impl Builder {
    /// Adds a rod: vertices, segments, nodes and elements.
    pub(crate) fn add_rod(&mut self, body: &NewBody, rod: &ElasticRod) {
        let spec = body.spec;
        let Shape::Polyline(line) = &spec.shape else {
            return;
        };
        let outline = outline(&spec.shape);
        let section = Section::of(rod, body);
        let first = self.vertices.len();
        let placement = Placement::new(spec.position, spec.rotation_deg);
        let lengths = boundary::lengths(&outline.vertices, &outline.edges);

        for (&corner, length) in outline.vertices.iter().zip(&lengths) {
            self.vertices.push(Vertex {
                rest: placement.place(corner),
                weight: length * body.scene.thickness,
                radius: rod.contact_radius(),
            });
        }
        let edges = outline.edges.iter().map(|edge| edge.map(|i| first + i));
        self.edges.extend(edges);
        // A closed rod has no inside either.
        self.filled.push(false);
        self.groups.push(spec.group.clone());
        self.rods.push(NewRod {
            body: self.bodies.len(),
            first,
            count: outline.vertices.len(),
            bending: section.bending,
            straight: rod.straight,
            closed: line.closed,
            radius: rod.contact_radius(),
            thickness: rod.thickness.unwrap_or(2.0 * rod.contact_radius()),
            exempt: rod.exempt_length,
        });

        // Elements, and nodes with a share of the mass.
        self.add_segments(&outline.vertices, &outline.edges, &section, first);
        self.add_bends(
            &outline.vertices,
            line.closed,
            (&section, rod.straight),
            first,
        );

        let mass: Vec<f64> = lengths.iter().map(|length| section.mass * length).collect();
        if let Some(damping) = body.material.damping.filter(|damping| damping.mass > 0.0) {
            let drags = mass.iter().enumerate();
            let drags = drags.map(|(i, mass)| (first + i, damping.mass * mass));
            self.elements.elastic.dampers.drags.extend(drags);
        }

        let mesh = Mesh {
            vertices: outline.vertices,
            ..Mesh::default()
        };
        let meshed = Meshed::of_rod(
            mesh,
            mass,
            placement,
            [first, self.nodes.len()],
            outline.edges,
        );
        self.add_free(body, &meshed);
        self.add_prescribed(body, &meshed);
        self.close_mesh(body, &meshed, BodyKind::Rod);
    }

    /// Adds the stretch of segments between vertices at rest (m), which are numbered from `first` on
    /// in the world.
    fn add_segments(
        &mut self,
        rest: &[Vec2],
        segments: &[[usize; 2]],
        section: &Section,
        first: usize,
    ) {
        let [rank, _] = RANKS;
        let Some(sum) = self.elements.elastic.sums.at::<Stretch, 2>(rank) else {
            return;
        };
        for &[a, b] in segments {
            let element = Stretch {
                stiffness: section.axial,
                length: (rest[b] - rest[a]).norm(),
            };
            sum.push([first + a, first + b], element);
        }
    }

    /// Adds the bending at each vertex between two segments of a line of vertices at rest (m). A
    /// closed line has such vertices only.
    fn add_bends(
        &mut self,
        rest: &[Vec2],
        closed: bool,
        (section, is_straight): (&Section, bool),
        first: usize,
    ) {
        let [_, rank] = RANKS;
        let Some(sum) = self.elements.elastic.sums.at::<Bend, 3>(rank) else {
            return;
        };
        let count = rest.len();
        let middles = if closed { 0..count } else { 1..count - 1 };
        for middle in middles {
            let own = [(middle + count - 1) % count, middle, (middle + 1) % count];
            let element = Bend::new(section.bending, own.map(|i| rest[i]), is_straight);
            let stencil = own.map(|i| first + i);
            sum.push(stencil, element);
            self.elements.bends.push(stencil);
        }
    }

    /// Compliance (rad/(N m)) of the half of a segment between the end of a rod that is at a place (m)
    /// and the first bending of the rod, `l / (2 EI)`; 0 elsewhere and for other bodies.
    ///
    /// A joint holds the direction of the segment as a whole. The bending of a rod begins a segment from
    /// its end, so that the first half of it would be rigid.
    pub(super) fn end_compliance(&self, body: usize, at: Vec2, x: &[Vec2]) -> f64 {
        let rod = self.rods.iter().find(|rod| rod.body == body && !rod.closed);
        let Some(rod) = rod.filter(|rod| rod.bending > 0.0 && rod.count > 2) else {
            return 0.0;
        };
        let last = rod.first + rod.count - 1;
        let ends = [[rod.first, rod.first + 1], [last, last - 1]];
        let held = ends.into_iter().find_map(|[end, next]| {
            let length = (x[next] - x[end]).norm();
            ((x[end] - at).norm() <= END_OF_ROD * length).then_some(length)
        });
        held.map_or(0.0, |length| 0.5 * length / rod.bending)
    }

    /// Rods with a radius, whose parts are exempt from it within a length along them, where `d_hat`
    /// gives the activation distance of a body with itself (m).
    pub(super) fn strands(&self, d_hat: impl Fn(usize) -> f64) -> Vec<RodChain> {
        let thick = self.rods.iter().filter(|rod| rod.radius > 0.0);
        let strands = thick.map(|rod| {
            let half_circle = FRAC_PI_2 * (2.0 * rod.radius + d_hat(rod.body));
            let own = &self.vertices[rod.first..rod.first + rod.count];
            let rest: Vec<Vec2> = own.iter().map(|vertex| vertex.rest).collect();
            let exempt = rod.exempt.unwrap_or(half_circle);
            let chain = RodChain::new([rod.body, rod.first], &rest, rod.closed, exempt);
            chain.beyond(self.beyond.get(&rod.body).cloned().unwrap_or_default())
        });
        strands.collect()
    }
}
