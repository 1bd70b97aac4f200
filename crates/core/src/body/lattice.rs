//! Periods: nodes that are images of other nodes, and the two vectors by which they are shifted.
//!
//! A cell that repeats has two periods `a_1` and `a_2`, vectors that are nodes like all others. An
//! image is a node that follows another one:
//!
//! `q_image = q_of + n_1 a_1 + n_2 a_2`
//!
//! with whole numbers `n`. The map is linear without a constant, so that displacements follow it
//! too, and images of straight paths are straight. Elements and contacts see images as vertices like
//! all others. Only three things know better: positions follow by the map, a gradient passes its
//! part at an image on to the nodes that the image follows, and so does each block of the Hessian.
//!
//! With the derivative `g` by all nodes, the chain rule gives
//!
//! `g_of += g_image`, `g_(a_1) += n_1 g_image`, `g_(a_2) += n_2 g_image`
//!
//! so that the derivative by a period is the force that holds it. Divided by the area across the
//! period it is the mean stress of the cell (first Piola and Kirchhoff, Pa). A period that is prescribed
//! prescribes the mean strain, and a period with a force prescribes the mean stress.
//!
//! A body whose vertices follow from a few nodes has an image with as many nodes: places are
//! shifted by the periods, and the others, such as an angle, follow the body with a shift of 0.
//!
//! Images have numbers like all other nodes, so that energies and contacts need no case for them. They
//! are not unknowns: the matrix has their blocks at [`Lattice::sources`], and [`Lattice::follow`] sets
//! them whenever unknowns have changed.

use ipcsim_math::{Mat2, Vec2};
use smallvec::{SmallVec, smallvec};

/// A node that follows another one across the period.
///
/// A pattern without a period along an axis has the shift 0 there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Number of the node.
    pub node: usize,
    /// Number of the node that it follows, which is not an image itself.
    pub of: usize,
    /// Numbers of periods along each of the two vectors between them.
    pub shift: [i32; 2],
}

/// Periods of a scene, and all nodes that are images.
///
/// A node that is not an image has the number 0, so that looking it up costs one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// Nodes whose coordinates are the two periods (m).
    periods: [usize; 2],
    /// Images, ascending by node.
    images: Vec<Image>,
    /// For each node 1 plus its place in `images`, or 0; nodes after the last image are left out.
    number: Vec<u32>,
    /// Components of both periods that forces move.
    free: [[bool; 2]; 2],
    /// Nodes with inertia that count from the motion of these components; none if all are prescribed.
    carried: Vec<usize>,
}

/// Nodes that one node depends on, with factors.
///
/// At most three: the node itself or its original, and both periods.
pub(crate) type Sources = SmallVec<[(usize, f64); 3]>;

impl Lattice {
    /// Lattice of these nodes of periods and these images, in any order.
    pub fn new(periods: [usize; 2], mut images: Vec<Image>) -> Self {
        images.sort_unstable_by_key(|image| image.node);
        let mut number = vec![0; images.last().map_or(0, |last| last.node + 1)];
        for (image, k) in images.iter().zip(1..) {
            number[image.node] = k;
        }
        Self {
            periods,
            images,
            number,
            free: [[false; 2]; 2],
            carried: Vec::new(),
        }
    }

    /// Lattice whose periods have `free` components, from whose motion the inertia of some nodes counts.
    #[must_use]
    pub fn with_free(mut self, free: [[bool; 2]; 2], carried: Vec<usize>) -> Self {
        self.free = free;
        if free != [[false; 2]; 2] {
            self.carried = carried;
        }
        self
    }

    /// Nodes whose inertia counts from the motion of free periods.
    pub(crate) fn carried(&self) -> &[usize] {
        &self.carried
    }

    /// For each component of both periods 1 if forces move it, and 0 if it is prescribed.
    pub fn masks(&self) -> [Vec2; 2] {
        self.free
            .map(|axes| Vec2::from(axes.map(|free| f64::from(u8::from(free)))))
    }

    /// Nodes whose coordinates are the two periods (m).
    pub fn periods(&self) -> [usize; 2] {
        self.periods
    }

    /// Directions in which there are images.
    ///
    /// The first number is for the first period. A period without images has no effect on forces.
    pub fn repeats(&self) -> [bool; 2] {
        [0, 1].map(|axis: usize| self.images.iter().any(|image| image.shift[axis] != 0))
    }

    /// All images, ascending by node.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// The image with this node; `None` if the node is not an image.
    #[inline]
    pub fn image(&self, node: usize) -> Option<&Image> {
        let number = *self.number.get(node)? as usize;
        self.images.get(number.wrapping_sub(1))
    }

    /// Nodes that a node depends on, with factors: itself, or what an image follows.
    pub(crate) fn sources(&self, node: usize) -> Sources {
        let Some(image) = self.image(node) else {
            return smallvec![(node, 1.0)];
        };
        let mut sources: Sources = smallvec![(image.of, 1.0)];
        for (period, shift) in self.periods.into_iter().zip(image.shift) {
            if shift != 0 {
                sources.push((period, f64::from(shift)));
            }
        }
        sources
    }

    /// Value of an image (m) from the values of all nodes, `[nodes]`: coordinates, displacements or
    /// velocities.
    fn follow_one(&self, image: &Image, of_nodes: &[Vec2]) -> Vec2 {
        let mut value = of_nodes[image.of];
        for (period, shift) in self.periods.into_iter().zip(image.shift) {
            if shift != 0 {
                value += of_nodes[period] * f64::from(shift);
            }
        }
        value
    }

    /// Makes images follow, among the coordinates, displacements or velocities of all nodes, `[nodes]`.
    ///
    /// The map has no constant, so that it holds for all three in the same form.
    pub fn follow(&self, of_nodes: &mut [Vec2]) {
        for image in &self.images {
            of_nodes[image.node] = self.follow_one(image, of_nodes);
        }
    }

    /// Map from places (m) to multiples of the periods, at the coordinates `q` (`[nodes]`); `None` if the
    /// cell has no area.
    ///
    /// It is the inverse of the matrix whose columns are the periods (1/m).
    pub fn inverse(&self, q: &[Vec2]) -> Option<Mat2> {
        let [first, second] = self.periods;
        Mat2::from_columns(&[q[first], q[second]]).try_inverse()
    }

    /// Gradient of the even motion that takes the periods from the coordinates `q` by the displacements
    /// `p` (both `[nodes]`, m), so that `p = G q` for both periods.
    ///
    /// It is `[p_1 p_2] [a_1 a_2]^-1` (1), and 0 if the cell has no area.
    pub fn mean_motion(&self, q: &[Vec2], p: &[Vec2]) -> Mat2 {
        let [first, second] = self.periods;
        let moved = Mat2::from_columns(&[p[first], p[second]]);
        self.inverse(q)
            .map_or_else(Mat2::zeros, |inverse| moved * inverse)
    }

    /// Value of a node (m) from the values of all nodes, `[nodes]`, whether or not images follow in these.
    pub(super) fn value(&self, node: usize, of_nodes: &[Vec2]) -> Vec2 {
        self.image(node)
            .map_or(of_nodes[node], |image| self.follow_one(image, of_nodes))
    }

    /// Passes the derivative by each image on to the nodes that it follows, `[nodes]`; 0 is left there.
    ///
    /// It is the transposed of [`Lattice::follow`].
    pub fn fold(&self, by_nodes: &mut [Vec2]) {
        for image in &self.images {
            let own = std::mem::take(&mut by_nodes[image.node]);
            by_nodes[image.of] += own;
            for (period, shift) in self.periods.into_iter().zip(image.shift) {
                if shift != 0 {
                    by_nodes[period] += own * f64::from(shift);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lattice of the nodes 2 and 3, with an image of node 0 and one of node 1.
    fn lattice() -> Lattice {
        let image = |node, of, shift| Image { node, of, shift };
        Lattice::new([2, 3], vec![image(5, 1, [1, -2]), image(4, 0, [0, 1])])
    }

    #[test]
    fn images_follow_their_nodes_and_the_periods() {
        let mut q: Vec<Vec2> = (0..6).map(|k| Vec2::new(f64::from(k), 1.0)).collect();
        q[2] = Vec2::new(10.0, 0.0);
        q[3] = Vec2::new(0.5, 20.0);
        lattice().follow(&mut q);
        assert_eq!(q[4], Vec2::new(0.5, 21.0));
        assert_eq!(q[5], Vec2::new(1.0 + 10.0 - 1.0, 1.0 - 40.0));
    }

    #[test]
    fn folding_is_the_transpose_of_following() {
        let lattice = lattice();
        let mut p: Vec<Vec2> = (0..6).map(|k| Vec2::new(f64::from(k), -2.0)).collect();
        lattice.follow(&mut p);
        let g: Vec<Vec2> = (0..6).map(|k| Vec2::new(3.0, f64::from(k))).collect();
        let before: f64 = g.iter().zip(&p).map(|(g, p)| g.dot(p)).sum();

        let mut folded = g;
        lattice.fold(&mut folded);
        assert_eq!([folded[4], folded[5]], [Vec2::zeros(); 2]);
        let after: f64 = folded.iter().zip(&p).map(|(g, p)| g.dot(p)).sum();
        assert!((before - after).abs() < 1e-12 * before.abs());
    }

    #[test]
    fn sources_are_a_node_itself_or_what_an_image_follows() {
        let lattice = lattice();
        assert_eq!(lattice.sources(0)[..], [(0, 1.0)]);
        assert_eq!(lattice.sources(5)[..], [(1, 1.0), (2, 1.0), (3, -2.0)]);
        assert!(lattice.image(9).is_none());
    }
}
