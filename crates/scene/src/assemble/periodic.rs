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
use super::new_rod::NewRod;
use super::prescribed::steepest;
use super::rod::RANKS;
use crate::problem::Problem;
use crate::schema::{self, Periodic, RodJoin, Scene};
use ipcsim_contact::{Disk, Images};
use ipcsim_core::body::{
    Body, BodyKind, Displacement, Image, Lattice, Load, Prescribed, Role, ScriptedMotion,
    TimeFunction,
};
use ipcsim_energy::Bend;
use ipcsim_math::Vec2;
use ipcsim_math::sort::sort_by_key;
use ipcsim_math::varying::{Table, Varying};
use std::collections::BTreeMap;
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
        let mut parts = self.owners();
        if periodic.rods != RodJoin::Apart {
            // All rods count as one body.
            for rod in &self.rods {
                parts[rod.first..rod.first + rod.count].fill(self.rods[0].body);
            }
        }
        let mut cell = Cell::new(periodic, &rest, &outlines, &parts);
        self.cut_edges(&cell, scene.thickness);
        self.refuse_unmatched(&cell, &outlines, &rest);
        self.refuse_spins(&cell, scene);
        self.pass_to_originals(&cell);

        // The periods are the first two nodes of the cell, and weigh what they may have to move: in motion as
        // much as the bodies would if they were spread evenly in the cell.
        let vertices = self.vertices.len();
        let nodes = self.nodes.len();
        let whole: f64 = self.nodes.iter().map(|node| node.mass.x).sum();
        let is_static = scene.time.integrator.integrator().is_static();
        let [on_sides, on_ends, shear] = periodic.stresses().map(|own| own.is_some());
        let free = [[on_sides, false], [shear, on_ends]];
        let carried: Vec<usize> = (0..nodes).filter(|&node| self.is_carried(node)).collect();
        for axis in 0..2 {
            let own = free[axis].map(|free| if free { whole / 12.0 } else { 0.0 });
            let mass = if is_static {
                Vec2::repeat(whole)
            } else {
                Vec2::from(own)
            };
            let itself = Copied::itself(self.vertices.len());
            let period = cell.period(axis);
            self.add_image(&mut cell, itself, period, mass);
        }

        self.add_body_images(&mut cell);
        self.add_chambers(scene, Some(&mut cell));
        self.bend_across(&mut cell, periodic.rods);
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
        let lattice = self.lattice(&cell, [nodes, nodes + 1]);
        self.refuse_tied_images();
        self.refuse_joined_images(&cell);
        self.coordinates.set_lattice(if is_static {
            lattice
        } else {
            lattice.with_free(free, carried)
        });
    }

    /// Notes a problem if an outline has a vertex on one side that has none at the same place on the other.
    ///
    /// `rest` are the places of all vertices (m), `outlines` those vertices that may be tied.
    fn refuse_unmatched(&mut self, cell: &Cell, outlines: &[usize], rest: &[Vec2]) {
        if let Some(vertex) = cell.unmatched(&self.edges, outlines, rest) {
            let message = "ties the vertices of opposite sides, but at this place only one side has a vertex: \
                           divide both sides alike, or choose another mesh size";
            let problem = Problem::error("periodic", message).at(rest[vertex]);
            self.problems.push(problem);
        }
    }

    /// True if a node is the place of a body, whose inertia counts from the motion of the cell.
    ///
    /// An angle, a linear map and what has no mass do not.
    fn is_carried(&self, node: usize) -> bool {
        self.nodes[node].mass != Vec2::zeros() && self.coordinates.is_place(node)
    }

    /// Vertices of outlines of bodies that deform, ascending.
    ///
    /// Only these can be tied: obstacles are the same in all cells, and bodies that move as a whole are
    /// within one.
    fn soft_outlines(&self) -> Vec<usize> {
        let owners = self.owners();
        let mut outlines: Vec<usize> = self.edges.iter().flatten().copied().collect();
        outlines.retain(|&vertex| self.bodies[owners[vertex]].kind.has_free_vertices());
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

    /// Notes a problem for each body that spins and goes on across the period: it would turn against its
    /// images.
    fn refuse_spins(&mut self, cell: &Cell, scene: &Scene) {
        for (body, spec) in self.bodies.iter().zip(&scene.bodies) {
            let is_tied = |&vertex: &usize| {
                let copy = cell.copies[vertex];
                copy.of != vertex
            };
            if spec.spin_deg == 0.0 {
                continue;
            }
            if let Some(vertex) = body.vertices.clone().find(is_tied) {
                let message = format!(
                    "ties {:?} to its images, against which it would turn; remove its spin_deg",
                    body.name
                );
                let problem = Problem::error("periodic", message);
                self.problems.push(problem.at(self.vertices[vertex].rest));
            }
        }
    }

    /// Adds images, in all neighbouring cells, of bodies whose vertices follow from a few nodes.
    ///
    /// Each has as many nodes as its body: the place is shifted, and the others are those of the body.
    fn add_body_images(&mut self, cell: &mut Cell) {
        let bodies = self.bodies.clone();
        let drawn = (self.disks.clone(), self.isolated.clone());
        let whole = |body: &&Body| body.kind.has_images() && !body.kind.has_free_vertices();
        for body in bodies.iter().filter(whole) {
            for shift in cell.neighbours() {
                let Some(nodes) = self.coordinates.add_image(body.vertices.start) else {
                    continue;
                };
                // Places are shifted; an angle or a linear map is the body's.
                let way = cell.way(shift);
                for (node, of) in nodes.zip(body.nodes.clone()) {
                    let Node { mut q, q_dot, .. } = self.nodes[of];
                    let mut own = [0; 2];
                    if self.coordinates.is_place(of) {
                        q += way;
                        own = shift;
                    }
                    let mass = Vec2::zeros();
                    self.nodes.push(Node { q, q_dot, mass });
                    let image = Image {
                        node,
                        of,
                        shift: own,
                    };
                    cell.nodes.push(image);
                }
                self.add_image_vertices(cell, body, shift, &drawn);
            }
        }
    }

    /// Adds the vertices, circles and points of the image of a body, whose nodes are there.
    fn add_image_vertices(
        &mut self,
        cell: &mut Cell,
        body: &Body,
        shift: Shift,
        (disks, isolated): &(Vec<Disk>, Vec<usize>),
    ) {
        let first = self.vertices.len();
        for of in body.vertices.clone() {
            let copy = Copied { of, shift };
            cell.vertex.insert(copy, self.vertices.len());
            cell.copies.push(copy);
            let own = self.vertices[of];
            self.vertices.push(Vertex {
                rest: own.rest + cell.way(shift),
                ..own
            });
        }

        // Circles and points, which have no edges.
        let image = |vertex: usize| first + vertex - body.vertices.start;
        let own = disks
            .iter()
            .filter(|disk| body.vertices.contains(&disk.center));
        self.disks.extend(own.map(|disk| Disk {
            center: image(disk.center),
            rim: image(disk.rim),
            radius: disk.radius,
        }));
        let own = isolated
            .iter()
            .filter(|vertex| body.vertices.contains(vertex));
        self.isolated.extend(own.map(|&vertex| image(vertex)));
    }

    /// Adds the bending of rods where they go on across the periods, and between rods that share a vertex as
    /// `join` says.
    ///
    /// All segments at a corner are held by a rigid disk that turns freely, each by the half of it, with the
    /// stiffness `c = 2 EI / l`. At the best angle of the disk that is a spring of the stiffness
    /// `c_i c_j / sum c` between any two of them.
    fn bend_across(&mut self, cell: &mut Cell, join: RodJoin) {
        self.frames = join != RodJoin::Apart;
        let rods = self.rods.clone();
        let mut corners: BTreeMap<usize, Vec<Arm>> = BTreeMap::new();
        for rod in &rods {
            let end = rod.first + rod.count - 1;
            self.go_on(cell, rod, [rod.first, end]);
            for (vertex, next) in rod.segments() {
                for [from, to] in [[vertex, next], [next, vertex]] {
                    let at = cell.copies[from];
                    let back = at.shift.map(|n| -n);
                    let tip = self.shifted(cell, to, back);
                    let rod = (rod.body, rod.bending);
                    corners.entry(at.of).or_default().push(Arm { tip, rod });
                }
            }
        }

        // Pinned rods turn freely.
        if join != RodJoin::Rigid {
            return;
        }
        for (corner, arms) in corners {
            let first = arms.first().map(|arm| arm.rod.0);
            if arms.iter().any(|arm| Some(arm.rod.0) != first) {
                self.weld(corner, &arms);
            }
        }
    }

    /// Adds the bending at the place where a rod with these `ends` goes on across the period, and notes its
    /// images.
    fn go_on(&mut self, cell: &mut Cell, rod: &NewRod, [first, last]: [usize; 2]) {
        let [begin, end] = [first, last].map(|vertex| cell.copies[vertex]);
        if rod.closed || begin.of != end.of || rod.count < 3 {
            return;
        }
        // The angle between the last segment and the image of the first.
        let shift = begin.periods_to(end);
        let after = self.shifted(cell, first + 1, shift);
        let stencil = [last - 1, last, after];
        let rest = stencil.map(|vertex| self.vertices[vertex].rest);
        let element = Bend::new(rod.bending, rest, rod.straight);
        self.add_bend(stencil, element);

        // Lengths along the rod, on both sides.
        let places = first..=last;
        let rest: Vec<Vec2> = places.map(|vertex| self.vertices[vertex].rest).collect();
        let mut along = vec![0.0];
        for pair in rest.windows(2) {
            along.push(along[along.len() - 1] + (pair[1] - pair[0]).norm());
        }
        let whole = along[along.len() - 1];
        let mut images = Vec::new();
        for (number, length) in along.iter().enumerate() {
            for (times, sign) in [(1.0, 1), (-1.0, -1)] {
                let image = self.shifted(cell, first + number, shift.map(|n| n * sign));
                images.push((image, length + times * whole));
            }
        }

        // Both ends are one vertex, which is counted already.
        images.retain(|(image, _)| !(first..=last).contains(image));
        sort_by_key(&mut images, |image| image.0);
        images.dedup_by_key(|image| image.0);
        self.beyond.insert(rod.body, images);
    }

    /// Holds the angles between the segments of different rods at a vertex.
    fn weld(&mut self, corner: usize, arms: &[Arm]) {
        let place = self.vertices[corner].rest;
        let stiffness = |arm: &Arm| 2.0 * arm.rod.1 / (self.vertices[arm.tip].rest - place).norm();
        let all: Vec<f64> = arms.iter().map(stiffness).collect();
        let sum: f64 = all.iter().sum();
        for (j, one) in arms.iter().enumerate() {
            for (k, other) in arms.iter().enumerate().skip(j + 1) {
                // A rod that goes on here bends by itself.
                if one.rod.0 == other.rod.0 || sum <= 0.0 {
                    continue;
                }
                let stencil = [one.tip, corner, other.tip];
                let rest = stencil.map(|vertex| self.vertices[vertex].rest);
                let element = Bend::corner(all[j] * all[k] / sum, rest);
                self.add_bend(stencil, element);
            }
        }
    }

    /// Adds an element of bending.
    ///
    /// Its vertices may be images, which pass forces on to the vertices that they follow.
    fn add_bend(&mut self, stencil: [usize; 3], element: Bend) {
        let [_, rank] = RANKS;
        if let Some(sum) = self.elements.elastic.sums.at::<Bend, 3>(rank) {
            sum.push(stencil, element);
            self.elements.bends.push(stencil);
        }
    }

    /// True for each body that is a rod of a frame, `[bodies]`; empty without frames.
    pub(super) fn frames(&self) -> Vec<bool> {
        if !self.frames {
            return Vec::new();
        }
        let kinds = self.bodies.iter().map(|body| body.kind);
        kinds.map(|kind| kind == BodyKind::Rod).collect()
    }

    /// Moves all edges to begin at an original, and adds images of those of bodies in the neighbouring
    /// cells.
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

        // Images of the outlines of bodies; obstacles are the same everywhere.
        for shift in cell.neighbours() {
            for edge in &home {
                if self.bodies[owners[edge[0]]].kind.has_images() {
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
    pub(super) fn shifted(&mut self, cell: &mut Cell, vertex: usize, shift: Shift) -> usize {
        let copy = cell.copies[vertex].shifted(shift);
        let of = copy.of;
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
                let is_held = own.axes[axis]
                    && self.nodes[own.node].mass[axis] > 0.0
                    && self.coordinates.is_place(own.node);
                *is_free &= !(is_of_body && is_held);
            }
        }
        let mut bodies = self.bodies.iter().filter(|body| body.kind.has_images());
        let node = bodies.find_map(|body| {
            let mut nodes = body.nodes.clone();
            nodes.find(|&node| self.coordinates.is_place(node))
        });
        let (Some(node), true) = (node, axes != [false; 2]) else {
            return;
        };
        self.prescribed.push(Prescribed {
            axes,
            displacement: None,
            ..of_cell(node, self.nodes[node].q)
        });
    }

    /// Images as the map of coordinates takes them; the original of each is noted.
    ///
    /// From here on images follow their originals.
    fn lattice(&mut self, cell: &Cell, periods: [usize; 2]) -> Lattice {
        let mut images = cell.nodes.clone();
        self.originals = vec![None; cell.copies.len()];
        for (vertex, copy) in cell.copies.iter().enumerate() {
            if copy.of == vertex {
                continue;
            }
            self.originals[vertex] = Some(copy.of);
            if !self.coordinates.is_free(vertex) {
                continue;
            }
            let [node, of] = [vertex, copy.of].map(|i| self.coordinates.nodes_of(i).start);
            images.push(Image {
                node,
                of,
                shift: copy.shift,
            });

            // Bodies that go on across the period enclose no area by themselves.
            let mut bodies = self.bodies.iter();
            let own = bodies.position(|body| body.vertices.contains(&vertex));
            if let Some(body) = own.filter(|&body| self.bodies[body].kind.has_free_vertices()) {
                self.filled[body] = false;
            }
        }
        Lattice::new(periods, images)
    }

    /// Images of the surface.
    pub(super) fn images(&mut self) -> Images {
        let places = std::mem::take(&mut self.places);
        let cell = self.bodies.iter().find(|body| body.kind == BodyKind::Cell);
        match cell {
            Some(cell) if !places.is_empty() => {
                Images::new(places, &self.originals, cell.vertices.start)
            }
            _ => Images::default(),
        }
    }
}

/// A segment of a rod at a corner.
struct Arm {
    /// Its other end, at home or an image.
    tip: usize,
    /// Number of the body, and its bending stiffness `EI` (N m^2).
    rod: (usize, f64),
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
