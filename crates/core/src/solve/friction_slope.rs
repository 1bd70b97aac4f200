//! Derivatives of the friction at the end of a stage.
//!
//! Friction whose normal forces and tangents are those of the end is a force
//! `load f_1(|u|) sign(u) d` on coordinates, with the direction `d = J^T c` of each contact. It has no
//! potential: the load and the direction change with the coordinates, too, so that its derivative is
//! not symmetric. The derivatives of slip and direction by the coordinates of the few nodes of a
//! contact are differences of order 4 of their formulas ([`RubbingContacts`]), whose error is near
//! rounding; the load and the law `f_1` have derivatives in closed form.

use super::model::Model;
use super::potential::Potential;
use super::slip_start::Before;
use crate::body::Configuration;
use ipcsim_contact::{
    Anchored, Contacts, FrictionTable, Known, Lag, Resisted, Rubbing, RubbingContacts,
    SlidingContact, Turning,
};
use ipcsim_math::{Mat2, Vec2};

/// Share of the reach of a contact by which coordinates differ in differences. A larger one adds an error
/// of the formula, a smaller one of rounding; both are near 1e-10 of the derivative.
const SHARE: f64 = 1e-3;
/// Weights of differences of order 6, for loads, which vary within the reach of a contact.
const OF_REACH: [f64; 3] = [45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0];
/// Weights of differences of order 4, for slips and directions, which vary within the length of an edge.
const OF_LENGTH: [f64; 2] = [8.0 / 12.0, -1.0 / 12.0];

/// Coordinates by which friction is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The end of the stage.
    End,
    /// The end, the start and the state before it.
    All,
}

/// Friction of one contact at the end of a stage, to first order.
#[derive(Clone, Debug)]
pub struct FrictionSlope {
    /// Nodes of both sides.
    pub nodes: Vec<usize>,
    /// Direction on each node, `J^T c`.
    pub along: Vec<Vec2>,
    /// Coefficient times normal force (N).
    pub load: f64,
    /// Force `f_1(|u|) sign(u)` relative to the load, and its derivative (1/m).
    pub force: [f64; 2],
    /// Distance slid `u` and the distance at which friction is fully developed (m).
    pub slid: [f64; 2],
    /// Derivatives by the coordinates at the end.
    pub by_end: Changes,
    /// Derivatives by the coordinates at the start of the step, or for slip along the tangents there by
    /// the reference of the stage.
    pub by_start: Changes,
    /// Derivatives by the coordinates before the start; empty if they have no part.
    pub by_past: Changes,
    /// Vertices of both sides.
    pub vertices: [usize; 4],
    /// The anchor of a contact that has one.
    pub anchored: Option<Anchored>,
}

/// Derivatives by the coordinates of nodes.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Of the load (N/m), `[nodes]`.
    pub load: Vec<Vec2>,
    /// Of the distance slid (1), `[nodes]`.
    pub slid: Vec<Vec2>,
    /// Of the direction on each node (rows) by each node (columns), `[nodes, nodes]`.
    pub along: Vec<Mat2>,
}

impl Changes {
    /// Takes the derivatives by the node `other` from those by the node `last`, of `count` nodes.
    fn oppose(&mut self, last: usize, other: usize, count: usize) {
        let [load, slid] = [self.load[other], self.slid[other]];
        self.load[last] -= load;
        self.slid[last] -= slid;
        for row in 0..count {
            let block = self.along[row * count + other];
            self.along[row * count + last] -= block;
        }
    }
}

/// Configurations that friction depends on, and buffers.
struct Places<'a> {
    model: &'a Model,
    table: &'a FrictionTable,
    /// Time in which bodies slide (s).
    time: f64,
    /// True if slip is measured in frames that turn.
    turns: bool,
    /// At the end, at the start, and before it.
    at: [Configuration; 3],
    /// Share of the slip to the configuration before that does not count.
    share: f64,
    /// Positions on tangents of the start, of the end and of the configuration before.
    spun: [Vec<Vec2>; 2],
    /// Vertices of the present contact and those that move with them.
    vertices: Vec<usize>,
    /// True if the present contact depends on positions on tangents.
    spins: bool,
}

/// Load, slip and direction of one part of a contact.
#[derive(Default)]
struct Parts {
    /// Coefficient times normal force (N).
    load: f64,
    /// Distance slid (m).
    slid: f64,
    /// Direction on each node.
    along: Vec<Vec2>,
}

impl Parts {
    /// Becomes nothing on this number of nodes.
    fn clear(&mut self, nodes: usize) {
        self.load = 0.0;
        self.slid = 0.0;
        self.along.clear();
        self.along.resize(nodes, Vec2::zeros());
    }
}

/// Friction of all `contacts` at the end `at` of a stage of a potential, to first order.
///
/// # Errors
/// The name of a measure of slip whose derivatives are not known.
pub fn friction_slopes(
    potential: &Potential,
    table: &FrictionTable,
    contacts: &Contacts,
    at: &Configuration,
    by: By,
) -> Result<Vec<FrictionSlope>, &'static str> {
    let mut slopes = Vec::new();
    if table.is_frictionless() || contacts.is_empty() {
        return Ok(slopes);
    }
    let mut places = Places::new(potential, table, at)?;
    let surface = &potential.model.surface;
    let mut rubbing = RubbingContacts::new(surface, contacts);
    for k in 0..rubbing.len() {
        let vertices = rubbing.vertices(k);
        let bodies = [
            surface.body[vertices[0]],
            surface.body[vertices[vertices.len() - 1]],
        ];
        let nodes = places.look_at(&vertices);
        let found = places.rubbing(&mut rubbing, k);
        let reach = if bodies[0] == bodies[1] {
            surface.self_d_hat[vertices[0]]
        } else {
            potential.barriers.reach(surface, bodies[0], bodies[1])
        };
        for part in found.iter().filter(|part| part.load > 0.0) {
            let step = SHARE * reach;
            slopes.push(places.slope(&mut rubbing, k, part, &nodes, (step, by)));
        }
    }
    Ok(slopes)
}

impl<'a> Places<'a> {
    /// Configurations of a stage that ends `at`.
    fn new(
        potential: &Potential<'a>,
        table: &'a FrictionTable,
        at: &Configuration,
    ) -> Result<Self, &'static str> {
        let stage = potential.stage;
        let (start, before) = match &stage.slip {
            Some(slip) => (&slip.at, slip.before(potential.model)?),
            None => (&stage.reference, None),
        };
        let Before { share, at: past } = before.unwrap_or_else(|| Before {
            share: 0.0,
            at: start.clone(),
        });
        Ok(Self {
            model: potential.model,
            table,
            time: stage.slip_time,
            turns: stage.slip.is_some(),
            spun: [at.x.clone(), past.x.clone()],
            at: [at.clone(), start.clone(), past],
            share,
            vertices: Vec::new(),
            spins: true,
        })
    }

    /// Prepares for a contact of these vertices, and returns the nodes that they move with.
    fn look_at(&mut self, vertices: &[usize]) -> Vec<usize> {
        let coordinates = &self.model.coordinates;
        let surface = &self.model.surface;
        let body = &surface.body;
        self.vertices = vertices.to_vec();
        for &vertex in vertices {
            let near = [vertex.checked_sub(1), Some(vertex + 1)];
            let near = near.into_iter().flatten();
            let moved = near.filter(|&i| body.get(i) == Some(&body[vertex]));
            self.vertices.extend(moved);
        }
        self.vertices.sort_unstable();
        self.vertices.dedup();

        // Turning frames need the tangents only for the turns of circles.
        let mut disks = vertices.iter().filter_map(|&i| surface.disk_at(i));
        self.spins = !self.turns || disks.next().is_some();
        self.spin(None);
        let nodes = vertices.iter().flat_map(|&i| coordinates.nodes_of(i));
        let mut nodes: Vec<usize> = nodes.collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Motion between the present places, for slip in frames that turn.
    fn turning(&self) -> Turning<'_> {
        let past = &self.at[2];
        let [spun, past_spun] = &self.spun;
        let known = if self.share == 0.0 {
            Known::Nothing
        } else {
            Known::Share {
                share: self.share,
                x: &past.x,
                spun: past_spun,
            }
        };
        Turning { spun, known }
    }

    /// Friction of the contact `k` at the present places.
    fn rubbing(&self, contacts: &mut RubbingContacts, k: usize) -> Vec<Rubbing> {
        let [end, start, _] = &self.at;
        let lag = Lag {
            turning: self.turns.then(|| self.turning()),
            ..Lag::along_tangents(self.table, &start.x, self.time)
        };
        let y = if self.turns { &end.x } else { &self.spun[0] };
        contacts.at(k, lag, [&end.x, y]).into_vec()
    }

    /// Writes the positions of the present vertices on tangents of the start, or of those only that move
    /// with a node.
    fn spin(&mut self, by: Option<usize>) {
        if !self.spins {
            return;
        }
        let coordinates = &self.model.coordinates;
        let [end, start, past] = &self.at;
        for &vertex in &self.vertices {
            if by.is_some_and(|node| !coordinates.nodes_of(vertex).contains(&node)) {
                continue;
            }
            for (spun, to) in self.spun.iter_mut().zip([end, past]) {
                let mut at = start.x[vertex];
                for node in coordinates.nodes_of(vertex) {
                    let way = to.q[node] - start.q[node];
                    at += coordinates.jacobian(start, vertex, node) * way;
                }
                spun[vertex] = at;
            }
        }
    }

    /// Writes load, slip and direction of the part of the contact `k` that resists a motion; the slip without belts
    /// and anchors, which do not change.
    fn find(
        &self,
        contacts: &mut RubbingContacts,
        k: usize,
        resisted: Resisted,
        nodes: &[usize],
        out: &mut Parts,
    ) {
        let [end, start, _] = &self.at;
        out.clear(nodes.len());
        match resisted {
            Resisted::Sliding => {
                if let Some(frame) = contacts.sliding(k, &end.x) {
                    self.slide(&frame, nodes, out);
                }
            }
            Resisted::Rolling => {
                let found = self.rubbing(contacts, k);
                if let Some(part) = found.into_iter().find(|part| part.resisted == resisted) {
                    let tangent_at = if self.turns { end } else { start };
                    out.load = part.load;
                    out.slid = part.slid;
                    self.add_by_nodes(&part.weights, tangent_at, nodes, &mut out.along);
                }
            }
        }
    }

    /// Writes load, slip and direction of a contact that slides, with the frame that it has at the end.
    fn slide(&self, frame: &SlidingContact, nodes: &[usize], out: &mut Parts) {
        let [end, start, _] = &self.at;
        out.load = frame.load(self.table);
        let (weights, tangent_at) = if self.turns {
            out.slid = frame.slid(&start.x, self.turning(), &end.x);
            (frame.weights(&end.x), end)
        } else {
            let weights = frame.weights(&start.x);
            let spun = &self.spun[0];
            let slid = weights
                .iter()
                .map(|(i, c)| c.dot(&(spun[*i] - start.x[*i])));
            out.slid = slid.sum();
            (weights, start)
        };
        self.add_by_nodes(&weights, tangent_at, nodes, &mut out.along);
    }

    /// First order of a part of the contact `k`, by differences of positions by `step` (m).
    fn slope(
        &mut self,
        contacts: &mut RubbingContacts,
        k: usize,
        part: &Rubbing,
        nodes: &[usize],
        (step, by): (f64, By),
    ) -> FrictionSlope {
        let mut here = Parts::default();
        self.find(contacts, k, part.resisted, nodes, &mut here);
        let u = part.slid;

        // Where friction is fully developed the slip counts for nothing, nor does its start.
        let slides = part.law.slope(u.abs()) == 0.0 && u.abs() >= part.law.full;
        let past = match by {
            By::All if slides && self.turns => 1,
            By::End => 1,
            By::All if self.share == 0.0 => 2,
            By::All => 3,
        };
        let order = if part.growth.is_some() {
            &OF_LENGTH[..]
        } else {
            &OF_REACH[..]
        };
        let mut changes: [Changes; 3] = Default::default();
        for (which, changes) in changes.iter_mut().enumerate().take(past) {
            *changes = self.changes(contacts, (k, part.resisted), nodes, which, (step, order));
        }
        let [mut by_end, by_start, by_past] = changes;
        if let Some(growth) = &part.growth {
            by_end.load = self.by_nodes(growth, nodes);
        }
        FrictionSlope {
            nodes: nodes.to_vec(),
            along: here.along,
            load: here.load,
            force: [part.law.force(u.abs()).copysign(u), part.law.slope(u.abs())],
            slid: [u, part.law.full],
            by_end,
            by_start,
            by_past,
            vertices: part.vertices,
            anchored: part.anchored,
        }
    }

    /// Derivative by nodes at the end from that by vertices.
    fn by_nodes(&self, by_vertices: &[(usize, Vec2)], nodes: &[usize]) -> Vec<Vec2> {
        let mut by_nodes = vec![Vec2::zeros(); nodes.len()];
        self.add_by_nodes(by_vertices, &self.at[0], nodes, &mut by_nodes);
        by_nodes
    }

    /// Adds the derivative by nodes at a configuration to `out`, `[nodes]`, from that by vertices.
    fn add_by_nodes(
        &self,
        by_vertices: &[(usize, Vec2)],
        at: &Configuration,
        nodes: &[usize],
        out: &mut [Vec2],
    ) {
        let coordinates = &self.model.coordinates;
        for (vertex, by) in by_vertices {
            for node in coordinates.nodes_of(*vertex) {
                let jacobian = coordinates.jacobian(at, *vertex, node);
                if let Ok(k) = nodes.binary_search(&node) {
                    out[k] += jacobian.tr_mul(by);
                }
            }
        }
    }

    /// Derivatives by the coordinates of one of the configurations.
    fn changes(
        &mut self,
        contacts: &mut RubbingContacts,
        (k, resisted): (usize, Resisted),
        nodes: &[usize],
        which: usize,
        (step, order): (f64, &[f64]),
    ) -> Changes {
        let count = nodes.len();
        let mut changes = Changes {
            load: vec![Vec2::zeros(); count],
            slid: vec![Vec2::zeros(); count],
            along: vec![Mat2::zeros(); count * count],
        };

        let translating = self.translating(&contacts.vertices(k));
        let last = translating.last().copied();

        // Where the end stays the frame stays, and in a frame that turns load and direction do, too.
        let is_kept = resisted == Resisted::Sliding && which > 0;
        let frame = is_kept
            .then(|| contacts.sliding(k, &self.at[0].x))
            .flatten();
        let mut there = Parts::default();
        for (column, &node) in nodes.iter().enumerate() {
            if Some(node) == last {
                continue;
            }
            for axis in 0..2 {
                let reach = self.arm(which, node, axis);
                if reach <= 0.0 {
                    continue;
                }
                let step = step / reach;
                let before = self.at[which].q[node][axis];
                for (far, weight) in (1_u8..).zip(order) {
                    for side in [1.0, -1.0] {
                        self.move_to(which, node, axis, before + side * f64::from(far) * step);
                        match &frame {
                            Some(frame) if self.turns => {
                                let [end, start, _] = &self.at;
                                there.slid = frame.slid(&start.x, self.turning(), &end.x);
                            }
                            Some(frame) => {
                                there.clear(count);
                                self.slide(frame, nodes, &mut there);
                            }
                            None => self.find(contacts, k, resisted, nodes, &mut there),
                        }
                        let weight = side * weight / step;
                        changes.load[column][axis] += weight * there.load;
                        changes.slid[column][axis] += weight * there.slid;
                        for (row, along) in there.along.iter().enumerate() {
                            let block = &mut changes.along[row * count + column];
                            block[(0, axis)] += weight * along.x;
                            block[(1, axis)] += weight * along.y;
                        }
                    }
                }
                self.move_to(which, node, axis, before);
            }
        }

        // Nothing changes where all sides move alike.
        if let Some(last) = last.and_then(|last| nodes.binary_search(&last).ok()) {
            let others = translating
                .iter()
                .filter_map(|node| nodes.binary_search(node).ok());
            for other in others.filter(|&other| other != last) {
                changes.oppose(last, other, count);
            }
        }
        changes
    }

    /// Largest distance that a vertex of the contact moves per unit of a coordinate.
    fn arm(&self, which: usize, node: usize, axis: usize) -> f64 {
        let coordinates = &self.model.coordinates;
        let at = &self.at[which];
        let moved = self.vertices.iter();
        let moved = moved.filter(|&&i| coordinates.nodes_of(i).contains(&node));
        let moved = moved.map(|&i| coordinates.jacobian(at, i, node).column(axis).norm());
        moved.fold(0.0, f64::max)
    }

    /// Sets a coordinate of one of the configurations.
    fn move_to(&mut self, which: usize, node: usize, axis: usize, value: f64) {
        let coordinates = &self.model.coordinates;
        let Configuration { q, x } = &mut self.at[which];
        q[node][axis] = value;
        coordinates.positions_with(coordinates.vertex_of(node), q, x);
        self.spin(Some(node));
    }

    /// Nodes whose common translation moves all vertices of a contact alike, which changes nothing; empty if
    /// there are none.
    fn translating(&self, vertices: &[usize]) -> Vec<usize> {
        let coordinates = &self.model.coordinates;
        let mut nodes = Vec::new();
        for &vertex in vertices {
            let node = coordinates.nodes_of(vertex).start;
            let moves =
                |at: &Configuration| coordinates.jacobian(at, vertex, node) == Mat2::identity();
            if !self.at.iter().all(moves) {
                return Vec::new();
            }
            nodes.push(node);
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}
