//! Forward and back substitution with a multifrontal factor.

use super::fronts::ALIGN;
use super::multifrontal::Multifrontal;

impl Multifrontal {
    fn panels(&self) -> &[f64] {
        &self.factor[self.factor.as_ptr().align_offset(8 * ALIGN).min(ALIGN - 1)..]
    }

    /// Solves `A x = b` in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        let panels = self.panels();
        let fronts = &self.fronts.fronts;
        let mut x: Vec<f64> =
            self.fronts.order.iter().flat_map(|&node| [b[2 * node as usize], b[2 * node as usize + 1]]).collect();
        let mut waiting: Vec<(usize, Vec<f64>)> = Vec::new();
        for (s, front) in fronts.iter().enumerate() {
            let own = &mut x[2 * front.first..][..front.pivots];
            let mut local = vec![0.0; front.stride()];
            local[..front.pivots].copy_from_slice(own);
            for (child, values) in waiting.drain(waiting.len() - front.children..) {
                for (value, &place) in values.as_chunks::<2>().0.iter().zip(self.fronts.relative(child)) {
                    local[2 * place as usize] += value[0];
                    local[2 * place as usize + 1] += value[1];
                }
            }
            let panel = &panels[front.panel..][..front.panel_len()];
            for (j, column) in panel.chunks_exact(front.stride()).enumerate() {
                let y = local[j] / column[j];
                local[j] = y;
                for (value, l) in local[j + 1..].iter_mut().zip(&column[j + 1..]) {
                    *value -= y * l;
                }
            }
            own.copy_from_slice(&local[..front.pivots]);
            waiting.push((s, local[front.pivots..front.rows].to_vec()));
        }
        let mut above: Vec<(usize, Vec<f64>)> = Vec::new();
        for s in (0..fronts.len()).rev() {
            let front = &fronts[s];
            let mut local = vec![0.0; front.stride()];
            local[..front.pivots].copy_from_slice(&x[2 * front.first..][..front.pivots]);
            if front.rows > front.pivots {
                if let Some((_, values)) = above.pop() {
                    local[front.pivots..front.rows].copy_from_slice(&values);
                }
            }
            let panel = &panels[front.panel..][..front.panel_len()];
            for (j, column) in panel.chunks_exact(front.stride()).enumerate().rev() {
                let mut sum = local[j];
                for (value, l) in local[j + 1..].iter().zip(&column[j + 1..]) {
                    sum -= value * l;
                }
                local[j] = sum / column[j];
            }
            x[2 * front.first..][..front.pivots].copy_from_slice(&local[..front.pivots]);
            let mut child = s;
            let start = above.len();
            for _ in 0..front.children {
                child -= 1;
                let values = self.fronts.relative(child).iter().flat_map(|&place| [local[2 * place as usize], local[2 * place as usize + 1]]).collect();
                above.push((child, values));
                child = fronts[child].subtree;
            }
            above[start..].reverse();
        }
        for (k, &node) in self.fronts.order.iter().enumerate() {
            b[2 * node as usize] = x[2 * k];
            b[2 * node as usize + 1] = x[2 * k + 1];
        }
    }
}
