//! Elements of deformable bodies: the order of triangles, and whose volume they keep.

use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Elements of a deformable body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Elements {
    /// Triangles with three vertices, in which strain is constant.
    #[default]
    Linear,
    /// Triangles with six vertices, at the corners and on the sides, whose displacements are
    /// quadratic: bending and stress are far more accurate on equal meshes. The triangles of the shape
    /// get a vertex in the middle of each side, on the curve where an area has a circle or an arc; a mesh
    /// of six-node triangles keeps its own. The area `J` stays positive within the whole element. Two
    /// straight edges of each side collide; `verify` and `mesh.json` say how far the curve is from
    /// them.
    Quadratic,
}

/// Volumes of a deformable body that resist a change, by the stiffness of the material against one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Dilatation {
    /// The volume of each triangle, in quadratic ones at three points: the law as it is. Linear
    /// triangles of a nearly incompressible material lock, see `docs/shapes.md`.
    #[default]
    Pointwise,
    /// The volume of a patch as a whole: of a quadratic triangle, or of about six to eight linear
    /// ones around a vertex. The stiff part of the law then sees the mean of `J` over the patch,
    /// and nothing locks; shear stays an energy of each triangle, whose `J` stays positive. For
    /// `neo_hookean`, `fixed_corotated`, `stable_neo_hookean`, `mooney_rivlin` and `yeoh` in plane
    /// strain, without `temperature`. `stiffness` in a damping resists only rates of shear.
    Mean,
}
