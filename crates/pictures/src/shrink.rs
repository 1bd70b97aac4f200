//! Smaller pictures, in which each pixel is the mean of a square of pixels.
//!
//! A whole factor keeps thin lines evenly thin, which a factor like 1.7 would not.

use super::error::PictureError;
use tiny_skia::Pixmap;

/// An opaque picture without its opacity, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// Width of the picture (pixels).
    pub(super) width: usize,
    /// Red, green and blue of each pixel, `[3 width height]`.
    pub(super) rgb: Vec<u8>,
}

/// Shrinks a picture with its opacity: pixels become the means of squares of `factor` x `factor`
/// pixels, rounded. Rows and columns that fill no square are left out.
///
/// # Errors
/// [`PictureError::Size`] if nothing is left.
pub(super) fn averaged(picture: &Pixmap, factor: u32) -> Result<Pixmap, PictureError> {
    if factor <= 1 {
        return Ok(picture.clone());
    }

    let size = (picture.width() / factor, picture.height() / factor);
    let refused = PictureError::Size {
        width: size.0,
        height: size.1,
        limit: picture.width(),
    };
    let mut small = Pixmap::new(size.0, size.1).ok_or(refused)?;

    // Numbers are multiplied by the opacity, so that means are those of light.
    let across = 4 * picture.width() as usize;
    let side = factor as usize;
    let area = factor * factor;
    for (k, pixel) in small.data_mut().chunks_exact_mut(4).enumerate() {
        let x = k % size.0 as usize;
        let y = k / size.0 as usize;
        for (channel, value) in pixel.iter_mut().enumerate() {
            let mut sum = 0_u32;
            for row in y * side..(y + 1) * side {
                for column in x * side..(x + 1) * side {
                    sum += u32::from(picture.data()[row * across + 4 * column + channel]);
                }
            }
            // A mean of bytes fits a byte, so that the fallback is never taken.
            *value = u8::try_from((sum + area / 2) / area).unwrap_or(u8::MAX);
        }
    }
    Ok(small)
}

/// Shrinks a picture: pixels become the means of squares of `factor` x `factor` pixels, rounded.
/// Rows and columns that fill no square are left out. `factor` is at least 1.
pub(super) fn shrink(picture: &Pixmap, factor: usize) -> Image {
    let across = picture.width() as usize;
    let width = across / factor;
    let mut rgb = Vec::with_capacity(3 * width * (picture.height() as usize / factor));
    let mut sums = vec![[0_u32; 3]; width];

    // Each band of rows becomes one row.
    let area = u32::try_from(factor * factor).unwrap_or(u32::MAX);
    for band in picture.data().chunks_exact(4 * across * factor) {
        sums.fill([0; 3]);
        for row in band.chunks_exact(4 * across) {
            for (sum, square) in sums.iter_mut().zip(row.chunks_exact(4 * factor)) {
                for pixel in square.chunks_exact(4) {
                    (0..3).for_each(|c| sum[c] += u32::from(pixel[c]));
                }
            }
        }

        for sum in sums.iter().flatten() {
            rgb.push(u8::try_from((sum + area / 2) / area).unwrap_or(u8::MAX));
        }
    }
    Image { width, rgb }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Pixmap {
        let mut picture = Pixmap::new(5, 3).unwrap();
        let bytes: Vec<u8> = (0..5 * 3).flat_map(|k| [k, 2 * k, 200, 255]).collect();
        picture.data_mut().copy_from_slice(&bytes);
        picture
    }

    #[test]
    fn pixels_are_means_of_squares_and_the_rest_is_left_out() {
        let small = shrink(&picture(), 2);
        assert_eq!((small.width, small.rgb), (2, vec![3, 6, 200, 5, 10, 200]));
    }

    #[test]
    fn opacity_is_a_mean_too() {
        let mut clear = picture();
        clear.data_mut()[3] = 0;
        clear.data_mut()[..3].fill(0);
        let small = averaged(&clear, 2).unwrap();
        // Three of four pixels are opaque, which makes three quarters of 255.
        assert_eq!(small.pixel(0, 0).unwrap().alpha(), 191);
        assert_eq!(small.pixel(1, 0).unwrap().alpha(), 255);
        assert!(averaged(&clear, 9).is_err());
    }

    #[test]
    fn the_factor_one_keeps_every_pixel() {
        let expected: Vec<u8> = (0..5 * 3).flat_map(|k| [k, 2 * k, 200]).collect();
        assert_eq!(shrink(&picture(), 1).rgb, expected);
    }
}
