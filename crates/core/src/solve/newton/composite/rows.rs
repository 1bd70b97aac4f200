//! Derivatives of gaps and slips by the nodes of a Newton system.
//!
//! An inner problem is a sum of functions of few numbers, gaps and slips, each linear in the coordinates. Its
//! solves go back neither to vertices nor to the Jacobian: the derivatives of each place by nodes, `V` vectors a
//! node, are found once. Consecutive places between the same bodies make a group with one list of nodes, and their
//! blocks are summed before they are added to the matrix.

use crate::body::{Configuration, Coordinates};
use crate::solve::places::Place;
use crate::solve::system::System;
use ipcsim_math::{Mat2, Vec2, outer};
use smallvec::SmallVec;
use std::ops::Range;

/// Derivatives of places by nodes, `V` vectors for each node of a place.
#[derive(Debug)]
pub(super) struct Rows<const V: usize> {
    /// Consecutive places of the same nodes.
    groups: Vec<Group>,
    /// Nodes of all groups, one group after another.
    nodes: Vec<usize>,
    /// Places of the blocks between the nodes of a group, the lower triangle row by row, group after group.
    blocks: Vec<Place>,
    /// Derivatives of each number by nodes, place after place, `[nodes of the group]` each.
    entries: [Vec<Vec2>; V],
}

/// Consecutive places of the same nodes.
#[derive(Clone, Debug)]
struct Group {
    /// Range of its nodes among those of all groups.
    nodes: Range<usize>,
    /// Where its blocks begin.
    blocks: usize,
    /// Where its entries begin.
    entries: usize,
    /// Number of places.
    rows: usize,
}

/// Nodes of one place with their derivatives, `V` vectors each.
type Entries<const V: usize> = SmallVec<[(usize, [Vec2; V]); 8]>;

impl<const V: usize> Rows<V> {
    /// Derivatives by the unknown nodes of a `system`, from derivatives by four vertices for each place, through
    /// the Jacobian at a configuration.
    pub(super) fn new(
        places: impl Iterator<Item = ([usize; 4], [[Vec2; 4]; V])>,
        (coordinates, at): (&Coordinates, &Configuration),
        system: &System,
    ) -> Self {
        let mut rows = Self {
            groups: Vec::new(),
            nodes: Vec::new(),
            blocks: Vec::new(),
            entries: std::array::from_fn(|_| Vec::new()),
        };

        for (vertices, by) in places {
            // A vertex without weight has no part.
            let mut entries = Entries::new();
            for (k, &vertex) in vertices.iter().enumerate() {
                let by_vertex = by.map(|by| by[k]);
                if by_vertex.iter().any(|by| *by != Vec2::zeros()) {
                    add_vertex(&mut entries, (coordinates, at), vertex, by_vertex);
                }
            }

            entries.retain(|(node, _)| system.is_unknown(*node));
            rows.push(&entries, system);
        }
        rows
    }

    /// Adds a place, to the last group if it has the same nodes.
    fn push(&mut self, entries: &Entries<V>, system: &System) {
        let nodes = entries.iter().map(|(node, _)| *node);
        let last = self.groups.last_mut();
        let alike = last.filter(|last| {
            let known = self.nodes[last.nodes.clone()].iter().copied();
            known.eq(nodes.clone())
        });

        if let Some(group) = alike {
            group.rows += 1;
        } else {
            let start = self.nodes.len();
            self.nodes.extend(nodes);
            let group = Group {
                nodes: start..self.nodes.len(),
                blocks: self.blocks.len(),
                entries: self.entries.first().map_or(0, Vec::len),
                rows: 1,
            };

            let own = &self.nodes[group.nodes.clone()];
            for (k, &i) in own.iter().enumerate() {
                let places = own[..=k].iter().map(|&j| {
                    let place = system.place_of([i, j]);
                    debug_assert!(place.is_some(), "the pattern was made for other contacts");
                    place.unwrap_or(Place::Fixed)
                });
                self.blocks.extend(places);
            }
            self.groups.push(group);
        }
        for (number, all) in self.entries.iter_mut().enumerate() {
            all.extend(entries.iter().map(|(_, by)| by[number]));
        }
    }

    /// Writes the changes of the first `K` numbers of each place where nodes move by `d`, `[nodes]`.
    pub(super) fn changes<const K: usize>(&self, d: &[Vec2], out: &mut Vec<[f64; K]>) {
        out.clear();
        let mut own: SmallVec<[Vec2; 8]> = SmallVec::new();
        for group in &self.groups {
            own.clear();
            let nodes = &self.nodes[group.nodes.clone()];
            own.extend(nodes.iter().map(|&i| d[i]));

            for row in group.rows() {
                let mut changes = [0.0; K];
                for (change, by) in changes.iter_mut().zip(&self.entries) {
                    let parts = by[row.clone()].iter().zip(&own);
                    *change = parts.fold(0.0, |sum, (by, d)| sum + by.dot(d));
                }
                out.push(changes);
            }
        }
    }

    /// Adds the gradient by nodes, `[nodes]`, from the derivatives by the `V` numbers of each place.
    pub(super) fn add_gradient(
        &self,
        mut by_numbers: impl Iterator<Item = [f64; V]>,
        out: &mut [Vec2],
    ) {
        let mut sum: SmallVec<[Vec2; 8]> = SmallVec::new();
        for group in &self.groups {
            let nodes = &self.nodes[group.nodes.clone()];
            sum.clear();
            sum.resize(nodes.len(), Vec2::zeros());

            // The nodes of a group are written once.
            for (row, weights) in group.rows().zip(&mut by_numbers) {
                for (by, weight) in self.entries.iter().zip(weights) {
                    if weight != 0.0 {
                        let by = &by[row.clone()];
                        sum.iter_mut()
                            .zip(by)
                            .for_each(|(sum, by)| *sum += by * weight);
                    }
                }
            }
            for (&i, sum) in nodes.iter().zip(&sum) {
                out[i] += sum;
            }
        }
    }

    /// Adds the Hessian by nodes to the `values` of the matrix, from the products of each place: `P` weights for
    /// the numbers `a` and `b` of a place. Equal numbers have `weight a a^T`, others `weight (a b^T + b a^T)`.
    pub(super) fn add_products<const P: usize>(
        &self,
        numbers: [[usize; 2]; P],
        mut weights: impl Iterator<Item = [f64; P]>,
        values: &mut [Mat2],
    ) {
        let mut sum: SmallVec<[Mat2; 10]> = SmallVec::new();
        for group in &self.groups {
            let count = group.nodes.len();
            let blocks = &self.blocks[group.blocks..][..count * (count + 1) / 2];
            sum.clear();
            sum.resize(blocks.len(), Mat2::zeros());

            // So are its blocks.
            for (row, weights) in group.rows().zip(&mut weights) {
                for ([a, b], weight) in numbers.iter().zip(weights) {
                    if weight != 0.0 {
                        let both = [a, b].map(|&number| &self.entries[number][row.clone()]);
                        add_product(both, a == b, weight, &mut sum);
                    }
                }
            }

            for (place, block) in blocks.iter().zip(&sum) {
                match *place {
                    Place::At(slot, false) => values[slot] += block,
                    Place::At(slot, true) => values[slot] += block.transpose(),
                    Place::Fixed => {}
                }
            }
        }
    }
}

impl Group {
    /// Ranges of the entries of each place.
    fn rows(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let [start, count] = [self.entries, self.nodes.len()];
        (0..self.rows).map(move |row| start + row * count..start + (row + 1) * count)
    }
}

/// Multiplies numbers of places by a factor.
pub(super) fn scaled<const N: usize>(
    of_places: impl Iterator<Item = [f64; N]>,
    factor: f64,
) -> impl Iterator<Item = [f64; N]> {
    of_places.map(move |numbers| numbers.map(|number| number * factor))
}

/// Adds the derivatives by a vertex to the derivatives by its nodes.
fn add_vertex<const V: usize>(
    entries: &mut Entries<V>,
    (coordinates, at): (&Coordinates, &Configuration),
    vertex: usize,
    by_vertex: [Vec2; V],
) {
    for node in coordinates.nodes_of(vertex) {
        let jacobian = coordinates.jacobian(at, vertex, node);
        let by_node = by_vertex.map(|by| jacobian.tr_mul(&by));

        // Vertices of one body share its nodes.
        match entries.iter_mut().find(|(known, _)| *known == node) {
            Some((_, sum)) => {
                for (sum, by) in sum.iter_mut().zip(by_node) {
                    *sum += by;
                }
            }
            None => entries.push((node, by_node)),
        }
    }
}

/// Adds a product of the derivatives of two numbers `a` and `b` to the lower triangle of blocks; with its transpose
/// unless both are the same.
fn add_product([a, b]: [&[Vec2]; 2], are_same: bool, weight: f64, sum: &mut [Mat2]) {
    let mut sum = sum.iter_mut();
    for k in 0..a.len() {
        let (of_a, of_b) = (a[k] * weight, b[k] * weight);
        for ((a, b), block) in a[..=k].iter().zip(b).zip(&mut sum) {
            *block += outer(of_a, *b);
            if !are_same {
                *block += outer(of_b, *a);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::test_problems::{Small, number};
    use crate::solve::timings::Timings;
    use ipcsim_sparse::LinearSolver;

    /// Vectors of four vertices that depend on a number.
    fn vectors(k: usize) -> [Vec2; 4] {
        std::array::from_fn(|i| Vec2::new(number(8 * k + i), number(8 * k + i + 4)))
    }

    /// Two rigid bodies of two vertices, a free vertex and a fixed one: places between them give changes, gradients and
    /// products as the Jacobian and the vertices do.
    #[test]
    fn changes_gradient_and_products_are_those_of_vertices_through_the_jacobian() {
        let mut small = Small::default();
        for x in [0.0, 3.0] {
            small.rigid(
                [[x, 1.0], [0.3, 0.0]],
                &[[1.0, 0.2], [-1.0, 0.1]],
                [2.0, 1.0],
            );
        }
        small.soft(&[[1.0, 4.0], [2.0, 5.0]], 1.0);
        let (model, at) = small.model();
        let coordinates = &model.coordinates;

        // All but the last vertex are unknown, and two places are of the same bodies.
        let mut fixed = vec![[false; 2]; coordinates.nodes()];
        *fixed.last_mut().unwrap() = [true; 2];
        let pairs: Vec<[usize; 2]> = (0..6).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
        let mut timings = Timings::default();
        let linear = LinearSolver::default();
        let mut system = System::new(&model, &fixed, &pairs, linear, &mut timings).unwrap();
        let places = [[0, 1, 2, 3], [0, 0, 3, 2], [4, 4, 1, 0], [5, 5, 2, 2]];
        let of_place = |k: usize| (places[k], [vectors(2 * k), vectors(2 * k + 1)]);
        let rows: Rows<2> = Rows::new((0..4).map(of_place), (coordinates, &at), &system);
        assert_eq!(rows.groups.len(), 3);

        // A displacement of the unknown nodes, and of the vertices.
        let mut d: Vec<Vec2> = (0..coordinates.nodes())
            .map(|k| Vec2::new(number(k + 90), number(k + 120)))
            .collect();
        *d.last_mut().unwrap() = Vec2::zeros();
        let mut u = vec![Vec2::zeros(); 6];
        coordinates.displacements(&at, &d, &mut u);
        let along = |k: usize| {
            let (vertices, by) = of_place(k);
            by.map(|by| (0..4).map(|i| by[i].dot(&u[vertices[i]])).sum::<f64>())
        };
        let mut changes: Vec<[f64; 2]> = Vec::new();
        rows.changes(&d, &mut changes);
        for (k, [a, b]) in changes.iter().enumerate() {
            let [expected_a, expected_b] = along(k);
            assert!((a - expected_a).abs() < 1e-12 && (b - expected_b).abs() < 1e-12);
        }

        // The gradient has the same product with the displacement.
        let weights = |k: usize| [1.0 + k as f64, 0.5 - k as f64];
        let mut gradient = vec![Vec2::zeros(); d.len()];
        rows.add_gradient((0..4).map(weights), &mut gradient);
        let found: f64 = gradient.iter().zip(&d).map(|(g, d)| g.dot(d)).sum();
        let expected: f64 = (0..4)
            .map(|k| weights(k)[0] * along(k)[0] + weights(k)[1] * along(k)[1])
            .sum();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");

        // So has the Hessian, on both sides.
        let values = system.matrix_mut().values_mut();
        rows.add_products([[0, 0], [0, 1]], (0..4).map(weights), values);
        let product = system.product(system.matrix(), &d);
        let found: f64 = product.iter().zip(&d).map(|(g, d)| g.dot(d)).sum();
        let squares = (0..4).map(|k| {
            let [a, b] = along(k);
            weights(k)[0] * a * a + 2.0 * weights(k)[1] * a * b
        });
        let expected: f64 = squares.sum();
        assert!((found - expected).abs() < 1e-11, "{found} {expected}");
    }
}
