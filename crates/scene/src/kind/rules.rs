//! Questions that every kind of body answers.
//!
//! Three parts of the program ask: the checks, which refuse shapes, keys and materials that do not
//! go with a kind; the assembly, which makes meshes for what deforms; and the preflight, which
//! estimates memory and compares stiffnesses. Most answers have a default for kinds without
//! parameters.

use crate::schema::Law;

/// Coordinates that a kind of body moves by, on which memory and the need for a law depend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Freedom {
    /// Every vertex of a mesh moves by itself.
    Vertices,
    /// A mesh moves by this number of displacement fields, a floating-point number so that a huge
    /// parameter does not overflow.
    Fields(f64),
    /// An outline moves as a whole, by two or three nodes.
    Whole,
}

/// Shapes by what they can be used for, from the most to the least general.
///
/// Classes are ordered: a kind that takes a class takes all classes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShapeClass {
    /// Shapes with triangles, which every kind takes.
    Meshed,
    /// Lines of edges, for rods and for bodies that move as a whole.
    Line,
    /// Curves without triangles, for bodies that move as a whole.
    Outlined,
    /// Circles and points, which have neither triangles nor edges.
    Round,
}

/// Answers of a kind of body about itself.
pub(crate) trait Rules {
    /// Name of the kind in messages and in scenes.
    fn name(&self) -> &'static str;

    /// Keys of a body that this kind reads and some other kind does not.
    ///
    /// Giving any other of these keys is an error.
    fn keys(&self) -> &'static [&'static str];

    /// Last class of shapes that the kind can have.
    fn shapes(&self) -> ShapeClass;

    /// Coordinates that a body of this kind moves by.
    fn freedom(&self) -> Freedom;

    /// True if springs can be the body's material. Modes and polynomials need triangles.
    fn allows_springs(&self) -> bool {
        true
    }

    /// True if a material that resists rates of strain is of use. Rods have none of its strains.
    fn allows_strain_damping(&self) -> bool {
        true
    }

    /// Stiffness of a body of the given law (Pa); `None` if nothing deforms, or no stiffness is
    /// given.
    fn stiffness(&self, law: Option<&Law>) -> Option<f64> {
        law.map(Law::stiffness)
    }

    /// True if a body of this kind has a stiffness of its own, which the scene leaves out.
    fn lacks_stiffness(&self) -> bool {
        false
    }

    /// True if the shape at rest of a body of this kind can change its size.
    fn can_resize(&self) -> bool {
        false
    }

    /// True if the body resists deformation by its material's law.
    fn needs_law(&self) -> bool {
        self.freedom() != Freedom::Whole
    }
}
