//! How deep bodies overlap, by their exact shapes.

use crate::scene::{Plane, Pose, Scene, Shape};

/// Deepest overlap of all bodies with each other and with half-planes (m); 0 if all are apart.
///
/// The depth of two rectangles is the least over their four normals, that of a disk is measured
/// from the nearest point of the other body.
pub fn deepest(scene: &Scene, poses: &[Pose]) -> f64 {
    let placed: Vec<Placed> = scene.bodies.iter().zip(poses).map(Placed::new).collect();
    let mut deepest: f64 = 0.0;
    for (k, one) in placed.iter().enumerate() {
        for plane in &scene.planes {
            deepest = deepest.max(one.below(plane));
        }
        for other in &placed[k + 1..] {
            let reach = one.radius + other.radius;
            if length(minus(one.centre, other.centre)) < reach {
                deepest = deepest.max(one.depth(other));
            }
        }
    }
    deepest
}

/// A body at its place.
struct Placed {
    centre: [f64; 2],
    shape: Shape,
    /// Directions of the sides.
    axes: [[f64; 2]; 2],
    /// Radius of the circle around it (m).
    radius: f64,
}

impl Placed {
    fn new((body, pose): (&crate::scene::Body, &Pose)) -> Self {
        let (sin, cos) = pose.angle.sin_cos();
        Self {
            centre: pose.centre,
            shape: body.shape,
            axes: [[cos, sin], [-sin, cos]],
            radius: match body.shape {
                Shape::Disk(radius) => radius,
                Shape::Box(half) => length(half),
            },
        }
    }

    /// Largest distance of the body from its centre along a unit vector (m).
    fn reach(&self, along: [f64; 2]) -> f64 {
        match self.shape {
            Shape::Disk(radius) => radius,
            Shape::Box(half) => (0..2)
                .map(|k| half[k] * dot(self.axes[k], along).abs())
                .sum(),
        }
    }

    /// Depth below a half-plane's line (m); negative above it.
    fn below(&self, plane: &Plane) -> f64 {
        let size = length(plane.normal);
        let normal = plane.normal.map(|n| n / size);
        self.reach(normal) - dot(minus(self.centre, plane.origin), normal)
    }

    /// Depth in another body (m); negative or 0 if they are apart.
    fn depth(&self, other: &Self) -> f64 {
        let way = minus(other.centre, self.centre);
        match (self.shape, other.shape) {
            (Shape::Disk(a), Shape::Disk(b)) => a + b - length(way),
            (Shape::Disk(radius), Shape::Box(half)) => {
                other.depth_of_disk(half, self.centre, radius)
            }
            (Shape::Box(half), Shape::Disk(radius)) => {
                self.depth_of_disk(half, other.centre, radius)
            }
            (Shape::Box(_), Shape::Box(_)) => {
                let normals = self.axes.iter().chain(&other.axes);
                let depths = normals.map(|&n| self.reach(n) + other.reach(n) - dot(way, n).abs());
                depths.fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Depth of a disk in this rectangle (m).
    fn depth_of_disk(&self, half: [f64; 2], centre: [f64; 2], radius: f64) -> f64 {
        let way = minus(centre, self.centre);
        let out = [0, 1].map(|k| dot(way, self.axes[k]).abs() - half[k]);
        if out[0] > 0.0 || out[1] > 0.0 {
            radius - length(out.map(|o| o.max(0.0)))
        } else {
            radius - out[0].max(out[1])
        }
    }
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn length(a: [f64; 2]) -> f64 {
    dot(a, a).sqrt()
}
