//! Values by which pictures are coloured: stress of elements, speed of bodies, pressure along outlines,
//! and the range that their colours span.

use super::painter::Coloring;
use super::speeds::body_means;
use ipcsim::math::cross;
use ipcsim::scene::Scene;
use ipcsim::scene::schema::Law;
use ipcsim::time::World;
use ipcsim_pictures::frame::ColorScale;
use ipcsim_pictures::palette::Palette;

/// Quantity that the colours show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorBy {
    /// A colour for each body.
    #[default]
    Body,
    /// Von Mises stress of the Cauchy stress, that across the plane included.
    Stress,
    /// Cauchy stress around the axis of bodies of revolution, positive in tension.
    Hoop,
    /// Mean speed since the previous frame (from Python: the current speed).
    Speed,
    /// Contact pressure along outlines, from normal forces; it fades inwards over one triangle.
    Pressure,
}

/// Range of values that the colours span.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Range {
    /// Without the highest half percent, if that makes a difference, and without frames that are far
    /// above the rest.
    #[default]
    Usual,
    /// From the smallest to the largest value.
    Whole,
    /// The usual range of each frame.
    Frame,
    /// Between two numbers (Pa, m/s).
    Given(f64, f64),
}

/// Choice of range and colours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Choice {
    /// Range of the colours.
    pub(crate) range: Range,
    /// True if colours follow the logarithm of values.
    pub(crate) is_log: bool,
    /// Colours.
    pub(crate) palette: Palette,
    /// Value up to which all is rounding (Pa); the range reaches at least as far.
    pub(crate) noise: f64,
}

/// Stress up to which all is rounding (Pa): a strain of 1e-9 in the softest material of a scene.
pub(crate) fn noise(scene: &Scene) -> f64 {
    const STRAIN: f64 = 1e-9;
    let laws = scene.materials.values().filter_map(|one| one.law.as_ref());
    let softest = laws.map(Law::stiffness).fold(f64::INFINITY, f64::min);
    if softest.is_finite() {
        STRAIN * softest
    } else {
        0.0
    }
}

/// Values of one state, by which colours are chosen (Pa, m/s).
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// One value per triangle.
    pub(crate) triangles: Vec<f64>,
    /// One value per spring.
    pub(crate) springs: Vec<f64>,
    /// One value per body, for bodies without triangles and springs.
    pub(crate) bodies: Vec<f64>,
    /// One value per vertex, if triangles are coloured by those of their vertices; else empty.
    pub(crate) vertices: Vec<f64>,
}

impl Values {
    /// Values of a world whose triangles have these stresses (Pa); springs have none.
    pub(crate) fn stress(world: &World, triangles: Vec<f64>) -> Self {
        Self {
            triangles,
            springs: vec![0.0; world.springs.len()],
            bodies: Vec::new(),
            vertices: Vec::new(),
        }
    }

    /// Values of a world whose vertices have these contact pressures (Pa), `[vertices]`. Bodies without
    /// triangles and springs have none.
    pub(crate) fn pressure(world: &World, vertices: Vec<f64>) -> Self {
        let means = mean_values(world, &vertices);
        Self {
            bodies: Vec::new(),
            vertices,
            ..means
        }
    }

    /// The same values, those of triangles averaged to vertices: at a vertex the mean of the triangles
    /// around it, weighted by their areas at rest. Values that vertices have already stay.
    pub(crate) fn smoothed(mut self, world: &World) -> Self {
        if !self.vertices.is_empty() {
            return self;
        }

        let mut sums = vec![[0.0; 2]; world.rest.len()];
        for (triangle, value) in world.triangles.iter().zip(&self.triangles) {
            let [a, b, c] = triangle.map(|vertex| world.rest[vertex]);
            let area = 0.5 * cross(b - a, c - a).abs();
            // A value that is not finite would spoil the means around it.
            if value.is_finite() {
                for &vertex in triangle {
                    sums[vertex][0] += area * value;
                    sums[vertex][1] += area;
                }
            }
        }
        self.vertices = sums.iter().map(|[sum, area]| sum / area).collect();
        self
    }

    /// Colours of these values on a scale.
    pub(crate) fn coloring<'a>(&'a self, scale: ColorScale<'a>) -> Coloring<'a> {
        Coloring {
            triangles: &self.triangles,
            springs: &self.springs,
            bodies: &self.bodies,
            vertices: &self.vertices,
            scale,
        }
    }

    /// The largest finite value above 0, or 0.
    fn largest(&self) -> f64 {
        self.shown().fold(0.0, f64::max)
    }

    /// All finite values that a picture shows: those of vertices instead of those of triangles, if there
    /// are any.
    fn shown(&self) -> impl Iterator<Item = f64> {
        let fine = if self.vertices.is_empty() {
            &self.triangles
        } else {
            &self.vertices
        };
        let all = fine.iter().chain(&self.springs).chain(&self.bodies);
        all.copied().filter(|value| value.is_finite())
    }
}

/// Scale of the colours of all `values`; `None` if colours show bodies.
pub(crate) fn scale(
    color: ColorBy,
    values: &[Values],
    choice: Choice,
) -> Option<ColorScale<'static>> {
    let (label, unit) = match color {
        ColorBy::Body => return None,
        ColorBy::Stress => ("von Mises stress", "Pa"),
        ColorBy::Hoop => ("hoop stress", "Pa"),
        ColorBy::Speed => ("speed", "m/s"),
        ColorBy::Pressure => ("contact pressure", "Pa"),
    };
    let mut sorted = sample(values);
    sorted.sort_unstable_by(f64::total_cmp);

    // All values, whether or not they are in the sample.
    let all = || values.iter().flat_map(Values::shown);
    let least = all().fold(f64::INFINITY, f64::min);
    let most = all().fold(f64::NEG_INFINITY, f64::max);
    let [mut min, max] = match choice.range {
        Range::Given(min, max) => [min, max],
        // Where all bodies are rigid there is no stress.
        _ if least > most => [0.0, 0.0],
        _ if most <= choice.noise => [0.0, choice.noise],
        Range::Whole => [least, most],
        Range::Usual | Range::Frame => calm(values, usual(&sorted, least, most)),
    };

    // A logarithm has no zero: a scale begins at the smallest values that matter.
    if choice.is_log && min < DECADES * max {
        let low = sorted.iter().copied().find(|value| *value > 0.0);
        min = low.unwrap_or(max).max(DECADES * max);
    }
    Some(ColorScale {
        label,
        unit,
        min,
        max,
        is_log: choice.is_log,
        beyond: [least < min && (least > 0.0 || !choice.is_log), most > max],
        marks_largest: matches!(color, ColorBy::Stress | ColorBy::Pressure),
        palette: choice.palette,
    })
}

/// Part of the largest value at which a logarithmic scale begins.
const DECADES: f64 = 1e-4;

/// Largest number of values that are sorted for a range; of more, a part is taken at equal distances.
const SORTED: usize = 1 << 20;

/// Values for a range: all of them, or a part at equal distances.
fn sample(values: &[Values]) -> Vec<f64> {
    let count = values.iter().flat_map(Values::shown).count();
    let stride = count.div_ceil(SORTED).max(1);
    let all = values.iter().flat_map(Values::shown);
    all.step_by(stride).collect()
}

/// Usual range of ascending values, whose least and largest are given.
///
/// It ends at a value that one in two hundred exceeds, unless the largest is not much above that or
/// most values are the same. It begins at zero if the smallest value is near that.
fn usual(sorted: &[f64], least: f64, most: f64) -> [f64; 2] {
    const KEPT: f64 = 0.995;
    const MUCH: f64 = 1.25;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part of a length is a place in the list"
    )]
    let place = ((sorted.len() as f64 * KEPT) as usize).min(sorted.len().saturating_sub(1));
    let high = sorted.get(place).copied().unwrap_or(most);

    let max = if high > least && most > MUCH * high {
        high
    } else {
        most
    };
    let min = if least >= 0.0 && least < 0.25 * max {
        0.0
    } else {
        least
    };
    [min, max]
}

/// The usual range of the calmer frames, if `range`, the one of all frames, is far above what most
/// frames have: a crush does not darken the rest.
fn calm(values: &[Values], range: [f64; 2]) -> [f64; 2] {
    // Over the largest value of the middle one of all frames.
    const WILD: f64 = 16.0;
    const CALM: f64 = 4.0;
    let largest = |values: &Values| values.shown().fold(0.0, f64::max);
    let mut tops: Vec<f64> = values
        .iter()
        .map(largest)
        .filter(|top| *top > 0.0)
        .collect();
    tops.sort_unstable_by(f64::total_cmp);
    let Some(&middle) = tops.get(tops.len() / 2) else {
        return range;
    };
    if range[1] <= WILD * middle {
        return range;
    }

    // Values of the calmer frames; only a part is sorted if there are very many.
    let all = || {
        let calmer = values.iter().filter(|one| one.largest() <= CALM * middle);
        calmer.flat_map(Values::shown)
    };
    let stride = all().count().div_ceil(SORTED).max(1);
    let mut sorted: Vec<f64> = all().step_by(stride).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let [least, most] = [
        all().fold(f64::INFINITY, f64::min),
        all().fold(0.0, f64::max),
    ];
    usual(&sorted, least, most)
}

/// Means of `values`, one per vertex, over the vertices of each element and of each rigid or affine
/// body. Soft bodies and obstacles have no value of their own: NaN.
pub(crate) fn mean_values(world: &World, values: &[f64]) -> Values {
    let mean = |vertices: &[usize]| {
        vertices.iter().map(|&i| values[i]).sum::<f64>() / vertices.len() as f64
    };
    Values {
        triangles: world.triangles.iter().map(|t| mean(t)).collect(),
        springs: world.springs.iter().map(|s| mean(s)).collect(),
        bodies: body_means(world, values),
        vertices: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of triangles alone.
    fn of(triangles: Vec<f64>) -> [Values; 1] {
        [Values {
            triangles,
            springs: Vec::new(),
            bodies: Vec::new(),
            vertices: Vec::new(),
        }]
    }

    /// Range and tips that a scale of stress has.
    fn range(values: Vec<f64>, choice: Choice) -> ([f64; 2], [bool; 2]) {
        let scale = scale(ColorBy::Stress, &of(values), choice).unwrap();
        ([scale.min, scale.max], scale.beyond)
    }

    #[test]
    fn rounding_has_no_full_colours() {
        let choice = Choice {
            noise: 1e-4,
            ..Choice::default()
        };
        let of_noise = scale(ColorBy::Stress, &of(vec![1e-11, 3e-11]), choice).unwrap();
        assert_eq!([of_noise.min, of_noise.max], [0.0, 1e-4]);
        let of_load = scale(ColorBy::Stress, &of(vec![0.0, 2.0]), choice).unwrap();
        assert_eq!([of_load.min, of_load.max], [0.0, 2.0]);
    }

    #[test]
    fn one_peak_does_not_spoil_the_range() {
        let mut values: Vec<f64> = (0..1000).map(f64::from).collect();
        values.push(1e6);
        let (found, beyond) = range(values.clone(), Choice::default());
        assert_eq!((found, beyond), ([0.0, 995.0], [false, true]));
        assert_eq!(
            range(
                values.clone(),
                Choice {
                    range: Range::Whole,
                    ..Choice::default()
                }
            ),
            ([0.0, 1e6], [false, false])
        );

        // A smooth distribution keeps its largest value.
        values.pop();
        assert_eq!(
            range(values, Choice::default()),
            ([0.0, 999.0], [false, false])
        );

        // If nearly all are zero, the range is that of the others.
        let mut rest = vec![0.0; 1000];
        rest.push(7.0);
        assert_eq!(range(rest, Choice::default()), ([0.0, 7.0], [false, false]));
        assert_eq!(
            range(vec![f64::NAN], Choice::default()),
            ([0.0, 0.0], [false, false])
        );
    }

    #[test]
    fn one_crush_does_not_spoil_the_range_of_the_rest() {
        // Of ten frames three are a thousand times as high.
        let frame = |top: f64| {
            let values = (0..=100).map(|k| top * f64::from(k) / 100.0);
            of(values.collect())
        };
        let frames: Vec<Values> = (0..10)
            .flat_map(|k| frame(if k < 7 { 1.0 + 0.1 * f64::from(k) } else { 1e3 }))
            .collect();
        let found = scale(ColorBy::Stress, &frames, Choice::default()).unwrap();
        assert!((1.5..=1.6).contains(&found.max), "{}", found.max);
        assert_eq!((found.min, found.beyond), (0.0, [false, true]));

        // Frames that grow evenly keep their range.
        let even: Vec<Values> = (1..=10).flat_map(|k| frame(f64::from(k))).collect();
        let found = scale(ColorBy::Stress, &even, Choice::default()).unwrap();
        assert_eq!((found.max, found.beyond), (10.0, [false, false]));
    }

    #[test]
    fn smoothing_leaves_values_that_vertices_have() {
        let scene = ipcsim::scene::read(std::path::Path::new("scenes/two_squares.json"), &[]);
        let world = scene.unwrap().build().unwrap().world;
        let vertices: Vec<f64> = (0..world.rest.len()).map(|k| k as f64).collect();
        let values = Values::pressure(&world, vertices.clone());
        assert!(values.bodies.is_empty());

        // A triangle has the mean of its vertices.
        let [a, b, c] = world.triangles[0];
        assert!((values.triangles[0] - (a + b + c) as f64 / 3.0).abs() < 1e-12);
        assert_eq!(values.smoothed(&world).vertices, vertices);
    }

    #[test]
    fn ranges_are_given_or_logarithmic_if_asked_for() {
        let given = Choice {
            range: Range::Given(2.0, 5.0),
            ..Choice::default()
        };
        assert_eq!(range(vec![1.0, 9.0], given), ([2.0, 5.0], [true, true]));
        let log = Choice {
            is_log: true,
            ..Choice::default()
        };
        // Zero has no logarithm, and the scale spans four decades.
        let (found, beyond) = range(vec![0.0, 1e-9, 1.0, 100.0], log);
        assert_eq!((found, beyond), ([1e-2, 100.0], [false, false]));
    }
}
