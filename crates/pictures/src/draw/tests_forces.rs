//! Arrows of forces, their numbers and their legend, and the network of forces.

use super::*;
use crate::frame::{Corner, ForceArrows, ForceLegend, ForceLink, ReactionArrow};

/// Rectangle that the pictures show, 12.8 m by 7.2 m: 100 pixels a metre.
fn world() -> Aabb {
    Aabb {
        min: Vec2::new(-6.4, -3.6),
        max: Vec2::new(6.4, 3.6),
    }
}

/// Picture of forces without bodies and other labels.
fn drawn(forces: &ForceArrows) -> Pixmap {
    let frame = Frame {
        forces: Some(forces),
        ..Frame::default()
    };
    let style = Style {
        labels: false,
        ..Style::default()
    };
    draw(&frame, &world(), &style).unwrap()
}

/// Columns and rows of the pixels in which two pictures differ; empty if they are the same.
fn differing(a: &Pixmap, b: &Pixmap) -> Vec<[u32; 2]> {
    let pixels = a.pixels().iter().zip(b.pixels()).zip(0_u32..);
    pixels
        .filter(|((p, q), _)| p != q)
        .map(|(_, k)| [k % a.width(), k / a.width()])
        .collect()
}

/// A support at a place (m) with its force (N) and moment (N m).
fn reaction(at: [f64; 2], force: [f64; 2], moment: f64) -> ForceArrows {
    ForceArrows {
        reactions: vec![ReactionArrow {
            at: at.into(),
            force: force.into(),
            moment: Some(moment),
        }],
        ..ForceArrows::default()
    }
}

#[test]
fn numbers_stand_behind_their_arrows_and_in_the_picture() {
    // An arrow of 100 pixels from the right to the middle, with its number further right.
    let none = drawn(&ForceArrows::default());
    let level = drawn(&reaction([0.0, 0.0], [-100.0, 0.0], 0.0));
    let right: Vec<[u32; 2]> = differing(&level, &none)
        .into_iter()
        .filter(|[x, _]| *x > 640 + 104)
        .collect();
    assert!(right.len() > 100, "{}", right.len());
    // Letters begin behind the tail and its halo.
    assert!(right.iter().all(|[x, _]| *x < 860));

    // A support near the lower border: its arrow is cut, and the number stands above the border.
    let low = drawn(&reaction([0.0, -3.0], [0.0, 100.0], 0.0));
    let below: Vec<[u32; 2]> = differing(&low, &none)
        .into_iter()
        .filter(|[x, y]| *x > 400 && *y > 693)
        .collect();
    assert!(below.len() > 100 && below.iter().all(|[_, y]| *y < 718));

    // The legend has a line more, which explains the two heads.
    let legend = |picture: &Pixmap| {
        let all = differing(picture, &none).into_iter();
        all.filter(|[x, _]| *x < 300).count()
    };
    assert!(legend(&low) > 200 && legend(&level) == 0);
}

#[test]
fn moments_that_are_rounding_are_not_drawn() {
    let without = drawn(&reaction([0.0, 0.0], [-100.0, 0.0], 0.0));
    let rounding = drawn(&reaction([0.0, 0.0], [-100.0, 0.0], 1e-6));
    let moment = drawn(&reaction([0.0, 0.0], [-100.0, 0.0], 5.0));
    assert!(differing(&without, &rounding).is_empty());
    assert!(differing(&without, &moment).len() > 100);
}

#[test]
fn the_legend_stands_in_its_corner() {
    for corner in Corner::ALL {
        let legend = ForceLegend {
            corner,
            ..ForceLegend::default()
        };
        let forces = ForceArrows {
            legend,
            ..ForceArrows::default()
        };
        let frame = Frame::default();
        let style = Style {
            labels: false,
            ..Style::default()
        };
        let empty = draw(&frame, &world(), &style).unwrap();
        let is_left = matches!(corner, Corner::LowerLeft | Corner::UpperLeft);
        let is_upper = matches!(corner, Corner::UpperLeft | Corner::UpperRight);
        let pixels = differing(&drawn(&forces), &empty);
        assert!(pixels.len() > 500, "{corner:?}");
        for [x, y] in pixels {
            assert_eq!([x < 640, y < 360], [is_left, is_upper], "{corner:?}");
        }
    }
}

#[test]
fn lines_of_the_network_are_as_wide_as_their_forces() {
    let rows = |force: f64| {
        let forces = ForceArrows {
            links: vec![ForceLink {
                ends: [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)],
                force,
            }],
            legend: ForceLegend {
                width: 0.1,
                ..ForceLegend::default()
            },
            ..ForceArrows::default()
        };
        let picture = drawn(&forces);
        let is_line = |y: &u32| picture.pixel(640, *y).is_some_and(|p| p.green() < 60);
        (0..720).filter(is_line).count()
    };
    assert_eq!([rows(40.0), rows(80.0)], [4, 8]);
    // Lines have a largest width.
    assert_eq!(rows(1e4), 24);
    assert_eq!(rows(0.0), 0);
}
