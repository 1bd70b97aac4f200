//! Batches against their triangles one by one, for every law.

use super::*;
use crate::material::{LawVisitor, MassSpring, SceneLaw, solids};
use crate::{Batched, Energy, Summed};
use proptest::prelude::*;

const REST: [Vec2; 3] = [
    Vec2::new(0.1, 0.0),
    Vec2::new(0.4, 0.1),
    Vec2::new(0.2, 0.35),
];

/// Triangles that are moved from their rest by `places` (m), and the positions of all vertices.
fn moved<L: Hyperelastic>(law: L, places: &[[f64; 6]]) -> (Summed<Triangle<L>, 3>, Vec<Vec2>) {
    let mut sum = Summed::<Triangle<L>, 3>::default();
    let mut x = Vec::new();
    for (k, place) in places.iter().enumerate() {
        let stencil = [3 * k, 3 * k + 1, 3 * k + 2];
        sum.push(stencil, Triangle::new(law, REST, 0.3 + k as f64));
        x.extend((0..3).map(|i| REST[i] + Vec2::new(place[2 * i], place[2 * i + 1])));
    }
    (sum, x)
}

/// Compares a batch with its triangles one by one: values, gradients, Hessians and step bounds.
fn check(
    law: impl Hyperelastic + 'static,
    places: &[[f64; 6]],
    p: &[f64],
) -> Result<(), TestCaseError> {
    let (sum, x) = moved(law, places);
    let p: Vec<Vec2> = (0..x.len())
        .map(|i| Vec2::new(p[i % 7], p[i % 5]))
        .collect();
    let count = places.len();
    let batch = || Batch {
        elements: &sum.elements[..],
        stencils: &sum.stencils[..],
        x: &x,
    };

    // All of them at once.
    let mut values = vec![0.0; count];
    let mut steps = vec![0.0; count];
    let mut gradients = vec![[Vec2::zeros(); 3]; count];
    let mut blocks = vec![Mat2::zeros(); LOWER * count];
    Triangle::values(batch(), &mut values);
    Triangle::gradients(batch(), &mut gradients);
    Triangle::hessians(batch(), 0.7, &mut blocks);
    Triangle::max_steps(batch(), &p, &mut steps);

    // One by one.
    let mut admits = true;
    for (k, triangle) in sum.elements.iter().enumerate() {
        let at = batch().at(k);
        let along = sum.stencils[k].map(|i| p[i]);
        prop_assert_eq!(values[k].to_bits(), triangle.value(&at).to_bits());
        prop_assert_eq!(
            format!("{:?}", gradients[k]),
            format!("{:?}", triangle.gradient(&at))
        );
        prop_assert_eq!(steps[k], triangle.max_step(&at, &along));
        admits &= triangle.admits(&at);

        let mut expected = [Mat2::zeros(); LOWER];
        write_lower(&triangle.hessian(&at), 0.7, &mut expected);
        let size: f64 = expected.iter().map(Mat2::norm).sum();
        for (found, expected) in blocks[LOWER * k..].iter().zip(&expected) {
            prop_assert!(
                !size.is_finite() || (found - expected).norm() <= 1e-13 * size,
                "{found} {expected}"
            );
        }
    }
    prop_assert_eq!(sum.admits(&x), admits);
    Ok(())
}

/// Comparison of batches with single triangles, for every law.
struct Check<'a> {
    places: &'a [[f64; 6]],
    p: &'a [f64],
}

impl LawVisitor for Check<'_> {
    type Output = Result<(), TestCaseError>;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> Self::Output {
        check(L::plane_strain(given), self.places, self.p)?;
        check(L::plane_stress(given), self.places, self.p)
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> Self::Output {
        Ok(())
    }
}

proptest! {
    #[test]
    fn a_batch_is_its_triangles_one_by_one(
        places in prop::collection::vec(prop::array::uniform6(-0.3_f64..0.3), 1..20),
        p in prop::collection::vec(-0.2_f64..0.2, 7),
    ) {
        for law in solids() {
            law.visit(Check { places: &places, p: &p })?;
        }
    }
}
