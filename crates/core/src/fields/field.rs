//! A field: its names, its form, and the source of its values.

use super::{Snapshot, Subject, Tensors};
use ipcsim_math::{PlaneTensor, Vec2};

/// A quantity of a state, with a value at points, in cells, or both.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in scenes, on the command line and in tables.
    pub key: &'static str,
    /// Name in files for viewers.
    pub name: &'static str,
    /// Unit; 1 for a plain number.
    pub unit: &'static str,
    /// Meaning in a sentence.
    pub meaning: &'static str,
    /// What a stored run needs for the field, as the end of "the run has no ...".
    pub needs: &'static str,
    /// Numbers that a value has.
    pub form: Form,
    /// Computation of the values.
    pub source: Source,
}

/// Owner of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Number of the body.
    pub body: usize,
    /// Number of the elastic triangle that the cell is.
    pub triangle: Option<usize>,
}

/// Numbers that a value of a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A whole number, such as the number of a body.
    Whole,
    /// One number.
    Scalar,
    /// A vector in the plane.
    Vector,
    /// Three principal values, the largest first.
    Principal,
    /// A symmetric tensor without shear across the plane.
    Tensor,
}

impl Form {
    /// Names of the numbers; a single number has the empty name.
    pub fn components(self) -> &'static [&'static str] {
        match self {
            Self::Whole | Self::Scalar => &[""],
            Self::Vector => &["x", "y"],
            Self::Principal => &["1", "2", "3"],
            Self::Tensor => &["xx", "yy", "xy", "zz"],
        }
    }
}

/// Computation of a field. `None` stands for an unknown quantity.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A number of each body or triangle. Points have the number of their body.
    Bodies(fn(&Subject, Owner) -> f64),
    /// A vector at each vertex that moves with the material: the values of other points of a body
    /// follow from its vertices.
    Moving(fn(&Snapshot) -> Option<Vec<Vec2>>),
    /// A force on each vertex; other points have none.
    Forces(fn(&Snapshot) -> Option<Vec<Vec2>>),
    /// A number at each vertex; NaN at other points.
    Vertices(fn(&Snapshot) -> Option<Vec<f64>>),
    /// Numbers made of a tensor, which each triangle and each vertex has.
    Tensors {
        /// The tensors of a state.
        of: for<'a> fn(&'a Snapshot) -> Option<&'a Tensors>,
        /// Appends the numbers made of one tensor.
        reduce: Reduce,
    },
}

impl Field {
    /// Values at all points of a state, `[vertices and spots][components]`; `None` if they are not
    /// known.
    pub fn at_points(&self, snapshot: &Snapshot) -> Option<Vec<f64>> {
        let subject = snapshot.subject;
        let spots = &subject.spots;
        let mut values = Vec::new();

        match self.source {
            Source::Bodies(of) => {
                let vertices = subject.body_of_vertices().iter().copied();
                let bodies = vertices.chain(spots.iter().map(|spot| spot.body));
                let owners = bodies.map(|body| Owner {
                    body,
                    triangle: None,
                });
                values.extend(owners.map(|owner| of(subject, owner)));
            }
            Source::Moving(of) => {
                let own = of(snapshot)?;
                let beside = spots.iter().map(|spot| spot.moving(&own));
                values.extend(own.iter().copied().chain(beside).flat_map(|v| [v.x, v.y]));
            }

            // Contact forces at spots are 0; other values of vertices are unknown there.
            Source::Forces(of) => {
                values.extend(of(snapshot)?.iter().flat_map(|v| [v.x, v.y]));
                values.resize(values.len() + 2 * spots.len(), 0.0);
            }
            Source::Vertices(of) => {
                values = of(snapshot)?;
                values.resize(values.len() + spots.len(), f64::NAN);
            }
            Source::Tensors { of, reduce } => {
                values = tensors_at_points(snapshot, of(snapshot)?, reduce);
            }
        }
        Some(values)
    }

    /// Values in cells of a state, `[cells][components]`; `None` if the field has none in cells. A
    /// cell that is not a triangle has no tensors: NaN.
    pub fn in_cells(&self, snapshot: &Snapshot, cells: &[Owner]) -> Option<Vec<f64>> {
        match self.source {
            Source::Bodies(of) => {
                let subject = snapshot.subject;
                Some(cells.iter().map(|&cell| of(subject, cell)).collect())
            }
            Source::Tensors { of, reduce } => Some(tensors_in_cells(of(snapshot)?, cells, reduce)),
            Source::Moving(_) | Source::Forces(_) | Source::Vertices(_) => None,
        }
    }
}

/// Appends the numbers made of one tensor to a list.
type Reduce = fn(&PlaneTensor, &mut Vec<f64>);

/// Numbers made of the tensors at all vertices and spots of a state.
fn tensors_at_points(snapshot: &Snapshot, tensors: &Tensors, reduce: Reduce) -> Vec<f64> {
    let own = &tensors.vertices;
    let spots = snapshot.subject.spots.iter().map(|spot| spot.tensor(own));
    let mut values = Vec::new();
    for tensor in own.iter().copied().chain(spots) {
        reduce(&tensor, &mut values);
    }
    values
}

/// Numbers made of the tensors in cells. A cell that is not a triangle has none: NaN.
fn tensors_in_cells(tensors: &Tensors, cells: &[Owner], reduce: Reduce) -> Vec<f64> {
    let mut values = Vec::with_capacity(cells.len());
    for cell in cells {
        let tensor = cell
            .triangle
            .map_or(PlaneTensor::ABSENT, |k| tensors.triangles[k]);
        reduce(&tensor, &mut values);
    }
    values
}
