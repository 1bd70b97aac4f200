//! The Newton system of a potential: which nodes are unknown, in which order, and the assembled
//! matrix with its factorisation.
//!
//! A system is made once for a set of fixed components and a set of vertex pairs:
//!
//! 1. pairs of vertices become pairs of nodes, and these pairs of rows without fixed nodes;
//! 2. a fill-reducing order numbers the rows (see [`Numbering`]);
//! 3. the pattern of the matrix, the places of all blocks that never change, and the pattern of the
//!    factor follow.
//!
//! Every iteration then assembles the matrix (see `assembly.rs`), factorises it and solves. A node
//! with one fixed component keeps its row: the fixed component is uncoupled from all others.
//! Matrices of few nodes are stored full and fit any contacts.

use super::constraint_places::ConstraintPlaces;
use super::low_rank::LowRank;
use super::model::Model;
use super::numbering::{NONE, Numbering, unknown_pair};
use super::pattern::Pattern;
use super::places::{Place, Places, Run};
use super::rigid_pair::{Moments, RigidPair};
use super::scatter::{self, Scatter};
use super::timings::{Phase, Timings};
use crate::body::{Configuration, Coordinates, Lattice};
use crate::tuning::FULL_BELOW;
use ipcsim_contact::GapSlopes;
use ipcsim_energy::Energy;
use ipcsim_math::{Mat2, Vec2};
use ipcsim_sparse::{BlockMatrix, Cholesky, Ldl, LinearSolver, Memory};
use smallvec::SmallVec;
use std::sync::Arc;

/// The Newton matrix and its factorisation.
///
/// The pattern is made for the fixed components and the contacts of one moment, and serves as long
/// as later ones fit in.
pub(super) struct System {
    /// Components that are eliminated, and pairs of nodes that have a block.
    pattern: Arc<Pattern>,
    /// Row of each node in the matrix, or [`NONE`] where both components are fixed.
    row: Vec<usize>,
    /// The matrix that was assembled last, with all shifts.
    pub(super) matrix: BlockMatrix,
    /// Places of the blocks of energies that never change, a value for each energy of the model.
    pub(super) scatters: Vec<Scatter>,
    /// Places of the blocks between reduced bodies.
    places: Places,
    /// Derivatives and places of constraints.
    pub(super) constraints: ConstraintPlaces,
    /// Products of vectors that are part of the matrix; none without gas.
    pub(super) low_rank: LowRank,
    /// Factorisation of the matrix.
    pub(super) cholesky: Cholesky,
    /// Factorisation of a matrix that is not positive definite, once there was one.
    pub(super) ldl: Option<Ldl>,
    /// Right side and solution of the linear system, two numbers for each row, a buffer.
    pub(super) right_side: Vec<f64>,
    /// Periods and images of nodes, in a scene that repeats.
    lattice: Option<Arc<Lattice>>,
    /// Buffer for blocks that differ from state to state, or that go through a Jacobian.
    pub(super) blocks: Vec<Mat2>,
}

/// The matrix is not positive definite even after its diagonal was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indefinite {
    /// The node at which factorisation stopped.
    pub(super) node: usize,
}

impl System {
    /// Orders and analyses the system of a model without the `fixed` components.
    ///
    /// `pairs` are all pairs of vertices that may get a block, in any order, repeated or not.
    /// `None` if memory does not suffice.
    pub(super) fn new(
        model: &Model,
        fixed: &[[bool; 2]],
        pairs: &[[usize; 2]],
        linear: LinearSolver,
        timings: &mut Timings,
    ) -> Option<Self> {
        let coordinates = &model.coordinates;
        let between = node_pairs(coordinates, pairs).chain(coordinates.coupled());
        Self::of_nodes(model, fixed, between, linear, timings)
    }

    /// System of a model whose pairs of coupled nodes are known; `None` if memory does not suffice.
    pub(super) fn of_nodes(
        model: &Model,
        fixed: &[[bool; 2]],
        pairs: impl Iterator<Item = [usize; 2]>,
        linear: LinearSolver,
        timings: &mut Timings,
    ) -> Option<Self> {
        let numbering = timings.measure(Phase::Ordering, || match model.coordinates.lattice() {
            None => Numbering::new(fixed, pairs),
            Some(lattice) => numbering_of_sources(lattice, fixed, pairs),
        });
        timings.measure(Phase::Symbolic, || {
            Self::analyse(model, fixed, numbering, linear)
        })
    }

    /// Makes the patterns of the matrix and of its factor; `None` if memory does not suffice.
    fn analyse(
        model: &Model,
        fixed: &[[bool; 2]],
        numbering: Numbering,
        linear: LinearSolver,
    ) -> Option<Self> {
        let Model {
            coordinates,
            energies,
            ..
        } = model;
        let Numbering {
            row,
            nodes,
            mut pairs,
        } = numbering;
        let matrix = BlockMatrix::new(nodes, &mut pairs);
        let pattern = Pattern {
            fixed: fixed.to_vec(),
            pairs: pairs_of_nodes(&matrix, &row),
        };

        // Places of the blocks of free vertices, which are always there.
        let free = |i: usize| coordinates.is_free(i) && !coordinates.is_image(i);
        let slot = |[i, j]: [usize; 2]| {
            let free = free(i) && free(j);
            let [a, b] = unknown_pair(&row, [i, j].map(|i| coordinates.nodes_of(i).start))
                .filter(|_| free)?;
            Some((matrix.slot(a, b)?, a < b))
        };
        let part = scatter::part_size(&matrix);
        let scatters = energies
            .iter()
            .map(|energy| Scatter::new(energy.as_ref(), part, free, slot));
        let scatters = scatters.collect::<Option<_>>()?;

        let constraints = ConstraintPlaces::new(&model.joints, coordinates, &row, &matrix);
        let cholesky = Cholesky::analyse(&matrix, linear)?;
        Some(Self {
            pattern: Arc::new(pattern),
            row,
            scatters,
            places: Places::default(),
            constraints,
            low_rank: LowRank::default(),
            cholesky,
            ldl: None,
            right_side: vec![0.0; 2 * nodes],
            lattice: coordinates.lattice().cloned(),
            blocks: Vec::new(),
            matrix,
        })
    }

    /// Product of a `matrix` with the pattern of the system with displacements of nodes, `[nodes]`; 0 for
    /// fixed nodes.
    pub(super) fn product(&self, matrix: &BlockMatrix, p: &[Vec2]) -> Vec<Vec2> {
        let mut scalars = vec![0.0; 2 * self.matrix.nodes()];
        let rows = self.row.iter().zip(p).filter(|(row, _)| **row != NONE);
        for (&row, p) in rows {
            scalars[2 * row..2 * row + 2].copy_from_slice(&[p.x, p.y]);
        }
        let mut product = matrix.times_by_blocks(&scalars);
        self.low_rank.add_times(&scalars, &mut product);
        let rows = self.row.iter();
        let products = rows.map(|&row| match row {
            NONE => Vec2::zeros(),
            row => Vec2::new(product[2 * row], product[2 * row + 1]),
        });
        products.collect()
    }

    /// Matrix that was assembled last, with all shifts and dampings.
    pub(super) fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }

    /// The matrix, for a caller who changes it and factorises it again.
    pub(super) fn matrix_mut(&mut self) -> &mut BlockMatrix {
        &mut self.matrix
    }

    /// Entries of the factor, without the zeros above its diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        self.cholesky.factor_entries()
    }

    /// Components that the system treats as fixed, and the pairs of different nodes that have a
    /// block.
    pub(super) fn pattern(&self) -> Arc<Pattern> {
        Arc::clone(&self.pattern)
    }

    /// Gives the memory of the factor away; only the system in use needs it.
    pub(super) fn take_memory(&mut self) -> Memory {
        self.cholesky.take_memory()
    }

    /// Takes the memory of the factor that another system had.
    pub(super) fn give_memory(&mut self, memory: Memory) {
        self.cholesky.give_memory(memory);
    }

    /// True if these are the components that the system treats as fixed.
    pub(super) fn is_for(&self, fixed: &[[bool; 2]]) -> bool {
        self.pattern.fixed == fixed
    }

    /// True if the pattern holds for these fixed components, and has a place for every block of the
    /// `changing` energies and between the vertices of each place that is `near`.
    pub(super) fn fits(
        &mut self,
        coordinates: &Coordinates,
        fixed: &[[bool; 2]],
        changing: &[&dyn Energy],
        near: &[GapSlopes],
    ) -> bool {
        if !self.is_for(fixed) {
            return false;
        }
        if self.matrix.nodes() <= FULL_BELOW {
            return true;
        }

        // Neighbouring contacts are mostly of the same bodies: a pair is not asked for twice.
        let mut last = [NONE; 2];
        let changing = changing.iter().flat_map(|energy| {
            let elements = 0..energy.element_count();
            elements.map(|element| energy.stencil(element))
        });

        let near = near.iter().map(|place| &place.vertices[..]);
        changing.chain(near).all(|stencil| {
            let mut pairs = stencil.iter().enumerate().flat_map(|(k, &i)| {
                let others = stencil[..k].iter();
                others.map(move |&j| [i, j])
            });
            pairs.all(|pair| self.has_places(coordinates, pair, &mut last))
        })
    }

    /// Place of the block between two nodes; `None` if the pattern has none.
    pub(super) fn place_of(&self, pair: [usize; 2]) -> Option<Place> {
        place_in(&self.row, &self.matrix, pair)
    }

    /// True if a node is an unknown of the system, at least by one of its components.
    pub(super) fn is_unknown(&self, node: usize) -> bool {
        self.row[node] != NONE
    }

    /// True if all pairs of nodes of two vertices have a place. `last` are the first nodes of the
    /// pair that was asked for before, which had all places.
    fn has_places(
        &mut self,
        coordinates: &Coordinates,
        [i, j]: [usize; 2],
        last: &mut [usize; 2],
    ) -> bool {
        let of_i = coordinates.nodes_of(i);
        let of_j = coordinates.nodes_of(j);
        if *last == [of_i.start, of_j.start] {
            return true;
        }

        *last = [of_i.start, of_j.start];
        let Self {
            places,
            row,
            matrix,
            ..
        } = self;
        if let Some(lattice) = coordinates.lattice() {
            let nodes = of_i.chain(of_j);
            let mut all: SmallVec<[usize; 16]> = nodes
                .flat_map(|node| lattice.sources(node))
                .map(|(node, _)| node)
                .collect();
            all.sort_unstable();
            all.dedup();
            all.iter().enumerate().all(|(k, &a)| {
                let mut others = all[..k].iter();
                others.all(|&b| place_in(row, matrix, [a, b]).is_some())
            })
        } else if coordinates.is_free(i) && coordinates.is_free(j) {
            place_in(row, matrix, *last).is_some()
        } else {
            let found = places.find(of_i, of_j, |pair| place_in(row, matrix, pair));
            found.is_some()
        }
    }

    /// Adds blocks between nodes of some bodies: the lower triangle of `blocks`, `[nodes, nodes]`,
    /// row by row. The pattern holds all that have no fixed node, see [`System::fits`].
    pub(super) fn add_between(&mut self, runs: &[Run], nodes: usize, blocks: &[Mat2]) {
        if let Some(lattice) = self.lattice.clone() {
            return self.add_between_images(&lattice, runs, nodes, blocks);
        }
        let Self {
            places,
            row,
            matrix,
            ..
        } = self;
        for (k, of_row) in runs.iter().enumerate() {
            for of_column in &runs[..=k] {
                let (rows, columns) = (of_row.nodes.clone(), of_column.nodes.clone());
                let found = places.find(rows, columns, |pair| place_in(row, matrix, pair));
                debug_assert!(found.is_some(), "the pattern was made for other contacts");
                let Some(between) = found else { continue };

                // The lower triangle has each pair of nodes once.
                let values = matrix.values_mut();
                for a in 0..of_row.nodes.len() {
                    let row = of_row.first + a;
                    for b in 0..of_column.nodes.len() {
                        let column = of_column.first + b;
                        if column <= row {
                            between.add(a, b, &blocks[row * nodes + column], values);
                        }
                    }
                }
            }
        }
    }

    /// [`System::add_between`] in a scene that repeats, where nodes may be images.
    fn add_between_images(
        &mut self,
        lattice: &Lattice,
        runs: &[Run],
        nodes: usize,
        blocks: &[Mat2],
    ) {
        // Each pair of nodes once; most elements leave some out.
        let all: SmallVec<[usize; 16]> = runs.iter().flat_map(|run| run.nodes.clone()).collect();
        for (row, &of_row) in all.iter().enumerate() {
            for (column, &of_column) in all[..=row].iter().enumerate() {
                let block = &blocks[row * nodes + column];
                if *block != Mat2::zeros() {
                    self.add_between_sources(lattice, [of_row, of_column], block);
                }
            }
        }
    }

    /// Adds the Hessian of elements between two rigid bodies. The pattern holds all blocks that have no
    /// fixed node, see [`System::fits`].
    pub(super) fn add_rigid_pair(&mut self, pair: &RigidPair) {
        let [first, second] = pair.centers;
        let [of_first, of_second] = &pair.own;
        self.add_moments([first, first], of_first);
        self.add_moments([second, second], of_second);
        self.add_moments([second, first], &pair.between);
    }

    /// Adds the blocks between a rigid body by rows and one by columns; only the lower triangle if
    /// both are the same.
    fn add_moments(&mut self, [of_row, of_column]: [usize; 2], moments: &Moments) {
        if let Some(lattice) = self.lattice.clone() {
            for ([row, column], block) in moments.blocks() {
                if of_row != of_column || column <= row {
                    let pair = [of_row + row, of_column + column];
                    self.add_between_sources(&lattice, pair, &block);
                }
            }
            return;
        }
        let Self {
            places,
            row,
            matrix,
            ..
        } = self;
        let [rows, columns] = [of_row, of_column].map(|center| center..center + 2);
        let found = places.find(rows, columns, |pair| place_in(row, matrix, pair));
        debug_assert!(found.is_some(), "the pattern was made for other contacts");
        let Some(between) = found else { return };

        let values = matrix.values_mut();
        for ([row, column], block) in moments.blocks() {
            if of_row != of_column || column <= row {
                between.add(row, column, &block, values);
            }
        }
    }

    /// Adds a block between two nodes, unless one of them is fixed. The pattern holds all others,
    /// see [`System::fits`].
    pub(super) fn add(&mut self, pair: [usize; 2], block: &Mat2) {
        if let Some(lattice) = self.lattice.clone() {
            return self.add_between_sources(&lattice, pair, block);
        }
        self.add_unknown(pair, block);
    }

    /// Adds a block between two nodes to the nodes that they depend on across the periods. Only one of
    /// two mutually transposed blocks is added.
    fn add_between_sources(&mut self, lattice: &Lattice, [i, j]: [usize; 2], block: &Mat2) {
        let [rows, columns] = [i, j].map(|node| lattice.sources(node));
        for (k, &(a, of_row)) in rows.iter().enumerate() {
            for (l, &(b, of_column)) in columns.iter().enumerate() {
                // The block of a node with itself has each pair twice.
                if i == j && l > k {
                    continue;
                }
                let part = block * (of_row * of_column);
                if i != j && a == b {
                    self.add_unknown([a, b], &(part + part.transpose()));
                } else {
                    self.add_unknown([a, b], &part);
                }
            }
        }
    }

    /// Adds a block between two nodes that are no images, unless one of them is fixed.
    fn add_unknown(&mut self, pair: [usize; 2], block: &Mat2) {
        if let Some([a, b]) = unknown_pair(&self.row, pair) {
            let stored = self.matrix.add(a, b, block);
            debug_assert!(stored, "the pattern was made for other contacts");
        }
    }

    /// Adds to the two diagonal entries of a node, unless it is fixed.
    pub(super) fn add_diagonal(&mut self, node: usize, diagonal: &Vec2) {
        let row = self.row[node];
        if row != NONE {
            self.matrix.add_diagonal(row, diagonal);
        }
    }

    /// Adds a multiple of the mass of each component to the diagonal.
    pub(super) fn add_mass(&mut self, mass: &[Vec2], times: f64) {
        for (&row, mass) in self.row.iter().zip(mass).filter(|(row, _)| **row != NONE) {
            self.matrix.add_diagonal(row, &(mass * times));
        }
    }

    /// Uncouples the components that are fixed in nodes whose other component is not.
    ///
    /// Their rows and columns become zero off the diagonal, so that every unknown node keeps its
    /// block of two rows.
    pub(super) fn isolate_fixed(&mut self) {
        let pattern = Arc::clone(&self.pattern);
        self.isolate(&pattern.fixed);
    }

    /// Uncouples `fixed` components of unknown nodes, as [`System::isolate_fixed`].
    pub(super) fn isolate(&mut self, fixed: &[[bool; 2]]) {
        let nodes = fixed.iter().zip(&self.row);
        let unknown = nodes.filter(|(_, row)| **row != NONE);
        if unknown.clone().all(|(fixed, _)| *fixed == [false; 2]) {
            return;
        }

        let mut fixed = vec![false; 2 * self.matrix.nodes()];
        for (components, &row) in unknown {
            fixed[2 * row..2 * row + 2].copy_from_slice(components);
        }
        self.matrix.isolate(&fixed);
    }

    /// Block of a row of nodes on the diagonal.
    fn own_block(&self, row: usize) -> Mat2 {
        let block = self.matrix.diagonal(row);
        if self.low_rank.is_empty() {
            block
        } else {
            block + self.low_rank.diagonal(row)
        }
    }

    /// Adds the product of the vectors of a gas to the matrix: the square of a derivative by positions
    /// (`[vertices]`) times a `root`, at a configuration.
    pub(super) fn add_square(
        &mut self,
        coordinates: &Coordinates,
        at: &Configuration,
        by_x: &[Vec2],
        root: f64,
    ) {
        let rows = (&self.row[..], &self.pattern.fixed[..]);
        self.low_rank.push((coordinates, at), by_x, root, rows);
    }

    /// Largest stiffness of a node: the mean of its two diagonal entries (kg). At least the
    /// smallest positive number.
    pub(super) fn largest_stiffness(&self) -> f64 {
        (0..self.matrix.nodes())
            .map(|j| 0.5 * self.own_block(j).trace())
            .fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Stiffness of a node: the mean of its two diagonal entries (kg); 0 where both components are
    /// fixed.
    pub(super) fn stiffness_of(&self, node: usize) -> f64 {
        match self.row[node] {
            NONE => 0.0,
            row => 0.5 * self.own_block(row).trace(),
        }
    }

    /// Diagonal entries of a node (kg); 0 where the node is fixed.
    pub(super) fn diagonal_of(&self, node: usize) -> Vec2 {
        match self.row[node] {
            NONE => Vec2::zeros(),
            row => self.own_block(row).diagonal(),
        }
    }

    /// Writes the negative gradient, each node's part scaled by the inverse of its block of the
    /// assembled matrix; fixed components stay.
    ///
    /// A singular block is replaced by its trace.
    pub(super) fn scaled_gradient(&self, gradient: &[Vec2], p: &mut [Vec2]) {
        for (i, &j) in self.row.iter().enumerate() {
            p[i] = Vec2::zeros();
            if j == NONE {
                continue;
            }

            let free = Vec2::from(self.pattern.fixed[i].map(|fixed| if fixed { 0.0 } else { 1.0 }));
            let block = self.own_block(j);
            let inverse = block
                .try_inverse()
                .unwrap_or(Mat2::identity() / block.trace().max(f64::MIN_POSITIVE));
            p[i] = -(inverse * gradient[i].component_mul(&free)).component_mul(&free);
        }
        if let Some(lattice) = &self.lattice {
            lattice.follow(p);
        }
    }

    /// Failure of the factorisation at a row of scalars; node 0 if the row belongs to none.
    pub(super) fn indefinite(&self, row: usize) -> Indefinite {
        Indefinite {
            node: self.row.iter().position(|&j| j == row / 2).unwrap_or(0),
        }
    }

    /// Writes the Newton direction `p = -H^-1 g` (m; of angles rad), `[nodes]`, of the right side that was
    /// set before the factorisation; fixed components stay. It is the first solve after it. With products
    /// of vectors the factorisation has solved already.
    pub(super) fn first_direction(&mut self, p: &mut [Vec2]) {
        if self.low_rank.is_empty() {
            self.cholesky.finish(&mut self.right_side);
        }
        self.copy_solution(p);
    }

    /// Solves for the Newton direction `p = -H^-1 g` (m; of angles rad), `[nodes]`; fixed
    /// components stay.
    pub(super) fn direction(&mut self, gradient: &[Vec2], p: &mut [Vec2]) {
        self.set_right_side(gradient);
        if self.low_rank.is_empty() {
            self.cholesky.solve(&mut self.right_side);
        } else {
            self.solve_with_products();
        }
        self.copy_solution(p);
    }

    /// Solves for the direction `p = -H^-1 g` (m; of angles rad), `[nodes]`, by the factorisation of
    /// a matrix that [`factorise_any`](Self::factorise_any) has found to have `negative` eigenvalues;
    /// fixed components stay.
    ///
    /// # Errors
    /// [`Indefinite`], if the matrix is singular to rounding.
    pub(super) fn direction_of_any(
        &mut self,
        negative: usize,
        gradient: &[Vec2],
        p: &mut [Vec2],
    ) -> Result<(), Indefinite> {
        self.set_right_side(gradient);
        if !self.low_rank.is_empty() {
            self.solve_with_products();
            self.copy_solution(p);
            return Ok(());
        }
        match self.ldl.as_mut().filter(|_| negative > 0) {
            None => self.cholesky.solve(&mut self.right_side),
            Some(ldl) => ldl
                .solve(&self.matrix, &mut self.right_side)
                .map_err(|_| Indefinite { node: 0 })?,
        }
        self.copy_solution(p);
        Ok(())
    }

    /// Writes the negative gradient as the right side of the linear system, 0 for fixed components.
    pub(super) fn set_right_side(&mut self, gradient: &[Vec2]) {
        for (i, &j) in self.row.iter().enumerate().filter(|(_, j)| **j != NONE) {
            let [x_is_fixed, y_is_fixed] = self.pattern.fixed[i];
            self.right_side[2 * j] = if x_is_fixed { 0.0 } else { -gradient[i].x };
            self.right_side[2 * j + 1] = if y_is_fixed { 0.0 } else { -gradient[i].y };
        }
    }

    /// Copies the solution of the linear system, `[nodes]`; 0 for nodes without a row.
    fn copy_solution(&self, p: &mut [Vec2]) {
        for (i, &j) in self.row.iter().enumerate() {
            p[i] = if j == NONE {
                Vec2::zeros()
            } else {
                Vec2::new(self.right_side[2 * j], self.right_side[2 * j + 1])
            };
        }
        if let Some(lattice) = &self.lattice {
            lattice.follow(p);
        }
    }
}

/// Order of the unknowns of a scene that repeats: images have no rows, and their pairs belong to the
/// nodes that they depend on.
fn numbering_of_sources(
    lattice: &Lattice,
    fixed: &[[bool; 2]],
    pairs: impl Iterator<Item = [usize; 2]>,
) -> Numbering {
    let mut eliminated = fixed.to_vec();
    for image in lattice.images() {
        eliminated[image.node] = [true; 2];
    }

    let mut between = Vec::new();
    for pair in pairs {
        let sources = pair.map(|node| lattice.sources(node));
        let nodes: Vec<usize> = sources.iter().flatten().map(|(node, _)| *node).collect();
        for (k, &a) in nodes.iter().enumerate() {
            between.extend(nodes[..k].iter().map(|&b| [a, b]));
        }
    }

    // Inertia that counts from free periods.
    let [first, second] = lattice.periods();
    for &node in lattice.carried() {
        between.extend([[node, first], [node, second], [first, second]]);
    }
    Numbering::new(&eliminated, between.into_iter())
}

/// Place of the block of a pair of nodes in a matrix with these rows of nodes; `None` if the pattern
/// has none.
fn place_in(row: &[usize], matrix: &BlockMatrix, pair: [usize; 2]) -> Option<Place> {
    match unknown_pair(row, pair) {
        None => Some(Place::Fixed),
        Some([a, b]) => matrix.slot(a, b).map(|slot| Place::At(slot, a < b)),
    }
}

/// Pairs of different nodes that have a block in a matrix with these rows of nodes.
fn pairs_of_nodes(matrix: &BlockMatrix, row: &[usize]) -> Vec<[usize; 2]> {
    let mut node = vec![NONE; matrix.nodes()];
    for (i, &row) in row.iter().enumerate().filter(|(_, row)| **row != NONE) {
        node[row] = i;
    }

    let mut pairs = Vec::with_capacity(matrix.block_count() - matrix.nodes());
    for (j, &node_of_column) in node.iter().enumerate() {
        let below = matrix.rows_below(j);
        pairs.extend(below.iter().map(|&row| [node_of_column, node[row]]));
    }
    pairs
}

/// Pairs of nodes of different bodies, or free vertices, that belong to these pairs of vertices.
///
/// Neighbouring contacts mostly join the same bodies: repeated pairs are left out.
fn node_pairs(coordinates: &Coordinates, pairs: &[[usize; 2]]) -> impl Iterator<Item = [usize; 2]> {
    let mut last = [NONE; 2];
    let bodies = pairs.iter().filter_map(move |&pair| {
        let [rows, columns] = pair.map(|i| coordinates.nodes_of(i));
        let first = [rows.start, columns.start];
        let is_new = first[0] != first[1] && first != last;
        last = first;
        is_new.then_some([rows, columns])
    });
    bodies.flat_map(|[rows, columns]| {
        rows.flat_map(move |row| columns.clone().map(move |column| [row, column]))
    })
}
