//! Meshes of each format, text and binary, and what must be refused.

use super::{area, below, grid};
use crate::{CellKind, Format, Grid, ReadError, cells, drawing};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ipcsim_math::Vec2;
use std::fmt::Write as _;

/// Triangles and lines of bytes, in metres.
fn grid_of(format: Format, bytes: &[u8]) -> Result<Grid, ReadError> {
    Grid::of(&cells(format, bytes)?, 1.0, [0.0; 2], None, None)
}

/// Corners of a unit square.
const SQUARE: [[f64; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
];

/// Names of a mesh of Gmsh.
const NAMES: &str = "$PhysicalNames\n2\n1 1 \"foot\"\n2 5 \"plate\"\n$EndPhysicalNames\n";

/// Bytes of whole numbers.
fn ints(numbers: &[i32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Bytes of counts.
fn counts(numbers: &[u64]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// Bytes of numbers with a fraction.
fn doubles(numbers: &[f64]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// A square of Gmsh's version 2.2, binary: a line and two triangles.
fn gmsh_2() -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n".to_vec();
    bytes.extend(ints(&[1]));
    bytes.extend(format!("\n$EndMeshFormat\n{NAMES}$Nodes\n4\n").bytes());
    for (number, node) in SQUARE.iter().enumerate() {
        bytes.extend(ints(&[i32::try_from(number).unwrap() + 1]));
        bytes.extend(doubles(node));
    }

    bytes.extend(b"\n$EndNodes\n$Elements\n3\n");
    bytes.extend(ints(&[1, 1, 2, 1, 1, 7, 1, 2]));
    bytes.extend(ints(&[2, 2, 2, 2, 5, 3, 1, 2, 3, 3, 5, 3, 1, 3, 4]));
    bytes.extend(b"\n$EndElements\n");
    bytes
}

/// The same of version 4.1, cut for two processors: only entities of the whole have groups.
fn gmsh_4() -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n4.1 1 8\n".to_vec();
    bytes.extend(ints(&[1]));
    bytes.extend(format!("\n$EndMeshFormat\n{NAMES}$Entities\n").bytes());
    bytes.extend(counts(&[0, 1, 1, 0]));
    let around = doubles(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    for (tag, group) in [(7, 1), (3, 5)] {
        bytes.extend(ints(&[tag]));
        bytes.extend(&around);
        bytes.extend(counts(&[1]));
        bytes.extend(ints(&[group]));
        bytes.extend(counts(&[0]));
    }

    bytes.extend(b"\n$EndEntities\n$PartitionedEntities\n");
    bytes.extend(counts(&[2, 0, 0, 1, 1, 0]));
    for (tag, dimension, parent) in [(17, 1, 7), (13, 2, 3)] {
        bytes.extend(ints(&[tag, dimension, parent]));
        bytes.extend(counts(&[1]));
        bytes.extend(ints(&[1]));
        bytes.extend(&around);
        bytes.extend(counts(&[0, 0]));
    }

    bytes.extend(b"\n$EndPartitionedEntities\n$Nodes\n");
    bytes.extend(counts(&[1, 4, 1, 4]));
    bytes.extend(ints(&[2, 13, 0]));
    bytes.extend(counts(&[4, 1, 2, 3, 4]));
    bytes.extend(SQUARE.iter().flat_map(|node| doubles(node)));
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    bytes.extend(counts(&[2, 3, 1, 3]));
    bytes.extend(ints(&[1, 17, 1]));
    bytes.extend(counts(&[1, 1, 1, 2]));
    bytes.extend(ints(&[2, 13, 2]));
    bytes.extend(counts(&[2, 2, 1, 2, 3, 3, 1, 3, 4]));
    bytes.extend(b"\n$EndElements\n");
    bytes
}

/// A legacy grid of VTK, binary, with an array of each form.
fn vtk() -> Vec<u8> {
    let mut bytes =
        b"# vtk DataFile Version 4.2\na\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
            .to_vec();
    for coordinate in SQUARE.iter().flatten() {
        bytes.extend(coordinate.to_be_bytes());
    }
    let big = |numbers: &[i32]| -> Vec<u8> {
        numbers
            .iter()
            .flat_map(|number| number.to_be_bytes())
            .collect()
    };

    bytes.extend(b"\nCELLS 2 8\n");
    bytes.extend(big(&[3, 0, 1, 2, 3, 0, 2, 3]));
    bytes.extend(b"\nCELL_TYPES 2\n");
    bytes.extend(big(&[5, 5]));
    bytes.extend(b"\nPOINT_DATA 4\nSCALARS T float\nLOOKUP_TABLE default\n");
    bytes.extend([10; 16]);
    bytes.extend(b"\nCELL_DATA 2\nFIELD FieldData 2\nmaterial 1 2 int\n");
    bytes.extend(big(&[1, 2]));
    bytes.extend(b"\nstress 3 2 float\n");
    bytes.extend([32; 24]);
    bytes.extend(b"\n");
    bytes
}

#[test]
fn binary_meshes_are_read_as_text_ones() {
    for (format, bytes) in [
        (Format::Gmsh, gmsh_2()),
        (Format::Gmsh, gmsh_4()),
        (Format::Vtk, vtk()),
    ] {
        let grid = grid_of(format, &bytes).unwrap_or_else(|error| panic!("{format:?} {error}"));
        assert_eq!(grid.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(grid.vertices[2], Vec2::new(1.0, 1.0));
        if format == Format::Gmsh {
            assert_eq!(grid.groups["foot"].vertices, [0, 1].into());
            assert_eq!(grid.groups["plate"].triangles, [0, 1]);
        } else {
            assert_eq!(grid.groups["material=2"].triangles, [1]);
            assert!(
                grid.notes[0].ends_with("other arrays were left out: T, stress"),
                "{:?}",
                grid.notes
            );
        }

        for end in 0..bytes.len() {
            let _ = cells(format, &bytes[..end]);
        }
    }
}

#[test]
fn fields_of_text_grids_are_names_and_rows_of_structured_ones_are_cells() {
    let text = "# vtk DataFile Version 5.1\na\nASCII\nDATASET STRUCTURED_GRID\nDIMENSIONS 3 2 1\nPOINTS 6 float\n\
                0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0\nMETADATA\nINFORMATION 0\n\nCELL_DATA 2\nFIELD FieldData 1\n\
                material 1 2 vtktypeint64\n4 5\n";
    let grid = grid(Format::Vtk, text).unwrap();
    assert_eq!(grid.triangles.len(), 4);
    assert_eq!(grid.groups["material=5"].triangles, [2, 3]);
}

/// A square of one nine-node quadrangle of VTK.
const NINE: &str = "# vtk DataFile Version 3.0\na\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 float\n0 0 0 2 0 0 2 2 0 0 2 0 \
                    1 0 0 2 1 0 1 2 0 0 1 0 1.1 1.1 0\nCELLS 1 10\n9 0 1 2 3 4 5 6 7 8\nCELL_TYPES 1\n28\n";

#[test]
fn quadrangles_with_middles_become_two_quadratic_triangles() {
    // Without the node in the middle, which follows from the others.
    let eight = NINE
        .replace("9 0 1 2 3 4 5 6 7 8", "8 0 1 2 3 4 5 6 7")
        .replace("1 10\n", "1 9\n")
        .replace("\n28", "\n23");
    for (text, middle) in [(NINE, 1.1), (&eight, 1.0)] {
        let grid = grid(Format::Vtk, text).unwrap();
        assert!(grid.is_quadratic);
        assert_eq!(grid.triangles.len(), 8);
        assert!((area(&grid) - 4.0).abs() < 1e-7);
        assert!(
            grid.vertices
                .iter()
                .any(|x| (x - Vec2::repeat(middle)).norm() < 1e-7)
        );
        assert_eq!(
            grid.notes[0],
            "1 quadrangles with nodes in the middles of their sides became two six-node triangles each"
        );
    }
}

#[test]
fn cells_that_stand_twice_have_the_names_of_both() {
    let text = super::GMSH_2.replace("$Elements\n3\n", "$Elements\n4\n7 2 2 8 1 3 1 2\n");
    let grid = grid(Format::Gmsh, &text).unwrap();
    assert_eq!(grid.triangles.len(), 2);
    assert_eq!(grid.groups["8"].triangles, [0]);
    assert_eq!(grid.groups["plate"].triangles, [0, 1]);
}

#[test]
fn sets_surfaces_and_instances_of_abaqus_are_names() {
    let text = "*HEADING\n a title\n** a comment\n*Part, name=Plate\n*Node, nset=ALL\n 1, 0., 0.\n 2, 1., 0.\n3, 1., 1.\n4, 0., 1.\n\
                *Element, type=CPS3, elset=Left\n 10, 1, 2, 3\n*ELEMENT, TYPE=CPE3\n 20, 1, 3,\n 4\n*Nset, nset=foot, generate\n 1, 2, 1\n\
                *Elset, elset=both\n Left, 20\n*Surface, type=ELEMENT, name=rim\n Left, S2\n*Solid Section, elset=both, material=steel\n1.,\n\
                *End Part\n*Assembly, name=A\n*Instance, name=One, part=Plate\n 5., 0., 0.\n*End Instance\n*Instance, name=Two, part=PLATE\n\
                 0., 0., 0.\n 0., 0., 0., 0., 0., 1., 90.\n*End Instance\n*Nset, nset=tip, instance=One\n 3,\n*End Assembly\n\
                *Material, name=steel\n*Elastic\n 210e9, 0.3\n";
    // Two instances: one shifted, one turned by a right angle.
    let read = grid(Format::Abaqus, text).unwrap();
    assert_eq!(read.triangles.len(), 4);
    assert_eq!(read.vertices[2], Vec2::new(6.0, 1.0));
    assert!((read.vertices[5] - Vec2::new(0.0, 1.0)).norm() < 1e-15);
    assert_eq!(read.groups["both"].triangles, [0, 1, 2, 3]);
    assert_eq!(read.groups["Left"].triangles, [0, 2]);
    assert_eq!(read.groups["Two"].triangles, [2, 3]);
    assert_eq!(read.groups["foot"].vertices, [0, 1, 4, 5].into());
    assert_eq!(read.groups["rim"].vertices, [1, 2, 5, 6].into());
    assert_eq!(read.groups["tip"].vertices, [2].into());
    assert_eq!(
        read.notes[0],
        "only nodes, elements, sets and surfaces are read; left out: *SOLID SECTION, *MATERIAL, *ELASTIC"
    );

    // Beams have the middle between their ends, and trusses after them.
    for order in ["1, 2, 3", "1, 3, 2"] {
        let line = format!("*NODE\n1,0\n2,1\n3,2\n*ELEMENT, TYPE=B32\n1, {order}\n");
        let lines = grid(Format::Abaqus, &line).unwrap().lines;
        assert_eq!(
            lines.iter().map(|(ends, _)| *ends).collect::<Vec<_>>(),
            [[0, 1], [1, 2]]
        );
    }
}

/// A square of Medit, and of MFEM with two quadratic triangles.
const MEDIT: &str = "MeshVersionFormatted 2\n# made by hand\nDimension\n2\nVertices 4\n0 0 1\n1 0 1\n1 1 0\n0 1 0\n\
                     Edges\n1\n1 2 7\nTriangles 2\n1 2 3 5\n1 3 4 6\nCorners 1\n1\nEnd\n";
const MFEM: &str = "MFEM mesh v1.0\n\ndimension\n2\n\nelements\n2\n5 2 0 1 2\n6 2 0 2 3\n\nboundary\n1\n7 1 0 1\n\nvertices\n4\n\n\
                    nodes\nFiniteElementSpace\nFiniteElementCollection: H1_2D_P2\nVDim: 2\nOrdering: 1\n\n0 0\n1 0\n1 1\n0 1\n\
                    0.5 -0.1\n1 0.5\n0.5 0.5\n0.5 1\n0 0.5\n";

#[test]
fn numbers_of_cells_are_names_by_their_dimension() {
    for (text, count) in [(MEDIT, 2), (MFEM, 8)] {
        let grid = grid(Format::Medit, text).unwrap();
        assert_eq!(grid.triangles.len(), count);
        assert_eq!(grid.is_quadratic, count == 8);
        assert_eq!(grid.groups["surface=5"].triangles.len(), count / 2);
        assert!(grid.groups["line=7"].vertices.len() >= 2);
    }

    let medit = grid(Format::Medit, MEDIT).unwrap();
    assert_eq!(medit.groups["point=1"].vertices, [0, 1].into());
    assert_eq!(medit.notes, ["these sections were left out: Corners"]);
    // The middle of the lower side hangs down.
    let mfem = grid(Format::Medit, MFEM).unwrap();
    assert!(mfem.vertices.contains(&Vec2::new(0.5, -0.1)));
    assert_eq!(mfem.groups["line=7"].vertices.len(), 3);

    let straight =
        MFEM.split("vertices").next().unwrap().to_owned() + "vertices\n4\n2\n0 0\n1 0\n1 1\n0 1\n";
    assert_eq!(grid(Format::Medit, &straight).unwrap().triangles.len(), 2);
}

/// A VTU grid whose points are compressed by a method.
fn vtu(compressor: &str, header: &str, points: &str) -> String {
    let list = |name: &str, numbers: &str| {
        format!("<DataArray type=\"Int64\" Name=\"{name}\" format=\"ascii\">{numbers}</DataArray>")
    };
    format!(
        "<VTKFile type=\"UnstructuredGrid\" {header} compressor=\"{compressor}\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" \
         NumberOfCells=\"2\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">{points}</DataArray>\
         </Points><Cells>{}{}{}</Cells></Piece></UnstructuredGrid></VTKFile>",
        list("connectivity", "0 1 2 0 2 3"),
        list("offsets", "3 6"),
        list("types", "5 5")
    )
}

#[test]
fn grids_are_unpacked_by_each_method_and_order_of_bytes() {
    // The square of this page by Python's lzma, and as one sequence of LZ4 without copies.
    let xz = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABfAA9dAABuFTfEF8G9vFCLrIwAAAAAYhcyBcoN7x0AAStgGilEGx+2830BAAAAAARZWg==";
    let xz = STANDARD.decode(xz).unwrap();
    let mut lz4 = vec![0xf0, 96 - 15];
    lz4.extend(SQUARE.iter().flat_map(|node| doubles(node)));
    let big: Vec<u8> = SQUARE
        .iter()
        .flatten()
        .flat_map(|number| number.to_be_bytes())
        .collect();
    let mut lz4_big = vec![0xf0, 96 - 15];
    lz4_big.extend(big);

    for (compressor, block, is_big) in [
        ("vtkLZMADataCompressor", xz, false),
        ("vtkLZ4DataCompressor", lz4, false),
        ("vtkLZ4DataCompressor", lz4_big, true),
    ] {
        let length = u32::try_from(block.len()).unwrap();
        let head = [1, 96, 0, length].map(|number: u32| {
            if is_big {
                number.to_be_bytes()
            } else {
                number.to_le_bytes()
            }
        });

        let points = STANDARD.encode(head.concat()) + &STANDARD.encode(&block);
        let header = if is_big {
            "byte_order=\"BigEndian\""
        } else {
            ""
        };
        let grid = grid(Format::Vtu, &vtu(compressor, header, &points)).unwrap();
        assert_eq!(grid.vertices, SQUARE.map(|[x, y, _]| Vec2::new(x, y)));

        for k in 0..block.len() {
            let mut damaged = block.clone();
            damaged[k] ^= 1 << (k % 8);
            let points = STANDARD.encode(head.concat()) + &STANDARD.encode(&damaged);
            let _ = cells(Format::Vtu, vtu(compressor, header, &points).as_bytes());
        }
    }

    let error = cells(Format::Vtu, vtu("vtkOther", "", "").as_bytes())
        .unwrap_err()
        .message;
    assert!(error.contains("zlib, LZ4 and LZMA are read"), "{error}");
}

#[test]
fn pieces_of_a_grid_are_put_together() {
    // A second piece to the right, which shares a side.
    let one = vtu("", "", "").replace(
        "format=\"binary\">",
        "format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 0",
    );
    let start = one.find("<Piece").unwrap();
    let end = one.find("</UnstructuredGrid>").unwrap();
    let second = one[start..end].replace("0 0 0 1 0 0 1 1 0 0 1 0", "1 0 0 2 0 0 2 1 0 1 1 0");
    let both = one.replace(
        "</UnstructuredGrid>",
        &format!("{second}</UnstructuredGrid>"),
    );
    let grid = grid(Format::Vtu, &both).unwrap();
    assert_eq!([grid.vertices.len(), grid.triangles.len()], [6, 4]);
    assert!((area(&grid) - 2.0).abs() < 1e-15);
}

#[test]
fn what_no_reader_takes_is_named_with_a_remedy() {
    let gmsh =
        |kind: &str| super::GMSH_2.replace("2 2 2 5 1 1 2 3", &format!("2 {kind} 2 5 1 1 2 3 4"));
    let cube = MEDIT.replace("Corners 1\n1\n", "Tetrahedra 1\n1 2 3 4 0\n");
    for (format, text, expected) in [
        (
            Format::Gmsh,
            gmsh("21").as_str(),
            "it has a triangle of order 3 (Gmsh's kind 21), which is not read; export",
        ),
        (Format::Gmsh, &gmsh("36"), "a quadrangle of order 3"),
        (
            Format::Gmsh,
            &gmsh("5"),
            "a hexahedron (Gmsh's kind 5), which is of a volume; mesh or export the surface",
        ),
        (Format::Gmsh, "$NOD\n", "Gmsh's version 1"),
        (
            Format::Gmsh,
            "version https://git-lfs.github.com/spec/v1\n",
            "git lfs pull",
        ),
        (
            Format::Vtk,
            &NINE.replace("\n28", "\n69"),
            "a triangle of a higher order of 9 nodes",
        ),
        (Format::Medit, &cube, "which is of a volume"),
        (
            Format::Medit,
            &MFEM.replace("H1_2D_P2", "H1_2D_P3"),
            "its nodes are of \"H1_2D_P3\"",
        ),
        (Format::Medit, "MFEM NURBS mesh v1.0\n", "Mesh::PrintVTK"),
        (
            Format::Abaqus,
            "*NODE\n1,0,0\n*ELEMENT, TYPE=C3D4\n1,1,1,1,1\n",
            "line 3: it has elements C3D4",
        ),
        (
            Format::Abaqus,
            "*INCLUDE, INPUT=a.inp\n",
            "names another file",
        ),
        (
            Format::Abaqus,
            "*NODE\n1,0,0\n*ELEMENT, TYPE=CPS3\n1,1,1\n",
            "has 2 nodes, but must have 3",
        ),
        (
            Format::Abaqus,
            "*NODE\n1,0,0\n*ELEMENT, TYPE=CPS3\n1,1,2,3\n",
            "element 1 names node 2, which does not exist",
        ),
    ] {
        let message = cells(format, text.as_bytes()).unwrap_err().message;
        assert!(message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn other_endings_are_named_with_a_way_to_convert_them() {
    let message = Format::of("a.xdmf").unwrap_err().message;
    assert!(
        message.contains(".vtu; convert the file, for example by meshio convert FILE a.vtu"),
        "{message}"
    );
}

#[test]
fn sets_that_name_each_other_are_bounded() {
    // Each set names the next one and a long one.
    let mut bomb = String::from("*NODE, NSET=ALL\n");
    for k in 1..9000 {
        let _ = writeln!(bomb, "{k}, {k}, 0");
    }
    for k in 0..2000 {
        let _ = writeln!(bomb, "*NSET, NSET=s{k}\ns{}, ALL", k + 1);
    }
    let message = cells(Format::Abaqus, bomb.as_bytes()).unwrap_err().message;
    assert!(message.contains("members in all"), "{message}");
}

#[test]
fn mutants_of_every_format_are_read_or_refused() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><g transform=\"rotate(9)\"><path id=\"a\" d=\"M0 0h9a3 2 9 1 0 4 4C1 \
               2 3 4 5 6z\"/><circle r=\"3\"/><use href=\"#a\"/><rect width=\"3\" height=\"4\" rx=\"1\"/></g></svg>";
    let dxf = "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\n0\n70\n1\n10\n0\n20\n0\n42\n0.5\n10\n1\n20\n0\n10\n0\n20\n1\n0\nSPLINE\n71\n2\n\
               40\n0\n40\n0\n40\n0\n40\n1\n40\n1\n40\n1\n10\n0\n20\n0\n10\n1\n20\n1\n10\n2\n20\n0\n0\nELLIPSE\n10\n0\n20\n0\n11\n2\n21\n\
               0\n40\n0.5\n0\nENDSEC\n0\nEOF\n";
    let inp = "*NODE\n1,0,0\n2,1,0\n3,1,1\n*ELEMENT, TYPE=CPS3, ELSET=a\n1,1,2,3\n*NSET, NSET=b, GENERATE\n1,3,1\n*SURFACE, NAME=c\na,S1\n";
    let mut state = 7;
    for (format, bytes) in [
        (Format::Svg, svg.as_bytes().to_vec()),
        (Format::Dxf, dxf.as_bytes().to_vec()),
        (Format::Abaqus, inp.as_bytes().to_vec()),
        (Format::Medit, MEDIT.as_bytes().to_vec()),
        (Format::Medit, MFEM.as_bytes().to_vec()),
        (Format::Gmsh, gmsh_2()),
        (Format::Gmsh, gmsh_4()),
        (Format::Vtk, vtk()),
    ] {
        for _ in 0..400 {
            let mut mutant = bytes.clone();
            for _ in 0..=below(&mut state, 3) {
                let place = below(&mut state, mutant.len());
                match below(&mut state, 4) {
                    0 => mutant[place] = below(&mut state, 256).try_into().unwrap(),
                    1 => mutant.truncate(place + 1),
                    2 => drop(mutant.remove(place)),
                    _ => mutant[place] = b"0123456789-.eE \n,"[below(&mut state, 17)],
                }
                if mutant.is_empty() {
                    break;
                }
            }
            if format.is_drawing() {
                let file = ipcsim_scene::schema::ShapeFile::new(
                    if format == Format::Svg {
                        "a.svg"
                    } else {
                        "a.dxf"
                    },
                    ipcsim_scene::schema::Unit::Mm,
                );
                let _ = drawing(format, &mutant);
                let _ = crate::shapes(&file, &mutant);
            } else if let Ok(cells) = cells(format, &mutant) {
                let _ = Grid::of(&cells, 1.0, [0.0; 2], None, None);
                assert!(cells.count(CellKind::Triangle) < 99);
            }
        }
    }
}
