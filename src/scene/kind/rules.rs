//! Questions that every kind of body answers.

use crate::scene::assemble::builder::Builder;
use crate::scene::check::report::Report;
use crate::scene::schema::{Body, Law, Material, Scene, Shape};

/// Coordinates that a kind of body moves by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::scene) enum Freedom {
    /// Every vertex of a mesh moves by itself.
    Vertices,
    /// A mesh moves by this number of displacement fields.
    Fields(f64),
    /// An outline moves as a whole.
    Whole,
}

/// Shapes by what they can be used for, from the most to the least general.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::scene) enum ShapeClass {
    /// Shapes with triangles.
    Meshed,
    /// Curves without triangles.
    Outlined,
    /// Circles and points, which have neither triangles nor edges.
    Round,
}

/// A body to be added to the world.
pub(in crate::scene) struct NewBody<'a> {
    /// Number of the scene's entry that the body comes from.
    pub entry: usize,
    /// The body as the scene describes it.
    pub spec: &'a Body,
    /// Its material.
    pub material: &'a Material,
    /// The scene.
    pub scene: &'a Scene,
}

/// Answers of a kind of body about itself.
pub(in crate::scene) trait Rules {
    /// Name in messages.
    fn name(&self) -> &'static str;

    /// Keys of a body that this kind reads and some other kind does not.
    fn keys(&self) -> &'static [&'static str];

    /// Last class of shapes that the kind can have.
    fn shapes(&self) -> ShapeClass;

    /// Coordinates of a body.
    fn freedom(&self) -> Freedom;

    /// Adds a body to the world.
    fn add(&self, builder: &mut Builder, body: &NewBody);

    /// Checks the kind's parameters; `path` is that of the kind.
    fn check(&self, _report: &mut Report, _path: &str) {}

    /// Checks a shape that is sound by itself.
    fn check_shape(&self, _report: &mut Report, _path: &str, _shape: &Shape) {}

    /// True if springs can be the body's material.
    fn allows_springs(&self) -> bool {
        true
    }

    /// Stiffness of a body of the given law (Pa), if it has any.
    fn stiffness(&self, law: Option<&Law>) -> Option<f64> {
        law.map(Law::stiffness)
    }

    /// Stiffness (Pa) that is used because the scene gives none.
    fn assumed_stiffness(&self) -> Option<f64> {
        None
    }

    /// True if the body resists deformation by its material's law.
    fn needs_law(&self) -> bool {
        self.freedom() != Freedom::Whole
    }
}
