//! Multifrontal Cholesky factorisation (Duff, Reid 1983; Liu 1992): the tree of fronts is a tree of tasks, and large fronts
//! are shared by threads. Sums have a fixed order, hence the same bits on any number of threads.

use super::BlockMatrix;
use super::cholesky::NotPositiveDefinite;
use super::dense::{Columns, Eliminated, blocks, eliminate};
use super::fronts::{ALIGN, Front, Fronts};
use crate::math::parallel;
use std::sync::{Mutex, PoisonError};

/// A factorisation `A = L L^T`.
pub(super) struct Multifrontal {
    pub(super) fronts: Fronts,
    /// The panels of all fronts, and room to align them.
    pub(super) factor: Vec<f64>,
    /// Memory of subtrees that are not being factorised.
    stacks: Mutex<Vec<Stacks>>,
    /// Subtrees with less work are one task.
    grain: f64,
}

/// The remainder of a front, which is to be added to its parent.
struct Remainder {
    front: usize,
    values: Vec<f64>,
}

/// Remainders that wait for their parents: those of fronts at even and at odd depth, so that a front can be assembled from
/// the ends of one stack at the end of the other.
#[derive(Default)]
struct Stacks {
    values: [Vec<f64>; 2],
    ends: [usize; 2],
    /// Fronts, and where their remainders begin.
    waiting: [Vec<(usize, usize)>; 2],
}

/// Multiplications below which a subtree is one task.
const SMALL: f64 = 1e6;
const TASKS: f64 = 64.0;

impl Multifrontal {
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let fronts = Fronts::analyse(matrix)?;
        let mut factor: Vec<f64> = Vec::new();
        factor.try_reserve_exact(fronts.len() + ALIGN).ok()?;
        drop(factor);
        let factor = vec![0.0; fronts.len() + ALIGN];
        let work: f64 = fronts.fronts.iter().filter(|front| front.rows == front.pivots).map(|front| front.work).sum();
        let grain = (work / TASKS).max(SMALL);
        Some(Self { fronts, factor, stacks: Mutex::default(), grain })
    }

    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        let mut factor = std::mem::take(&mut self.factor);
        let mut rest = &mut factor[..];
        let start = rest.as_ptr().align_offset(8 * ALIGN).min(ALIGN - 1);
        rest = &mut rest[start..];
        let mut panels = Vec::with_capacity(self.fronts.fronts.len());
        for front in &self.fronts.fronts {
            let (panel, others) = rest.split_at_mut(front.panel_len());
            panels.push(panel);
            rest = others;
        }
        let roots = self.children_before(self.fronts.fronts.len(), 0);
        let result = self.siblings(&roots, 0, &mut panels, matrix).map(|_| ());
        self.factor = factor;
        result
    }

    /// The fronts whose subtrees lie side by side from `start` up to `end`.
    fn children_before(&self, end: usize, start: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut end = end;
        while end > start {
            children.push(end - 1);
            end = self.fronts.fronts[end - 1].subtree;
        }
        children.reverse();
        children
    }

    /// Factorises the subtrees of `children`, whose panels begin with that of front `first`.
    fn siblings(
        &self,
        children: &[usize],
        first: usize,
        panels: &mut [&mut [f64]],
        matrix: &BlockMatrix,
    ) -> Result<Vec<Remainder>, NotPositiveDefinite> {
        match children {
            [] => Ok(Vec::new()),
            [child] => Ok(vec![self.subtree(*child, panels, matrix)?]),
            _ => {
                let (left, right) = children.split_at(children.len() / 2);
                let middle = left[left.len() - 1] + 1;
                let (before, after) = panels.split_at_mut(middle - first);
                let (a, b) = parallel::join(
                    || self.siblings(left, first, before, matrix),
                    || self.siblings(right, middle, after, matrix),
                );
                let mut all = a?;
                all.extend(b?);
                Ok(all)
            }
        }
    }

    fn subtree(
        &self,
        s: usize,
        panels: &mut [&mut [f64]],
        matrix: &BlockMatrix,
    ) -> Result<Remainder, NotPositiveDefinite> {
        let front = &self.fronts.fronts[s];
        if front.work <= self.grain {
            return self.alone(s, panels, matrix);
        }
        let children = self.children_before(s, front.subtree);
        let (below, own) = panels.split_at_mut(s - front.subtree);
        let remainders = self.siblings(&children, front.subtree, below, matrix)?;
        let children: Vec<(usize, &[f64])> = remainders.iter().map(|child| (child.front, &child.values[..])).collect();
        let mut values = vec![0.0; front.remainder_len()];
        Assembly { fronts: &self.fronts, s, children: &children }.factorise(matrix, own[0], &mut values)?;
        Ok(Remainder { front: s, values })
    }

    /// Factorises a subtree on this thread.
    fn alone(
        &self,
        root: usize,
        panels: &mut [&mut [f64]],
        matrix: &BlockMatrix,
    ) -> Result<Remainder, NotPositiveDefinite> {
        let mut stacks = self.stacks.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        stacks.ends = [0; 2];
        stacks.waiting = [Vec::new(), Vec::new()];
        let fronts = &self.fronts.fronts;
        let first = fronts[root].subtree;
        let mut values = vec![0.0; fronts[root].remainder_len()];
        let mut result = Ok(());
        for s in first..=root {
            let front = &fronts[s];
            let own = usize::from(front.odd);
            let [even, odd] = &mut stacks.values;
            let (mine, theirs) = if front.odd { (odd, even) } else { (even, odd) };
            let waiting = &mut stacks.waiting[1 - own];
            let taken = waiting.len() - front.children;
            let children: Vec<(usize, &[f64])> =
                waiting[taken..].iter().map(|&(child, start)| (child, &theirs[start..][..fronts[child].remainder_len()])).collect();
            let start = stacks.ends[own];
            let target = if s == root {
                &mut values[..]
            } else {
                let end = start + front.remainder_len();
                if mine.len() < end {
                    mine.resize(end, 0.0);
                }
                &mut mine[start..end]
            };
            let assembly = Assembly { fronts: &self.fronts, s, children: &children };
            result = assembly.factorise(matrix, panels[s - first], target);
            if result.is_err() {
                break;
            }
            if let Some(&(_, start)) = waiting.get(taken) {
                stacks.ends[1 - own] = start;
            }
            waiting.truncate(taken);
            stacks.waiting[own].push((s, start));
            stacks.ends[own] = start + front.remainder_len();
        }
        self.stacks.lock().unwrap_or_else(PoisonError::into_inner).push(stacks);
        result.map(|()| Remainder { front: root, values })
    }
}

/// A front and what is added to it.
struct Assembly<'a> {
    fronts: &'a Fronts,
    s: usize,
    children: &'a [(usize, &'a [f64])],
}

impl Assembly<'_> {
    fn front(&self) -> &Front {
        &self.fronts.fronts[self.s]
    }

    /// Assembles the front, eliminates its pivots, and leaves what remains in `remainder`.
    fn factorise(
        &self,
        matrix: &BlockMatrix,
        panel: &mut [f64],
        remainder: &mut [f64],
    ) -> Result<(), NotPositiveDefinite> {
        let front = self.front();
        let stride = front.stride();
        self.load(matrix, panel);
        for &(child, values) in self.children {
            self.add(child, values, &mut Columns { values: panel, first: 0, count: front.pivots, stride, row: 0 });
        }
        for block in blocks(front.pivots) {
            let (left, own) = panel.split_at_mut(block.start * stride);
            let left = Eliminated { values: left, depth: block.start, stride };
            let own = &mut own[..block.len() * stride];
            if block.start > 0 {
                left.subtract_products(Columns { values: own, first: block.start, count: block.len(), stride, row: 0 }, false);
            }
            eliminate(Columns { values: own, first: block.start, count: block.len(), stride, row: 0 })
                .map_err(|column| NotPositiveDefinite { row: self.row_of(column) })?;
        }
        let panel = Eliminated { values: panel, depth: front.pivots, stride };
        const CHUNK: usize = 128;
        let (count, own_stride) = (front.rows - front.pivots, front.remainder_stride());
        if count == 0 { return Ok(()); }
        for (k, part) in remainder.chunks_mut(CHUNK * own_stride).enumerate() {
            let (first, count) = (front.pivots + k * CHUNK, CHUNK.min(count - k * CHUNK));
            panel.subtract_products(Columns { values: part, first, count, stride: own_stride, row: front.remainder_row() }, true);
            for &(child, values) in self.children {
                self.add(child, values, &mut Columns { values: part, first, count, stride: own_stride, row: front.remainder_row() });
            }
        }
        Ok(())
    }

    /// The scalar row of the matrix that column `column` of the front is.
    fn row_of(&self, column: usize) -> usize {
        2 * self.fronts.order[self.front().first + column / 2] as usize + column % 2
    }

    /// Puts the columns of the matrix into the panel.
    fn load(&self, matrix: &BlockMatrix, panel: &mut [f64]) {
        panel.fill(0.0);
        let front = self.front();
        let stride = front.stride();
        let own = front.first..front.first + front.pivots / 2;
        for ((k, columns), &node) in own.clone().zip(panel.chunks_exact_mut(2 * stride)).zip(&self.fronts.order[own]) {
            let places = &self.fronts.places[self.fronts.place_starts[k] as usize..];
            let (first, second) = columns.split_at_mut(stride);
            for ((_, [a, b, c, d]), &place) in matrix.column_blocks(node as usize).zip(places) {
                let row = 2 * place as usize;
                first[row..row + 2].copy_from_slice(&[a, b]);
                second[row..row + 2].copy_from_slice(&[c, d]);
            }
        }
    }

    /// Adds those columns of a child's remainder that are in `to`.
    fn add(&self, child: usize, values: &[f64], to: &mut Columns<'_>) {
        let front = &self.fronts.fronts[child];
        let relative = self.fronts.relative(child);
        let stride = front.remainder_stride();
        let top = front.pivots - front.remainder_row();
        let start = relative.partition_point(|&place| 2 * (place as usize) < to.first);
        for (j, &place) in relative.iter().enumerate().skip(start) {
            let column = 2 * place as usize;
            if column >= to.first + to.count {
                break;
            }
            let from = &values[2 * j * stride..][..2 * stride];
            let (from_first, from_second) = from.split_at(stride);
            let (to_first, to_second) =
                to.values[(column - to.first) * to.stride..][..2 * to.stride].split_at_mut(to.stride);
            let (from_first, from_second) = (from_first[top..].as_chunks::<2>().0, from_second[top..].as_chunks::<2>().0);
            let (to_first, to_second) = (to_first.as_chunks_mut::<2>().0, to_second.as_chunks_mut::<2>().0);
            let origin = to.row as u32 / 2;
            for ((a, b), &place) in from_first[j..].iter().zip(&from_second[j..]).zip(&relative[j..]) {
                let i = (place - origin) as usize;
                to_first[i][0] += a[0];
                to_first[i][1] += a[1];
                to_second[i][0] += b[0];
                to_second[i][1] += b[1];
            }
        }
    }
}

#[cfg(test)]
mod statistics {
    use super::*;
    #[test]
    #[ignore]
    fn linear_statistics() {
        use crate::solve::linear::fill_reducing;
        let n: usize = std::env::var("N").map_or(158, |n| n.parse().unwrap());
        let mesh = crate::mesh::generate::rectangle([1.0, 1.0], [n, n]);
        let nodes = mesh.vertices.len();
        let mut pairs: Vec<[usize; 2]> = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        let position = fill_reducing(nodes, &pairs);
        for pair in &mut pairs { *pair = pair.map(|i| position[i]); }
        let matrix = BlockMatrix::new(nodes, &mut pairs);
        let t = std::time::Instant::now();
        let fronts = Fronts::analyse(&matrix).unwrap();
        println!("symbolic {:?}", t.elapsed());
        let work: f64 = fronts.fronts.iter().filter(|f| f.rows == f.pivots).map(|f| f.work).sum();
        let rem: usize = fronts.fronts.iter().map(|f| f.remainder_len()).sum();
        println!("fronts {} factor {:.1}M work {:.0}M remainders {:.1}M", fronts.fronts.len(), fronts.len() as f64 / 1e6, work / 1e6, rem as f64 / 1e6);
        let mut bins = [[0.0; 4]; 12];
        for f in &fronts.fronts {
            let b = (f.rows as f64).log2() as usize;
            bins[b][0] += 1.0; bins[b][1] += crate::solve::linear::supernodes::flops(f.pivots, f.rows) / 1e6; bins[b][2] += f.panel_len() as f64 / 1e6; bins[b][3] += f.remainder_len() as f64 / 1e6;
        }
        for (b, bin) in bins.iter().enumerate() { println!("rows {} {:?}", 1 << b, bin); }
        let mut top: Vec<_> = fronts.fronts.iter().map(|f| (f.rows, f.pivots, (f.work / 1e6) as usize)).collect();
        top.sort_unstable_by_key(|t| std::cmp::Reverse(t.2)); println!("{:?}", &top[..20.min(top.len())]);
    }
}
