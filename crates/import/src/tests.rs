//! Readers against files that are written by hand, and against what must be refused.

mod drawings;
mod formats;

use super::*;
use ipcsim_math::Vec2;

/// A unit square of two triangles with a group of each kind, in Gmsh's version 2.2.
const GMSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"foot\"\n2 5 \"plate\"\n\
$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n9 7 7 0\n$EndNodes\n$Elements\n3\n\
1 1 2 1 1 1 2\n2 2 2 5 1 1 2 3\n3 2 2 5 1 1 4 3\n$EndElements\n";

/// The same in version 4.1, with quadratic triangles whose middles are where they should be.
const GMSH_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"foot\"\n2 5 \"plate\"\n\
$EndPhysicalNames\n$Entities\n0 1 1 0\n7 0 0 0 1 0 0 1 1 0\n3 0 0 0 1 1 0 1 5 1 7\n$EndEntities\n\
$Nodes\n1 9 1 9\n2 3 0 9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0 0\n1 0.5 0\n\
0.5 0.5 0\n0.5 1 0\n0 0.5 0\n$EndNodes\n$Elements\n2 3 1 3\n1 7 8 1\n1 1 2 5\n2 3 9 2\n\
2 1 2 3 5 6 7\n3 1 3 4 7 8 9\n$EndElements\n";

/// Triangles and lines of a file, in metres.
fn grid(format: Format, text: &str) -> Result<Grid, ReadError> {
    Grid::of(&cells(format, text.as_bytes())?, 1.0, [0.0; 2], None, None)
}

/// Area of all triangles (m^2).
fn area(grid: &Grid) -> f64 {
    let areas = grid.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|i| grid.vertices[i]);
        ipcsim_math::cross(b - a, c - a) / 2.0
    });
    areas.sum()
}

#[test]
fn a_mesh_of_gmsh_has_its_triangles_groups_and_units() {
    let cells = cells(Format::Gmsh, GMSH_2.as_bytes()).unwrap();
    let grid = Grid::of(&cells, 1e-3, [1.0, 0.0], None, None).unwrap();

    // The second triangle ran clockwise, and node 9 belongs to nothing.
    assert_eq!(grid.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(grid.vertices[0], Vec2::new(-1e-3, 0.0));
    assert_eq!(grid.vertices.len(), 4);
    assert_eq!(grid.groups["foot"].vertices, [0, 1].into());
    assert_eq!(grid.groups["plate"].triangles, [0, 1]);
    assert_eq!(grid.notes, ["1 triangles ran clockwise and were turned"]);
}

#[test]
fn quadratic_triangles_of_version_4_become_four_each() {
    let grid = grid(Format::Gmsh, GMSH_4).unwrap();
    assert_eq!(grid.triangles.len(), 8);
    assert_eq!(grid.vertices.len(), 9);
    assert!((area(&grid) - 1.0).abs() < 1e-15);
    assert_eq!(grid.groups["plate"].triangles.len(), 8);
    assert_eq!(grid.groups["foot"].vertices.len(), 3);
    assert_eq!(
        grid.notes,
        [
            "2 six-node triangles became four triangles each; a body with \"elements\": \"quadratic\" has them as they are"
        ]
    );
}

#[test]
fn models_and_grids_have_the_same_square() {
    let obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng plate\nf 1/1 2/1 3/1 -1/1\n";
    let vtk = "# vtk DataFile Version 3.0\nsquare\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n\
               0 0 0 1 0 0 1 1 0 0 1 0\nCELLS 2 8\n3 0 1 2\n3 0 2 3\nCELL_TYPES 2\n5 5\nCELL_DATA 2\n\
               SCALARS material int 1\nLOOKUP_TABLE default\n1 2\n";
    let vtk_5 = "# vtk DataFile Version 5.1\nsquare\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n\
                 0 0 0 1 0 0 1 1 0 0 1 0\nCELLS 3 6\nOFFSETS vtktypeint64\n0 3 6\nCONNECTIVITY \
                 vtktypeint64\n0 1 2 0 2 3\nCELL_TYPES 2\n5 5\n";
    let vtu = "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid><Piece \
               NumberOfPoints=\"4\" NumberOfCells=\"2\"><CellData><DataArray type=\"Int32\" \
               Name=\"material\" format=\"ascii\">1 2</DataArray></CellData><Points><DataArray \
               type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 \
               0</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\" \
               format=\"ascii\">0 1 2 0 2 3</DataArray><DataArray type=\"Int64\" Name=\"offsets\" \
               format=\"binary\">EAAAAAMAAAAAAAAABgAAAAAAAAA=</DataArray><DataArray type=\"UInt8\" \
               Name=\"types\" format=\"ascii\">5 5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
    for (format, text) in [
        (Format::Obj, obj),
        (Format::Vtk, vtk),
        (Format::Vtk, vtk_5),
        (Format::Vtu, vtu),
    ] {
        let grid = grid(format, text).unwrap_or_else(|error| panic!("{format:?} {error}"));
        assert_eq!(grid.triangles, [[0, 1, 2], [0, 2, 3]], "{format:?}");
        assert!((area(&grid) - 1.0).abs() < 1e-15);
    }
    assert_eq!(
        grid(Format::Obj, obj).unwrap().groups["plate"].triangles,
        [0, 1]
    );
    assert_eq!(
        grid(Format::Vtk, vtk).unwrap().groups["material=2"].triangles,
        [1]
    );
    assert_eq!(
        grid(Format::Vtu, vtu).unwrap().groups["material=1"].triangles,
        [0]
    );
}

#[test]
fn near_nodes_are_one_and_parts_are_taken_alone() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0.0000001 0\nv 1 1.0000001 0\nv 0 1 0\ng low\nf 1 2 3\n\
                g high\nf 4 5 6\n";
    let whole = grid(Format::Obj, text).unwrap();
    assert_eq!(whole.vertices.len(), 4);
    assert_eq!(whole.triangles, [[0, 1, 2], [0, 2, 3]]);

    let cells = cells(Format::Obj, text.as_bytes()).unwrap();
    let high = Grid::of(&cells, 1.0, [0.0; 2], None, Some("high")).unwrap();
    assert_eq!(high.triangles, [[0, 1, 2]]);
    let wrong = Grid::of(&cells, 1.0, [0.0; 2], None, Some("middle")).unwrap_err();
    assert!(
        wrong.message.contains("its groups are high, low"),
        "{wrong}"
    );
    assert_eq!(
        Grid::of(&cells, 1.0, [0.0; 2], Some(0.0), None)
            .unwrap()
            .vertices
            .len(),
        6
    );
}

/// Asserts that texts are refused, each with its reason.
fn assert_refused(cases: &[(Format, &str, &str)]) {
    for &(format, text, expected) in cases {
        let message = grid(format, text).unwrap_err().message;
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

/// A grid whose points are these characters of base 64.
fn in_base64(points: &str) -> String {
    format!(
        "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece><Points><DataArray type=\"Float64\" \
         format=\"binary\">{points}</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"
    )
}

#[test]
fn meshes_that_are_no_shapes_in_the_plane_are_refused_with_their_reason() {
    let tetrahedron = GMSH_2.replace("2 2 2 5 1 1 2 3", "2 4 2 5 1 1 2 3 4");
    let cases = [
        (
            Format::Gmsh,
            tetrahedron.as_str(),
            "a tetrahedron (Gmsh's kind 4)",
        ),
        (
            Format::Gmsh,
            &GMSH_2.replace("2.2 0 8", "3.0 0 8"),
            "version of the format is 3",
        ),
        (
            Format::Gmsh,
            &GMSH_2.replace("2.2 0 8", "2.2 1 8"),
            "the order of bytes is not known",
        ),
        (
            Format::Gmsh,
            &GMSH_2.replace("3 1 1 0", "3 1 1 0.2"),
            "z runs from 0 to 0.2",
        ),
        (
            Format::Gmsh,
            &GMSH_2.replace("1 1 4 3\n", "1 1 4 8\n"),
            "names node 8",
        ),
        (
            Format::Gmsh,
            &GMSH_2.replace("1 0 0 0", "1 nan 0 0"),
            "must be finite",
        ),
        (Format::Gmsh, "$Nodes", "$MeshFormat should come before"),
        (Format::Gmsh, "hello", "no $MeshFormat"),
    ];
    assert_refused(&cases);
}

#[test]
fn models_and_grids_that_are_no_shapes_are_refused_with_their_reason() {
    let cases = [
        (
            Format::Obj,
            "v 0 0\nv 1 0\nf 1 2 9",
            "line 3: \"9\" is the number of none of 2 vertices",
        ),
        (Format::Obj, "# nothing", "no line \"v x y z\""),
        (
            Format::Obj,
            "v 0 0\nv 2 0\nv 0.4 0.4\nv 0 2\nf 1 2 3 4",
            "is not convex",
        ),
        (Format::Vtk, "square", "does not begin with"),
        (
            Format::Vtk,
            "# vtk DataFile Version 3.0\na\nBINORY\n",
            "neither ASCII nor BINARY",
        ),
        (
            Format::Vtu,
            "<VTKFile type=\"PolyData\"/>",
            "another type than UnstructuredGrid",
        ),
        (Format::Vtu, "square", "no XML"),
        (
            Format::Vtu,
            &in_base64("AAAA=AAA"),
            "Points cannot be decoded",
        ),
        (
            Format::Vtu,
            &in_base64("/////w=="),
            "Points cannot be decoded",
        ),
    ];
    assert_refused(&cases);
    assert!(Format::of("a.step").unwrap_err().message.contains(".step"));
}

#[test]
fn a_picture_has_named_curves_in_its_own_units() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120mm\" height=\"60mm\" viewBox=\"0 0 60 30\">\
               <g id=\"plate\" transform=\"translate(10 0)\"><path id=\"rim\" d=\"M0 0 H40 V20 H0 Z\"/>\
               <circle cx=\"20\" cy=\"10\" r=\"5\"/></g></svg>";
    let drawing = drawing(Format::Svg, svg.as_bytes()).unwrap();
    assert!((drawing.unit.unwrap() - 2e-3).abs() < 1e-18);
    let [rim, circle] = &drawing.curves[..] else {
        panic!("{drawing:?}");
    };
    assert_eq!(rim.names, ["rim", "plate"]);
    assert_eq!(circle.names, ["plate"]);
    assert_eq!(rim.start, Vec2::new(10.0, 0.0));
    assert_eq!(rim.pieces[1].end(rim.start), Vec2::new(50.0, -20.0));

    // Points of the circle are at its radius.
    let fineness = ipcsim_mesh::curve::Fineness {
        deviation: 1e-3,
        length: 1.0,
    };

    let mut at = circle.start;
    for piece in &circle.pieces {
        for x in piece.points(at, fineness) {
            let radius = (x - Vec2::new(30.0, -10.0)).norm();
            assert!((radius / 5.0 - 1.0).abs() < 1e-14, "{radius}");
        }
        at = piece.end(at);
    }
}

#[test]
fn a_file_of_open_paths_is_refused_at_their_ends() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><path id=\"a\" \
               fill=\"none\" stroke=\"black\" d=\"M1 1 H8 V8\"/></svg>";
    let file = ipcsim_scene::schema::ShapeFile::new("a.svg", ipcsim_scene::schema::Unit::Mm);
    let error = shape(&file, svg.as_bytes()).unwrap_err();
    assert!(
        error
            .message
            .starts_with("curve \"a\" is open: it begins at (1, 1) and ends at (8, 8), 9.89"),
        "{error}"
    );
    assert_eq!(error.places.len(), 2);
    assert!(
        drawing(Format::Svg, b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
            .unwrap_err()
            .message
            .contains("no visible path")
    );
    assert!(drawing(Format::Svg, b"hello").is_err());
}

/// A number below a count without a pattern, the same in every test run (Steele et al. 2014).
fn below(state: &mut u64, count: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((z ^ (z >> 31)) % count as u64).unwrap()
}

#[test]
fn mutants_of_meshes_are_read_or_refused() {
    let mut state = 0;
    let vtk = "# vtk DataFile Version 3.0\na\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 \
               0 1 0\nCELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n";
    assert!(cells(Format::Vtk, vtk.as_bytes()).is_ok());
    let tokens = [
        "-1",
        "1e18",
        "99999999999",
        "4294967296",
        "nan",
        "",
        "0",
        "$End",
        " ",
    ];
    for (format, text) in [
        (Format::Gmsh, GMSH_2),
        (Format::Gmsh, GMSH_4),
        (Format::Vtk, vtk),
    ] {
        for _ in 0..500 {
            let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
            let place = below(&mut state, words.len());
            let token = format!("{} ", tokens[below(&mut state, tokens.len())]);
            words[place] = &token;
            let mut bytes = words.concat().into_bytes();
            if below(&mut state, 4) == 0 {
                bytes.truncate(below(&mut state, bytes.len() + 1));
            }
            let _ = cells(format, &bytes);
        }
    }
}
