//! How well triangles are shaped.
//!
//! The error of linear triangles grows with the largest angle, and the stiffness matrix becomes
//! harder to solve with small ones (Shewchuk 2002, "What is a good linear finite element?"). The
//! least angle bounds both: no angle is larger than 180 degrees less twice the least one.

use super::Mesh;
use ipcsim_math::elementary::atan2;
use ipcsim_math::{Vec2, cross};

/// Shapes and sizes of the triangles of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Least angle of all triangles (rad).
    pub least_angle: f64,
    /// Middle of the triangle that has it (m).
    pub at: Vec2,
    /// Mean of the least angles of triangles (rad).
    pub mean_angle: f64,
    /// Largest angle of all triangles (rad).
    pub largest_angle: f64,
    /// Length of the shortest edge (m).
    pub shortest: f64,
    /// Length of the longest edge (m).
    pub longest: f64,
}

impl Quality {
    /// Quality of a mesh; `None` without triangles.
    pub fn of(mesh: &Mesh) -> Option<Self> {
        let mut quality = Self {
            least_angle: f64::INFINITY,
            at: Vec2::zeros(),
            mean_angle: 0.0,
            largest_angle: 0.0,
            shortest: f64::INFINITY,
            longest: 0.0,
        };

        for triangle in &mesh.triangles {
            let corners = triangle.map(|i| mesh.vertices[i]);
            let angles = angles(corners);

            let least = least_angle(corners);
            if least < quality.least_angle {
                quality.least_angle = least;
                quality.at = corners.iter().sum::<Vec2>() / 3.0;
            }
            quality.mean_angle += least / mesh.triangles.len() as f64;
            quality.largest_angle = angles.into_iter().fold(quality.largest_angle, f64::max);

            for k in 0..3 {
                let length = (corners[(k + 1) % 3] - corners[k]).norm();
                quality.shortest = quality.shortest.min(length);
                quality.longest = quality.longest.max(length);
            }
        }
        (!mesh.triangles.is_empty()).then_some(quality)
    }
}

/// Least angle of a triangle (rad): 60 degrees at best, 0 for a triangle without area.
pub fn least_angle(corners: [Vec2; 3]) -> f64 {
    angles(corners).into_iter().fold(f64::INFINITY, f64::min)
}

/// Angles at the corners of a triangle (rad), in the order of the corners.
///
/// Each is `atan2(|u x v|, u . v)` of the edges `u` and `v` there, which is accurate for sharp
/// angles and for blunt ones.
fn angles(corners: [Vec2; 3]) -> [f64; 3] {
    std::array::from_fn(|k| {
        let [to, from] = [1, 2].map(|j| corners[(k + j) % 3] - corners[k]);
        atan2(cross(to, from).abs(), to.dot(&from))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_rectangle_of_right_triangles_has_their_angles() {
        let mesh = generate::rectangle([3.0, 1.0], [1, 1]);
        let quality = Quality::of(&mesh).unwrap();
        assert!((quality.least_angle - (1.0_f64 / 3.0).atan()).abs() < 1e-15);
        assert!((quality.largest_angle.to_degrees() - 90.0).abs() < 1e-12);
        assert!((quality.mean_angle - quality.least_angle).abs() < 1e-15);
        assert_eq!((quality.shortest, quality.longest), (1.0, 10.0_f64.sqrt()));
        assert!(Quality::of(&Mesh::default()).is_none());
    }
}
