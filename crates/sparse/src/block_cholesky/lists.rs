//! Pattern of a factor by blocks: which columns each column needs, and in which order a solve goes
//! through them.

use crate::BlockMatrix;
use crate::tree::NONE;
use crate::tuning::WINDOW;
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
    /// Blocks of columns that have one in the row of a column, from there to the end of that
    /// column, in the order in which they are subtracted.
    earlier: Vec<[u32; 2]>,
    /// The first of these blocks with their columns, in the order of the matrix.
    by_row: Vec<[u32; 2]>,
    /// Row of each column in the matrix: by ascending height in the elimination tree within each
    /// window of rows. Leaves have the height 0, and a column is above all columns that it needs.
    pub(super) order: Vec<u32>,
    /// Column of each row of the matrix, the inverse of `order`.
    pub(super) place: Vec<u32>,
}

impl Lists {
    /// Pattern of the factor of a matrix. `None` if a factorisation has more than `most` block
    /// products, or more blocks than 32 bits count.
    pub(super) fn of(matrix: &BlockMatrix, most: usize) -> Option<Self> {
        let mut lists = Self::default();
        lists.find_columns(matrix, most)?;
        lists.find_earlier();
        Some(lists.by_height())
    }

    /// Finds the rows of each column. `None` if there are too many products or blocks.
    ///
    /// These are the rows of the matrix, and the rows of the column's children in the elimination
    /// tree. The parent of a column is its first row below the diagonal.
    fn find_columns(&mut self, matrix: &BlockMatrix, most: usize) -> Option<()> {
        // Lists of children: the first one of each column, and the next one after each child.
        let n = matrix.nodes();
        let mut child = vec![NONE; n];
        let mut sibling = vec![NONE; n];
        let mut column_of = vec![NONE; n];
        let mut products = 0;
        self.starts = Vec::with_capacity(n + 1);
        self.starts.push(0);
        self.rows = Vec::with_capacity(matrix.block_count());

        for j in 0..n {
            // Each row once.
            let start = self.rows.len();
            let mut add = |rows: &mut Vec<u32>, i: usize| {
                if std::mem::replace(&mut column_of[i], j) != j {
                    rows.push(short(i));
                }
            };
            for &i in matrix.column(j).1 {
                add(&mut self.rows, i);
            }
            let mut next = child[j];
            while next != NONE {
                for block in self.column(next).skip(1) {
                    let i = self.rows[block] as usize;
                    add(&mut self.rows, i);
                }
                next = sibling[next];
            }

            let own = &mut self.rows[start..];
            own.sort_unstable();
            products += own.len() * (own.len() - 1) / 2;
            if let Some(&parent) = own.get(1) {
                sibling[j] = std::mem::replace(&mut child[parent as usize], j);
            }
            if products > most {
                return None;
            }
            self.starts.push(u32::try_from(self.rows.len()).ok()?);
        }
        Some(())
    }

    /// Finds the columns that each column needs.
    ///
    /// A column waits in the list of the row of its next unused block, and moves on when that is
    /// used. The one that has waited least comes first.
    fn find_earlier(&mut self) {
        let n = self.starts.len() - 1;
        let mut first = vec![NONE; n];
        let mut next = vec![NONE; n];
        let mut unused = vec![NONE; n];
        self.ends = Vec::with_capacity(n);
        self.earlier = Vec::with_capacity(self.rows.len() - n);
        self.by_row = Vec::with_capacity(self.rows.len() - n);

        for j in 0..n {
            let start = self.by_row.len();
            let mut k = first[j];
            while k != NONE {
                let following = next[k];
                let block = unused[k];
                self.earlier.push([short(block), short(k)]);
                self.by_row.push([short(block), short(k)]);
                if block + 1 < self.column(k).end {
                    let row = self.rows[block + 1] as usize;
                    next[k] = std::mem::replace(&mut first[row], k);
                }
                unused[k] = block + 1;
                k = following;
            }
            self.by_row[start..].sort_unstable_by_key(|one| one[1]);
            self.ends.push(short(self.earlier.len()));

            // The column waits for the row of its first block below the diagonal.
            unused[j] = self.column(j).start + 1;
            if unused[j] < self.column(j).end {
                let row = self.rows[unused[j]] as usize;
                next[j] = std::mem::replace(&mut first[row], j);
            }
        }
    }

    /// The lists with columns in the order of a solve. The products that a column subtracts keep
    /// their order, and so do the rows of a column: each is above the one before it.
    fn by_height(self) -> Self {
        let n = self.starts.len() - 1;
        let order = self.order_of_solve();
        let mut place = vec![0; n];
        for (column, &j) in order.iter().enumerate() {
            place[j as usize] = short(column);
        }

        // The columns.
        let mut starts = Vec::with_capacity(n + 1);
        let mut rows = Vec::with_capacity(self.rows.len());
        starts.push(0);
        for &j in &order {
            let own = &self.rows[self.column(j as usize)];
            rows.extend(own.iter().map(|&i| place[i as usize]));
            starts.push(short(rows.len()));
        }

        // The columns that each of them needs.
        let moved = |[block, k]: [u32; 2]| {
            let column = place[k as usize];
            let block = block - self.starts[k as usize] + starts[column as usize];
            [block, column]
        };
        let mut ends = Vec::with_capacity(n);
        let mut earlier = Vec::with_capacity(self.earlier.len());
        let mut by_row = Vec::with_capacity(self.by_row.len());
        for &j in &order {
            let needed = self.earlier(j as usize).iter();
            earlier.extend(needed.map(|&one| {
                let [block, column] = moved(one);
                [block, starts[column as usize + 1]]
            }));
            by_row.extend(self.row(j as usize).iter().map(|&one| moved(one)));
            ends.push(short(by_row.len()));
        }
        Self {
            starts,
            rows,
            ends,
            earlier,
            by_row,
            order,
            place,
        }
    }

    /// Columns in the order of a solve; columns of one height ascend.
    fn order_of_solve(&self) -> Vec<u32> {
        let n = self.starts.len() - 1;
        let mut height = vec![0; n];
        for j in 0..n {
            let column = self.column(j);
            if let Some(&parent) = self.rows[column].get(1) {
                let parent = parent as usize;
                height[parent] = height[parent].max(height[j] + 1);
            }
        }
        let mut order: Vec<u32> = (0..n).map(short).collect();
        order.sort_by_key(|&j| (j as usize / WINDOW, height[j as usize]));
        order
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

    /// Blocks in the row of a column with their columns, ascending in the matrix.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_matrices::{grid, springs};

    #[test]
    fn a_column_comes_after_all_that_it_needs_and_knows_them_in_both_orders() {
        let matrix = springs(400, &grid(20));
        let lists = Lists::of(&matrix, usize::MAX).unwrap();
        let mut done = vec![false; 400];
        for (own, &row) in lists.order.iter().enumerate() {
            assert_eq!(lists.place[row as usize], short(own));
            let column = lists.column(own);
            assert_eq!(lists.rows[column.start], short(own));
            assert!(lists.rows[column].is_sorted());

            let mut needed: Vec<u32> = lists.earlier(own).iter().map(|one| one[0]).collect();
            needed.sort_unstable();
            let mut listed: Vec<u32> = lists.row(own).iter().map(|one| one[0]).collect();
            let in_matrix = |one: &[u32; 2]| lists.order[one[1] as usize];
            assert!(lists.row(own).is_sorted_by_key(in_matrix));
            listed.sort_unstable();
            assert_eq!(needed, listed);
            for &[block, k] in lists.row(own) {
                assert_eq!(lists.rows[block as usize], short(own));
                assert!(lists.column(k as usize).contains(&(block as usize)));
                assert!(done[k as usize]);
            }
            for &[block, end] in lists.earlier(own) {
                assert!(lists.starts.contains(&end) && block < end);
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
