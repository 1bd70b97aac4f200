//! Areas on top of each other: parts whose sum matters, and that do not hide each other.
//!
//! Positive parts are stacked upwards from zero, negative ones downwards.

use super::Series;

/// Area between two curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Band {
    /// Ordinates of the side nearer to zero.
    pub(super) inner: Vec<f64>,
    /// Ordinates of the other side.
    pub(super) outer: Vec<f64>,
}

impl Band {
    /// True if the area is nowhere wider than nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.inner == self.outer
    }
}

/// Bands of each of `layers`, above zero and below it, at `count` abscissae. What is missing or not
/// finite counts as nothing.
pub(super) fn bands(layers: &[Series<'_>], count: usize) -> Vec<[Band; 2]> {
    let mut above = vec![0.0; count];
    let mut below = vec![0.0; count];
    let mut bands = Vec::with_capacity(layers.len());

    for layer in layers {
        let mut pair = [Band::default(), Band::default()];
        for k in 0..count {
            let value = layer.values.get(k).filter(|value| value.is_finite());
            let value = value.copied().unwrap_or_default();
            // Losses pile up downwards, so that they do not hide gains.
            for (edge, part, band) in [
                (&mut above, value.max(0.0), 0),
                (&mut below, value.min(0.0), 1),
            ] {
                pair[band].inner.push(edge[k]);
                edge[k] += part;
                pair[band].outer.push(edge[k]);
            }
        }
        bands.push(pair);
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_go_up_and_losses_go_down() {
        let layer = |values| Series {
            name: "",
            values,
            strong: false,
        };
        // The third value of the second layer is beyond the abscissae.
        let bands = bands(&[layer(&[1.0, -2.0]), layer(&[3.0, -1.0, 7.0])], 2);
        let band = |inner: [f64; 2], outer: [f64; 2]| Band {
            inner: inner.to_vec(),
            outer: outer.to_vec(),
        };
        assert_eq!(bands[0][0], band([0.0, 0.0], [1.0, 0.0]));
        assert_eq!(bands[0][1], band([0.0, 0.0], [0.0, -2.0]));
        assert_eq!(bands[1][0], band([1.0, 0.0], [4.0, 0.0]));
        assert_eq!(bands[1][1], band([0.0, -2.0], [0.0, -3.0]));
        assert!(!bands[1][1].is_empty() && Band::default().is_empty());
    }
}
