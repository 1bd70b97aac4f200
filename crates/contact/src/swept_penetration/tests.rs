//! Depths of cuts against closed forms.

use super::*;
use crate::{Filter, RodNeighbours};
use ipcsim_math::geometry::path::{RigidMotion, Turn};

/// Bodies of outlines, one after another.
#[derive(Default)]
struct Scene {
    /// Positions (m), `[vertices]`.
    x: Vec<Vec2>,
    /// Edges.
    edges: Vec<[usize; 2]>,
    /// Body of each vertex.
    body: Vec<usize>,
    /// Radius around each vertex (m).
    radius: Vec<f64>,
    /// True for each body that encloses an area.
    filled: Vec<bool>,
    /// No body is a rod.
    strands: RodNeighbours,
    /// All bodies collide.
    filter: Filter,
}

impl Scene {
    /// Adds a body with closed outlines, each counter-clockwise around its material.
    fn solid(mut self, outlines: &[&[[f64; 2]]]) -> Self {
        for outline in outlines {
            let first = self.x.len();
            let count = outline.len();
            for (k, &x) in outline.iter().enumerate() {
                self.edges.push([first + k, first + (k + 1) % count]);
                self.vertex(x, 0.0);
            }
        }
        self.filled.push(true);
        self
    }

    /// Adds a wire.
    fn wire(mut self, points: &[[f64; 2]]) -> Self {
        for (k, &x) in points.iter().enumerate() {
            if k > 0 {
                self.edges.push([self.x.len() - 1, self.x.len()]);
            }
            self.vertex(x, 0.0);
        }
        self.filled.push(false);
        self
    }

    /// Adds a circle, or a point if its radius (m) is 0.
    fn disk(mut self, center: [f64; 2], radius: f64) -> Self {
        self.edges.push([self.x.len(); 2]);
        self.vertex(center, radius);
        self.filled.push(true);
        self
    }

    /// Adds a vertex to the body that is being built.
    fn vertex(&mut self, x: [f64; 2], radius: f64) {
        self.x.push(Vec2::from(x));
        self.body.push(self.filled.len());
        self.radius.push(radius);
    }

    /// Outlines of all bodies.
    fn outlines(&self) -> Outlines<'_> {
        Outlines {
            edges: &self.edges,
            planes: &[],
            body: &self.body,
            radius: &self.radius,
            strands: &self.strands,
            filled: &self.filled,
            filter: &self.filter,
            first_image: usize::MAX,
        }
    }

    /// Deepest cut while the first body moves by `way` (m).
    fn cut(&self, way: [f64; 2], pace: Pace) -> Option<SweptPenetration> {
        let mut end = self.x.clone();
        for (x, _) in end
            .iter_mut()
            .zip(&self.body)
            .filter(|(_, body)| **body == 0)
        {
            *x += Vec2::from(way);
        }
        let outlines = self.outlines();
        SweptPenetrations::new(&outlines, &self.x).deepest(
            &outlines,
            &Sweep::straight(&self.x, &end),
            pace,
        )
    }
}

/// A point at a place.
fn point(at: [f64; 2]) -> Scene {
    Scene::default().disk(at, 0.0)
}

/// Corners of an upright rectangle about the origin.
fn rectangle([width, height]: [f64; 2]) -> [[f64; 2]; 4] {
    let [a, b] = [0.5 * width, 0.5 * height];
    [[-a, -b], [a, -b], [a, b], [-a, b]]
}

/// Depth and allowed depth of a cut by any body.
fn depth(scene: &Scene, way: [f64; 2]) -> [f64; 2] {
    let cut = scene.cut(way, Pace::Any).unwrap();
    [cut.depth, cut.allowed]
}

#[test]
fn a_right_angle_is_cut_by_half_the_chord() {
    // The corner (1, 1), cut from (0.8, 1) to (1, 0.8).
    let scene = point([0.7, 1.1]).solid(&[&rectangle([2.0, 2.0])]);
    let [depth, allowed] = depth(&scene, [0.4, -0.4]);
    let chord = 0.2 * 2.0_f64.sqrt();
    assert!((depth - 0.5 * chord).abs() < 1e-12, "{depth}");

    // Twice the area over the length of the outline is 1: a quarter of the side may be cut.
    assert!((allowed - 0.5).abs() < 1e-12, "{allowed}");
}

#[test]
fn a_plate_is_cut_by_the_distance_to_its_end_however_thin_it_is() {
    for thickness in [1e-2, 1e-4, 1e-6] {
        let scene = point([-0.3, 0.2]).solid(&[&rectangle([thickness, 1.0])]);
        let [depth, allowed] = depth(&scene, [0.7, 0.0]);
        assert!((depth - 0.3).abs() < thickness, "{depth}");
        assert!((allowed - 0.5 * thickness).abs() < thickness * thickness);
    }
}

#[test]
fn a_hole_and_the_outside_have_no_way_round() {
    let outer = rectangle([2.0, 2.0]);
    let mut inner = rectangle([1.0, 1.0]);
    inner.reverse();
    let ring = point([0.0, 0.1]).solid(&[&outer, &inner]);
    assert_eq!(depth(&ring, [3.0, 0.0])[0], f64::INFINITY);

    // From corner to corner of the hole a point stays out of the material.
    assert!(ring.cut([0.4, 0.3], Pace::Any).is_none());
}

#[test]
fn a_wire_is_passed_round_its_nearer_end() {
    let wire = point([-1.0, 0.2]).wire(&[[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]]);
    assert!((depth(&wire, [2.0, 0.1])[0] - 0.75).abs() < 1e-12);

    // A bent wire whose bend is crossed twice: the piece between both places stands out by 0.25.
    let bent = point([-0.5, 0.25]).wire(&[[-1.0, -1.0], [0.0, 0.5], [1.0, -1.0]]);
    assert!((depth(&bent, [1.0, 0.0])[0] - 0.25).abs() < 1e-12);
}

#[test]
fn circles_are_cut_by_what_their_paths_overlap() {
    let two = Scene::default()
        .disk([-2.0, 0.3], 0.25)
        .disk([0.0, 0.0], 0.5);
    let [depth, allowed] = depth(&two, [4.0, 0.0]);
    assert!((depth - (0.75 - 0.3)).abs() < 1e-12, "{depth}");
    assert!((allowed - 0.125).abs() < 1e-12);

    // A circle that ends inside has not passed.
    assert!(two.cut([2.0, 0.0], Pace::Any).is_none());
}

#[test]
fn a_blade_that_turns_cuts_what_is_in_its_way() {
    // A blade of the length 2 turns by 90 degrees over a point at a distance of 0.4 from its
    // centre.
    let at = Vec2::new(0.4, 0.4) * 0.5_f64.sqrt();
    let scene = Scene::default()
        .solid(&[&rectangle([2.0, 0.01])])
        .disk(at.into(), 0.0);
    let outlines = scene.outlines();
    let motion = RigidMotion {
        center: Vec2::zeros(),
        translation: Vec2::zeros(),
        angle: std::f64::consts::FRAC_PI_2,
    };
    let end: Vec<Vec2> = scene
        .x
        .iter()
        .zip(&scene.body)
        .map(|(x, body)| {
            if *body == 0 {
                motion.rotation(1.0) * x
            } else {
                *x
            }
        })
        .collect();
    let turns = [Some(Turn::from(motion))];
    let sweep = Sweep {
        start: &scene.x,
        end: &end,
        turn_of: &[1, 1, 1, 1, 0],
        turns: &turns,
    };
    let cut = SweptPenetrations::new(&outlines, &scene.x)
        .deepest(&outlines, &sweep, Pace::Fast)
        .unwrap();
    assert!((cut.depth - 0.6).abs() < 0.01, "{cut:?}");
    assert!(!cut.is_allowed());
}

#[test]
fn a_slow_pair_is_not_looked_at_and_a_short_way_is_not_far() {
    // A spike of 0.1 at its foot and 0.01 at its tip: the width is 0.05, its tip is crossed on
    // 0.02.
    let spike =
        point([-0.012, 0.9]).solid(&[&[[-0.05, 0.0], [0.05, 0.0], [0.005, 1.0], [-0.005, 1.0]]]);
    let way = [0.024, 0.0];
    let cut = spike.cut(way, Pace::Any).unwrap();
    assert!(
        (cut.depth - 0.1).abs() < 0.01 && !cut.is_allowed(),
        "{cut:?}"
    );
    assert_eq!(spike.cut(way, Pace::Fast), Some(cut));

    // The point does not overshoot by an eighth of the depth that its own body could turn by.
    let plate = point([-0.02, 0.0]).solid(&[&rectangle([0.01, 1.0])]);
    assert!(plate.cut([0.04, 0.0], Pace::Fast).is_some());
    assert!(plate.cut([0.04, 0.0], Pace::Far).is_none());
    assert!(plate.cut([0.08, 0.0], Pace::Far).is_some());

    // What moves less than any chord of the plate needs no look.
    let crossed = point([-0.00501, 0.0]).solid(&[&rectangle([0.01, 1.0])]);
    assert!(crossed.cut([0.0009, 0.0], Pace::Fast).is_none());
}
