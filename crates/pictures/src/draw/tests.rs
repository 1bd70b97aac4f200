//! Pixels that a frame gives: colours of areas, lines and half-planes, and odd contents.

use super::*;
use crate::frame::{BodyShape, ColorScale, DiskShape, Fill, PlaneShape};
use crate::palette::{self, Palette, Rgb};

/// Two triangles of a square metre around the origin.
const TRIANGLES: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
/// Sides of the square.
const OUTLINE: [[usize; 2]; 4] = [[0, 1], [1, 2], [2, 3], [3, 0]];

/// Corners of the square (m), counter-clockwise.
fn corners() -> Vec<Vec2> {
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
        .map(|(x, y)| Vec2::new(x, y))
        .to_vec()
}

/// Rectangle that the pictures show, 4 m by 2 m.
fn world() -> Aabb {
    Aabb {
        min: Vec2::new(-2.0, -1.0),
        max: Vec2::new(2.0, 1.0),
    }
}

/// Pictures of 400 by 200 pixels: 100 pixels a metre.
fn style() -> Style {
    Style {
        width: 400,
        height: 200,
        unit: 1.0,
        ..Style::default()
    }
}

/// Colour of a pixel, counted from the upper left.
fn pixel(picture: &Pixmap, x: u32, y: u32) -> Rgb {
    let p = picture.pixel(x, y).unwrap();
    [p.red(), p.green(), p.blue()]
}

/// A frame with the square alone.
fn square<'a>(positions: &'a [Vec2], fill: Fill<'a>) -> Frame<'a> {
    let body = BodyShape {
        triangles: &TRIANGLES,
        outline: &OUTLINE,
        fill,
        ..BodyShape::default()
    };

    Frame {
        positions,
        bodies: vec![body],
        ..Frame::default()
    }
}

#[test]
fn a_square_covers_its_pixels_in_its_colour_and_no_others() {
    let positions = corners();
    let picture = draw(&square(&positions, Fill::Body(1)), &world(), &style()).unwrap();
    let fill = palette::tint(palette::body(1));
    let shade = palette::shade(palette::body(1));

    // Inside, on the outline and outside: columns 150 to 250, rows 50 to 150.
    let inside = [(155, 60), (155, 140), (245, 55), (200, 140), (180, 80)];
    let outline = [(200, 50), (200, 149), (150, 100), (249, 100)];
    let outside = [(147, 100), (253, 100), (200, 47), (200, 153)];
    assert_colored(&picture, &inside, fill);
    assert_colored(&picture, &outline, shade);
    assert_colored(&picture, &outside, palette::BACKGROUND);
}

/// Checks that all places (pixels) have one colour.
fn assert_colored(picture: &Pixmap, places: &[(u32, u32)], color: Rgb) {
    for &(x, y) in places {
        assert_eq!(pixel(picture, x, y), color, "at {x}, {y}");
    }
}

#[test]
fn values_colour_each_triangle_by_the_scale() {
    let positions = corners();
    let scale = ColorScale {
        label: "stress",
        unit: "Pa",
        min: 10.0,
        max: 30.0,
        ..SPEEDS
    };

    let frame = Frame {
        scale: Some(scale),
        ..square(&positions, Fill::Values(&[30.0, 15.0]))
    };
    let picture = draw(&frame, &world(), &style()).unwrap();

    assert_eq!(pixel(&picture, 230, 130), palette::viridis(1.0));
    assert_eq!(pixel(&picture, 170, 100), palette::viridis(0.25));
}

/// A picture of one body at the given positions.
fn picture_of(positions: &[Vec2], body: BodyShape<'_>, scale: Option<ColorScale<'_>>) -> Pixmap {
    draw(
        &Frame {
            positions,
            bodies: vec![body],
            scale,
            ..Frame::default()
        },
        &world(),
        &style(),
    )
    .unwrap()
}

/// A scale of speeds from 0 to 2 m/s.
const SPEEDS: ColorScale<'static> = ColorScale {
    label: "speed",
    unit: "m/s",
    min: 0.0,
    max: 2.0,
    is_log: false,
    beyond: [false; 2],
    palette: Palette::Viridis,
    marks_largest: false,
};

#[test]
fn what_closed_curves_enclose_is_painted_and_their_holes_are_not() {
    // A square with a square hole of half its size.
    let mut positions = corners();
    positions.extend(corners().iter().map(|p| p * 0.5));
    let regions = [vec![0, 1, 2, 3], vec![7, 6, 5, 4]];
    let hole = [[5, 4], [6, 5], [7, 6], [4, 7]];
    let outline = [OUTLINE, hole].concat();
    let body = BodyShape {
        outline: &outline,
        regions: &regions,
        fill: Fill::Body(2),
        ..BodyShape::default()
    };
    let picture = picture_of(&positions, body, None);

    // Inside, in the hole and outside, and on the outlines.
    let inside = [(160, 100), (240, 60), (200, 140)];
    let outside = [(200, 100), (180, 80), (220, 120), (140, 100), (200, 160)];
    let outlines = [(150, 100), (200, 50), (200, 75), (225, 100)];
    assert_colored(&picture, &inside, palette::tint(palette::body(2)));
    assert_colored(&picture, &outside, palette::BACKGROUND);
    assert_colored(&picture, &outlines, palette::shade(palette::body(2)));

    // With a value, and without one.
    for (values, color) in [
        (&[0.5][..], palette::viridis(0.25)),
        (&[], palette::MISSING),
    ] {
        let colored = picture_of(
            &positions,
            BodyShape {
                fill: Fill::Values(values),
                ..body
            },
            Some(SPEEDS),
        );
        assert_eq!(pixel(&colored, 160, 100), color);
        assert_eq!(pixel(&colored, 200, 100), palette::BACKGROUND);
    }
}

#[test]
fn wires_and_points_have_a_strong_tone_and_no_inside() {
    let mut positions = corners();
    positions.push(Vec2::new(1.0, 0.0));
    let body = BodyShape {
        outline: &OUTLINE,
        points: &[4],
        fill: Fill::Body(3),
        ..BodyShape::default()
    };

    // On the wire and the point, and beside them.
    let picture = picture_of(&positions, body, None);
    let shade = palette::shade(palette::body(3));
    let wire = [(150, 100), (149, 100), (250, 80), (200, 50)];
    let point = [(300, 100), (298, 100), (302, 101)];
    let beside = [(200, 100), (153, 100), (146, 100), (300, 105), (294, 100)];
    assert_colored(&picture, &wire, shade);
    assert_colored(&picture, &point, shade);
    assert_colored(&picture, &beside, palette::BACKGROUND);

    // With a value, and without one.
    for (values, color) in [(&[0.5][..], palette::viridis(0.25)), (&[], palette::INK)] {
        let colored = picture_of(
            &positions,
            BodyShape {
                fill: Fill::Values(values),
                ..body
            },
            Some(SPEEDS),
        );
        assert_eq!(
            (pixel(&colored, 150, 100), pixel(&colored, 300, 100)),
            (color, color)
        );
    }
}

#[test]
fn a_circle_is_round_and_its_spoke_turns() {
    let disks = [DiskShape {
        center: 0,
        rim: 1,
        radius: 0.5,
    }];
    let body = BodyShape {
        disks: &disks,
        fill: Fill::Obstacle,
        ..BodyShape::default()
    };

    // The spoke is where the rim vertex is, and nowhere else.
    let inside = palette::tint(palette::OBSTACLE);
    let line = palette::shade(palette::OBSTACLE);
    for (rim, [spoke, none]) in [
        ((0.5, 0.0), [(225, 100), (200, 75)]),
        ((0.0, 0.5), [(200, 75), (225, 100)]),
    ] {
        let positions = [Vec2::zeros(), Vec2::new(rim.0, rim.1)];
        let picture = picture_of(&positions, body, None);
        assert_eq!(pixel(&picture, spoke.0, spoke.1), line);
        assert_eq!(pixel(&picture, none.0, none.1), inside);

        let outside = [(147, 100), (253, 100), (200, 47), (163, 63), (237, 137)];
        assert_colored(&picture, &[(170, 100), (200, 140), (168, 70)], inside);
        assert_colored(&picture, &outside, palette::BACKGROUND);
    }

    // A circle is seen as far as it reaches, wherever its centre is.
    let positions = [Vec2::new(-2.4, 0.0), Vec2::new(-1.9, 0.0)];
    assert_eq!(pixel(&picture_of(&positions, body, None), 4, 90), inside);
}

#[test]
fn the_solid_side_of_a_half_plane_is_grey_and_the_free_side_is_not() {
    let plane = PlaneShape {
        origin: Vec2::new(3.0, -0.5),
        normal: Vec2::new(0.0, 2.0),
        moving: false,
    };
    let frame = Frame {
        planes: vec![plane],
        ..Frame::default()
    };

    let picture = draw(&frame, &world(), &style()).unwrap();
    let solid = pixel(&picture, 50, 190);
    assert_ne!(solid, palette::BACKGROUND);

    // Background above the line, dark on it, one tone between the hatches below.
    assert!((0..280).all(|x| (100..150).all(|y| pixel(&picture, x, y) == palette::BACKGROUND)));

    assert!((0..280).all(|x| pixel(&picture, x, 150)[0] < 130));
    assert!((0..280).all(|x| pixel(&picture, x, 170) == solid));
}

#[test]
fn equal_frames_have_equal_pixels() {
    let positions = corners();
    let picture = || draw(&square(&positions, Fill::Obstacle), &world(), &style()).unwrap();
    assert_eq!(picture().data(), picture().data());
}

#[test]
fn a_frame_without_anything_or_without_a_view_is_drawn() {
    let empty = Frame::default();
    let nowhere = Aabb {
        min: Vec2::zeros(),
        max: Vec2::zeros(),
    };
    draw(&empty, &nowhere, &style()).unwrap();
    draw(&empty, &Aabb::EMPTY, &style()).unwrap();
}

/// Planes whose place or normal is zero, huge or not a number.
fn odd_planes() -> Vec<PlaneShape> {
    let plane = |x, y| PlaneShape {
        origin: Vec2::new(x, 0.0),
        normal: Vec2::new(0.0, y),
        moving: true,
    };

    vec![
        plane(0.0, 0.0),
        plane(f64::NAN, 1.0),
        plane(1e300, 1.0),
        plane(0.0, f64::INFINITY),
    ]
}

/// Circles of odd radius, or around vertices that are far away or do not exist.
fn odd_disks() -> Vec<DiskShape> {
    let circle = |center, rim, radius| DiskShape {
        center,
        rim,
        radius,
    };

    vec![
        circle(3, 3, 0.0),
        circle(2, 3, 1.0),
        circle(3, 99, 1.0),
        circle(3, 1, 1e300),
        circle(3, 0, f64::NAN),
    ]
}

#[test]
fn odd_positions_elements_and_values_are_drawn_without_harm() {
    let positions = [
        Vec2::new(f64::NAN, 0.0),
        Vec2::new(f64::INFINITY, 1.0),
        Vec2::new(1e300, -1e300),
        Vec2::zeros(),
    ];
    // Vertices that are not finite, far away or missing, in every list of a body.
    let disks = odd_disks();
    let regions = [vec![0, 1, 2], vec![99, 3], vec![3, 2, 3], vec![]];
    let body = BodyShape {
        lines: &[[0, 3], [2, 3], [3, 99]],
        triangles: &[[0, 1, 2], [3, 2, 7]],
        outline: &OUTLINE,
        regions: &regions,
        disks: &disks,
        points: &[0, 1, 2, 3, 99],
        thickness: 0.1,
        fill: Fill::Values(&[]),
    };
    let area = BodyShape {
        triangles: &[],
        lines: &[],
        ..body
    };

    let frame = Frame {
        positions: &positions,
        bodies: vec![body, area],
        planes: odd_planes(),
        time: f64::NAN,
        scale: Some(ColorScale {
            label: "",
            unit: "",
            min: f64::NAN,
            max: 0.0,
            ..SPEEDS
        }),
        ..Frame::default()
    };
    draw(&frame, &world(), &style()).unwrap();

    // The smallest picture.
    let one_pixel = Style {
        width: 1,
        height: 1,
        ..style()
    };
    draw(&frame, &world(), &one_pixel).unwrap();
}

#[test]
fn a_picture_without_pixels_is_refused() {
    let size = Style {
        width: 0,
        ..style()
    };
    assert!(matches!(
        draw(&Frame::default(), &world(), &size),
        Err(PictureError::Size { width: 0, .. })
    ));
}

#[path = "tests_forces.rs"]
mod forces;
#[path = "tests_looks.rs"]
mod looks;
