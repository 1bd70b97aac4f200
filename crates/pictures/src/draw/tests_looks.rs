//! Scales of colours, sizes of lines, transparency.

use super::*;

#[test]
fn values_at_vertices_are_linear_in_each_triangle() {
    let positions = corners();
    let scale = ColorScale { max: 1.0, ..SPEEDS };
    let body = BodyShape {
        triangles: &TRIANGLES,
        fill: Fill::Nodes(&[0.0, 1.0, 1.0, 0.0]),
        ..BodyShape::default()
    };
    let picture = picture_of(&positions, body, Some(scale));

    // The value grows from 0 at column 150 to 1 at column 250.
    for x in [155, 200, 225, 245] {
        let value = (f64::from(x) + 0.5 - 150.0) / 100.0;
        assert_eq!(pixel(&picture, x, 120), palette::viridis(value), "{x}");
    }
}

#[test]
fn a_logarithmic_scale_has_equal_colours_for_equal_ratios() {
    let scale = ColorScale {
        min: 1e2,
        max: 1e6,
        is_log: true,
        ..SPEEDS
    };
    let fractions = [1e2, 1e3, 1e4, 1e6].map(|value| scale.fraction(value));
    for (found, expected) in fractions.iter().zip([0.0, 0.25, 0.5, 1.0]) {
        assert!((found - expected).abs() < 1e-12, "{fractions:?}");
    }

    assert_eq!(scale.color(0.0), palette::viridis(0.0));
    assert!(scale.fraction(f64::NAN).is_nan());
}

#[test]
fn lines_and_letters_grow_with_the_picture() {
    // A picture of nothing but labels, and the same twice as large.
    let ink = |width, height| {
        let picture = draw(&Frame::default(), &world(), &Style::of_size(width, height)).unwrap();
        let is_ink = |p: &&tiny_skia::PremultipliedColorU8| p.red() < 128;
        let count = picture.pixels().iter().filter(is_ink).count();
        count as f64 / (f64::from(width) * f64::from(height))
    };
    let usual = ink(1280, 720);
    for (width, height) in [(960, 540), (1920, 1080), (3840, 2160)] {
        let share = ink(width, height) / usual;
        assert!((share - 1.0).abs() < 0.15, "{width}: {share}");
    }
}

#[test]
fn a_picture_without_labels_and_ground_is_transparent_where_no_body_is() {
    let positions = corners();
    let style = Style {
        labels: false,
        transparent: true,
        ..style()
    };
    let picture = draw(
        &square(&positions, Fill::Own([10, 200, 30])),
        &world(),
        &style,
    )
    .unwrap();
    let opaque = picture.pixels().iter().filter(|p| p.alpha() == 255).count();
    assert_eq!(picture.pixel(20, 20).unwrap().alpha(), 0);
    assert_eq!(pixel(&picture, 180, 80), palette::tint([10, 200, 30]));

    // 100 by 100 pixels, and half of the outline around them.
    assert!((10_000..10_900).contains(&opaque), "{opaque}");
}

#[test]
fn the_bar_of_colours_has_a_tip_where_values_go_on() {
    let drawn = |beyond| {
        let frame = Frame {
            scale: Some(ColorScale { beyond, ..SPEEDS }),
            ..Frame::default()
        };
        draw(&frame, &world(), &Style::default()).unwrap()
    };
    let plain = drawn([false, false]);
    let tipped = drawn([false, true]);

    // The tip is right of the bar, at half of its height.
    let bright = palette::viridis(1.0);
    let [x, y] = [1280 - 24 - 11 + 3, 51];
    assert_eq!(pixel(&tipped, x, y), bright);
    assert_ne!(pixel(&plain, x, y), bright);
}
