//! Drawings, SVG and DXF, which are written by hand as programs write them.

use crate::{Format, drawing, shape, shapes};
use ipcsim_math::Vec2;
use ipcsim_mesh::curve::Piece;
use ipcsim_scene::FromFile;
use ipcsim_scene::area::meshed;
use ipcsim_scene::schema::{Area, Shape, ShapeFile, Unit};
use std::fmt::Write as _;

/// A picture of 60 mm x 40 mm in millimetres with these elements.
fn picture(elements: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\" \
         width=\"60mm\" height=\"40mm\" viewBox=\"0 0 60 40\">{elements}</svg>"
    )
}

/// A DXF drawing in millimetres with these entities, whose codes and values are separated by blanks.
fn drawn(tables: &str, entities: &str) -> String {
    let text = format!(
        "0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC {tables} 0 SECTION 2 ENTITIES {entities} 0 ENDSEC 0 EOF"
    );
    text.split_whitespace().collect::<Vec<_>>().join("\n")
}

/// Reads a part of a file whose unit is a metre.
fn read(path: &str, part: Option<&str>, text: &str) -> Result<FromFile, String> {
    let mut file = ShapeFile::new(path, Unit::M);
    file.part = part.map(str::to_owned);
    shape(&file, text.as_bytes()).map_err(|error| error.message)
}

/// The area of a file, and its notes.
fn area(path: &str, part: Option<&str>, text: &str) -> (Area, Vec<String>) {
    let read = read(path, part, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    match read.shape {
        Shape::Area(area) => (area, read.notes),
        other => panic!("{other:?}"),
    }
}

/// Area of the triangles of a shape (m^2).
fn size(area: &Area) -> f64 {
    let mesh = meshed(area)
        .unwrap_or_else(|faults| panic!("{faults:?}"))
        .mesh;
    let areas = mesh.triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|i| mesh.vertices[i]);
        ipcsim_math::cross(b - a, c - a) / 2.0
    });
    areas.sum()
}

/// Asserts that a number is near another one.
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

#[test]
fn document_types_and_their_short_names_are_read() {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \
         \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\" [<!ENTITY wide \"0.1234567890123456\">]>{}",
        picture("<path id=\"plate\" d=\"M&wide;,0H40V20H0Z\"/>")
    );
    let curves = drawing(Format::Svg, text.as_bytes()).unwrap().curves;
    assert_eq!(curves[0].start, Vec2::new(0.123_456_789_012_345_6, 0.0));

    // Old programs write bytes of Western Europe, others UTF-16.
    let western = b"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><svg xmlns=\"http://www.w3.org/2000/svg\">\
                    <path id=\"L\xe4nge\" d=\"M0 0H1V1Z\"/></svg>";
    assert_eq!(
        drawing(Format::Svg, western).unwrap().curves[0].names,
        ["Länge"]
    );
    let units: Vec<u8> = std::iter::once(0xfeff)
        .chain(picture("<path d=\"M0 0H1V1Z\"/>").encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(drawing(Format::Svg, &units).unwrap().curves.len(), 1);
}

#[test]
fn open_curves_are_left_out_with_a_word_unless_they_are_filled_or_join() {
    // A dimension line, and an outline that only its fill closes.
    let text = picture(
        "<path id=\"plate\" d=\"M0,0H40V20H0\"/><path id=\"dim\" fill=\"none\" stroke=\"red\" d=\"M0,30H40\"/>\
         <text x=\"1\" y=\"2\">A</text>",
    );
    let (plate, notes) = area("a.svg", None, &text);
    near(size(&plate), 800.0, 1e-9);
    assert_eq!(notes[0], "left out: texts, which could be made paths (1)");
    assert_eq!(
        notes[1],
        "1 curve is open and was left out: \"dim\" from (0, 30) to (40, 30); to have it, close it"
    );

    // Sides of a laser cutter, each a curve, in any direction.
    let sides = "<path fill=\"none\" stroke=\"#000\" d=\"M0,0 H60 M60,40 V0 M60,40 H0 M0,40 V0\"/>";
    near(size(&area("a.svg", None, &picture(sides)).0), 2400.0, 1e-9);
    let lines = "<g stroke=\"red\"><line x1=\"0\" y1=\"0\" x2=\"4\" y2=\"0\"/><line x1=\"4\" y1=\"3\" x2=\"4\" y2=\"0\"/>\
                 <line x1=\"4\" y1=\"3\" x2=\"0\" y2=\"0\"/></g>";
    near(size(&area("a.svg", None, &picture(lines)).0), 6.0, 1e-12);

    // A gap needs a tolerance, which the message names.
    let gap =
        picture("<path id=\"rim\" fill=\"none\" stroke=\"#000\" d=\"M0,0 H60 V40 H0 V0.009\"/>");
    let error = read("a.svg", None, &gap).unwrap_err();
    assert!(
        error.contains("0.009 units of the file, 0.009 m (--tolerance"),
        "{error}"
    );
    let mut file = ShapeFile::new("a.svg", Unit::Mm);
    file.tolerance = Some(1e-5);
    assert!(shape(&file, gap.as_bytes()).is_ok());
}

#[test]
fn labels_layers_and_groups_are_names_and_pieces_have_their_own() {
    let text = picture(
        "<g id=\"layer1\" inkscape:label=\"Layer 1\"><path id=\"path12\" inkscape:label=\"bracket\" d=\"M0 0H30V20H0Z\"/>\
         <circle id=\"path34\" inkscape:label=\"bolt\" cx=\"10\" cy=\"10\" r=\"3\"/></g>\
         <path id=\"dim1\" style=\"fill:none;stroke:#f00\" d=\"M0 30h30\"/>",
    );
    for part in ["Layer 1", "layer1"] {
        let (area, notes) = area("a.svg", Some(part), &text);
        assert_eq!(area.names(), ["bracket", "bolt"], "{part}");
        assert_eq!(notes, [""; 0]);
    }

    let (bracket, notes) = area("a.svg", Some("bracket"), &text);
    assert!(bracket.holes.is_empty());
    assert!(
        notes[0].starts_with("1 closed curves in it are not in the part \"bracket\""),
        "{notes:?}"
    );
    let error = read("a.svg", Some("brocket"), &text).unwrap_err();
    assert!(
        error.contains("its names are: Layer 1, bolt, bracket, dim1"),
        "{error}"
    );

    // Sides of an outline keep the names that the whole does not have.
    let text = picture(
        "<g id=\"rim\" fill=\"none\" stroke=\"red\"><path id=\"foot\" d=\"M0 0H4\"/><path id=\"top\" d=\"M4 0L0 3Z\"/></g>",
    );
    let triangle = text.replace("M4 0L0 3Z", "M4 0L0 3L0 0");
    let (area, _) = area("a.svg", Some("rim"), &triangle);
    assert_eq!(area.names(), ["rim", "foot", "top", "top"]);
}

#[test]
fn styles_hide_what_is_not_drawn() {
    let text = picture(
        "<style>.a{fill:none} .b, g > .c{display:none} path.d{fill:none;stroke:blue}</style><g><path class=\"a\" d=\"M0 0H9V9Z\"/>\
         <path class=\"b\" d=\"M0 0H9V9Z\"/><path class=\"c\" d=\"M0 0H9V9Z\"/><path class=\"d\" id=\"seen\" d=\"M0 0H9V9Z\"/>\
         <path visibility=\"hidden\" d=\"M0 0H9V9Z\"/></g><defs><path d=\"M0 0H9V9Z\"/></defs>",
    );
    let drawing = drawing(Format::Svg, text.as_bytes()).unwrap();
    let names: Vec<_> = drawing
        .curves
        .iter()
        .map(|curve| curve.names.clone())
        .collect();
    assert_eq!(names, [["seen"]]);
    assert_eq!(
        drawing.notes,
        ["left out: elements that are not displayed (2), paths with neither fill nor stroke (2)"]
    );
}

#[test]
fn circles_stay_circles_under_rotations_and_become_curves_under_shears() {
    let pieces = |transform: &str| {
        let text = picture(&format!(
            "<g transform=\"{transform}\"><path d=\"M1 0A2 2 0 0 1 5 0A2 2 0 0 1 1 0Z\"/></g>"
        ));
        drawing(Format::Svg, text.as_bytes())
            .unwrap()
            .curves
            .remove(0)
    };

    // Turned, mirrored and larger.
    let arcs = pieces("translate(7 1) rotate(30) scale(3 -3)");
    assert!(
        arcs.pieces
            .iter()
            .all(|piece| matches!(piece, Piece::Arc { .. }))
    );
    for x in arcs.corners() {
        // The middle at (3, 0) goes to a distance of 9 at 30 degrees.
        let middle = Vec2::new(7.0 + 9.0 * 0.75_f64.sqrt(), -1.0 - 4.5);
        near((x - middle).norm(), 6.0, 1e-14);
    }

    // Sheared.
    let cubics = pieces("skewX(20)");
    assert_eq!(cubics.pieces.len(), 8);
    assert!(
        cubics
            .pieces
            .iter()
            .all(|piece| matches!(piece, Piece::Cubic { .. }))
    );

    // Areas of an ellipse, a rectangle with round corners, and copies at another size.
    let pi = std::f64::consts::PI;
    for (element, expected) in [
        (
            "<ellipse cx=\"20\" cy=\"20\" rx=\"10\" ry=\"5\"/>",
            50.0 * pi,
        ),
        (
            "<rect width=\"20\" height=\"10\" rx=\"2\"/>",
            200.0 - 4.0 * (4.0 - pi),
        ),
        (
            "<defs><path id=\"p\" d=\"M0 0h2v2h-2z\"/></defs><use href=\"#p\" x=\"3\" transform=\"scale(2)\"/>",
            16.0,
        ),
        (
            "<symbol id=\"s\" viewBox=\"0 0 2 2\"><path d=\"M0 0h2v2h-2z\"/></symbol><use href=\"#s\" width=\"6\" height=\"6\"/>",
            36.0,
        ),
        (
            "<svg x=\"1\" width=\"6\" height=\"8\" viewBox=\"0 0 3 3\"><path d=\"M0 0q0 3 3 3v-3z\"/></svg>",
            30.0,
        ),
        (
            "<path d=\"m0 0c0 1 1 2 2 2s2-1 2-2-1-2-2-2-2 1-2 2z\"/>",
            12.2,
        ),
    ] {
        let (area, _) = area("a.svg", None, &picture(element));
        near(size(&area), expected, 2e-2 * expected);
    }
}

#[test]
fn shapes_beside_each_other_are_named_and_chosen() {
    let text = picture(
        "<g id=\"cut\"><path id=\"plate\" d=\"M0 0H20V20H0Z\"/><circle cx=\"10\" cy=\"10\" r=\"5\"/>\
         <rect x=\"9\" y=\"9\" width=\"2\" height=\"2\"/></g><rect x=\"30\" width=\"4\" height=\"5\"/>",
    );
    let error = read("a.svg", None, &text).unwrap_err();
    assert!(
        error.starts_with(
            "it has 3 shapes that are not in one another, but a body has one: shape1 (\"plate\", 20 x 20 about (10, 10)), \
             shape2 (\"cut\", 2 x 2 about (10, 10)), shape3 (4 x 5 about (32, 2.5)). Choose one"
        ),
        "{error}"
    );
    for (part, holes, size_of_it) in [
        ("shape1", 1, 321.5),
        ("shape3", 0, 20.0),
        ("cut/shape2", 0, 4.0),
    ] {
        let (area, _) = area("a.svg", Some(part), &text);
        assert_eq!(area.holes.len(), holes, "{part}");
        near(size(&area), size_of_it, 1.0);
    }
    assert!(
        read("a.svg", Some("shape4"), &text)
            .unwrap_err()
            .contains("shape1 to shape3")
    );

    let (all, notes) = shapes(&ShapeFile::new("a.svg", Unit::Mm), text.as_bytes()).unwrap();
    let names: Vec<_> = all
        .iter()
        .filter_map(|shape| shape.name.as_deref())
        .collect();
    assert_eq!(names, ["shape1", "shape2", "shape3"]);
    assert!(notes[0].contains("3 shapes"));

    // A curve that is drawn twice, as fill and as stroke, counts once.
    // Another start, and another direction.
    let twice = picture(
        "<path d=\"M0 0H20V20H0Z\"/><path d=\"M20 0V20H0V0Z\" fill=\"none\" stroke=\"red\"/>",
    );
    let (area, notes) = area("a.svg", None, &twice);
    assert!(area.holes.is_empty());
    assert_eq!(notes, ["1 closed curves are drawn twice and count once"]);
}

#[test]
fn pictures_that_copy_without_end_are_refused() {
    // Each level copies the one before twice.
    let mut levels = String::from("<path id=\"a0\" d=\"M0 0H1V1Z\"/>");
    for k in 1..30 {
        let _ = write!(
            levels,
            "<g id=\"a{k}\"><use href=\"#a{0}\"/><use href=\"#a{0}\"/></g>",
            k - 1
        );
    }

    for text in [
        picture(&levels),
        picture("<g id=\"a\"><use href=\"#a\"/></g>"),
    ] {
        let error = drawing(Format::Svg, text.as_bytes()).unwrap_err().message;
        assert!(error.contains("copies by <use> included"), "{error}");
    }

    // Groups within groups.
    let deep = picture(&format!("{}{}", "<g>".repeat(300), "</g>".repeat(300)));
    assert!(
        drawing(Format::Svg, deep.as_bytes())
            .unwrap_err()
            .message
            .contains("deeper than")
    );
}

#[test]
fn entities_of_a_drawing_have_their_shape_unit_and_layer() {
    let pi = std::f64::consts::PI;
    for (entities, expected) in [
        ("0 CIRCLE 8 RIM 10 1 20 2 40 3", 9.0 * pi),
        // A plate whose right side bulges by half a circle.
        (
            "0 LWPOLYLINE 8 RIM 90 4 70 1 10 0 20 0 10 4 20 0 42 1 10 4 20 2 10 0 20 2",
            8.0 + 0.5 * pi,
        ),
        // Lines and an arc in any order.
        (
            "0 ARC 8 RIM 10 0 20 0 40 2 50 0 51 180 0 LINE 8 RIM 10 2 20 0 11 -2 21 0",
            2.0 * pi,
        ),
        // Half of an ellipse, and the same seen from below.
        (
            "0 ELLIPSE 8 RIM 10 0 20 0 11 4 21 0 40 0.5 41 0 42 3.141592653589793 0 LINE 8 RIM 10 4 20 0 11 -4 21 0",
            4.0 * pi,
        ),
        (
            "0 ARC 8 RIM 10 0 20 0 40 2 50 0 51 90 230 -1 0 LINE 8 RIM 10 0 20 2 11 0 21 0 0 LINE 8 RIM 10 0 20 0 11 -2 21 0",
            pi,
        ),
        (
            "0 POLYLINE 8 RIM 66 1 70 1 0 VERTEX 8 RIM 10 0 20 0 0 VERTEX 8 RIM 10 3 20 0 0 VERTEX 8 RIM 10 3 20 3 0 SEQEND",
            4.5,
        ),
        ("0 SOLID 8 RIM 10 0 20 0 11 2 21 0 12 0 22 1 13 2 23 1", 2.0),
        // A Bezier curve over its chord encloses three twentieths of the box of its controls, times 3.
        (
            "0 SPLINE 8 RIM 71 3 40 0 40 0 40 0 40 0 40 1 40 1 40 1 40 1 10 0 20 0 10 0 20 4 10 4 20 4 10 4 20 0 0 LINE 8 RIM 10 0 20 0 11 4 21 0",
            9.6,
        ),
    ] {
        let (area, notes) = area("a.dxf", Some("RIM"), &drawn("", entities));
        near(size(&area), expected, 4e-3 * expected);
        assert_eq!(notes, [""; 0], "{entities}");
        assert_eq!(area.names()[0], "RIM");
    }

    let mut file = ShapeFile::new("a.dxf", Unit::Own);
    let circle = drawn("", "0 CIRCLE 8 0 10 1 20 2 40 3");
    near(shape(&file, circle.as_bytes()).unwrap().unit, 1e-3, 0.0);
    file.unit = Unit::Inch;
    near(shape(&file, circle.as_bytes()).unwrap().unit, 0.0254, 0.0);
}

#[test]
fn blocks_are_inserted_and_what_is_no_curve_is_left_out_with_a_word() {
    let tables = "0 SECTION 2 TABLES 0 TABLE 2 LAYER 0 LAYER 2 OFF 70 0 62 -7 0 LAYER 2 RIM 70 0 62 7 0 ENDTAB 0 ENDSEC 0 SECTION 2 BLOCKS \
                  0 BLOCK 2 BORE 10 1 20 1 0 CIRCLE 8 0 10 1 20 1 40 1 0 ENDBLK 0 ENDSEC";
    let entities = "0 LWPOLYLINE 8 RIM 70 1 10 0 20 0 10 20 20 0 10 20 20 10 10 0 20 10 0 INSERT 8 HOLES 2 BORE 10 5 20 5 41 2 42 2 70 2 44 5 \
                    0 TEXT 8 RIM 1 A 0 DIMENSION 8 RIM 0 LINE 8 RIM 10 0 20 0 30 0 11 1 21 1 31 5 0 LINE 8 OFF 10 0 20 0 11 9 21 9 \
                    0 CIRCLE 8 RIM 67 1 10 0 20 0 40 1 0 LINE 8 AXIS 10 -5 20 5 11 25 21 5";
    let (area, notes) = area("a.dxf", None, &drawn(tables, entities));
    // The block is doubled in size, and its second column is at 5 from the first.
    near(size(&area), 200.0 - 2.0 * 4.0 * std::f64::consts::PI, 0.2);
    assert_eq!(area.names(), ["RIM", "HOLES", "HOLES"]);
    assert_eq!(
        notes,
        [
            "left out: DIMENSION (1), LINE not in the plane (1), TEXT (1), entities of paper space (1)",
            "layers that are off or frozen were left out: OFF",
            "1 curve is open and was left out: \"AXIS\" from (-5, 5) to (25, 5); to have it, close it",
        ]
    );

    // A block that inserts itself twice.
    let loops = "0 SECTION 2 BLOCKS 0 BLOCK 2 A 0 INSERT 2 A 10 0 20 0 0 INSERT 2 A 10 0 20 0 0 ENDBLK 0 ENDSEC";
    let error = read("a.dxf", None, &drawn(loops, "0 INSERT 8 0 2 A 10 0 20 0")).unwrap_err();
    assert!(error.contains("inserted blocks included"), "{error}");
    let error = read("a.dxf", None, &drawn("", "0 CIRCLE 8 0 10 1 20 2")).unwrap_err();
    assert!(error.contains("CIRCLE has no radius (code 40)"), "{error}");
    let error = read("a.dxf", None, &drawn("", "0 CIRCLE 8 0 10 one 20 2 40 1")).unwrap_err();
    assert!(error.starts_with("line 20: CIRCLE has \"one\""), "{error}");
}

#[test]
fn lines_that_part_an_area_are_left_out_and_copies_count_once() {
    // A rectangle of six sides with a line across it, a line that ends at a corner, and one side twice.
    let points = [[0, 0], [2, 0], [4, 0], [4, 3], [2, 3], [0, 3], [0, 0]];
    let mut entities = String::new();
    let mut line = |[a, b]: [i32; 2], [c, d]: [i32; 2]| {
        let _ = write!(entities, "0 LINE 8 0 10 {a} 20 {b} 11 {c} 21 {d} ");
    };
    for pair in points.windows(2) {
        line(pair[0], pair[1]);
    }
    line([2, 0], [2, 3]);
    line([4, 3], [6, 5]);
    line([4, 0], [2, 0]);
    let (area, notes) = area("a.dxf", None, &drawn("", entities.trim()));
    near(size(&area), 12.0, 1e-9);
    assert_eq!(
        notes,
        [
            "1 curves are drawn twice and count once",
            "1 curves part an area between others and were left out",
            "1 curve is open and was left out: \"0\" from (4, 3) to (6, 5); to have it, close it",
        ]
    );
}

#[test]
fn binary_drawings_are_read_as_text_ones() {
    let text = drawn("", "0 CIRCLE 8 RIM 10 1.5 20 2 40 3");
    let lines: Vec<&str> = text.lines().collect();
    let mut bytes = b"AutoCAD Binary DXF\r\n\x1a\0".to_vec();
    for pair in lines.chunks(2) {
        let code: u16 = pair[0].parse().unwrap();
        bytes.extend(code.to_le_bytes());
        match code {
            10..60 => bytes.extend(pair[1].parse::<f64>().unwrap().to_le_bytes()),
            60..80 => bytes.extend(pair[1].parse::<i16>().unwrap().to_le_bytes()),
            _ => bytes.extend(pair[1].bytes().chain([0])),
        }
    }

    let expected = drawing(Format::Dxf, text.as_bytes()).unwrap();
    assert_eq!(drawing(Format::Dxf, &bytes).unwrap(), expected);
    for end in 0..bytes.len() {
        let _ = drawing(Format::Dxf, &bytes[..end]);
    }
    let message = drawing(Format::Dxf, b"AC1027").unwrap_err().message;
    assert!(message.contains("DWG"), "{message}");
}

#[test]
fn letters_of_a_font_stand_side_by_side() {
    let text = picture(
        "<defs><font horiz-adv-x=\"10\"><glyph unicode=\"A\" d=\"M0 0H8V8Z\"/><glyph unicode=\"B\" d=\"M0 0H8V8Z\"/></font></defs>",
    );
    let (area, _) = area("a.svg", Some("B"), &text);
    near(size(&area), 32.0, 1e-9);
}
