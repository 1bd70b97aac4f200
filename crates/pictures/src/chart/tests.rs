//! Pixels and bytes of charts, and odd data.

use super::panel::layer_tone;
use super::*;
use tiny_skia::Pixmap;

/// A chart of 480 by 300 pixels.
fn chart<'a>(x: &'a [f64], series: Vec<Series<'a>>) -> Chart<'a> {
    Chart {
        title: "Energies",
        x_axis: ("t", "s"),
        x,
        panels: vec![Panel::new(("energy", "J"), series)],
        marks: Vec::new(),
        size: (480, 300),
    }
}

/// A curve in the first body's colour.
fn curve(values: &[f64]) -> Series<'_> {
    Series {
        name: "kinetic",
        values,
        strong: false,
    }
}

/// Number of pixels in some columns that have nearly the first body's colour.
fn colored(picture: &Pixmap, columns: std::ops::Range<u32>) -> usize {
    let mut count = 0;
    for x in columns {
        for y in 0..picture.height() {
            let p = picture.pixel(x, y).unwrap();
            let rgb = [p.red(), p.green(), p.blue()];
            let mut pairs = rgb.iter().zip(palette::BODIES[0]);
            count += usize::from(pairs.all(|(a, b)| a.abs_diff(b) < 12));
        }
    }
    count
}

/// Share of the pixels of some columns between the first and the last filled row that have the tone
/// of the first body's areas.
fn area_of([first, last]: [u32; 2], picture: &Pixmap) -> f64 {
    let mut filled = 0;
    let mut rows = [u32::MAX, 0];
    for x in first..last {
        for y in 0..picture.height() {
            let p = picture.pixel(x, y).unwrap();
            let rgb = [p.red(), p.green(), p.blue()];
            let tone = layer_tone(palette::BODIES[0]);
            if rgb.iter().zip(tone).all(|(a, b)| a.abs_diff(b) < 6) {
                filled += 1;
                rows = [rows[0].min(y), rows[1].max(y)];
            }
        }
    }
    f64::from(filled) / f64::from((last - first) * (rows[1] + 1 - rows[0]))
}

#[test]
fn a_curve_and_its_legend_are_drawn_in_its_colour() {
    let bytes = chart(&[0.0, 1.0], vec![curve(&[0.0, 3.0])])
        .to_png()
        .unwrap();
    let picture = Pixmap::decode_png(&bytes).unwrap();
    assert_eq!((picture.width(), picture.height()), (480, 300));
    assert!(colored(&picture, 95..345) > 200 && colored(&picture, 350..480) > 20);
}

#[test]
fn layers_are_areas_on_both_sides_of_zero() {
    let values = [2.0, 2.0, -2.0, -2.0];
    let mut layered = chart(&[0.0, 1.0, 1.0, 2.0], Vec::new());
    layered.panels[0].layers = vec![curve(&values)];
    let picture = Pixmap::decode_png(&layered.to_png().unwrap()).unwrap();

    // Half of the plot is filled: above zero on the left, below on the right.
    let area = area_of([97, 345], &picture);
    assert!((area - 0.5).abs() < 0.06, "{area}");
}

#[test]
fn equal_charts_have_equal_bytes() {
    let bytes = || {
        chart(&[0.0, 1.0, 2.0], vec![curve(&[0.0, 3.0, 1.0])])
            .to_png()
            .unwrap()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn odd_data_still_give_a_chart() {
    // Too few numbers, none that is finite, and ranges at the limits of floating point.
    let odd: [(&[f64], &[f64]); 12] = [
        (&[], &[]),
        (&[0.0], &[5.0]),
        (&[0.0, 1.0], &[2.0, 2.0]),
        (&[0.0, 1.0, 2.0], &[1.0, f64::NAN, f64::INFINITY]),
        (&[f64::NAN, f64::NAN], &[f64::NAN, f64::NAN]),
        (&[0.0, 1.0], &[-f64::MAX, f64::MAX]),
        (&[0.0, 1.0], &[0.0, 5e-324]),
        (&[0.0, 1e-300], &[1e9, 1e9 + 1e-3]),
        (&[1e300, 2e300], &[1e-20, 3e-20]),
        (&[1.0, 1.0], &[0.0, 4.0]),
        (&[0.0, 1.0, 2.0], &[1.0]),
        (&[3.0, 1.0, 2.0], &[1.0, 2.0, 3.0]),
    ];

    for (x, y) in odd {
        chart(x, vec![curve(y)]).to_png().unwrap();
    }

    // A chart without curves.
    chart(&[0.0], Vec::new()).to_png().unwrap();
}

#[test]
fn sizes_without_room_for_a_plot_are_refused() {
    let tiny = Chart {
        size: (0, 300),
        ..chart(&[], Vec::new())
    };
    assert!(matches!(tiny.to_png(), Err(PictureError::ChartSize { .. })));
}
