//! Motions that are proved, and motions that are not, of a triangle between a wall and the ground.

use super::*;
use crate::{Filter, HalfPlane, RodChain, RodNeighbours};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::path::{RigidMotion, Turn};

/// Edges of a triangle (vertices 0 to 2) and a wall (3 and 4).
const EDGES: [[usize; 2]; 4] = [[0, 1], [1, 2], [2, 0], [3, 4]];

/// Bodies: the triangle, the wall, and the ground with its origin (5) and a point on its line (6).
const BODY: [usize; 7] = [0, 0, 0, 1, 1, 2, 2];

/// Positions at the start (m).
const START: [[f64; 2]; 7] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [0.0, 1.0],
    [2.0, -1.0],
    [2.0, 3.0],
    [0.0, -2.0],
    [1.0, -2.0],
];

/// Proves the motion from [`START`] to `end`. The ground turns with the only body of `turns` if
/// `along` is given, otherwise the triangle does.
fn proved(end: &[Vec2], turns: &[Option<Turn>], along: Option<usize>) -> Result<Proved, Breach> {
    let filter = Filter::default();
    let planes = [HalfPlane {
        normal: Vec2::new(0.0, 1.0),
        origin: 5,
        along,
    }];
    let outlines = Outlines {
        edges: &EDGES,
        planes: &planes,
        body: &BODY,
        radius: &[0.0; 7],
        strands: &RodNeighbours::default(),
        filled: &[true, false, true],
        filter: &filter,
        first_image: usize::MAX,
    };

    // Either the triangle turns or the half-plane.
    let turn_of = if along.is_some() {
        [0, 0, 0, 0, 0, 1, 1]
    } else {
        [1, 1, 1, 0, 0, 0, 0]
    };
    let motion = Sweep {
        start: &START.map(Vec2::from),
        end,
        turn_of: &turn_of,
        turns,
    };
    Prover::new(outlines, &[[0, 1, 2]]).prove(&motion)
}

/// Positions after a straight motion of the first `count` vertices.
fn moved(count: usize, by: [f64; 2]) -> Vec<Vec2> {
    let mut end = START.map(Vec2::from).to_vec();
    for x in &mut end[..count] {
        *x += Vec2::from(by);
    }
    end
}

/// Proves a straight motion.
fn straight(end: &[Vec2]) -> Result<Proved, Breach> {
    proved(end, &[], None)
}

#[test]
fn a_body_that_moves_as_far_as_there_is_room_is_proved_and_a_touch_at_the_end_is_none() {
    let one = straight(&moved(3, [1.0 - f64::EPSILON, 0.0])).unwrap();
    assert_eq!((one.bounded, one.planes, one.triangles), (0, 5, 1));

    let Err(Breach::Meets {
        point: 1,
        edge: [3, 4],
        time,
    }) = straight(&moved(3, [1.0, 0.0]))
    else {
        panic!()
    };
    assert!((0.999..=1.0).contains(&time), "{time}");
}

#[test]
fn a_body_beyond_a_wall_at_the_end_has_come_through() {
    let Err(Breach::Meets {
        point: 1,
        edge: [3, 4],
        time,
    }) = straight(&moved(3, [4.0, 0.0]))
    else {
        panic!()
    };
    assert!((0.999 * 0.25..=0.25).contains(&time), "{time}");
}

#[test]
fn a_triangle_turned_over_by_a_mirrored_motion_is_caught_although_its_end_is_good() {
    // Its corners are exchanged in a cycle: the area at t is 1 - 3 t + 3 t^2, which stays positive.
    let x = START.map(Vec2::from);
    let mut end = x;
    (end[0], end[1], end[2]) = (x[1], x[2], x[0]);
    assert!(straight(&end).is_ok());

    // Turned by half about its right angle, the area is (1 - 2 t)^2.
    (end[0], end[1], end[2]) = (x[0], -x[1], -x[2]);
    let Err(Breach::Meets { time, .. }) = straight(&end) else {
        panic!()
    };
    assert!((0.999 * 0.5..=0.5).contains(&time), "{time}");

    // Without the body's collisions with itself the triangle itself is the witness.
    let filter = Filter::new(vec![], vec![0], vec![], 3);
    let outlines = Outlines {
        edges: &EDGES[..3],
        planes: &[],
        body: &BODY,
        radius: &[0.0; 7],
        strands: &RodNeighbours::default(),
        filled: &[true; 3],
        filter: &filter,
        first_image: usize::MAX,
    };
    let found = Prover::new(outlines, &[[0, 1, 2]]).prove(&Sweep::straight(&x, &end));
    let Err(Breach::Collapse {
        triangle: [0, 1, 2],
        time,
    }) = found
    else {
        panic!()
    };
    assert!((0.999 * 0.5..=0.5).contains(&time), "{time}");
}

#[test]
fn a_vertex_is_caught_behind_a_half_plane() {
    assert!(straight(&moved(3, [0.0, -1.999])).is_ok());
    let Err(Breach::Behind {
        vertex: 0,
        plane: 0,
        time,
    }) = straight(&moved(3, [0.0, -4.0]))
    else {
        panic!()
    };
    assert!(time <= 0.5 && time > 0.499, "{time}");
}

/// The triangle turns about a centre by an angle.
fn turned(center: [f64; 2], angle: f64) -> Result<Proved, Breach> {
    let motion = RigidMotion {
        center: center.into(),
        translation: Vec2::zeros(),
        angle,
    };
    let mut end = START.map(Vec2::from);
    for x in &mut end[..3] {
        *x = motion.carry(*x - motion.center).position(1.0);
    }
    proved(&end, &[Some(motion.into())], None)
}

#[test]
fn arcs_are_followed_where_chords_are_free() {
    // About (0, 1) the corner (1, 0) is at a distance of sqrt(2), so a whole turn stays before the
    // wall at x = 2 and above y = -0.42; about (0.5, 1.2) it is at 1.3 and reaches x = 1.8; about
    // (1, 1) the corner (0, 0) reaches x = 2.41.
    let tau = std::f64::consts::TAU;
    assert!(turned([0.0, 1.0], tau).unwrap().bounded > 0);
    assert!(turned([0.5, 1.2], -3.0 * tau).is_ok());
    assert!(matches!(
        turned([1.0, 1.0], tau),
        Err(Breach::Meets { edge: [3, 4], .. })
    ));

    // About (0, -0.5) the corner (0, 1) comes down to y = -2, where the half-plane begins, after
    // half a turn.
    assert!(turned([0.0, -0.49], tau).is_ok());
    let Err(Breach::Behind {
        vertex: 2, time, ..
    }) = turned([0.0, -0.51], tau)
    else {
        panic!()
    };
    assert!(time < 0.5 && time > 0.4, "{time}");
}

#[test]
fn an_end_that_is_off_its_arc_is_caught() {
    let motion = RigidMotion {
        center: Vec2::zeros(),
        translation: Vec2::zeros(),
        angle: 0.5,
    };
    let mut end: Vec<Vec2> = START.map(Vec2::from).to_vec();
    for x in &mut end[..3] {
        *x = motion.carry(*x).position(1.0);
    }
    let turns = [Some(motion.into())];
    assert!(proved(&end, &turns, None).is_ok());

    end[1].x += 1e-13;
    assert!(matches!(
        proved(&end, &turns, None),
        Err(Breach::Off { vertex: 1, .. })
    ));
}

#[test]
fn a_half_plane_that_turns_over_a_vertex_is_caught() {
    // Its line turns about (0, -2) and first reaches (2, -1), at an angle of atan(1/2).

    let first = 0.5_f64.atan();
    for (angle, free) in [
        (0.999 * first, true),
        (1.001 * first, false),
        (-1.5, true),
        (std::f64::consts::TAU, false),
    ] {
        let motion = RigidMotion {
            center: Vec2::new(0.0, -2.0),
            translation: Vec2::zeros(),
            angle,
        };

        let mut end = START.map(Vec2::from);
        end[6] = motion.center + motion.rotation(1.0) * Vec2::new(1.0, 0.0);
        match proved(&end, &[Some(motion.into())], Some(6)) {
            Ok(_) => assert!(free, "{angle}"),
            Err(Breach::Behind {
                vertex: 3, time, ..
            }) => {
                assert!(
                    !free && time * angle <= first * (1.0 + 1e-12),
                    "{angle}: {time}"
                );
            }
            Err(other) => panic!("{angle}: {other:?}"),
        }
    }
}

/// Vertices of a rod of four segments, 1 m long, whose first segment lies above its last one at a
/// height (m).
fn hairpin(height: f64) -> Vec<Vec2> {
    let side = 0.5 * height;
    [
        [0.0, side],
        [1.0, side],
        [2.0, 0.0],
        [1.0, -side],
        [0.0, -side],
    ]
    .map(Vec2::from)
    .to_vec()
}

/// Proves that a rod of the radius 0.1 m moves between two heights, where parts nearer than `exempt`
/// (m) along it have no radius.
fn proved_hairpin(from: f64, to: f64, exempt: f64) -> Result<Proved, Breach> {
    let rest: Vec<Vec2> = (0..5).map(|i| Vec2::new(f64::from(i), 0.0)).collect();
    let strands = RodNeighbours::new(vec![RodChain::new([0, 0], &rest, false, exempt)]);
    let outlines = Outlines {
        edges: &[[0, 1], [1, 2], [2, 3], [3, 4]],
        planes: &[],
        body: &[0; 5],
        radius: &[0.1; 5],
        strands: &strands,
        filled: &[false],
        filter: &Filter::default(),
        first_image: usize::MAX,
    };
    let bends = [[0, 1, 2], [1, 2, 3], [2, 3, 4]];
    let [start, end] = [from, to].map(hairpin);
    assert_eq!(outlines.intersections(&start), []);
    Prover::new(outlines, &[])
        .with_bends(&bends)
        .prove(&Sweep::straight(&start, &end))
}

#[test]
fn a_rod_touches_itself_at_two_radii_but_for_neighbours() {
    // The ends touch at a height of 0.2 m, at 8/9 of the motion from 1 m to a tenth of that.
    assert!(proved_hairpin(1.0, 0.21, 1.5).is_ok());
    let Err(Breach::Meets { time, .. }) = proved_hairpin(1.0, 0.1, 1.5) else {
        panic!()
    };
    assert!((0.99 * 8.0 / 9.0..=8.0 / 9.0).contains(&time), "{time}");

    // Where all are neighbours, only the middle lines must not meet.
    assert_eq!(
        proved_hairpin(1.0, 0.1, 5.0).map(|proved| proved.bends),
        Ok(3)
    );
    assert!(proved_hairpin(1.0, -0.1, 5.0).is_err());
}

#[test]
fn a_rod_that_folds_back_is_no_proof_even_without_contact() {
    let outlines = Outlines {
        edges: &[],
        planes: &[],
        body: &[0; 3],
        radius: &[0.0; 3],
        strands: &RodNeighbours::default(),
        filled: &[false],
        filter: &Filter::default(),
        first_image: usize::MAX,
    };
    let folded = |ends: [[f64; 2]; 2]| {
        let [start, end] = ends.map(|end| [[0.0, 0.0], [1.0, 0.0], end].map(Vec2::from));
        let bends = [[0, 1, 2]];
        let prover = Prover::new(outlines, &[]).with_bends(&bends);
        prover.prove(&Sweep::straight(&start, &end)).map(|_| ())
    };
    assert!(
        folded([[0.0, 1.0], [3.0, -1.0]]).is_ok(),
        "past a straight rod"
    );
    let Err(Breach::Fold { bend, time }) = folded([[0.0, 1.0], [0.0, -1.0]]) else {
        panic!()
    };
    assert_eq!(bend, [0, 1, 2]);
    assert!((0.499..=0.5).contains(&time), "{time}");
    assert!(folded([[0.0, 1.0], [2.0, 0.0]]).is_ok());
    assert!(
        folded([[2.0, 0.0], [0.5, 0.0]]).is_err(),
        "through no length"
    );
}
