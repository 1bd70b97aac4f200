//! Triangles with six nodes: where the map of one keeps its orientation, on the whole triangle.
//!
//! Corners are nodes 0, 1, 2, and nodes 3, 4, 5 are on the sides 01, 12, 20. Positions are quadratic
//! in the barycentric coordinates `l` of the reference triangle. Its two slopes `s` and `t` are
//! therefore linear, and the determinant `J = s x t` is quadratic,
//!
//! `J(l) = sum_k c_kk l_k^2 + 2 sum_(k<m) c_km l_k l_m` with
//! `c_km = (s_k x t_m + s_m x t_k) / 2`,
//!
//! where `s_k`, `t_k` are the slopes at corner `k`. These six numbers are its coefficients of
//! Bernstein. `J` is one of them at a corner and a mean of them everywhere, hence not below the
//! smallest (Johnen, Remacle, Geuzaine 2013, "Geometrical validity of curvilinear finite elements").
//! Where that is too little, the triangle is cut into four, whose coefficients are nearer to `J`.
//!
//! Along a linear motion `J` is quadratic in time as well, with three times six coefficients.
//! Whatever is said to be positive here is so in spite of rounding.
//!
//! Three questions are answered, from the strictest to the mildest:
//!
//! - [`has_positive_coefficients`]: all six are positive. The solver keeps its states so, because this
//!   domain has a barrier, and because each coefficient is a plain quadratic polynomial along a step.
//! - [`is_upright`]: `J > 0` everywhere, by cutting the triangle. Stored states are verified so.
//! - [`first_flat`]: `J > 0` everywhere and at all times of a motion, by cutting time as well. Stored
//!   motions are proved so. A motion on which the solver keeps nine tenths from being lost is proved
//!   after few cuts: its coefficients are positive at every time.
//!
//! Cutting converges quadratically: coefficients of a part of size `h` are within `O(h^2)` of `J`. A
//! triangle that is not proved after `JACOBIAN_MOST_CUTS` cuts has a `J` of less than about `4^-6` of
//! its largest coefficient somewhere.

use crate::tuning::{JACOBIAN_MOST_CUTS, JACOBIAN_MOST_HALVINGS};
use crate::{Vec2, cross};

/// Derivatives of the six shape functions at the three corners, along both directions of the
/// reference triangle: `[corner][direction][node]`. In between they are linear.
pub const SLOPES: [[[f64; 6]; 2]; 3] = [
    [
        [-3.0, -1.0, 0.0, 4.0, 0.0, 0.0],
        [-3.0, 0.0, -1.0, 0.0, 0.0, 4.0],
    ],
    [
        [1.0, 3.0, 0.0, -4.0, 0.0, 0.0],
        [1.0, 0.0, -1.0, -4.0, 4.0, 0.0],
    ],
    [
        [1.0, -1.0, 0.0, 0.0, 4.0, -4.0],
        [1.0, 0.0, 3.0, 0.0, 0.0, -4.0],
    ],
];

/// Corners that each coefficient is made of: first the corners, then the sides.
pub const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 0]];

/// Bound of the rounding of a coefficient, relative to the square of the largest difference of
/// coordinates.
///
/// A slope is less than 8 times that difference, with four roundings; a coefficient is a sum of four
/// products of slopes. The rest is room for the sums of [`quarters`] and [`halves`].
const COEFFICIENT_ROUNDING: f64 = 8192.0 * f64::EPSILON;

/// Coefficients of Bernstein of a quadratic function on a triangle, in the order of [`PAIRS`].
pub type Coefficients = [f64; 6];

/// Slopes of a triangle at its corners, `[corner][direction]`.
type Slopes = [[Vec2; 2]; 3];

/// Slopes at the corners (m): derivatives of the position along both directions of the reference
/// triangle, by the rows of [`SLOPES`].
///
/// They are sums of differences from node 0, so that the distance from the origin adds no rounding.
fn slopes(x: &[Vec2; 6]) -> Slopes {
    let y = x.map(|node| node - x[0]);
    [
        [y[3] * 4.0 - y[1], y[5] * 4.0 - y[2]],
        [y[1] * 3.0 - y[3] * 4.0, (y[4] - y[3]) * 4.0 - y[2]],
        [(y[4] - y[5]) * 4.0 - y[1], y[2] * 3.0 - y[5] * 4.0],
    ]
}

/// Symmetric bilinear form whose value at equal slopes is `J`: its coefficients (m^2).
///
/// For slopes that are linear in time between `a` and `b` the Bernstein coefficients in time belong
/// to `(a, a)`, `(a, b)` and `(b, b)`.
fn polar(a: &Slopes, b: &Slopes) -> Coefficients {
    PAIRS.map(|[k, m]| {
        let first = cross(a[k][0], b[m][1]) + cross(b[k][0], a[m][1]);
        let second = cross(a[m][0], b[k][1]) + cross(b[m][0], a[k][1]);
        0.25 * (first + second)
    })
}

/// Coefficients of `J` (m^2) of a triangle whose nodes are at `x` (m). Twice its area is their mean.
///
/// ```
/// use ipcsim_math::geometry::bernstein::determinant;
/// use ipcsim_math::Vec2;
/// let [a, b, c] = [Vec2::new(0.0, 0.0), Vec2::new(2.0, 0.0), Vec2::new(0.0, 3.0)];
/// let straight = [a, b, c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0];
/// assert_eq!(determinant(&straight), [6.0; 6]);
/// ```
pub fn determinant(x: &[Vec2; 6]) -> Coefficients {
    let slopes = slopes(x);
    polar(&slopes, &slopes)
}

/// Polynomials in the fraction `f` of a motion `p` (m) from `x` (m): each coefficient of `J` is
/// `c[0] + c[1] f + c[2] f^2`.
pub fn along(x: &[Vec2; 6], p: &[Vec2; 6]) -> [[f64; 3]; 6] {
    let from = slopes(x);
    let change = slopes(p);
    let start = polar(&from, &from);
    let mixed = polar(&from, &change);
    let square = polar(&change, &change);
    std::array::from_fn(|k| [start[k], 2.0 * mixed[k], square[k]])
}

/// Bound of the rounding of coefficients (m^2) of triangles with these nodes (m).
fn rounding<'a>(nodes: impl IntoIterator<Item = &'a [Vec2; 6]>) -> f64 {
    let size = nodes
        .into_iter()
        .flat_map(|x| x.iter().map(|node| (node - x[0]).amax()))
        .fold(0.0, f64::max);
    COEFFICIENT_ROUNDING * size * size
}

/// True if all coefficients of `J` are positive, in spite of rounding. Then `J > 0` on the whole
/// triangle; a solver keeps this property.
pub fn has_positive_coefficients(x: &[Vec2; 6]) -> bool {
    let margin = rounding([x]);
    determinant(x).iter().all(|&c| c > margin)
}

/// True if `J > 0` on the whole triangle whose nodes are at `x` (m), proved in spite of rounding.
///
/// A triangle that is flat but for rounding somewhere is not proved.
pub fn is_upright(x: &[Vec2; 6]) -> bool {
    is_positive(&[determinant(x)], rounding([x]), JACOBIAN_MOST_CUTS)
}

/// Time in `[0, 1]` from which `J > 0` is not proved on the whole triangle, while its nodes move
/// from `start` to `end` (m) on straight lines; `None` if it is proved for the whole motion.
pub fn first_flat(start: &[Vec2; 6], end: &[Vec2; 6]) -> Option<f64> {
    let [from, to] = [slopes(start), slopes(end)];
    let patch = [polar(&from, &from), polar(&from, &to), polar(&to, &to)];
    first_failure(
        &patch,
        rounding([start, end]),
        0.0,
        1.0,
        JACOBIAN_MOST_HALVINGS,
    )
}

/// First time between `from` and `from + length` from which a patch is not proved to be positive.
///
/// The first half is searched before the second, so that the time found is the first one. A patch
/// that is not positive at its own start is given up at once: no halving helps there.
fn first_failure(
    patch: &[Coefficients; 3],
    margin: f64,
    from: f64,
    length: f64,
    halvings: usize,
) -> Option<f64> {
    // A coefficient that is not positive at the start or the end remains so in every part.
    if !is_positive(&patch[..1], margin, JACOBIAN_MOST_CUTS) {
        return Some(from);
    }
    if is_positive(patch, margin, JACOBIAN_MOST_CUTS) {
        return None;
    }
    if halvings == 0 {
        return Some(from);
    }
    let [first, second] = halves(patch);
    let half = 0.5 * length;
    first_failure(&first, margin, from, half, halvings - 1)
        .or_else(|| first_failure(&second, margin, from + half, half, halvings - 1))
}

/// Coefficients in time on both halves of an interval (de Casteljau's algorithm).
fn halves(patch: &[Coefficients; 3]) -> [[Coefficients; 3]; 2] {
    let mean = |a: &Coefficients, b: &Coefficients| -> Coefficients {
        std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
    };
    let [a, b, c] = patch;
    let [ab, bc] = [mean(a, b), mean(b, c)];
    let middle = mean(&ab, &bc);
    [[*a, ab, middle], [middle, bc, *c]]
}

/// True if all coefficients of a patch exceed `margin` (m^2) on the triangle or on all of its parts. The
/// lists are coefficients in time; a single one is a state.
fn is_positive(patch: &[Coefficients], margin: f64, cuts: usize) -> bool {
    if patch.iter().flatten().all(|&c| c > margin) {
        return true;
    }

    // Those at corners, at the start and the end, are values, which no cut raises.
    let ends = [patch.first(), patch.last()];
    let mut values = ends.into_iter().flatten().flat_map(|list| &list[..3]);
    let is_hopeless = values.any(|&value| value.is_nan() || value <= margin);
    if is_hopeless || cuts == 0 {
        return false;
    }
    let lists: Vec<[Coefficients; 4]> = patch.iter().map(quarters).collect();
    (0..4).all(|part| {
        let own: Vec<Coefficients> = lists.iter().map(|list| list[part]).collect();
        is_positive(&own, margin, cuts - 1)
    })
}

/// Coefficients on the four triangles between the corners and the middles of the sides: those at the
/// three corners, and the middle one.
fn quarters(list: &Coefficients) -> [Coefficients; 4] {
    let [a, b, c, ab, bc, ca] = *list;
    let on_ab = 0.25 * (a + 2.0 * ab + b);
    let on_bc = 0.25 * (b + 2.0 * bc + c);
    let on_ca = 0.25 * (c + 2.0 * ca + a);

    // Between the middles of two sides, by the corner that they share.
    let at_a = 0.25 * (a + ab + bc + ca);
    let at_b = 0.25 * (b + ab + bc + ca);
    let at_c = 0.25 * (c + ab + bc + ca);
    [
        [a, on_ab, on_ca, 0.5 * (a + ab), at_a, 0.5 * (a + ca)],
        [on_ab, b, on_bc, 0.5 * (b + ab), 0.5 * (b + bc), at_b],
        [on_ca, on_bc, c, at_c, 0.5 * (c + bc), 0.5 * (c + ca)],
        [on_ab, on_bc, on_ca, at_b, at_c, at_a],
    ]
}

/// Lower bound of `J` (m^2) on a triangle whose nodes are at `x` (m), exact but for rounding where
/// the smallest value is at a corner.
pub fn least(x: &[Vec2; 6]) -> f64 {
    least_of(&determinant(x), JACOBIAN_MOST_CUTS)
}

/// Lower bound of a quadratic function by the smallest coefficients of its parts.
///
/// The coefficient of a corner is a value of the function. If it is the smallest coefficient, it is
/// the least value, and no cut is needed.
fn least_of(list: &Coefficients, cuts: usize) -> f64 {
    let smallest = list.iter().copied().fold(f64::INFINITY, f64::min);
    let at_corners = list[..3].iter().copied().fold(f64::INFINITY, f64::min);
    if cuts == 0 || at_corners <= smallest {
        return smallest;
    }
    let parts = quarters(list);
    let bounds = parts.iter().map(|part| least_of(part, cuts - 1));
    bounds.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Straight triangle with its corners at the ends of the unit vectors.
    fn straight() -> [Vec2; 6] {
        let [a, b, c] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
        [a, b, c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0]
    }

    /// Nodes moved by a list of numbers (m).
    fn moved(e: [f64; 12]) -> [Vec2; 6] {
        let x = straight();
        std::array::from_fn(|i| x[i] + Vec2::new(e[2 * i], e[2 * i + 1]))
    }

    /// `J` at barycentric coordinates, by the shape functions themselves:
    /// `N_k = l_k (2 l_k - 1)` at corners and `4 l_k l_m` on sides.
    fn direct(x: &[Vec2; 6], [l, u, v]: [f64; 3]) -> f64 {
        let s = [
            1.0 - 4.0 * l,
            4.0 * u - 1.0,
            0.0,
            4.0 * (l - u),
            4.0 * v,
            -4.0 * v,
        ];
        let t = [
            1.0 - 4.0 * l,
            0.0,
            4.0 * v - 1.0,
            -4.0 * u,
            4.0 * u,
            4.0 * (l - v),
        ];
        let sum = |n: [f64; 6]| -> Vec2 { x.iter().zip(n).map(|(x, n)| x * n).sum() };
        cross(sum(s), sum(t))
    }

    /// Value of a quadratic function with these coefficients.
    fn value(c: &Coefficients, l: [f64; 3]) -> f64 {
        let mut sum = 0.0;
        for (c, [k, m]) in c.iter().zip(PAIRS) {
            sum += c * l[k] * l[m] * if k == m { 1.0 } else { 2.0 };
        }
        sum
    }

    /// Barycentric coordinates of a fine grid.
    fn grid() -> impl Iterator<Item = [f64; 3]> {
        (0..=40).flat_map(|i| {
            (0..=40 - i).map(move |j| {
                let [u, v] = [f64::from(i) / 40.0, f64::from(j) / 40.0];
                [1.0 - u - v, u, v]
            })
        })
    }

    /// Moves of the nodes of a triangle (m).
    fn moves(size: f64) -> impl Strategy<Value = [f64; 12]> {
        prop::array::uniform12(-size..size)
    }

    proptest! {
        #[test]
        fn coefficients_give_the_determinant_and_bound_it(e in moves(0.3)) {
            let x = moved(e);
            let c = determinant(&x);
            let bound = least(&x);
            for l in grid() {
                let exact = direct(&x, l);
                prop_assert!((value(&c, l) - exact).abs() < 1e-13);
                prop_assert!(bound <= exact + 1e-13);
            }
            let least_seen = grid().map(|l| direct(&x, l)).fold(f64::INFINITY, f64::min);
            prop_assert!(bound > least_seen - 0.01, "{bound} {least_seen}");
        }

        #[test]
        fn what_is_proved_upright_is_so_and_what_clearly_is_so_is_proved(e in moves(0.25)) {
            let x = moved(e);
            let least_seen = grid().map(|l| direct(&x, l)).fold(f64::INFINITY, f64::min);
            prop_assert!(!is_upright(&x) || least_seen > 0.0);
            prop_assert!(is_upright(&x) || least_seen < 0.01);
            prop_assert!(is_upright(&x) || !has_positive_coefficients(&x));
        }

        #[test]
        fn a_motion_is_proved_up_to_the_time_when_it_turns_over(e in moves(0.1), d in moves(0.9)) {
            let [start, end] = [moved(e), moved(d)];
            prop_assume!(is_upright(&start));
            let least_at = |time: f64| {
                let x: [Vec2; 6] = std::array::from_fn(|i| start[i] * (1.0 - time) + end[i] * time);
                grid().map(|l| direct(&x, l)).fold(f64::INFINITY, f64::min)
            };
            let flat = first_flat(&start, &end);
            for k in 0..=50 {
                let time = f64::from(k) / 50.0;
                if flat.is_none_or(|flat| time < flat) {
                    prop_assert!(least_at(time) > 0.0);
                }
            }
            if let Some(time) = flat {
                prop_assert!(least_at(time) < 0.01, "{time} {}", least_at(time));
            }
        }
    }

    #[test]
    fn quarters_are_the_same_function() {
        let c = [1.0, -2.0, 3.0, 0.5, 4.0, -1.0];
        let parts = quarters(&c);

        // The middle of each part, by its corners.
        let corners = [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];
        let node = [
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.5, 0.5, 0.0],
            [0.0, 0.5, 0.5],
            [0.5, 0.0, 0.5],
        ];
        for (part, corners) in parts.iter().zip(corners) {
            for weights in [[1.0, 0.0, 0.0], [0.2, 0.3, 0.5], [0.0, 0.5, 0.5]] {
                let place: [f64; 3] =
                    std::array::from_fn(|k| (0..3).map(|m| weights[m] * node[corners[m]][k]).sum());
                assert!((value(part, weights) - value(&c, place)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn rounding_hides_no_fold_far_from_the_origin() {
        // The middle of a side is at a quarter of it: J is 0 at the corner.
        let mut x = straight();
        x[3] = Vec2::new(0.25, 0.0);
        assert_eq!(determinant(&x)[0], 0.0);
        assert!(!is_upright(&x));
        x[3].x = 0.2501;
        assert!(is_upright(&x) && has_positive_coefficients(&x));
        assert!(is_upright(&x.map(|node| node + Vec2::new(1e9, -1e9))));
    }
}
