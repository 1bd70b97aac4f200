//! Every method against brute force, on every family of boxes.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "short lists"
)]

use proptest::prelude::*;

use super::disks::{next, path, uniform};
use super::*;
use ipcsim_math::{Vec2, parallel};

/// All methods but brute force, with which they are compared.
const METHODS: [BroadPhase; 4] = [
    BroadPhase::Auto,
    BroadPhase::Grid,
    BroadPhase::SweepAndPrune,
    BroadPhase::Hierarchy,
];

/// Boxes of the vertices and of the edges of a crowd of disks.
pub(super) fn crowd(count: usize) -> [Vec<Aabb>; 2] {
    let points: Vec<Aabb> = (0..count)
        .map(|v| Aabb::around(path(v, count).map(Vec2::from)))
        .collect();
    let edges = (0..count)
        .map(|v| points[v].union(&points[next(v)]))
        .collect();
    [points, edges]
}

/// Lists with few pairs, and `2 n log2 n`, the tests that they may cost a method: a crowd, the same
/// with one giant edge, with one edge that is far away, and in clusters far from each other.
pub(super) fn tame() -> Vec<(&'static str, [Vec<Aabb>; 2], usize)> {
    let count = 20_000;
    let [points, edges] = crowd(count);

    let with = |odd: Aabb| {
        let mut edges = edges.clone();
        edges[count / 2] = odd;
        [points.clone(), edges]
    };
    let clusters = [&points, &edges].map(|boxes| {
        let places = boxes.iter().enumerate();
        places
            .map(|(i, b)| moved(b, Vec2::new((i / 5000) as f64 * 1e7, 0.0)))
            .collect()
    });

    let lists = [
        ("a crowd", [points.clone(), edges.clone()]),
        ("a giant edge", with(square(0.0, 0.0, 1000.0))),
        ("a far edge", with(square(1e12, -1e12, 1.0))),
        ("clusters", clusters),
    ];
    let most = (2.0 * count as f64 * (count as f64).log2()) as usize;
    lists.map(|(name, lists)| (name, lists, most)).into()
}

/// `count` boxes with corners in the square of side `area`, and sides up to `size`.
pub(super) fn random(count: u64, area: f64, size: f64) -> Vec<Aabb> {
    (0..count)
        .map(|i| boxed(place(4 * i) * area, place(4 * i + 2) * size))
        .collect()
}

/// A point in the unit square that looks random.
fn place(k: u64) -> Vec2 {
    Vec2::new(uniform(k), uniform(k + 1))
}

/// A box from its lower left corner and its size.
fn boxed(min: Vec2, size: Vec2) -> Aabb {
    Aabb {
        min,
        max: min + size,
    }
}

/// A box with sides of one length.
fn square(x: f64, y: f64, side: f64) -> Aabb {
    boxed(Vec2::new(x, y), Vec2::new(side, side))
}

/// A box moved by a vector.
fn moved(b: &Aabb, by: Vec2) -> Aabb {
    Aabb {
        min: b.min + by,
        max: b.max + by,
    }
}

/// Pairs of overlapping boxes, by testing all.
fn oracle(a: &[Aabb], b: &[Aabb]) -> Vec<(u32, u32)> {
    let all = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
    all.filter(|&(i, j)| a[i].overlaps(&b[j]))
        .map(|(i, j)| (i as u32, j as u32))
        .collect()
}

/// Asserts that pairs are as expected, and names the first that differs rather than all.
fn same(found: &[(u32, u32)], expected: &[(u32, u32)], method: BroadPhase) {
    let differ = found.iter().zip(expected).find(|(a, b)| a != b);
    assert!(
        found == expected,
        "{method:?}: {} pairs for {}, first {differ:?}",
        found.len(),
        expected.len()
    );
}

/// Checks every method, between the lists in both orders and within each, and hierarchies that held
/// other boxes before.
fn check(points: &[Aabb], edges: &[Aabb]) {
    let expected = oracle(points, edges);
    let mut own = oracle(edges, edges);
    own.retain(|(i, j)| i < j);
    let turned = oracle(edges, points);

    for method in METHODS.into_iter().chain([BroadPhase::Brute]) {
        same(&method.pairs(points, edges), &expected, method);
        same(&method.pairs(edges, points), &turned, method);
        same(&method.self_pairs(edges), &own, method);
    }

    let mut moved = Hierarchy::build(&random(edges.len() as u64, 10.0, 1.0));
    moved.refit(edges);
    for hierarchy in [Hierarchy::build(edges), moved] {
        same(&hierarchy.pairs(points), &expected, BroadPhase::Hierarchy);
        same(&hierarchy.self_pairs(), &own, BroadPhase::Hierarchy);
    }
}

#[test]
fn empty_lists_have_no_pairs() {
    let some = random(300, 1.0, 1.0);
    for (a, b) in [(&[][..], &[][..]), (&[], &some), (&some, &[])] {
        check(a, b);
    }
}

#[test]
fn touching_borders_and_corners_overlap_and_a_gap_does_not() {
    let tiles: Vec<Aabb> = (0..400)
        .map(|k| square(f64::from(k % 20), f64::from(k / 20), 1.0))
        .collect();
    check(&tiles, &tiles);
    let inner = BroadPhase::Grid.pairs(&tiles[21..22], &tiles);
    assert_eq!(
        inner.iter().map(|&(_, j)| j).collect::<Vec<_>>(),
        [0, 1, 2, 20, 21, 22, 40, 41, 42]
    );

    let apart: Vec<Aabb> = tiles
        .iter()
        .map(|b| Aabb {
            max: b.max.map(f64::next_down),
            ..*b
        })
        .collect();
    for method in METHODS {
        assert_eq!(method.self_pairs(&apart), []);
    }
}

#[test]
fn identical_boxes_all_overlap() {
    for side in [0.0, 1.0, f64::INFINITY] {
        check(
            &[square(0.3, -0.2, side); 90],
            &[square(0.3, -0.2, side); 200],
        );
    }
}

#[test]
fn points_without_size_overlap_only_where_they_meet() {
    let points: Vec<Aabb> = (0..300)
        .map(|k| (4.0 * place(2 * k)).map(f64::floor))
        .map(|corner| boxed(corner, Vec2::zeros()))
        .collect();
    check(&points, &points[..170]);
    check(&random(300, 1.0, 0.0), &random(300, 1.0, 0.0));
}

#[test]
fn a_giant_and_a_far_box_change_nothing() {
    let [points, mut edges] = crowd(1000);
    edges[500] = square(-1e4, -1e4, 2e4);

    check(&points, &edges);
    edges[300] = square(1e30, -1e30, 1e20);
    edges[700] = square(-1e300, 0.0, 1.7e308);
    check(&points, &edges);
}

/// Boxes with sides from 1e-9 to 1e3, spread evenly over the orders of magnitude.
fn boxes_of_many_sizes(seed: u64) -> Vec<Aabb> {
    let keys = (0..400).map(|i| 5 * i + seed);
    keys.map(|k| {
        let sides = Vec2::new(uniform(k + 2), uniform(k + 3));
        boxed(place(k), sides.map(|u| 10f64.powf(12.0 * u - 9.0)))
    })
    .collect()
}

#[test]
fn sizes_over_many_orders_are_found() {
    check(&boxes_of_many_sizes(0), &boxes_of_many_sizes(7777));
}

/// 300 large boxes along a diagonal, from the place `first` on.
fn diagonal(first: u64) -> Vec<Aabb> {
    (first..first + 300)
        .map(|k| square(k as f64, k as f64, 60.0))
        .collect()
}

/// 300 boxes of one size, spread over a square of side 100.
fn alike(size: [f64; 2]) -> Vec<Aabb> {
    (0..300)
        .map(|k| boxed(place(2 * k) * 100.0, size.into()))
        .collect()
}

#[test]
fn long_diagonals_and_stacks_of_thin_boxes_are_found() {
    check(&diagonal(0), &diagonal(30));

    let flat = alike([1e3, 1e-3]);
    let tall = alike([1e-3, 1e3]);
    check(&flat, &tall);
    check(&flat, &flat);
}

/// Boxes moved by a vector.
fn shifted(boxes: &[Aabb], by: Vec2) -> Vec<Aabb> {
    boxes.iter().map(|b| moved(b, by)).collect()
}
#[test]
fn boxes_far_from_the_origin_are_distinguished() {
    let far = Vec2::new(1e6, -1e6);
    let [points, edges] = crowd(1000).map(|boxes| shifted(&boxes, far));
    check(&points, &edges);

    let tiny = shifted(&random(500, 1e-6, 1e-7), far);
    check(&tiny, &tiny);
}

/// Coordinates for which comparisons are all that counts.
const STRANGE: [f64; 9] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    -0.0,
    0.0,
    0.5,
    -3.0,
];

/// A corner with two of the [`STRANGE`] coordinates.
fn strange_corner(k: u64) -> Vec2 {
    place(k).map(|u| STRANGE[(u * STRANGE.len() as f64) as usize])
}

#[test]
fn strange_boxes_overlap_as_comparisons_say() {
    let mut boxes: Vec<Aabb> = (0..400)
        .map(|i| Aabb {
            min: strange_corner(4 * i),
            max: strange_corner(4 * i + 2),
        })
        .collect();
    check(&boxes[..200], &boxes[200..]);
    // Mixed with common ones, and with boxes that overlap nothing.
    boxes.extend(random(400, 2.0, 0.1));
    boxes.push(Aabb::EMPTY);
    check(&boxes, &boxes);

    let nan = Aabb {
        min: Vec2::new(0.0, f64::NAN),
        max: Vec2::new(1.0, 1.0),
    };
    check(&[nan; 200], &[nan; 200]);
}

#[test]
fn crowds_are_found_on_any_number_of_threads() {
    let [points, edges] = crowd(5000);
    check(&points[..1200], &edges[..1100]);
    let expected = [
        oracle(&points, &edges),
        BroadPhase::Brute.self_pairs(&edges),
    ];
    for threads in [1, 2, 3, 8] {
        for method in METHODS {
            let found = parallel::with_threads(Some(threads), || {
                [method.pairs(&points, &edges), method.self_pairs(&edges)]
            });
            assert_eq!(found.unwrap(), expected, "{method:?} on {threads}");
        }
    }
}

#[test]
fn points_in_no_order_have_the_same_pairs() {
    let [points, edges] = crowd(3000);
    let shuffled: Vec<Aabb> = (0..3000).map(|k| points[k * 1009 % 3000]).collect();
    let expected = oracle(&shuffled, &edges);
    assert!(
        METHODS
            .iter()
            .all(|method| method.pairs(&shuffled, &edges) == expected)
    );
}

#[test]
fn a_filter_drops_pairs_and_only_those() {
    let [points, edges] = crowd(1000);
    let apart = |i: u32, j: u32| i != j && i as usize != next(j as usize);
    let mut expected = oracle(&points, &edges);
    expected.retain(|&(i, j)| apart(i, j));
    for method in METHODS.into_iter().chain([BroadPhase::Brute]) {
        assert_eq!(method.pairs_where(&points, &edges, apart), expected);
    }
}

#[test]
fn a_hierarchy_answers_one_box_and_takes_more_boxes() {
    let boxes = random(100, 1.0, 0.2);
    let mut hierarchy = Hierarchy::build(&boxes[..30]);
    hierarchy.refit(&boxes);
    let expected: Vec<u32> = (0..100)
        .filter(|&j| boxes[j as usize].overlaps(&boxes[7]))
        .collect();
    assert_eq!(hierarchy.query(&boxes[7]), expected);
}

#[test]
fn scenes_name_methods_in_snake_case() {
    let names = ["auto", "brute", "grid", "sweep", "hierarchy"].map(|name| format!("\"{name}\""));
    let methods: Vec<BroadPhase> = names
        .iter()
        .map(|name| serde_json::from_str(name).unwrap())
        .collect();
    assert_eq!(methods[0], BroadPhase::default());
    assert!(
        methods
            .iter()
            .zip(&names)
            .all(|(method, name)| serde_json::to_string(method).unwrap() == *name)
    );
}

/// Coordinates that often coincide, are far away, or are not finite.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-4i32..4).prop_map(f64::from),
        8 => -4.0..4.0,
        2 => 1e6..1e6 + 1.0,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

/// A corner with two such coordinates.
fn corner() -> impl Strategy<Value = Vec2> {
    [coordinate(), coordinate()].prop_map(Vec2::from)
}

/// Boxes of all kinds: most of them small, some with their corners in the wrong order.
fn any_box() -> impl Strategy<Value = Aabb> {
    let ordered = (corner(), corner()).prop_map(|(a, b)| Aabb::around([a, b]));
    let small = (corner(), 0.0..0.2, 0.0..0.2).prop_map(|(a, x, y)| boxed(a, Vec2::new(x, y)));
    let inverted = (corner(), corner()).prop_map(|(min, max)| Aabb { min, max });
    prop_oneof![2 => ordered, 6 => small, 1 => inverted]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn every_method_finds_what_brute_force_finds(
        points in prop::collection::vec(any_box(), 0..160),
        edges in prop::collection::vec(any_box(), 0..160),
    ) {
        check(&points, &edges);
    }
}
