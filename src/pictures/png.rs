//! Still pictures as PNG.
//!
//! A run writes many pictures, so compression is chosen for speed and not for size.

use tiny_skia::Pixmap;

use super::error::PictureError;

/// The bytes of a PNG file of an opaque picture: 8 bits for each of red, green and blue.
///
/// # Errors
/// [`PictureError::Png`] if the encoder fails.
pub fn encode(picture: &Pixmap) -> Result<Vec<u8>, PictureError> {
    // Without the opacity, which is full everywhere.
    let mut rgb = vec![0; picture.data().len() / 4 * 3];
    for (three, four) in rgb.chunks_exact_mut(3).zip(picture.data().chunks_exact(4)) {
        three.copy_from_slice(&four[..3]);
    }

    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoded_picture_has_the_same_pixels() {
        let mut picture = Pixmap::new(7, 5).unwrap();
        let bytes = picture.data_mut();
        for (pixel, k) in bytes.chunks_exact_mut(4).zip(0..) {
            pixel.copy_from_slice(&[k, 7 * k, 255 - k, 255]);
        }

        let decoded = Pixmap::decode_png(&encode(&picture).unwrap()).unwrap();
        assert_eq!(decoded, picture);
    }
}
