//! Still pictures as PNG.
//!
//! A run writes many pictures, so compression is chosen for speed and not for size.

use tiny_skia::{Pixmap, PremultipliedColorU8};

use super::error::PictureError;

/// Colours of a picture as a file has them, row by row from the top.
pub(super) struct Bytes {
    /// Width of the picture (pixels).
    pub(super) width: u32,
    /// Height of the picture (pixels).
    pub(super) height: u32,
    /// Kind of the numbers: red, green and blue, with opacity if the picture is not opaque.
    pub(super) color: png::ColorType,
    /// The numbers, 8 bits each.
    pub(super) data: Vec<u8>,
}

/// Colours of a picture, without opacity if it is full everywhere.
fn bytes(picture: &Pixmap) -> Bytes {
    let is_opaque = picture.pixels().iter().all(|pixel| pixel.alpha() == 255);
    if is_opaque {
        let mut rgb = vec![0; picture.data().len() / 4 * 3];
        for (three, four) in rgb.chunks_exact_mut(3).zip(picture.data().chunks_exact(4)) {
            three.copy_from_slice(&four[..3]);
        }
        return Bytes {
            width: picture.width(),
            height: picture.height(),
            color: png::ColorType::Rgb,
            data: rgb,
        };
    }

    with_opacity(picture)
}

/// Colours of a picture with opacity. Files have colours that are not multiplied by it.
pub(super) fn with_opacity(picture: &Pixmap) -> Bytes {
    let plain = picture
        .pixels()
        .iter()
        .map(PremultipliedColorU8::demultiply);
    let rgba = plain.flat_map(|c| [c.red(), c.green(), c.blue(), c.alpha()]);
    Bytes {
        width: picture.width(),
        height: picture.height(),
        color: png::ColorType::Rgba,
        data: rgba.collect(),
    }
}

/// The bytes of a PNG file of a picture: 8 bits for each of red, green and blue, and for opacity if it
/// is not full everywhere.
///
/// # Errors
/// [`PictureError::Png`] if the encoder fails.
pub fn encode(picture: &Pixmap) -> Result<Vec<u8>, PictureError> {
    let Bytes {
        width,
        height,
        color,
        data,
    } = bytes(picture);

    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(color);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(out)
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

        // A pixel that is not opaque stays so.
        picture.data_mut()[..4].fill(0);
        let decoded = Pixmap::decode_png(&encode(&picture).unwrap()).unwrap();
        assert_eq!(decoded, picture);
    }
}
