//! Cells that repeat: vertices that are tied across the period, and images of surfaces.
//!
//! Two vertices of a body that deforms are one vertex of the endless pattern if they are exactly a
//! period apart. The one with the smaller number stays, and the others become its images. Edges of the
//! outline that lie on each other across the period are cuts through the material, and no surface. All
//! other edges get images in the neighbouring cells, which collide with what is at home.
//!
//! The order is: vertices are tied, cuts are removed, masses are passed to the originals, the two
//! periods are added as nodes, and then the images of edges in all neighbouring cells. Only
//! neighbours have images, eight with two periods and two with one.
//!
//! The strain of the cell moves the periods, `a_1 = (w (1 + e_xx), 0)` and
//! `a_2 = (h e_xy, h (1 + e_yy))` with the width `w` and the height `h` at rest. A component with
//! a stress is free instead, and has the force of the stress times the area across the period.

use super::builder::{Builder, Node, Vertex};
use super::cell::{Cell, Copied, Shift};
use super::prescribed::steepest;
use crate::problem::Problem;
use crate::schema::{self, Periodic, Scene};
use ipcsim_contact::Images;
use ipcsim_core::body::{
    Body, BodyKind, Displacement, Image, Lattice, Load, Prescribed, Role, ScriptedMotion,
    TimeFunction,
};
use ipcsim_math::Vec2;
use ipcsim_math::varying::{Table, Varying};
use std::sync::Arc;

/// Name of the body that holds the periods and the images.
const CELL: &str = "cell";

/// A force on a period that follows from a mean stress.
///
/// The stress is the first one of Piola and Kirchhoff: the area is the one at rest.
#[derive(Debug)]
struct Tension {
    /// Stress along x and y (Pa).
    stress: [Varying; 2],
    /// Area on which it acts (m^2).
    area: f64,
}

impl TimeFunction for Tension {
    fn at(&self, t: f64) -> Vec2 {
        let [x, y] = &self.stress;
        Vec2::new(x.at(Vec2::zeros(), t), y.at(Vec2::zeros(), t)) * self.area
    }
}

impl Builder {
    /// Ties vertices across the periods of a scene that repeats, and adds images of its surfaces.
    ///
    /// Without the key `periodic` nothing changes.
    ///
    /// All bodies and obstacles have been added before.
    pub(super) fn repeat(&mut self, scene: &Scene) {
        let Some(periodic) = &scene.periodic else {
            return;
        };
        let rest: Vec<Vec2> = self.vertices.iter().map(|vertex| vertex.rest).collect();
        let outlines = self.soft_outlines();

        // Ties, and the edges that they leave inside of the material.
        let mut cell = Cell::new(periodic, &rest, &outlines, &self.owners());
        self.cut_edges(&cell, scene.thickness);
        if let Some(vertex) = cell.unmatched(&self.edges, &outlines, &rest) {
            let message = "ties the vertices of opposite sides, but at this place only one side has a vertex: \
                           divide both sides alike, or choose another mesh size";
            let problem = Problem::error("periodic", message).at(rest[vertex]);
            self.problems.push(problem);
        }
        self.pass_to_originals(&cell);

        // The periods are the first two nodes of the cell, and weigh what they may have to move.
        let vertices = self.vertices.len();
        let nodes = self.nodes.len();
        let whole: f64 = self.nodes.iter().map(|node| node.mass.x).sum();
        let is_static = scene.time.integrator.integrator().is_static();
        for axis in 0..2 {
            let mass = Vec2::repeat(if is_static { whole } else { 0.0 });
            let itself = Copied::itself(self.vertices.len());
            let period = cell.period(axis);
            self.add_image(&mut cell, itself, period, mass);
        }

        self.add_images(&mut cell);
        self.bodies.push(Body {
            name: CELL.to_owned(),
            kind: BodyKind::Cell,
            vertices: vertices..self.vertices.len(),
            nodes: nodes..self.nodes.len(),
        });
        self.filled.push(false);
        self.groups.push(None);

        self.drive_periods(periodic, scene, nodes, cell.sizes());
        if is_static {
            self.hold_in_place(&cell);
        }
        self.set_lattice(&cell, [nodes, nodes + 1]);
    }

    /// Vertices of outlines of bodies that deform, ascending.
    ///
    /// Only these can be tied: obstacles are the same in all cells.
    fn soft_outlines(&self) -> Vec<usize> {
        let owners = self.owners();
        let mut outlines: Vec<usize> = self.edges.iter().flatten().copied().collect();
        outlines.retain(|&vertex| self.bodies[owners[vertex]].kind == BodyKind::Solid);
        outlines.sort_unstable();
        outlines.dedup();
        outlines
    }

    /// Removes edges that are cuts through the material, with their share of the boundary.
    ///
    /// A cut bears no contact, so that its length must not count as boundary either.
    fn cut_edges(&mut self, cell: &Cell, thickness: f64) {
        let edges = std::mem::take(&mut self.edges);
        for (edge, is_cut) in edges.iter().zip(cell.cuts(&edges)) {
            if !is_cut {
                self.edges.push(*edge);
                continue;
            }
            let [a, b] = edge.map(|end| self.vertices[end].rest);
            for &end in edge {
                self.vertices[end].weight -= 0.5 * (b - a).norm() * thickness;
            }
        }
    }

    /// Passes the masses and boundaries of tied vertices on to their originals.
    ///
    /// A tied vertex has no inertia then, and moves as its original at the start.
    fn pass_to_originals(&mut self, cell: &Cell) {
        for (vertex, copy) in cell.copies.iter().enumerate() {
            if copy.of == vertex {
                continue;
            }
            let [own, original] = [vertex, copy.of].map(|i| self.coordinates.nodes_of(i).start);
            let mass = std::mem::take(&mut self.nodes[own].mass);
            self.nodes[original].mass += mass;
            self.nodes[own].q_dot = self.nodes[original].q_dot;
            let weight = std::mem::take(&mut self.vertices[vertex].weight);
            self.vertices[copy.of].weight += weight;
        }
    }

    /// Moves all edges to begin at an original, and adds images of those of bodies that deform in the
    /// neighbouring cells.
    ///
    /// An edge across the period may end in an image, which is called a seam.
    fn add_images(&mut self, cell: &mut Cell) {
        let owners = self.owners();
        let mut home = std::mem::take(&mut self.edges);
        for edge in &mut home {
            let back = cell.copies[edge[0]].shift.map(|n| -n);
            *edge = edge.map(|end| self.shifted(cell, end, back));
        }

        let mut images = Vec::new();

        // Images of the outlines of soft bodies; obstacles are the same everywhere.
        for shift in cell.neighbours() {
            for edge in &home {
                if self.bodies[owners[edge[0]]].kind == BodyKind::Solid {
                    images.push(edge.map(|end| self.shifted(cell, end, shift)));
                }
            }
        }

        self.places = cell.places(&home);
        self.edges = home;
        self.edges.extend(images);
    }

    /// Number of the vertex that is a vertex shifted by some periods; it is added if there is none.
    ///
    /// Shifts of images add up: an image of an image is an image of the original.
    fn shifted(&mut self, cell: &mut Cell, vertex: usize, shift: Shift) -> usize {
        let Copied { of, shift: own } = cell.copies[vertex];
        let copy = Copied {
            of,
            shift: [0, 1].map(|axis: usize| own[axis] + shift[axis]),
        };
        if let Some(&known) = cell.vertex.get(&copy) {
            return known;
        }
        let place = self.vertices[of].rest + cell.way(copy.shift);
        self.add_image(cell, copy, place, Vec2::zeros());
        self.vertices.len() - 1
    }

    /// Adds a vertex of the cell at a place (m), with its node of this mass (kg).
    ///
    /// An image has the properties of its original in contact.
    fn add_image(&mut self, cell: &mut Cell, copy: Copied, rest: Vec2, mass: Vec2) {
        let number = self.vertices.len();
        let mut vertex = Vertex::without_contact(rest);
        let mut q_dot = Vec2::zeros();
        if copy.of != number {
            vertex = Vertex {
                rest,
                ..self.vertices[copy.of]
            };
            q_dot = self.nodes[self.coordinates.nodes_of(copy.of).start].q_dot;
        }

        cell.vertex.insert(copy, number);
        cell.copies.push(copy);
        self.coordinates.add_free(1);
        self.vertices.push(vertex);
        self.nodes.push(Node {
            q: rest,
            q_dot,
            mass,
        });
    }

    /// Prescribes the components of both periods that have no stress, and gives the others their force.
    ///
    /// A cell cannot turn as a whole: the x period stays along x, and shear moves the y period
    /// only.
    fn drive_periods(
        &mut self,
        periodic: &Periodic,
        scene: &Scene,
        first: usize,
        [width, height]: [f64; 2],
    ) {
        let [xx, yy, xy] = periodic.strains().map(read);
        let [on_sides, on_ends, shear] = periodic.stresses();
        let zero = Varying::Constant(0.0);

        // Along x the sides move, along y and in shear the ends.
        let sides = Driven {
            start: Vec2::new(width, 0.0),
            strain: [xx, zero.clone()],
            free: [on_sides.is_some(), false],
            stress: [read(on_sides), zero],
            across: height,
        };
        let ends = Driven {
            start: Vec2::new(0.0, height),
            strain: [xy, yy],
            free: [shear.is_some(), on_ends.is_some()],
            stress: [read(shear), read(on_ends)],
            across: width,
        };
        for (node, driven) in (first..).zip([sides, ends]) {
            self.prescribed.push(driven.prescribed(node));
            if driven.free != [false; 2] {
                let force = Box::new(Tension {
                    area: driven.across * scene.thickness,
                    stress: driven.stress,
                });
                self.loads.push(Load { node, force });
            }
        }
    }

    /// Holds one vertex along the periods in statics, where nothing else says where the pattern is. Its
    /// reaction is 0, since forces within a cell balance.
    fn hold_in_place(&mut self, cell: &Cell) {
        // What a body already holds needs no more.
        let mut axes = cell.repeats;
        for own in &self.prescribed {
            let is_of_body = own.selection != Prescribed::OF_CELL;
            for (axis, is_free) in axes.iter_mut().enumerate() {
                let is_held = own.axes[axis] && self.nodes[own.node].mass[axis] > 0.0;
                *is_free &= !(is_of_body && is_held);
            }
        }
        let mut bodies = self.bodies.iter();
        let solid = bodies.find(|body| body.kind == BodyKind::Solid);
        let (Some(node), true) = (solid.map(|body| body.nodes.start), axes != [false; 2]) else {
            return;
        };
        self.prescribed.push(Prescribed {
            axes,
            displacement: None,
            ..of_cell(node, self.nodes[node].q)
        });
    }

    /// Hands the images over to the map of coordinates, and notes the original of each.
    ///
    /// From here on images follow their originals.
    fn set_lattice(&mut self, cell: &Cell, periods: [usize; 2]) {
        let mut images = Vec::new();
        self.originals = vec![None; cell.copies.len()];
        for (vertex, copy) in cell.copies.iter().enumerate() {
            if copy.of == vertex {
                continue;
            }
            let [node, of] = [vertex, copy.of].map(|i| self.coordinates.nodes_of(i).start);
            images.push(Image {
                node,
                of,
                shift: copy.shift,
            });
            self.originals[vertex] = Some(copy.of);

            // Bodies that go on across the period enclose no area by themselves.
            let mut bodies = self.bodies.iter();
            let own = bodies.position(|body| body.vertices.contains(&vertex));
            if let Some(body) = own.filter(|&body| self.bodies[body].kind == BodyKind::Solid) {
                self.filled[body] = false;
            }
        }
        self.coordinates.set_lattice(Lattice::new(periods, images));
    }

    /// Images of the surface.
    pub(super) fn images(&mut self) -> Images {
        let places = std::mem::take(&mut self.places);
        if places.is_empty() {
            return Images::default();
        }
        Images::new(places, &self.originals)
    }
}

/// A period with what moves it.
struct Driven {
    /// Period at rest (m).
    start: Vec2,
    /// Strains along x and y (1), over the length of the period.
    strain: [Varying; 2],
    /// Components that follow from a stress.
    free: [bool; 2],
    /// Stresses along x and y (Pa).
    stress: [Varying; 2],
    /// Length of the cell across the period (m).
    across: f64,
}

impl Driven {
    /// The period as a prescribed node.
    fn prescribed(&self, node: usize) -> Prescribed {
        let length = self.start.norm();
        let along = self.strain.clone().map(|strain| scaled(strain, length));
        let fastest = along.iter().map(steepest).fold(0.0, f64::max);
        Prescribed {
            axes: self.free.map(|free| !free),
            displacement: Some(Arc::new(Displacement { along, fastest })),
            ..of_cell(node, self.start)
        }
    }
}

/// A node of the cell that rests at its `start` (m).
fn of_cell(node: usize, start: Vec2) -> Prescribed {
    Prescribed {
        node,
        role: Role::Point,
        start,
        axes: [true; 2],
        motion: ScriptedMotion::REST,
        displacement: None,
        from: 0.0,
        selection: Prescribed::OF_CELL,
    }
}

/// A number of a scene; 0 if it is left out, or wrong, which the checks report.
fn read(number: Option<&schema::Varying>) -> Varying {
    let read = number.and_then(|number| number.read().ok());
    read.unwrap_or(Varying::Constant(0.0))
}

/// A number times a factor.
fn scaled(number: Varying, factor: f64) -> Varying {
    match number {
        Varying::Constant(value) => Varying::Constant(value * factor),
        Varying::Table(table) => Varying::Table(Table {
            values: table.values.iter().map(|value| value * factor).collect(),
            times: table.times,
        }),
        Varying::Formula(formula) => Varying::Formula(formula.times(factor)),
    }
}
