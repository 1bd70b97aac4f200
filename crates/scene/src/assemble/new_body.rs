//! A body of the scene on its way into the world.

use crate::schema::{Body, Material, Scene};

/// A body to be added to the world.
pub(crate) struct NewBody<'a> {
    /// Number of the scene's entry that the body comes from.
    pub entry: usize,
    /// The body as the scene describes it.
    pub spec: &'a Body,
    /// Material of the body.
    pub material: &'a Material,
    /// Scene with a body for each copy, for plane and thickness.
    pub scene: &'a Scene,
}
