//! Sizes of triangles: how long edges may be, from place to place.
//!
//! The size at `x` is the least of a size for the whole shape and of sizes that sources ask for,
//! `s + g max(0, d(x) - r)`: `s` at a source and within `r` of it, more by the grading `g` with the
//! distance `d` from it (m per m). A source is a point or a segment of a curve. The function has
//! the Lipschitz constant `g`, so that neighbouring triangles differ little.

use ipcsim_math::Vec2;

/// Least of several sizes, as a function of the place.
///
/// Every place asks all sources, which is fast for the hundreds of segments that curves have.
/// Vertices ask once, and edges take the mean of their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeField {
    /// Largest length of an edge anywhere (m).
    pub everywhere: f64,
    /// Growth of sizes with the distance from sources (m/m), below 1.
    pub grading: f64,
    /// Places with given sizes.
    pub sources: Vec<Source>,
}

/// A segment, or a point, with a given size.
///
/// The size holds at it and within its radius, and grows from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// Ends of the segment (m); the same twice for a point.
    pub ends: [Vec2; 2],
    /// Length of edges there (m).
    pub size: f64,
    /// Distance up to which the size holds (m).
    pub radius: f64,
}

impl SizeField {
    /// The same size everywhere (m), without sources.
    pub fn uniform(everywhere: f64) -> Self {
        Self {
            everywhere,
            grading: 0.0,
            sources: Vec::new(),
        }
    }

    /// Largest length of an edge at `x` (m).
    pub fn at(&self, x: Vec2) -> f64 {
        let sizes = self.sources.iter().map(|source| {
            let away = (source.distance(x) - source.radius).max(0.0);
            source.size + self.grading * away
        });
        sizes.fold(self.everywhere, f64::min)
    }
}

impl Source {
    /// Distance of `x` from the segment (m).
    fn distance(&self, x: Vec2) -> f64 {
        let [a, b] = self.ends;
        let along = b - a;
        let squared = along.norm_squared();
        // A point is a segment without a length, which nothing can be divided by.
        let share = if squared > 0.0 {
            ((x - a).dot(&along) / squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (x - a - along * share).norm()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_grows_with_the_distance_from_its_source_up_to_that_of_the_shape() {
        let field = SizeField {
            everywhere: 1.0,
            grading: 0.25,
            sources: vec![
                Source {
                    ends: [Vec2::zeros(), Vec2::new(2.0, 0.0)],
                    size: 0.1,
                    radius: 0.0,
                },
                Source {
                    ends: [Vec2::new(0.0, 10.0); 2],
                    size: 0.2,
                    radius: 0.5,
                },
            ],
        };
        let at = |x: f64, y: f64| field.at(Vec2::new(x, y));
        assert_eq!(at(1.0, 0.0), 0.1);
        assert!((at(1.0, 2.0) - 0.6).abs() < 1e-15);
        assert!((at(5.0, 4.0) - 1.0).abs() < 1e-15);
        assert_eq!(at(0.0, 9.5), 0.2);
        assert!((at(0.0, 8.5) - 0.45).abs() < 1e-15);
    }
}
