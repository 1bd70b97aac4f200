//! Curves for drawing: broken at gaps, and thinned to what a picture can show.
//!
//! A run of a million steps has more points than a chart has columns. Of the points in one column
//! of pixels only the first, lowest, highest and last decide which pixels the curve covers; the
//! others are dropped.

/// A point of a curve: abscissa and ordinate, in the units of the axes.
pub(super) type Point = (f64, f64);

/// Runs of finite points of a curve, each thinned to the first, lowest, highest and last point of
/// every column of the given `width` (units of `x`).
///
/// A value that is not finite ends a run. The thinned curve covers the same pixels if a column is
/// at most one pixel wide (M4; Jugel et al., VLDB 2014).
pub(super) fn runs(x: &[f64], y: &[f64], width: f64) -> Vec<Vec<Point>> {
    let points: Vec<Point> = x.iter().copied().zip(y.iter().copied()).collect();
    let column = |p: &Point| (p.0 / width).floor();

    points
        .split(|p| !(p.0.is_finite() && p.1.is_finite()))
        .filter(|run| !run.is_empty())
        .map(|run| {
            run.chunk_by(|p, q| column(p).total_cmp(&column(q)).is_eq())
                .flat_map(thinned)
                .collect()
        })
        .collect()
}

/// First, lowest, highest and last of the points, each once and in their order; `points` is not
/// empty.
fn thinned(points: &[Point]) -> impl Iterator<Item = Point> {
    let by_height = |&i: &usize, &j: &usize| points[i].1.total_cmp(&points[j].1);
    let lowest = (0..points.len()).min_by(by_height).unwrap_or(0);
    let highest = (0..points.len()).max_by(by_height).unwrap_or(0);
    let mut kept = [0, lowest, highest, points.len() - 1];
    kept.sort_unstable();
    (0..4)
        .filter(move |&k| k == 0 || kept[k] != kept[k - 1])
        .map(move |k| points[kept[k]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_broken_at_values_that_are_not_finite() {
        let x = [0.0, 1.0, 2.0, 3.0, 4.0];
        let y = [1.0, f64::NAN, 3.0, 4.0, f64::INFINITY];
        assert_eq!(
            runs(&x, &y, 0.01),
            [vec![(0.0, 1.0)], vec![(2.0, 3.0), (3.0, 4.0)]]
        );
    }

    #[test]
    fn a_thinned_curve_keeps_ends_and_extremes_of_every_column() {
        let x: Vec<f64> = (0..10_000).map(|k| (f64::from(k) + 0.5) / 1e4).collect();
        let y: Vec<f64> = x.iter().map(|x| (7e3 * x).sin()).collect();
        let thin = runs(&x, &y, 0.1).concat();
        // Ten columns have at most four points each.
        assert!(thin.len() <= 40);

        for part in 0..10 {
            let range = part * 1000..(part + 1) * 1000;
            let highest = y[range.clone()].iter().copied().fold(f64::MIN, f64::max);
            let kept = |i: usize| thin.iter().any(|p| p.0.total_cmp(&x[i]).is_eq());
            assert!(kept(range.start) && kept(range.end - 1));
            assert!(thin.iter().any(|p| p.1.total_cmp(&highest).is_eq()));
        }
    }
}
