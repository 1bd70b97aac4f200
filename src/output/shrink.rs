//! Smaller pictures: each new pixel is the mean of a square of old ones.

/// An opaque picture, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Red, green and blue of each pixel, `[3 width height]`.
    pub rgb: Vec<u8>,
}

/// The picture whose pixels of `channels` bytes, of which the first three are colours, are the means of squares of
/// `factor` x `factor`; rows and columns that fill no square are dropped.
pub fn shrink(bytes: &[u8], (width, height): (u32, u32), channels: usize, factor: u32) -> Image {
    let (out_width, out_height) = (width / factor.max(1), height / factor.max(1));
    let (across, factor) = (width as usize, factor.max(1) as usize);
    let mut rgb = Vec::with_capacity(3 * out_width as usize * out_height as usize);
    let mut sums = vec![[0_usize; 3]; out_width as usize];
    let area = factor * factor;
    for band in bytes.chunks_exact((channels * across * factor).max(1)).take(out_height as usize) {
        sums.fill([0; 3]);
        for row in band.chunks_exact(channels * across) {
            for (sum, square) in sums.iter_mut().zip(row.chunks_exact(channels * factor)) {
                for pixel in square.chunks_exact(channels) {
                    (0..3).for_each(|c| sum[c] += usize::from(pixel[c]));
                }
            }
        }
        rgb.extend(sums.iter().flatten().map(|sum| u8::try_from((sum + area / 2) / area).unwrap_or(u8::MAX)));
    }
    Image { width: out_width, height: out_height, rgb }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_means_of_squares_and_the_rest_is_dropped() {
        let bytes: Vec<u8> = (0..5 * 3).flat_map(|k| [k, 2 * k, 200, 255]).collect();
        let small = shrink(&bytes, (5, 3), 4, 2);
        assert_eq!((small.width, small.height), (2, 1));
        assert_eq!(small.rgb, [3, 6, 200, 5, 10, 200]);
    }

    #[test]
    fn the_factor_one_keeps_every_pixel() {
        let bytes: Vec<u8> = (0..18).collect();
        assert_eq!(shrink(&bytes, (3, 2), 3, 1).rgb, bytes);
    }
}
