//! Cameras: the part of the world that each frame shows.

use super::super::CommandError;
use super::home_cell::HomeCell;
use crate::scene_view::{bounded, extent, scene_view};
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use ipcsim::time::World;
use ipcsim_store::mesh_file::MeshFile;

/// Moment of a camera that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Key {
    /// Time (s).
    time: f64,
    /// Point in the middle of the picture (m).
    center: Vec2,
    /// Height of what the picture shows (m).
    height: f64,
}

impl Key {
    /// Reads a moment from the command line, `TIME@X,Y,HEIGHT`.
    ///
    /// # Errors
    /// If the text is not of this form.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> = text
            .split(['@', ','])
            .map(|number| number.parse().ok().filter(|value: &f64| value.is_finite()))
            .collect();

        match numbers.as_deref() {
            Some(&[time, x, y, height]) if height > 0.0 && text.contains('@') => Ok(Self {
                time,
                center: Vec2::new(x, y),
                height,
            }),
            _ => Err(
                "expected, for example, 0.5@1,2,3: at 0.5 s look at (1, 2) m and show 3 m"
                    .to_owned(),
            ),
        }
    }
}

/// What a frame shows.
pub(crate) enum Camera {
    /// The same part of the world in all frames (m).
    Fixed(Aabb),
    /// A part of this size (m) around the mean of vertices.
    Follows {
        /// Vertices of the body, first to one behind the last.
        vertices: std::ops::Range<usize>,
        /// Width and height (m).
        size: Vec2,
    },
    /// A way from moment to moment, in the order of time, for pictures of this ratio of width to
    /// height.
    Moves {
        /// The moments.
        keys: Vec<Key>,
        /// Width over height.
        ratio: f64,
    },
}

impl Camera {
    /// Camera that moves from moment to moment.
    pub(crate) fn moving(keys: &[Key], ratio: f64) -> Self {
        let mut keys = keys.to_vec();
        keys.sort_by(|a, b| a.time.total_cmp(&b.time));
        Self::Moves { keys, ratio }
    }

    /// Part of the world (m) that the frame of `time` (s) shows, with vertices at `x` (m).
    pub(crate) fn at(&self, time: f64, x: &[Vec2]) -> Aabb {
        match self {
            Self::Fixed(view) => *view,
            Self::Follows { vertices, size } => {
                let all = x.get(vertices.clone()).unwrap_or_default();
                let center = all.iter().sum::<Vec2>() / all.len().max(1) as f64;
                Aabb {
                    min: center - size * 0.5,
                    max: center + size * 0.5,
                }
            }
            Self::Moves { keys, ratio } => {
                let (center, height) = between(keys, time);
                let half = Vec2::new(height * ratio, height) * 0.5;
                Aabb {
                    min: center - half,
                    max: center + half,
                }
            }
        }
    }
}

/// Middle and height (m) of the view at a time: those of the moments before and after it, mixed by
/// `s^2 (3 - 2 s)`, so that the camera starts and stops softly. Heights are mixed as ratios.
fn between(keys: &[Key], time: f64) -> (Vec2, f64) {
    let next = keys.partition_point(|key| key.time <= time);
    // Before the first moment and after the last one the camera stands still.
    let (Some(after), Some(before)) = (
        keys.get(next).or(keys.last()),
        keys.get(next.wrapping_sub(1)).or(keys.first()),
    ) else {
        return (Vec2::zeros(), 1.0);
    };

    let span = after.time - before.time;
    let s = if span > 0.0 {
        ((time - before.time) / span).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = s * s * (3.0 - 2.0 * s);
    let height = before.height * (after.height / before.height).powf(t);
    (before.center.lerp(&after.center, t), height)
}

/// Default view of the frames of a run (m): that of the scene if it states one; otherwise it also
/// holds where bodies really went, `states` being the box around all of that, unless they went very
/// far.
pub(crate) fn covering(scene: &Scene, world: &World, start: &[Vec2], states: &Aabb) -> Aabb {
    let usual = scene_view(scene, world, start);
    if scene.output.view.is_some() {
        return usual;
    }
    usual.union(&bounded(states, &usual))
}

/// Box (m) around the bodies in all states, where they are drawn; `next` gives the positions of one after the other (m).
///
/// # Errors
/// That of `next`.
pub(crate) fn around_all(
    world: &World,
    count: usize,
    mut next: impl FnMut(&mut Vec<Vec2>) -> Result<(), CommandError>,
) -> Result<Aabb, CommandError> {
    let mut x = Vec::new();
    let mut all = Aabb::EMPTY;
    let repeats = world.model.coordinates.lattice().is_some();
    let home = repeats.then(|| HomeCell::of(&MeshFile::of(world)));
    let home = home.flatten();
    for _ in 0..count {
        next(&mut x)?;
        let drawn = home.as_ref().map(|home| home.drawn(&x).0);
        all = all.union(&extent(world, drawn.as_deref().unwrap_or(&x)));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_is_at_its_moments_and_between_them() {
        let keys = ["2@4,0,8", "0@0,0,2"].map(|text| Key::read(text).unwrap());
        let camera = Camera::moving(&keys, 2.0);
        let height = |time: f64| camera.at(time, &[]).extent().y;
        let middle = |time: f64| camera.at(time, &[]).center().x;
        assert_eq!(
            [height(-1.0), height(0.0), height(2.0), height(9.0)],
            [2.0, 2.0, 8.0, 8.0]
        );
        // Heights are mixed as ratios: 4 m is the geometric mean of 2 m and 8 m.
        assert!((height(1.0) - 4.0).abs() < 1e-12 && (middle(1.0) - 2.0).abs() < 1e-12);
        assert!((camera.at(0.0, &[]).extent().x - 4.0).abs() < 1e-12);
        assert!(Key::read("1,2,3,4").is_err() && Key::read("1@2,3,0").is_err());
    }

    #[test]
    fn a_camera_that_follows_has_the_body_in_its_middle() {
        let camera = Camera::Follows {
            vertices: 1..3,
            size: Vec2::new(4.0, 2.0),
        };
        let x = [[9.0, 9.0], [1.0, 1.0], [3.0, 5.0]].map(|[x, y]| Vec2::new(x, y));
        let view = camera.at(0.0, &x);
        assert_eq!(
            (view.min, view.max),
            (Vec2::new(0.0, 2.0), Vec2::new(4.0, 4.0))
        );
    }
}
