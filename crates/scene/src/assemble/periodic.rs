//! Cells that repeat: vertices that are tied across the period, and images of surfaces.
//!
//! Two vertices of a body that deforms are one vertex of the endless pattern if they are exactly a
//! period apart. The one with the smaller number stays, and the others become its images. Edges of the
//! outline that lie on each other across the period are cuts through the material, and no surface. All
//! other edges get images in the neighbouring cells, which collide with what is at home.

use super::builder::{Builder, Node, Vertex};
use super::prescribed::steepest;
use crate::schema::{Periodic, Scene};
use ipcsim_contact::{Images, Place};
use ipcsim_core::body::{
    Body, BodyKind, Displacement, Image, Lattice, Load, Prescribed, Role, ScriptedMotion,
    TimeFunction,
};
use ipcsim_math::Vec2;
use ipcsim_math::groups::Groups;
use ipcsim_math::varying::{Table, Varying};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Distance at which vertices are the same, relative to the period (1).
const SAME: f64 = 1e-9;

/// Name of the body that holds the periods and the images.
const CELL: &str = "cell";

/// Numbers of periods between a vertex and its original.
type Shift = [i32; 2];

/// A vertex as an image of an original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Copied {
    /// Number of the original.
    of: usize,
    /// Number of periods from there.
    shift: Shift,
}

/// A force on a period that follows from a mean stress.
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

/// The cell while its images are made.
struct Cell {
    /// Periods at rest (m).
    periods: [Vec2; 2],
    /// Directions in which the scene repeats.
    repeats: [bool; 2],
    /// Each vertex as an image of an original; an original of itself. `[vertices]`
    copies: Vec<Copied>,
    /// Vertices by what they are images of.
    vertex: BTreeMap<Copied, usize>,
}

impl Builder {
    /// Ties vertices across the periods of a scene that repeats, and adds images of its surfaces.
    ///
    /// All bodies and obstacles have been added before.
    pub(super) fn repeat(&mut self, scene: &Scene) {
        let Some(periodic) = &scene.periodic else {
            return;
        };
        let mut cell = self.tied(periodic);
        self.cut_edges(&mut cell, scene.thickness);

        // The periods are the first two nodes of the cell.
        let vertices = self.vertices.len();
        let nodes = self.nodes.len();
        let whole: f64 = self.nodes.iter().map(|node| node.mass.x).sum();
        let is_static = scene.time.integrator.integrator().is_static();
        for period in cell.periods {
            let mass = Vec2::repeat(if is_static { whole } else { 0.0 });
            self.add_image_vertex(&mut cell, period, mass, None);
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

        self.drive_periods(periodic, scene, nodes, cell.periods);
        if is_static {
            self.hold_in_place(&cell);
        }
        self.set_lattice(&cell, [nodes, nodes + 1]);
    }

    /// Vertices of bodies that deform, tied where they are a period apart.
    fn tied(&self, periodic: &Periodic) -> Cell {
        let [x, y] = periodic.periods();
        let sizes = [x, y].map(|size| size.unwrap_or(f64::INFINITY));
        let mut boundary: Vec<usize> = self.edges.iter().flatten().copied().collect();
        boundary.sort_unstable();
        boundary.dedup();

        // Places within the cell, and who is at the same one.
        let within = |i: usize| {
            let at = self.vertices[i].rest;
            let fold = |at: f64, size: f64| {
                if size.is_infinite() {
                    return at;
                }
                let rest = at - (at / size).floor() * size;
                if size - rest < SAME * size {
                    rest - size
                } else {
                    rest
                }
            };
            Vec2::new(fold(at.x, sizes[0]), fold(at.y, sizes[1]))
        };
        let owners = self.owners();
        let mut places: Vec<(Vec2, usize)> = boundary
            .into_iter()
            .filter(|&i| self.bodies[owners[i]].kind == BodyKind::Solid)
            .map(|i| (within(i), i))
            .collect();
        places.sort_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1)));

        let tolerance = sizes.map(|size| if size.is_infinite() { 0.0 } else { SAME * size });
        let near = tolerance[0].max(tolerance[1]);
        let mut copies: Vec<Copied> = (0..self.vertices.len())
            .map(|of| Copied { of, shift: [0; 2] })
            .collect();
        let mut groups = Groups::new(copies.len());
        for (k, &(at, i)) in places.iter().enumerate() {
            let others = places[k + 1..].iter();
            for &(other, j) in others.take_while(|(other, _)| other.x - at.x <= near) {
                if (other.y - at.y).abs() > near || owners[i] != owners[j] {
                    continue;
                }
                groups.join(i, j);
            }
        }
        for (i, copy) in copies.iter_mut().enumerate() {
            copy.of = groups.root(i);
        }

        // Whole numbers of periods between tied vertices.
        for i in 0..copies.len() {
            let away = self.vertices[i].rest - self.vertices[copies[i].of].rest;
            copies[i].shift = [0, 1].map(|axis: usize| periods_of(away[axis] / sizes[axis]));
        }
        let vertex = copies
            .iter()
            .enumerate()
            .map(|(i, copy)| (*copy, i))
            .collect();
        let period = |axis: usize, size: f64| {
            let length = if size.is_infinite() { 1.0 } else { size };
            let mut period = Vec2::zeros();
            period[axis] = length;
            period
        };
        Cell {
            periods: [period(0, sizes[0]), period(1, sizes[1])],
            repeats: sizes.map(f64::is_finite),
            copies,
            vertex,
        }
    }

    /// Removes edges that lie on each other across a period, with their share of the boundary, and moves
    /// all others to begin at an original. What tied vertices have is passed on to their originals.
    fn cut_edges(&mut self, cell: &mut Cell, thickness: f64) {
        let edges = std::mem::take(&mut self.edges);
        let between = |cell: &Cell, [a, b]: [usize; 2]| {
            let [first, last] = [cell.copies[a], cell.copies[b]];
            let shift = [0, 1].map(|axis| last.shift[axis] - first.shift[axis]);
            (first.of, last.of, shift)
        };
        let all: BTreeSet<_> = edges.iter().map(|edge| between(cell, *edge)).collect();
        let mut kept = Vec::with_capacity(edges.len());
        for edge in edges {
            let (first, last, shift) = between(cell, edge);
            let is_cut = edge[0] != edge[1] && all.contains(&(last, first, shift.map(|n| -n)));
            if is_cut {
                let length = (self.vertices[edge[1]].rest - self.vertices[edge[0]].rest).norm();
                for end in edge {
                    self.vertices[end].weight -= 0.5 * length * thickness;
                }
            } else {
                kept.push(edge);
            }
        }

        // Masses and lengths of boundary belong to originals.
        for i in 0..cell.copies.len() {
            let Copied { of, .. } = cell.copies[i];
            if of != i {
                let node = self.coordinates.nodes_of(i).start;
                let original = self.coordinates.nodes_of(of).start;
                let mass = std::mem::take(&mut self.nodes[node].mass);
                self.nodes[original].mass += mass;
                self.nodes[node].q_dot = self.nodes[original].q_dot;
                let weight = std::mem::take(&mut self.vertices[i].weight);
                self.vertices[of].weight += weight;
            }
        }
        self.edges = kept;
    }

    /// Adds images of all edges of bodies that deform in the neighbouring cells.
    fn add_images(&mut self, cell: &mut Cell) {
        let owners = self.owners();
        let edges = std::mem::take(&mut self.edges);
        let mut home = Vec::with_capacity(edges.len());
        for edge in edges {
            let back = cell.copies[edge[0]].shift.map(|n| -n);
            home.push(edge.map(|end| self.shifted(cell, end, back)));
        }

        let range = |repeats: bool| if repeats { -1..=1 } else { 0..=0 };
        let mut images = Vec::new();
        for j in range(cell.repeats[1]) {
            for i in range(cell.repeats[0]) {
                if [i, j] == [0; 2] {
                    continue;
                }
                for edge in &home {
                    if self.bodies[owners[edge[0]]].kind == BodyKind::Solid {
                        images.push(edge.map(|end| self.shifted(cell, end, [i, j])));
                    }
                }
            }
        }

        self.places = places(cell, &home);
        self.edges = home;
        self.edges.extend(images);
    }

    /// Number of the vertex that is a vertex shifted by some periods; it is added if there is none.
    fn shifted(&mut self, cell: &mut Cell, vertex: usize, shift: Shift) -> usize {
        let Copied { of, shift: own } = cell.copies[vertex];
        let copy = Copied {
            of,
            shift: [0, 1].map(|axis| own[axis] + shift[axis]),
        };
        if let Some(&known) = cell.vertex.get(&copy) {
            return known;
        }
        let [first, second] = cell.periods;
        let way = first * f64::from(copy.shift[0]) + second * f64::from(copy.shift[1]);
        let place = self.vertices[of].rest + way;
        self.add_image_vertex(cell, place, Vec2::zeros(), Some(copy));
        self.vertices.len() - 1
    }

    /// Adds a vertex of the cell at a place (m), with its node.
    fn add_image_vertex(&mut self, cell: &mut Cell, rest: Vec2, mass: Vec2, copy: Option<Copied>) {
        let number = self.vertices.len();
        let mut vertex = Vertex::without_contact(rest);
        let mut q_dot = Vec2::zeros();
        if let Some(copy) = copy {
            let original = self.vertices[copy.of];
            vertex.weight = original.weight;
            vertex.radius = original.radius;
            q_dot = self.nodes[self.coordinates.nodes_of(copy.of).start].q_dot;
            cell.vertex.insert(copy, number);
        }
        let itself = Copied {
            of: number,
            shift: [0; 2],
        };
        cell.copies.push(copy.unwrap_or(itself));
        self.coordinates.add_free(1);
        self.vertices.push(vertex);
        self.nodes.push(Node {
            q: rest,
            q_dot,
            mass,
        });
    }

    /// Prescribes the components of both periods that have no stress, and gives the others their force.
    fn drive_periods(
        &mut self,
        periodic: &Periodic,
        scene: &Scene,
        first: usize,
        periods: [Vec2; 2],
    ) {
        let read = |number: Option<&crate::schema::Varying>| {
            let read = number.and_then(|number| number.read().ok());
            read.unwrap_or(Varying::Constant(0.0))
        };
        let [xx, yy, xy] = periodic.strains().map(read);
        let [along_x, along_y, shear] = periodic.stresses();
        let is_free = [
            [along_x.is_some(), false],
            [shear.is_some(), along_y.is_some()],
        ];
        let zero = Varying::Constant(0.0);
        let strains = [[xx, zero.clone()], [xy, yy]];
        let stresses = [[read(along_x), zero], [read(shear), read(along_y)]];

        let [width, height] = [periods[0].x, periods[1].y];
        let both = strains.into_iter().zip(stresses).zip(is_free);
        for (k, ((strain, stress), free)) in both.enumerate() {
            let node = first + k;
            let [length, across] = if k == 0 {
                [width, height]
            } else {
                [height, width]
            };
            let along = strain.map(|strain| scaled(strain, length));
            let fastest = along.iter().map(steepest).fold(0.0, f64::max);
            self.prescribed.push(Prescribed {
                node,
                role: Role::Point,
                start: periods[k],
                axes: free.map(|free| !free),
                motion: ScriptedMotion::REST,
                displacement: Some(Arc::new(Displacement { along, fastest })),
                from: 0.0,
                selection: Prescribed::OF_CELL,
            });
            if free != [false; 2] {
                let force = Box::new(Tension {
                    stress,
                    area: across * scene.thickness,
                });
                self.loads.push(Load { node, force });
            }
        }
    }

    /// Holds one vertex along the periods in statics, where nothing else says where the pattern is. Its
    /// reaction is 0, since forces within a cell balance.
    fn hold_in_place(&mut self, cell: &Cell) {
        let is_held = |axis: usize| {
            let mut all = self.prescribed.iter();
            all.any(|own| {
                own.selection != Prescribed::OF_CELL && own.axes[axis] && {
                    self.nodes[own.node].mass[axis] > 0.0
                }
            })
        };
        let axes = [0, 1].map(|axis| cell.repeats[axis] && !is_held(axis));
        let mut bodies = self.bodies.iter();
        let solid = bodies.find(|body| body.kind == BodyKind::Solid);
        let (Some(node), true) = (solid.map(|body| body.nodes.start), axes != [false; 2]) else {
            return;
        };
        self.prescribed.push(Prescribed {
            node,
            role: Role::Point,
            start: self.nodes[node].q,
            axes,
            motion: ScriptedMotion::REST,
            displacement: None,
            from: 0.0,
            selection: Prescribed::OF_CELL,
        });
    }

    /// Hands the images over to the map of coordinates, and notes the body of each.
    fn set_lattice(&mut self, cell: &Cell, periods: [usize; 2]) {
        let node = |vertex: usize| self.coordinates.nodes_of(vertex).start;
        let copies = cell.copies.iter().enumerate();
        let images = copies
            .filter(|(vertex, copy)| copy.of != *vertex)
            .map(|(vertex, copy)| Image {
                node: node(vertex),
                of: node(copy.of),
                shift: copy.shift,
            });
        let lattice = Lattice::new(periods, images.collect());
        self.coordinates.set_lattice(lattice);

        let copies = cell.copies.iter().enumerate();
        self.originals = copies
            .map(|(vertex, copy)| (copy.of != vertex).then_some(copy.of))
            .collect();
        // Bodies that go on across the period enclose no area by themselves.
        let owners = self.owners();
        for (vertex, _) in self
            .originals
            .iter()
            .enumerate()
            .filter(|(_, of)| of.is_some())
        {
            let body = owners[vertex];
            if self.bodies[body].vertices.contains(&vertex) {
                self.filled[body] = false;
            }
        }
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

/// Number of periods in a distance that is a multiple of a period; 0 without a period.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a distance within a few cells"
)]
fn periods_of(distance: f64) -> i32 {
    if distance.is_finite() {
        distance.round() as i32
    } else {
        0
    }
}

/// Places of all vertices of a cell with these edges at home.
fn places(cell: &Cell, home: &[[usize; 2]]) -> Vec<Place> {
    let place = |copy: &Copied| match copy.shift {
        [0, 0] => Place::Home,
        [i, j] if j > 0 || j == 0 && i > 0 => Place::Ahead,
        _ => Place::Away,
    };
    let mut places: Vec<Place> = cell.copies.iter().map(place).collect();
    for end in home.iter().flatten() {
        if places[*end] != Place::Home {
            places[*end] = Place::Seam;
        }
    }
    places
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
