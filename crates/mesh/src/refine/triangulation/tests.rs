//! A triangulation stays whole and Delaunay, whatever is added.

use super::*;

/// A square of two triangles, with lines on all outer sides.
pub(super) fn square() -> Triangulation {
    let corner = |v, beyond, line| Corners {
        v,
        beyond,
        line,
        region: 0,
        changes: 0,
    };
    Triangulation {
        x: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
            .map(Vec2::from)
            .to_vec(),
        triangles: vec![
            corner([0, 1, 2], [NONE, 1, NONE], [1, NONE, 0]),
            corner([0, 2, 3], [NONE, NONE, 0], [2, 3, NONE]),
        ],
        changed: Vec::new(),
    }
}

/// Asserts that neighbours agree about their common sides, that triangles have area and fill the
/// unit square, and that they are Delaunay.
fn assert_sound(t: &Triangulation) {
    let mut area = 0.0;
    for (k, here) in t.triangles.iter().enumerate() {
        let [a, b, c] = t.corners(k);
        assert!(turn(a, b, c) > 0.0);
        area += turn(a, b, c) / 2.0;
        for corner in 0..3 {
            let beyond = here.beyond[corner];
            assert_eq!(beyond == NONE, here.line[corner] != NONE);
            if beyond != NONE {
                let [a, b] = t.ends(Side {
                    triangle: k,
                    corner,
                });
                let side = t.side_between(beyond, [b, a]).unwrap();
                assert_eq!(t.triangles[beyond].beyond[side.corner], k);
                let apex = t.triangles[beyond].v[side.corner];
                assert!(!t.is_around(k, t.x[apex]));
            }
        }
    }
    assert!((area - 1.0).abs() < 1e-12);
}

#[test]
fn points_inside_and_on_sides_keep_a_delaunay_triangulation_whole() {
    let mut t = square();
    let mut number: u64 = 7;
    let mut random = || {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (number >> 40) as f64 / (1u64 << 24) as f64
    };
    for k in 0..400 {
        // Some points are on a grid, hence on sides.
        let at = if k % 3 == 0 {
            Vec2::new((8.0 * random()).floor(), (8.0 * random()).floor()) / 8.0
        } else {
            Vec2::new(random(), random())
        };
        match t.find(k % t.triangles.len(), at) {
            Place::Inside(triangle) => {
                t.add_inside(triangle, at);
            }
            Place::On(side) => {
                t.split(side, at).unwrap();
            }
            Place::Behind(_) | Place::Nowhere => {}
        }
        assert_sound(&t);
    }
    assert!(t.triangles.len() > 400);
}

#[test]
fn a_point_outside_is_behind_the_side_on_the_way() {
    let t = square();
    let Place::Behind(side) = t.find(1, Vec2::new(2.0, 0.5)) else {
        panic!("not behind");
    };
    assert_eq!(t.ends(side), [1, 2]);
    assert_eq!(t.find(0, Vec2::new(1.0, 1.0)), Place::Nowhere);
}
