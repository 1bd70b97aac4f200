//! Meshes of areas: sizes, angles, groups, corners sharper than the limit.

use super::*;
use crate::curve::{Fineness, circle};
use crate::{Loop, Quality, Source, boundary};

/// Least angle that is asked for (rad).
const LEAST: f64 = 25.0 * std::f64::consts::PI / 180.0;

/// A closed curve with one name.
fn named(points: Vec<Vec2>, name: &str) -> Loop {
    Loop {
        names: vec![vec![name.to_owned()]; points.len()],
        points,
        part: None,
        label: name.to_owned(),
    }
}

/// A rectangle from the origin (m).
fn rectangle(width: f64, height: f64) -> Vec<Vec2> {
    [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]
        .map(Vec2::from)
        .to_vec()
}

/// Corners of a polygon that stands for a circle (m).
fn round(center: [f64; 2], radius: f64, deviation: f64) -> Vec<Vec2> {
    let fineness = Fineness {
        deviation,
        length: f64::INFINITY,
    };
    circle(center.into(), radius, fineness)
}

/// A plate of 4 m x 2 m with a round hole in it.
fn plate() -> [Loop; 2] {
    [
        named(rectangle(4.0, 2.0), "outline"),
        named(round([2.0, 1.0], 0.5, 1e-4), "hole"),
    ]
}

/// Area of a polygon (m^2).
fn area(points: &[Vec2]) -> f64 {
    let next = points.iter().cycle().skip(1);
    let doubled = points.iter().zip(next).map(|(a, b)| a.x * b.y - a.y * b.x);
    doubled.sum::<f64>() / 2.0
}

/// Sum of the areas of all triangles (m^2).
fn total(mesh: &Mesh) -> f64 {
    (0..mesh.triangles.len()).map(|k| mesh.area(k)).sum()
}

#[test]
fn a_plate_with_a_hole_has_its_area_and_good_triangles_of_the_size() {
    let loops = plate();
    let domain = Domain::new(&loops, 0.0).unwrap();
    let meshed = triangulate(&domain, &SizeField::uniform(0.1), LEAST, MOST_VERTICES);
    let quality = Quality::of(&meshed.mesh).unwrap();

    let expected = 8.0 - area(&loops[1].points);
    assert!((total(&meshed.mesh) - expected).abs() < 1e-12 * expected);
    assert!((domain.area() - expected).abs() < 1e-12);
    assert!((0..meshed.mesh.triangles.len()).all(|k| meshed.mesh.area(k) > 0.0));
    assert!(quality.least_angle >= LEAST * (1.0 - 1e-9), "{quality:?}");
    assert!(quality.longest <= 0.1 * (1.0 + 1e-9));
    assert!(meshed.sharp.is_empty() && !meshed.is_incomplete);

    // Groups are the vertices on the curves, and the boundary has no others.
    let rim = &meshed.vertices["hole"];
    assert!(rim.len() >= loops[1].points.len());
    for (i, x) in meshed.mesh.vertices.iter().enumerate() {
        let from_center = (x - Vec2::new(2.0, 1.0)).norm();
        assert_eq!(rim.contains(&i), from_center < 0.5 * (1.0 + 1e-9), "{x}");
    }
    let edges = boundary::edges(&meshed.mesh.triangles);
    assert_eq!(edges.len(), rim.len() + meshed.vertices["outline"].len());
}

#[test]
fn equal_areas_have_equal_meshes_at_any_power_of_two() {
    let mesh = |scale: f64| {
        let mut loops = plate();
        for curve in &mut loops {
            for point in &mut curve.points {
                *point *= scale;
            }
        }
        let domain = Domain::new(&loops, 0.0).unwrap();
        triangulate(
            &domain,
            &SizeField::uniform(0.2 * scale),
            LEAST,
            MOST_VERTICES,
        )
    };
    let first = mesh(1.0);
    assert_eq!(first, mesh(1.0));
    let small = mesh(1.0 / 1024.0);
    assert_eq!(first.mesh.triangles, small.mesh.triangles);
    let scaled: Vec<Vec2> = first.mesh.vertices.iter().map(|x| x / 1024.0).collect();
    assert_eq!(scaled, small.mesh.vertices);
}

#[test]
fn sizes_follow_the_field() {
    let domain = Domain::new(&plate(), 0.0).unwrap();
    let field = SizeField {
        everywhere: 0.4,
        grading: 0.3,
        sources: vec![Source {
            ends: [Vec2::new(0.4, 0.4); 2],
            size: 0.01,
            radius: 0.05,
        }],
    };
    let Meshed { mesh, .. } = triangulate(&domain, &field, LEAST, MOST_VERTICES);
    for triangle in &mesh.triangles {
        for k in 0..3 {
            let [a, b] = [triangle[k], triangle[(k + 1) % 3]].map(|i| mesh.vertices[i]);
            let mean = 0.5 * (field.at(a) + field.at(b));
            assert!((b - a).norm() <= mean * (1.0 + 1e-8));
        }
    }
    // Few triangles are needed far away.
    assert!(mesh.triangles.len() < 4000, "{}", mesh.triangles.len());
}

#[test]
fn a_sharp_corner_keeps_its_angle_and_the_rest_is_good() {
    for degrees in [40.0_f64, 15.0, 5.0, 1.0] {
        let angle = degrees.to_radians();
        let points = vec![
            Vec2::zeros(),
            Vec2::new(2.0, 0.0),
            Vec2::new(2.0 * angle.cos(), 2.0 * angle.sin()),
        ];
        let domain = Domain::new(&[named(points.clone(), "outline")], 0.0).unwrap();
        let meshed = triangulate(&domain, &SizeField::uniform(0.5), LEAST, 100_000);
        assert!(!meshed.is_incomplete, "{degrees}");
        assert!((total(&meshed.mesh) - area(&points)).abs() < 1e-12);
        let quality = Quality::of(&meshed.mesh).unwrap();
        assert!(
            quality.least_angle >= LEAST.min(angle) * 0.99,
            "{degrees} {quality:?}"
        );
        assert!(meshed.mesh.triangles.len() < 2000, "{degrees}");
    }
}

#[test]
fn parts_share_lines_with_the_outline_and_have_their_triangles() {
    let mut upper = named(rectangle(4.0, 1.0), "seam");
    for point in &mut upper.points {
        point.y += 1.0;
    }
    upper.part = Some("upper".to_owned());
    let mut core = named(round([1.0, 0.5], 0.25, 1e-3), "rim");
    core.part = Some("core".to_owned());
    let [outline, _] = plate();
    let core_area = area(&core.points);

    let domain = Domain::new(&[outline, upper, core], 1e-9).unwrap();
    let meshed = triangulate(&domain, &SizeField::uniform(0.2), LEAST, MOST_VERTICES);
    let of = |name: &str| -> f64 {
        let members = meshed.triangles[name].iter();
        members.map(|&k| meshed.mesh.area(k)).sum()
    };
    assert!((total(&meshed.mesh) - 8.0).abs() < 1e-12);
    assert!((of("upper") - 4.0).abs() < 1e-12);
    assert!((of("core") - core_area).abs() < 1e-12);
    assert!(Quality::of(&meshed.mesh).unwrap().least_angle >= LEAST * (1.0 - 1e-9));
}

#[test]
fn faults_are_found_where_they_are() {
    let bow = vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
    let bow = named(bow.into_iter().map(Vec2::from).collect(), "outline");
    let [fault] = &Domain::new(&[bow], 0.0).unwrap_err()[..] else {
        panic!("several faults");
    };
    assert_eq!(
        fault.message,
        "crosses or touches itself at (1, 1); move its points there"
    );
    assert_eq!(fault.places, [Vec2::new(1.0, 1.0)]);

    let outline = || named(rectangle(4.0, 2.0), "outline");
    let messages = |loops: &[Loop], tolerance| -> Vec<String> {
        let faults = Domain::new(loops, tolerance).unwrap_err().into_iter();
        faults
            .map(|fault| format!("{} {}", fault.label, fault.message))
            .collect()
    };
    let hole = named(round([9.0, 1.0], 0.5, 1e-2), "holes[0]");
    let expected = "holes[0] is not inside the outline; move it or remove it";
    assert_eq!(messages(&[outline(), hole], 0.0), [expected]);

    // Points nearer than the tolerance are one.
    let mut speck = named(rectangle(1e-4, 1e-4), "holes[0]");
    for point in &mut speck.points {
        point.x += 1.0;
        point.y += 1.0;
    }
    assert!(Domain::new(&[outline(), speck.clone()], 0.0).is_ok());
    let expected = "holes[0] has 0 points that differ, but a closed curve must have at least 3";
    assert_eq!(messages(&[outline(), speck], 1e-3), [expected]);

    let cut = named(round([4.0, 1.0], 0.5, 1e-2), "holes[0]");
    assert!(messages(&[outline(), cut], 0.0)[0].starts_with("outline crosses or touches holes[0]"));
}
