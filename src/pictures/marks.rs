//! Circles around places, with labels.

use super::{
    canvas::Canvas,
    error::PictureError,
    palette::Rgb,
    pen::{Anchor, Pen, TextStyle},
};
use crate::math::Vec2;
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
    center: Vec2,
    label: String,
}

/// Draws a circle around each place (pixels) and its label beside it, where there is room.
///
/// # Errors
/// [`PictureError`] if the font cannot be read.
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

/// One mark for each group of places that are near to each other.
fn merged(places: &[(String, Vec2)]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (label, center) in places
        .iter()
        .filter(|(_, place)| place.iter().all(|c| c.is_finite()))
    {
        match marks
            .iter_mut()
            .find(|mark| (mark.center - center).norm() < NEAR)
        {
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

/// Middle of a label of the given half size beside its circle.
///
/// It is the first candidate that covers no circle, no other label and no border of the picture; the
/// first of all if there is none.
fn free_place(mark: &Mark, half: Vec2, size: Vec2, marks: &[Mark], taken: &[[Vec2; 2]]) -> Vec2 {
    let others = marks.iter().filter(|other| other.center != mark.center);
    let circles = others.map(|other| {
        [
            other.center.add_scalar(-RADIUS),
            other.center.add_scalar(RADIUS),
        ]
    });
    let covered: Vec<[Vec2; 2]> = circles.chain(taken.iter().copied()).collect();

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

/// Place number `k` for the middle of a label: eight directions, then farther away.
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
        let is_far = |x: f64, y: f64| (x - 85.0).hypot(y - 15.0) > RADIUS + 3.0;
        let inked = (0..100).flat_map(|x| (0..80).map(move |y| (x, y)));
        let label = inked
            .filter(|&(x, y)| is_far(f64::from(x), f64::from(y)) && at(x, y) == COLOR)
            .count();
        assert!(label > 4, "{label}");
    }
}
