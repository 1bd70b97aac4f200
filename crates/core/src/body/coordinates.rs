//! Map from the coordinates of all bodies to the positions of all vertices, with derivatives.
//!
//! Coordinates come in 2-vectors, called nodes, so that the Newton matrix has 2x2 blocks for every
//! kind of body. A free vertex is its own node. The vertices of a reduced body follow from a few
//! nodes by its [`Kinematics`].
//!
//! Energies are functions of the positions `x`. With the Jacobian `J = dx/dq` and an energy
//! `E(x(q))`
//!
//! - the gradient is `J^T dE/dx` ([`Coordinates::pull_back`]);
//! - the Hessian is `J^T (d2E/dx2) J + sum_i dE/dx_i . d2x_i/dq2`. Only rotations have the second
//!   term ([`Coordinates::curvatures`]).
//!
//! A search direction `p` moves the vertices by `J p` to first order
//! ([`Coordinates::displacements`]). The vertices of a rotating body move on arcs, which collision
//! detection follows ([`Coordinates::turns`]).

use super::Kinematics;
use super::lattice::Lattice;
use ipcsim_math::elementary::rotation;
use ipcsim_math::geometry::path::Turn;
use ipcsim_math::{Mat2, Vec2, perp};
use std::borrow::Cow;
use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::Arc;

/// Coordinates of all bodies, and the positions that follow from them.
///
/// The two always belong together: after a change of `q`, `x` is computed again.
#[derive(Debug, Default, PartialEq)]
pub struct Configuration {
    /// Coordinates of all bodies, `[nodes]` (m). The second node of a rigid body holds its angle
    /// (rad) and 0.
    pub q: Vec<Vec2>,
    /// Positions of all vertices (m), `[vertices]`.
    pub x: Vec<Vec2>,
}

impl Clone for Configuration {
    fn clone(&self) -> Self {
        Self {
            q: self.q.clone(),
            x: self.x.clone(),
        }
    }

    /// Copies without allocating, which a derived `Clone` would not do.
    fn clone_from(&mut self, other: &Self) {
        self.q.clone_from(&other.q);
        self.x.clone_from(&other.x);
    }
}

impl Configuration {
    /// A configuration with room for the nodes and vertices of `coordinates`, all zero.
    pub fn zero(coordinates: &Coordinates) -> Self {
        Self {
            q: vec![Vec2::zeros(); coordinates.nodes()],
            x: vec![Vec2::zeros(); coordinates.vertices()],
        }
    }

    /// Configuration with the coordinates `q` (`[nodes]`) and the positions that follow from them.
    /// Images of other nodes are made to follow them.
    pub fn of(coordinates: &Coordinates, mut q: Vec<Vec2>) -> Self {
        coordinates.follow(&mut q);
        let mut x = vec![Vec2::zeros(); coordinates.vertices()];
        coordinates.positions(&q, &mut x);
        Self { q, x }
    }
}

/// A body whose vertices follow from a few nodes.
#[derive(Debug)]
struct Reduced {
    /// Numbers of the body's vertices.
    vertices: Range<usize>,
    /// Numbers of the body's nodes.
    nodes: Range<usize>,
    /// Map from the nodes to the vertices.
    kinematics: Arc<dyn Kinematics>,
    /// True if the body is rigid, see [`Kinematics::has_arms`].
    has_arms: bool,
    /// True for the image of another body across the periods.
    is_image: bool,
    /// Places of the images of this body among all.
    images: Vec<usize>,
}

/// Map `x = x(q)` of all bodies, and the derivatives of energies through it.
///
/// Bodies are added in the order of their vertices; their nodes have the same order.
#[derive(Debug, Default)]
pub struct Coordinates {
    /// Bodies whose vertices are not free, in the order of their vertices.
    reduced: Vec<Reduced>,
    /// For each vertex the first node that it moves with.
    first: Vec<usize>,
    /// For each vertex 0 if it is free, otherwise 1 plus the index of its body in `reduced`.
    owner: Vec<u32>,
    /// For each node one vertex that moves with it.
    vertex: Vec<usize>,
    /// Periods and images of nodes, in a scene that repeats.
    lattice: Option<Arc<Lattice>>,
}

impl Coordinates {
    /// Adds `count` free vertices, each its own node.
    pub fn add_free(&mut self, count: usize) {
        for _ in 0..count {
            self.vertex.push(self.first.len());
            self.first.push(self.vertex.len() - 1);
            self.owner.push(0);
        }
    }

    /// Adds a body of `count` vertices that follow from its nodes. Returns the numbers of the
    /// nodes.
    pub fn add_reduced(&mut self, count: usize, kinematics: Box<dyn Kinematics>) -> Range<usize> {
        self.add_shared(count, kinematics.into())
    }

    /// [`Coordinates::add_reduced`] with a map that other bodies may have as well.
    fn add_shared(&mut self, count: usize, kinematics: Arc<dyn Kinematics>) -> Range<usize> {
        let first_vertex = self.first.len();
        let first_node = self.vertex.len();
        let nodes = first_node..first_node + kinematics.nodes();

        // All nodes and all vertices of a reduced body depend on each other.
        self.vertex.extend(nodes.clone().map(|_| first_vertex));
        self.first.extend((0..count).map(|_| first_node));

        let vertices = first_vertex..first_vertex + count;
        self.reduced.push(Reduced {
            vertices,
            nodes: nodes.clone(),
            has_arms: kinematics.has_arms(),
            kinematics,
            is_image: false,
            images: Vec::new(),
        });

        // The number 0 stands for free vertices, so the index of the body is one less.
        let owner = u32::try_from(self.reduced.len()).unwrap_or(u32::MAX);
        self.owner.extend((0..count).map(|_| owner));
        nodes
    }

    /// Adds an image of the body of a `vertex`, which moves with separate nodes. Returns their numbers,
    /// which [`Coordinates::set_lattice`] ties to the body's; `None` for a free vertex.
    pub fn add_image(&mut self, vertex: usize) -> Option<Range<usize>> {
        let original = (self.owner[vertex] as usize).checked_sub(1)?;
        let Reduced {
            vertices,
            kinematics,
            ..
        } = self.reduced.get(original)?;
        let nodes = self.add_shared(vertices.len(), Arc::clone(kinematics));
        let last = self.reduced.len() - 1;
        self.reduced[last].is_image = true;
        self.reduced[original].images.push(last);
        Some(nodes)
    }

    /// Makes some nodes images of others across the periods: nodes of free vertices and of images of bodies.
    pub fn set_lattice(&mut self, lattice: Lattice) {
        self.lattice = Some(Arc::new(lattice));
    }

    /// Periods and images of nodes; `None` in a scene that does not repeat.
    #[inline]
    pub fn lattice(&self) -> Option<&Arc<Lattice>> {
        self.lattice.as_ref()
    }

    /// True if a node is a place in the plane, as a free vertex or the centre of a body is, or a period.
    ///
    /// Others are an angle, a column of a linear map or amplitudes.
    pub fn is_place(&self, node: usize) -> bool {
        let body = self.body_of(self.vertex[node]);
        body.is_none_or(|body| body.kinematics.lift(node - body.nodes.start) == Mat2::identity())
    }

    /// True if a vertex moves with images of nodes.
    #[inline]
    pub fn is_image(&self, vertex: usize) -> bool {
        let lattice = self.lattice.as_ref();
        lattice.is_some_and(|lattice| lattice.image(self.first[vertex]).is_some())
    }

    /// Makes images follow, among the coordinates, displacements or velocities of all nodes, `[nodes]`.
    pub fn follow(&self, of_nodes: &mut [Vec2]) {
        if let Some(lattice) = &self.lattice {
            lattice.follow(of_nodes);
        }
    }

    /// Passes the derivative by each image on to the nodes that it follows, `[nodes]`.
    pub fn fold(&self, by_nodes: &mut [Vec2]) {
        if let Some(lattice) = &self.lattice {
            lattice.fold(by_nodes);
        }
    }

    /// Writes what images of free vertices follow to these, `[vertices]`.
    fn place_images(&self, of_nodes: &[Vec2], out: &mut [Vec2]) {
        let Some(lattice) = &self.lattice else { return };
        for image in lattice.images() {
            let vertex = self.vertex[image.node];
            if self.is_free(vertex) {
                out[vertex] = lattice.value(image.node, of_nodes);
            }
        }
    }

    /// Values of the nodes of a reduced body among all nodes, `[nodes]`; an image follows.
    fn own_nodes<'a>(&self, body: &Reduced, of_nodes: &'a [Vec2]) -> Cow<'a, [Vec2]> {
        match &self.lattice {
            Some(lattice) if body.is_image => {
                let own = body.nodes.clone();
                Cow::Owned(own.map(|node| lattice.value(node, of_nodes)).collect())
            }
            _ => Cow::Borrowed(&of_nodes[body.nodes.clone()]),
        }
    }

    /// Number of nodes of all bodies.
    pub fn nodes(&self) -> usize {
        self.vertex.len()
    }

    /// Number of vertices of all bodies.
    pub fn vertices(&self) -> usize {
        self.first.len()
    }

    /// True if every vertex is free. Then `x = q`.
    pub fn all_free(&self) -> bool {
        self.reduced.is_empty()
    }

    /// True if `vertex` is free. Its node then holds its position.
    #[inline]
    pub fn is_free(&self, vertex: usize) -> bool {
        self.owner[vertex] == 0
    }

    /// Numbers of the nodes that `vertex` moves with: one if it is free.
    #[inline]
    pub fn nodes_of(&self, vertex: usize) -> Range<usize> {
        match self.body_of(vertex) {
            None => self.first[vertex]..self.first[vertex] + 1,
            Some(body) => body.nodes.clone(),
        }
    }

    /// A vertex that moves with `node`; the body's first vertex if the body is reduced.
    pub fn vertex_of(&self, node: usize) -> usize {
        self.vertex[node]
    }

    /// Path of each vertex: 0 if it is straight, otherwise 1 plus its place in
    /// [`Coordinates::turns`]. Empty if all vertices are free and all paths straight.
    pub fn turn_of(&self) -> &[u32] {
        if self.reduced.is_empty() {
            &[]
        } else {
            &self.owner
        }
    }

    /// The reduced body that `vertex` belongs to; `None` if the vertex is free.
    #[inline]
    fn body_of(&self, vertex: usize) -> Option<&Reduced> {
        self.reduced
            .get((self.owner[vertex] as usize).wrapping_sub(1))
    }

    /// Writes the positions (m, `[vertices]`) at the coordinates `q` (`[nodes]`).
    pub fn positions(&self, q: &[Vec2], x: &mut [Vec2]) {
        if self.all_free() {
            x.copy_from_slice(q);
            return self.place_images(q, x);
        }

        // Free vertices are their nodes, the others follow.
        for (i, x) in x.iter_mut().enumerate().filter(|(i, _)| self.is_free(*i)) {
            *x = q[self.first[i]];
        }
        for body in &self.reduced {
            let own = self.own_nodes(body, q);
            body.kinematics
                .positions(&own, &mut x[body.vertices.clone()]);
        }
        self.place_images(q, x);
    }

    /// Writes the positions (m, `[vertices]`) of all vertices that move with a `vertex`, at the
    /// coordinates `q` (`[nodes]`).
    pub fn positions_with(&self, vertex: usize, q: &[Vec2], x: &mut [Vec2]) {
        let Some(body) = self.body_of(vertex) else {
            x[vertex] = q[self.first[vertex]];
            return;
        };
        body.kinematics
            .positions(&q[body.nodes.clone()], &mut x[body.vertices.clone()]);
    }

    /// Writes the displacements `J p` of all vertices (`[vertices]`) to first order in `p`
    /// (`[nodes]`).
    pub fn displacements(&self, at: &Configuration, p: &[Vec2], out: &mut [Vec2]) {
        if self.all_free() {
            out.copy_from_slice(p);
            return self.place_images(p, out);
        }

        for (i, out) in out.iter_mut().enumerate().filter(|(i, _)| self.is_free(*i)) {
            *out = p[self.first[i]];
        }

        for body in &self.reduced {
            let nodes = body.nodes.clone();
            let vertices = body.vertices.clone();
            body.kinematics.displacements(
                &at.q[nodes],
                &at.x[vertices.clone()],
                &self.own_nodes(body, p),
                &mut out[vertices],
            );
        }
        self.place_images(p, out);
    }

    /// Adds `J^T gradient` to `out` (`[nodes]`).
    ///
    /// This turns the derivative of an energy with respect to positions (`[vertices]`) into the
    /// derivative with respect to coordinates.
    pub fn pull_back(&self, at: &Configuration, gradient: &[Vec2], out: &mut [Vec2]) {
        // The Jacobian of a free vertex is the identity.
        for (i, g) in gradient.iter().enumerate() {
            if self.is_free(i) {
                out[self.first[i]] += g;
            }
        }

        for body in &self.reduced {
            let nodes = body.nodes.clone();
            let vertices = body.vertices.clone();
            body.kinematics.pull_back(
                &at.q[nodes.clone()],
                &at.x[vertices.clone()],
                &gradient[vertices],
                &mut out[nodes],
            );
        }
        self.fold(out);
    }

    /// Jacobian block `dx/dq` of `vertex` for `node`, which is one of [`Coordinates::nodes_of`] the
    /// vertex. The identity if the vertex is free.
    #[inline]
    pub fn jacobian(&self, at: &Configuration, vertex: usize, node: usize) -> Mat2 {
        self.body_of(vertex)
            .map_or_else(Mat2::identity, |body| body.jacobian(at, vertex, node))
    }

    /// Adds `by dx/dq` to the first of `out`, one for each node that `vertex` moves with, for the
    /// derivative `by` of a pair of numbers by its position.
    #[inline]
    pub fn chain(&self, at: &Configuration, vertex: usize, by: &Mat2, out: &mut [Mat2]) {
        let Some(body) = self.body_of(vertex) else {
            out[0] += by;
            return;
        };
        let nodes = body.nodes.clone();
        let out = &mut out[..nodes.len()];
        let number = vertex - body.vertices.start;
        body.kinematics
            .chain(&at.q[nodes], at.x[vertex], number, by, out);
    }

    /// First of the two nodes of a vertex of a rigid body, and its arm (m), see
    /// [`Kinematics::has_arms`]; `None` if it is of none.
    #[inline]
    pub fn arm(&self, at: &Configuration, vertex: usize) -> Option<(usize, Vec2)> {
        let body = self.body_of(vertex)?;
        let center = body.nodes.start;
        body.has_arms
            .then(|| (center, perp(at.x[vertex] - at.q[center])))
    }

    /// Curvatures of all angles for the `gradient` (`[vertices]`) of an energy with respect to
    /// positions (see [`Kinematics::curvature`]): each node, and the value for its first component.
    /// Images of a body turn with it and add to its value.
    pub fn curvatures(
        &self,
        at: &Configuration,
        gradient: &[Vec2],
    ) -> impl Iterator<Item = (usize, f64)> {
        let of_one = |body: &Reduced| {
            let q = &at.q[body.nodes.clone()];
            let x = &at.x[body.vertices.clone()];
            body.kinematics
                .curvature(q, x, &gradient[body.vertices.clone()])
        };
        let originals = self.reduced.iter().filter(|body| !body.is_image);
        originals.filter_map(move |body| {
            let (node, value) = of_one(body)?;
            let images = body.images.iter();
            let images = images.filter_map(|&image| of_one(&self.reduced[image]));
            let value = images.fold(value, |sum, (_, more)| sum + more);
            Some((body.nodes.start + node, value))
        })
    }

    /// Motion of every reduced body from `q` to `q + p`, in the form that
    /// [`ipcsim_math::geometry::path::Sweep`] takes. `None` for a body whose vertices move on straight
    /// lines.
    pub fn turns(&self, q: &[Vec2], p: &[Vec2]) -> Vec<Option<Turn>> {
        let motions = self.reduced.iter().map(|body| {
            let nodes = body.nodes.clone();
            body.kinematics.turning(&q[nodes.clone()], &p[nodes])
        });
        motions.map(|motion| motion.map(Turn::from)).collect()
    }

    /// Node of the angle of the rigid body that `vertex` belongs to; `None` if it belongs to none.
    pub fn angle_node(&self, vertex: usize) -> Option<usize> {
        let body = self.body_of(vertex)?;
        body.has_arms.then(|| body.nodes.start + 1)
    }

    /// Nodes of the centre and of the angle of each rigid body, without images.
    pub fn rigid_nodes(&self) -> impl Iterator<Item = [usize; 2]> {
        let originals = self.reduced.iter().filter(|body| !body.is_image);
        let rigid = originals.filter(|body| body.has_arms);
        rigid.map(|body| [body.nodes.start, body.nodes.start + 1])
    }

    /// Writes the part of the motion `flight` (m; of angles rad), `[nodes]`, between two fractions of a
    /// step, where the displacement of each rigid body turns along with it, as on an arc about any
    /// place. The displacement has the direction of a time that is `behind` the start of the step, as
    /// a fraction of it.
    pub fn turn_along(&self, flight: &[Vec2], [from, to]: [f64; 2], behind: f64, p: &mut [Vec2]) {
        for (p, flight) in p.iter_mut().zip(flight) {
            *p = flight * (to - from);
        }
        for [center, angle] in self.rigid_nodes() {
            let turn = flight[angle].x * (0.5 * (from + to) + behind);
            p[center] = rotation(turn) * p[center];
        }
    }

    /// Largest number of turns that a body makes from `q` to `q + p`, after a vertex of that body.
    ///
    /// `None` if no body has an angle. An angle that is not a number counts as infinitely many
    /// turns.
    pub fn most_turns(&self, q: &[Vec2], p: &[Vec2]) -> Option<(usize, f64)> {
        let turns = self.reduced.iter().filter_map(|body| {
            let nodes = body.nodes.clone();
            let motion = body.kinematics.turning(&q[nodes.clone()], &p[nodes])?;

            // An undefined angle must not lose against numbers.
            let turns = (motion.angle / TAU).abs();
            let turns = if turns.is_nan() { f64::INFINITY } else { turns };
            Some((body.vertices.start, turns))
        });
        turns.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Largest squared distance that a vertex moves per unit of the first component of `node`: m^2
    /// for an angle, 1 for a free vertex.
    pub fn reach(&self, at: &Configuration, node: usize) -> f64 {
        let body = self.body_of(self.vertex[node]);
        body.map_or(1.0, |body| {
            body.vertices
                .clone()
                .map(|i| body.jacobian(at, i, node).column(0).norm_squared())
                .fold(0.0, f64::max)
        })
    }

    /// Matrix from a uniform acceleration of the body to the acceleration of `node`; see
    /// [`Kinematics::lift`]. The identity for a free vertex, and 0 for a period, which is not a place.
    pub fn lift(&self, node: usize) -> Mat2 {
        let mut periods = self.lattice.iter().flat_map(|lattice| lattice.periods());
        if periods.any(|period| period == node) {
            return Mat2::zeros();
        }
        let body = self.body_of(self.vertex[node]);
        body.map_or_else(Mat2::identity, |body| {
            body.kinematics.lift(node - body.nodes.start)
        })
    }

    /// Velocities of all nodes (`[nodes]`; m/s, of angles rad/s) where all bodies turn about the
    /// origin at 1 rad/s; see [`Kinematics::spin`]. A free vertex has `perp(x)`.
    pub fn spin(&self, at: &Configuration) -> Vec<Vec2> {
        let mut spin: Vec<Vec2> = at.q.iter().map(|q| perp(*q)).collect();
        for period in self.lattice.iter().flat_map(|lattice| lattice.periods()) {
            spin[period] = Vec2::zeros();
        }
        for body in &self.reduced {
            let nodes = body.nodes.clone();
            let x = &at.x[body.vertices.clone()];
            body.kinematics
                .spin(&at.q[nodes.clone()], x, &mut spin[nodes]);
        }
        spin
    }

    /// Pairs of nodes that belong to one reduced body or image, each pair once, the larger number first.
    pub fn coupled(&self) -> impl Iterator<Item = [usize; 2]> {
        self.reduced.iter().flat_map(|body| {
            let nodes = body.nodes.clone();
            nodes
                .clone()
                .flat_map(move |a| (nodes.start..a).map(move |b| [a, b]))
        })
    }
}

impl Reduced {
    /// Jacobian block of the world's `vertex` for the world's `node`, both of this body.
    #[inline]
    fn jacobian(&self, at: &Configuration, vertex: usize, node: usize) -> Mat2 {
        self.kinematics.jacobian(
            &at.q[self.nodes.clone()],
            at.x[vertex],
            vertex - self.vertices.start,
            node - self.nodes.start,
        )
    }
}
