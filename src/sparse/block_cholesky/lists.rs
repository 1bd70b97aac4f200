//! Pattern of a factor by blocks: which columns each column needs, and in which order a solve goes
//! through them.

use crate::sparse::BlockMatrix;
use crate::sparse::tuning::WINDOW;
use std::ops::Range;

/// Pattern of a factor, column by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// First block of each column, `[nodes + 1]`.
    starts: Vec<u32>,
    /// Row of each block.
    pub(super) rows: Vec<u32>,
    /// End of the list of each column in `earlier` and in `by_row`.
    ends: Vec<u32>,
    /// Blocks of columns that have one in the row of a column, from there to the end of their own
    /// column, in the order in which they are subtracted.
    earlier: Vec<[u32; 2]>,
    /// The first of these blocks with their columns, by ascending columns.
    by_row: Vec<[u32; 2]>,
    /// Columns in the order of a solve: by ascending height in the elimination tree within each
    /// window of columns. Leaves have the height 0, and a column is above all columns that it needs.
    pub(super) order: Vec<u32>,
}

impl Lists {
    /// Pattern of the factor of a matrix. `None` if a factorisation has more than `most` block
    /// products, or more blocks than 32 bits count.
    pub(super) fn of(matrix: &BlockMatrix, most: usize) -> Option<Self> {
        let columns = columns_of(matrix, most)?;
        let count: usize = columns.iter().map(Vec::len).sum();
        u32::try_from(count).ok()?;

        let mut lists = Self::default();
        for column in &columns {
            lists.starts.push(short(lists.rows.len()));
            lists.rows.extend(column.iter().map(|&row| short(row)));
        }
        lists.starts.push(short(lists.rows.len()));

        // What each column needs.
        for mut own in in_order_of_use(&columns) {
            for &[k, at] in &own {
                let Range { start, end } = lists.column(k);
                lists.earlier.push([short(start + at), short(end)]);
            }
            own.sort_unstable();
            for [k, at] in own {
                let block = lists.column(k).start + at;
                lists.by_row.push([short(block), short(k)]);
            }
            lists.ends.push(short(lists.earlier.len()));
        }
        lists.order = by_height(&columns).into_iter().map(short).collect();
        Some(lists)
    }

    /// Blocks of a column, the diagonal one first.
    #[inline]
    pub(super) fn column(&self, j: usize) -> Range<usize> {
        self.starts[j] as usize..self.starts[j + 1] as usize
    }

    /// Stretches of blocks that a column needs, in the order of subtraction.
    #[inline]
    pub(super) fn earlier(&self, j: usize) -> &[[u32; 2]] {
        &self.earlier[self.list(j)]
    }

    /// Blocks in the row of a column with their columns, ascending.
    #[inline]
    pub(super) fn row(&self, j: usize) -> &[[u32; 2]] {
        &self.by_row[self.list(j)]
    }

    /// Stretch of the lists that belongs to a column.
    #[inline]
    fn list(&self, j: usize) -> Range<usize> {
        let start = j.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[j] as usize
    }
}

/// A number that has been found to fit into 32 bits, as all are that count blocks or columns.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Rows of each column of the factor, ascending from the diagonal; `None` if there are more than
/// `most` products.
///
/// These are the rows of the matrix, and those of the column's children in the elimination tree.
/// The parent of a column is its first row below the diagonal.
fn columns_of(matrix: &BlockMatrix, most: usize) -> Option<Vec<Vec<usize>>> {
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); matrix.nodes()];
    let mut products = 0;
    for j in 0..columns.len() {
        let mut column = std::mem::take(&mut columns[j]);
        column.extend(matrix.column(j).1);
        column.sort_unstable();
        column.dedup();

        products += column.len() * (column.len() - 1) / 2;
        if products > most {
            return None;
        }
        if let Some(&parent) = column.get(1) {
            columns[parent].extend(&column[1..]);
        }
        columns[j] = column;
    }
    Some(columns)
}

/// Columns window by window, and in each by ascending height in the elimination tree; those of one
/// height ascend.
fn by_height(columns: &[Vec<usize>]) -> Vec<usize> {
    let mut height = vec![0; columns.len()];
    for (j, column) in columns.iter().enumerate() {
        if let Some(&parent) = column.get(1) {
            height[parent] = height[parent].max(height[j] + 1);
        }
    }
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&j| (j / WINDOW, height[j]));
    order
}

/// For each column the earlier ones with a block in its row, and the number of that block in them, in
/// the order of subtraction: the one that has waited least comes first. A column waits in the list
/// of the row of its next unused block, and moves on when that is used.
fn in_order_of_use(columns: &[Vec<usize>]) -> Vec<Vec<[usize; 2]>> {
    let mut waiting: Vec<Vec<[usize; 2]>> = vec![Vec::new(); columns.len()];
    let mut used = Vec::with_capacity(columns.len());
    for j in 0..columns.len() {
        let mut own = std::mem::take(&mut waiting[j]);
        own.reverse();
        for &[k, at] in own.iter().chain([&[j, 0]]) {
            if let Some(&row) = columns[k].get(at + 1) {
                waiting[row].push([k, at + 1]);
            }
        }
        used.push(own);
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::test_matrices::{grid, springs};

    #[test]
    fn a_column_comes_after_all_that_it_needs_and_knows_them_in_both_orders() {
        let matrix = springs(400, &grid(20));
        let lists = Lists::of(&matrix, usize::MAX).unwrap();
        let mut done = vec![false; 400];
        for &j in &lists.order {
            let own = j as usize;
            let column = lists.column(own);
            assert_eq!(lists.rows[column.start], j);
            assert!(lists.rows[column].is_sorted());

            let mut needed: Vec<u32> = lists.earlier(own).iter().map(|one| one[0]).collect();
            needed.sort_unstable();
            let mut listed: Vec<u32> = lists.row(own).iter().map(|one| one[0]).collect();
            assert!(lists.row(own).is_sorted_by_key(|one| one[1]));
            listed.sort_unstable();
            assert_eq!(needed, listed);
            for &[block, k] in lists.row(own) {
                assert_eq!(lists.rows[block as usize], j);
                assert!(done[k as usize]);
            }
            done[own] = true;
        }
    }

    #[test]
    fn columns_that_do_not_need_each_other_are_side_by_side() {
        // Eliminated from both ends to the middle: each height has two columns.
        let n = 100;
        let row = |k: usize| {
            if k < n / 2 {
                2 * k
            } else {
                2 * (n - 1 - k) + 1
            }
        };
        let links: Vec<[usize; 2]> = (1..n).map(|k| [row(k), row(k - 1)]).collect();
        let lists = Lists::of(&springs(n, &links), usize::MAX).unwrap();
        assert!(lists.order.is_sorted());

        // Two chains one after the other.
        let chains: Vec<[usize; 2]> = (1..n).filter(|k| *k != n / 2).map(|k| [k, k - 1]).collect();
        let lists = Lists::of(&springs(n, &chains), usize::MAX).unwrap();
        assert_eq!(lists.order[..4], [0, 50, 1, 51]);
    }

    #[test]
    fn patterns_of_too_many_products_are_given_up() {
        // Column `j` of a full matrix of 10 nodes has `10 - j` blocks: 165 products in all.
        let full: Vec<[usize; 2]> = (0..10).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let matrix = springs(10, &full);
        assert!(Lists::of(&matrix, 165).is_some());
        assert!(Lists::of(&matrix, 164).is_none());
    }
}
