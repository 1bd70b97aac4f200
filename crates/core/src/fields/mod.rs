//! Fields: quantities of a state that have a value at every vertex or in every cell of the bodies.
//!
//! A [`Field`] is computed from a [`Snapshot`]: positions of a state, velocities and contact forces
//! as far as they are known, and the [`Subject`], which all states of a run share. Pictures, files
//! for `ParaView` and tables ask the same fields, so that a stress is the same number everywhere.
//!
//! A field is an entry of [`FIELDS`] and, if its values need more than a line, a function below it.
//!
//! Values stand at *points* and in *cells*. Points are all vertices, in the order of the world, and
//! after them [`Spot`]s: points of bodies that are not vertices, such as points on the rim of a
//! circle, or a probe. A cell has an [`Owner`]: its body, and its triangle if it is one.
//!
//! Definitions, for all laws:
//!
//! - Deformation gradient `F = D_s D_m^-1` of each triangle, with the edge vectors `D_s` now and
//!   `D_m` at rest; `J = det F`.
//! - Cauchy stress `sigma = P F^T / J` with the first Piola-Kirchhoff stress `P`; across the plane
//!   `sigma_zz = P_33 / J` in plane strain and 0 in plane stress.
//! - Von Mises and principal stresses of the tensor in space, `sigma_zz` included.
//! - Green-Lagrange strain `E = (F^T F - I) / 2`; across the plane 0 in plane strain, and not known
//!   (NaN) in plane stress.
//! - At a vertex the mean of the triangles around it, weighted by their areas at rest. No vertex
//!   belongs to two bodies, so that no mean does.
//!
//! Values that do not exist are NaN: stress of bodies without triangles, such as springs and rigid
//! bodies.

mod field;
mod locate;
mod snapshot;
mod spot;
mod subject;
mod table;
mod tensors;

pub use field::{Field, Form, Owner, Source};
pub use locate::{NoSuchPoint, locate};
pub use snapshot::{ContactsOnVertices, Known, Snapshot};
pub use spot::{Follows, Spot};
pub use subject::{Subject, Triangles};
pub use table::FIELDS;
pub use tensors::Tensors;

/// The field of this key; `None` if there is none.
pub fn by_key(key: &str) -> Option<&'static Field> {
    const ALL: &[Field] = &FIELDS;
    ALL.iter().find(|field| field.key == key)
}

/// Keys of all fields, in their order.
pub fn keys() -> impl Iterator<Item = &'static str> + Clone {
    FIELDS.iter().map(|field| field.key)
}
