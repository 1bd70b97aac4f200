//! Values by which pictures are coloured: stress of elements, speed of bodies.

use super::painter::Coloring;
use super::speeds::body_means;
use crate::pictures::frame::ColorScale;
use crate::time::World;

/// Quantity that the colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorBy {
    /// A colour for each body.
    Body,
    /// Von Mises stress of the Cauchy stress, that across the plane included.
    Stress,
    /// Mean speed since the frame before; of a simulation the speed now.
    Speed,
}

/// Values of one state, by which colours are chosen (Pa, m/s).
pub(in crate::commands) struct Values {
    /// One value per triangle.
    pub(in crate::commands) triangles: Vec<f64>,
    /// One value per spring.
    pub(in crate::commands) springs: Vec<f64>,
    /// One value per body, for bodies without triangles and springs.
    pub(in crate::commands) bodies: Vec<f64>,
}

impl Values {
    /// Values of a world whose triangles have these stresses (Pa); springs have none.
    pub(in crate::commands) fn stress(world: &World, triangles: Vec<f64>) -> Self {
        Self {
            triangles,
            springs: vec![0.0; world.springs.len()],
            bodies: Vec::new(),
        }
    }

    /// Colours of these values on a scale.
    pub(in crate::commands) fn coloring<'a>(&'a self, scale: ColorScale<'a>) -> Coloring<'a> {
        Coloring {
            triangles: &self.triangles,
            springs: &self.springs,
            bodies: &self.bodies,
            scale,
        }
    }
}

/// Scale from the smallest to the largest value of all states; `None` if colours show bodies.
pub(in crate::commands) fn scale(color: ColorBy, values: &[Values]) -> Option<ColorScale<'static>> {
    let mut min = f64::INFINITY;
    let mut max = f64::NEG_INFINITY;
    for state in values {
        for list in [&state.triangles, &state.springs, &state.bodies] {
            for &value in list.iter().filter(|value| value.is_finite()) {
                min = min.min(value);
                max = max.max(value);
            }
        }
    }
    // Where all bodies are rigid there is no stress.
    if min > max {
        min = 0.0;
        max = 0.0;
    }

    let (label, unit) = match color {
        ColorBy::Body => return None,
        ColorBy::Stress => ("von Mises stress", "Pa"),
        ColorBy::Speed => ("speed", "m/s"),
    };
    Some(ColorScale {
        label,
        unit,
        min,
        max,
    })
}

/// Means of `values`, one per vertex, over the vertices of each element and of each rigid or affine
/// body. Soft bodies and obstacles have no value of their own: NaN.
pub(in crate::commands) fn mean_values(world: &World, values: &[f64]) -> Values {
    let mean = |vertices: &[usize]| {
        vertices.iter().map(|&i| values[i]).sum::<f64>() / vertices.len() as f64
    };
    Values {
        triangles: world.triangles.iter().map(|t| mean(t)).collect(),
        springs: world.springs.iter().map(|s| mean(s)).collect(),
        bodies: body_means(world, values),
    }
}
