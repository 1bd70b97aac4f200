//! Patterns of `L D L^T`: order, matrix and factor by scalars, and the reach of a row.
#![allow(
    clippy::cast_possible_truncation,
    reason = "the analysis refuses more than 2^32 scalars"
)]

use crate::BlockMatrix;
use crate::graph::Graph;
use crate::minimum_degree::minimum_degree;

/// No column.
const NONE: u32 = u32::MAX;

/// Order of elimination by scalars, and patterns of the upper triangle and the factor in this order.
pub(super) struct Pattern {
    /// Scalar that is eliminated at each place, `[2 nodes]`.
    pub(super) order: Vec<u32>,
    /// First entry of each column of the upper triangle, `[2 nodes + 1]`.
    pub(super) starts: Vec<usize>,
    /// Row of each of its entries.
    pub(super) rows: Vec<u32>,
    /// Place among its entries of each entry of the matrix's lower triangle.
    pub(super) places: Vec<usize>,
    /// Parent of each column in the elimination tree, `[2 nodes]`.
    pub(super) parents: Vec<u32>,
    /// First entry of each column of the factor, `[2 nodes + 1]`.
    pub(super) factor_starts: Vec<usize>,
}

impl Pattern {
    /// Orders and analyses the pattern of `matrix`. `None` beyond 2^32 scalars.
    pub(super) fn of(matrix: &BlockMatrix) -> Option<Self> {
        let size = 2 * matrix.nodes();
        if u32::try_from(4 * matrix.block_count()).is_err() {
            return None;
        }

        // Entries of the lower triangle, by row and column.
        let entries = (0..size).flat_map(|column| {
            let rows = matrix.scalar_column(column);
            rows.map(move |(row, _)| [row, column])
        });
        let mut pairs: Vec<[usize; 2]> = entries.collect();
        let order = minimum_degree(Graph::new(size, &pairs));
        let mut position = vec![0; size];
        for (place, &scalar) in order.iter().enumerate() {
            position[scalar as usize] = place;
        }
        for pair in &mut pairs {
            let [a, b] = pair.map(|scalar| position[scalar]);
            *pair = [a.min(b), a.max(b)];
        }

        // The same entries column by column.
        let mut starts = vec![0; size + 1];
        for [_, column] in &pairs {
            starts[column + 1] += 1;
        }
        sum_up(&mut starts);
        let mut next = starts.clone();
        let mut rows = vec![0; pairs.len()];
        let mut places = Vec::with_capacity(pairs.len());
        for [row, column] in pairs {
            places.push(next[column]);
            rows[next[column]] = row as u32;
            next[column] += 1;
        }

        let (parents, factor_starts) = elimination_tree(&starts, &rows);
        Some(Self {
            order,
            starts,
            rows,
            places,
            parents,
            factor_starts,
        })
    }

    /// Number of scalars.
    pub(super) fn size(&self) -> usize {
        self.order.len()
    }
}

/// Turns counts of columns, each one place late, into their starts.
fn sum_up(starts: &mut [usize]) {
    for column in 1..starts.len() {
        starts[column] += starts[column - 1];
    }
}

/// Rows of `L` that each row depends on: the columns that a walk through the elimination tree
/// reaches.
pub(super) struct Reach {
    /// Row that has visited each column last, `[columns]`.
    visitor: Vec<u32>,
    /// Columns of the present row, in an order in which they can be eliminated.
    pub(super) columns: Vec<u32>,
    /// Columns of the present path.
    path: Vec<u32>,
}

impl Reach {
    /// Reach of no row.
    pub(super) fn new(size: usize) -> Self {
        Self {
            visitor: vec![NONE; size],
            columns: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Columns that row `k` depends on, whose own entries left of the diagonal are in `rows`.
    pub(super) fn find(&mut self, k: usize, rows: &[u32], parents: &[u32]) {
        self.visitor[k] = k as u32;
        self.columns.clear();
        // Later paths come first: they end where an earlier one has been.
        for &row in rows.iter().filter(|&&row| (row as usize) < k) {
            let mut column = row;
            while self.visitor[column as usize] != k as u32 {
                self.visitor[column as usize] = k as u32;
                self.path.push(column);
                column = parents[column as usize];
            }
            self.columns.extend(self.path.drain(..).rev());
        }
        self.columns.reverse();
    }
}

/// Parent of each column in the elimination tree, `[columns]`, and the first entry of each column of
/// the factor, `[columns + 1]`. `rows` has the upper triangle by columns.
fn elimination_tree(starts: &[usize], rows: &[u32]) -> (Vec<u32>, Vec<usize>) {
    let size = starts.len() - 1;
    let mut parents = vec![NONE; size];
    // Every column has its diagonal.
    let mut starts_of_factor = vec![1; size + 1];
    starts_of_factor[0] = 0;
    let mut visitor = vec![NONE; size];
    for k in 0..size {
        visitor[k] = k as u32;
        for &row in &rows[starts[k]..starts[k + 1]] {
            let mut column = row as usize;
            while visitor[column] != k as u32 {
                visitor[column] = k as u32;
                starts_of_factor[column + 1] += 1;
                if parents[column] == NONE {
                    parents[column] = k as u32;
                }
                column = parents[column] as usize;
            }
        }
    }
    sum_up(&mut starts_of_factor);
    (parents, starts_of_factor)
}
