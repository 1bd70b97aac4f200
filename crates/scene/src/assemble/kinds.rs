//! How the body of each kind is assembled: the one table of kinds here.

use super::builder::Builder;
use super::new_body::NewBody;
use super::{affine, deformable, reduced, rigid};
use crate::schema::Kind;

/// Adds a body to the world: vertices, nodes, surface, elements and loads.
///
/// The body has passed all checks. What only shows in its mesh is noted in the builder.
pub(super) fn add(builder: &mut Builder, body: &NewBody) {
    match &body.spec.kind {
        Kind::Deformable => deformable::add(builder, body),
        Kind::Rigid => rigid::add(builder, body),
        Kind::Affine(affine) => affine::add(builder, body, affine),
        Kind::Polynomial(polynomial) => reduced::add_polynomial(builder, body, *polynomial),
        Kind::Modal(modal) => reduced::add_modal(builder, body, *modal),
        Kind::Rod(rod) => builder.add_rod(body, rod),
    }
}
