//! Circles around places, with labels.
//!
//! A report of a failed step marks the vertices at fault. Places that are close together share a
//! circle, whose label lists them all. Labels are placed greedily: each takes the first of a few
//! candidates around its circle that is free.

use super::{
    canvas::Canvas,
    error::PictureError,
    palette::Rgb,
    pen::{Anchor, Pen, TextStyle},
};
use ipcsim_math::Vec2;
use std::f64::consts::TAU;
use tiny_skia::Pixmap;

/// Colour of circles and labels.
const COLOR: Rgb = [214, 22, 34];
/// Radius of a circle (pixels).
const RADIUS: f64 = 18.0;
/// Distance below which two places share a circle (pixels).
const NEAR: f64 = 12.0;
/// Font size of labels (pixels).
const SIZE: f64 = 20.0;

/// A circle and the label beside it.
struct Mark {
    /// Centre of the circle (pixels).
    center: Vec2,
    /// Label, or the labels of all places in the circle, separated by commas.
    label: String,
}

/// Draws a circle around each place (pixels) and its label beside it, where there is room.
///
/// Places that are not finite are left out.
///
/// # Errors
/// [`PictureError::Font`] if the font cannot be read.
pub fn draw(picture: Pixmap, places: &[(String, Vec2)]) -> Result<Pixmap, PictureError> {
    let size = Vec2::new(f64::from(picture.width()), f64::from(picture.height()));
    let mut canvas = Canvas::over(picture)?;
    let marks = merged(places);

    // Circles, on a white rim that shows on any background.
    for mark in &marks {
        canvas.ring(mark.center, RADIUS, Pen::new([255, 255, 255], 5.0));
        canvas.ring(mark.center, RADIUS, Pen::new(COLOR, 3.0));
    }

    // Labels, each at a place that the labels before have left free.
    let mut taken: Vec<[Vec2; 2]> = Vec::new();
    for mark in &marks {
        let half = Vec2::new(0.5 * canvas.text_width(&mark.label, SIZE), 0.5 * SIZE);
        let middle = free_place(mark, half, size, &marks, &taken);
        taken.push([middle - half, middle + half]);

        // Digits are about 0.7 of the font size high and stand on the base line.
        let base = middle + Vec2::new(0.0, 0.36 * SIZE);
        canvas.text(
            &mark.label,
            base,
            TextStyle::new(SIZE, COLOR, Anchor::Middle),
        );
    }
    Ok(canvas.finish())
}

/// One mark for each group of places that are near to each other, at the first place of the group.
///
/// A label that the group has already is not repeated.
fn merged(places: &[(String, Vec2)]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (label, center) in places {
        if !center.iter().all(|c| c.is_finite()) {
            continue;
        }

        // The first mark near this place, if any.
        let near = marks
            .iter_mut()
            .find(|mark| (mark.center - center).norm() < NEAR);
        match near {
            Some(mark) if mark.label.split(", ").any(|own| own == label) => {}
            Some(mark) => mark.label = format!("{}, {label}", mark.label),
            None => marks.push(Mark {
                center: *center,
                label: label.clone(),
            }),
        }
    }

    marks
}

/// Middle (pixels) of a label of the given half size beside its circle.
///
/// It is the first candidate that covers no circle, no other label and no border of the picture, or
/// the first of all if there is none. `size` is that of the picture; `taken` are the boxes of the
/// labels before, by two corners each.
fn free_place(mark: &Mark, half: Vec2, size: Vec2, marks: &[Mark], taken: &[[Vec2; 2]]) -> Vec2 {
    // Boxes that the label must not overlap.
    let mut covered = taken.to_vec();
    for other in marks {
        if other.center != mark.center {
            let low = other.center.add_scalar(-RADIUS);
            let high = other.center.add_scalar(RADIUS);
            covered.push([low, high]);
        }
    }

    for k in 0..CANDIDATES {
        let middle = candidate(mark, half, k);
        let low = middle - half;
        let high = middle + half;
        let is_shown = low.min() >= 0.0 && high.x <= size.x && high.y <= size.y;
        if is_shown && !covered.iter().any(|&other| overlap([low, high], other)) {
            return middle;
        }
    }

    candidate(mark, half, 0)
}

/// Number of places that are tried for a label.
const CANDIDATES: u32 = 24;

/// Place number `k` for the middle of a label: eight directions, then the same directions one
/// radius farther away.
fn candidate(mark: &Mark, half: Vec2, k: u32) -> Vec2 {
    let (sin, cos) = (TAU * (f64::from(k % 8) + 0.5) / 8.0).sin_cos();
    let distance = RADIUS * f64::from(1 + k / 8) + 4.0;
    mark.center + Vec2::new(cos * (distance + half.x), -sin * (distance + half.y))
}

/// True if two boxes, given by two corners each, overlap.
fn overlap([low, high]: [Vec2; 2], other: [Vec2; 2]) -> bool {
    low.x < other[1].x && other[0].x < high.x && low.y < other[1].y && other[0].y < high.y
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places by label, abscissa and ordinate (pixels).
    fn places(list: &[(&str, f64, f64)]) -> Vec<(String, Vec2)> {
        list.iter()
            .map(|&(label, x, y)| (label.to_owned(), Vec2::new(x, y)))
            .collect()
    }

    #[test]
    fn near_places_share_a_circle() {
        let marks = merged(&places(&[
            ("1", 50.0, 50.0),
            ("2", 120.0, 50.0),
            ("3", 55.0, 52.0),
            ("1", 51.0, 50.0),
        ]));
        let labels: Vec<&str> = marks.iter().map(|mark| mark.label.as_str()).collect();
        assert_eq!(labels, ["1, 3", "2"]);
    }

    #[test]
    fn a_circle_is_red_and_open_and_its_label_is_in_the_picture() {
        let mut picture = Pixmap::new(100, 80).unwrap();
        picture.fill(tiny_skia::Color::WHITE);
        let drawn = draw(picture, &places(&[("7", 85.0, 15.0)])).unwrap();

        let at = |x: u32, y: u32| {
            drawn
                .pixel(x, y)
                .map(|p| [p.red(), p.green(), p.blue()])
                .unwrap()
        };
        assert_eq!(at(67, 15), COLOR);
        assert_eq!(at(85, 15), [255; 3]);

        // The label is outside the circle.
        let mut label = 0;
        for x in 0..100 {
            for y in 0..80 {
                let from_center = (f64::from(x) - 85.0).hypot(f64::from(y) - 15.0);
                label += usize::from(from_center > RADIUS + 3.0 && at(x, y) == COLOR);
            }
        }
        assert!(label > 4, "{label}");
    }
}
