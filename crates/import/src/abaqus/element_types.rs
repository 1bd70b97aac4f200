//! Types of elements by their names in Abaqus and `CalculiX`.
//!
//! A name has the family first, then the number of nodes, then letters for the formulation: `CPS4R` is
//! plane stress, four nodes, reduced integration. Only family and number matter for the shape. Beams and
//! trusses have digits of another meaning: `B32` is a beam in space whose shape functions are of order 2.

/// Shape of a type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A point, a line, a triangle or a quadrangle.
    Plane {
        /// Number of corners.
        corners: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// An element of a volume.
    Volume,
    /// Any other, such as a spring.
    Unknown,
}

/// Beginnings of the names of elements of volumes.
const VOLUMES: [&str; 7] = ["C3D", "DC3D", "AC3D", "Q3D", "SC6", "SC8", "COH3D"];

/// Beginnings of the names of elements with a surface, before their number of nodes. Longer ones stand
/// first.
const SURFACES: [&str; 18] = [
    "CPEG", "CPS", "CPE", "CGAX", "CAX", "STRI", "SFM3D", "M3D", "R3D", "DC2D", "DCAX", "DS",
    "AC2D", "ACAX", "WARPF2D", "F3D", "US", "S",
];

/// Beginnings of the names of lines, and their numbers of nodes by the digit that follows.
const LINES: [(&str, [usize; 4]); 9] = [
    ("T2D", [0, 2, 3, 0]),
    ("T3D", [0, 2, 3, 0]),
    ("R2D", [0, 2, 0, 0]),
    ("RAX", [0, 2, 0, 0]),
    ("DC1D", [0, 2, 3, 0]),
    ("F2D", [0, 2, 3, 0]),
    ("SAX", [2, 3, 0, 0]),
    ("B2", [2, 3, 2, 0]),
    ("B3", [2, 3, 2, 0]),
];

/// Shape of a type by its name in capital letters.
pub(super) fn shape(name: &str) -> Shape {
    if VOLUMES.iter().any(|start| name.starts_with(start)) {
        return Shape::Volume;
    }
    // An axis of symmetry (SAX) begins as a shell (S) does.
    for (start, counts) in LINES {
        let digit = name
            .strip_prefix(start)
            .and_then(|rest| rest.bytes().next());
        let place = digit
            .and_then(|digit| digit.checked_sub(b'1'))
            .map(usize::from);
        if let Some(&nodes @ 1..) = place.and_then(|place| counts.get(place)) {
            return Shape::Plane { corners: 2, nodes };
        }
    }

    for start in SURFACES {
        let Some(rest) = name.strip_prefix(start) else {
            continue;
        };
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let [corners, nodes] = match &rest[..end] {
            "3" => [3, 3],
            "6" | "65" => [3, 6],
            "4" => [4, 4],
            "8" => [4, 8],
            "9" => [4, 9],
            _ => continue,
        };

        return Shape::Plane { corners, nodes };
    }
    Shape::Unknown
}

#[cfg(test)]
mod tests {
    use super::{Shape, shape};

    #[test]
    fn types_have_the_corners_and_nodes_that_their_names_say() {
        let plane = |corners, nodes| Shape::Plane { corners, nodes };
        for (names, expected) in [
            (
                "CPS3 CPE3H CAX3 S3R STRI3 M3D3 DC2D3 R3D3 SFM3D3",
                plane(3, 3),
            ),
            ("CPS6M CPE6 STRI65 CPEG6 DCAX6 DS6", plane(3, 6)),
            ("CPS4R CPE4I S4 S4R5 M3D4R DC2D4 CAX4H", plane(4, 4)),
            ("CPS8R CPE8 S8R5 M3D8 CAX8", plane(4, 8)),
            ("S9R5 M3D9R", plane(4, 9)),
            ("T2D2 T3D2 B21 B31H B23 R2D2 SAX1 DC1D2", plane(2, 2)),
            ("T3D3 B22 B32 SAX2 DC1D3", plane(2, 3)),
            ("C3D4 C3D10M C3D8R DC3D4 SC8R AC3D8", Shape::Volume),
            ("SPRINGA MASS DASHPOTA CONN3D2 S7", Shape::Unknown),
        ] {
            for name in names.split(' ') {
                assert_eq!(shape(name), expected, "{name}");
            }
        }
    }
}
