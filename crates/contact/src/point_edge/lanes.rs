//! Contacts of points with edges in the lanes of a register.
//!
//! A group is a few neighbours in the list of contacts, one per lane. Neighbours with different
//! kinds of barriers, and contacts that all but touch, are computed one by one. Functions here have
//! no closures: only inlined code is compiled for the processor's vectors.

use super::{EdgeFrame, LineContact, frame};
use crate::barrier::{Jet, pair, plane};
use crate::tuning::CLOSED_GAP;
use ipcsim_energy::Batch;
use ipcsim_energy::simd::{GradientLanes, LaneEnergy};
use ipcsim_math::lanes::{Lanes, MOST, Real, Simd, put};

/// A few contacts in lanes, with the common part of their values and gradients.
struct Group<T> {
    /// Contact length times thickness (m^2).
    weight: T,
    /// Unit tangent of the edge.
    tangent: [T; 2],
    /// Place of the nearest point along the edge, in `[0, 1]`.
    s: T,
    /// Side of the edge that the point is on, 1 for left or -1.
    side: T,
    /// Excess of the gap over closed ones (m), negative for contacts that need care.
    spare: T,
    /// Barrier at the gap (Pa m).
    jet: Jet<T>,
}

/// Contacts from `start` on, one per lane; the last contact of the batch fills lanes that are left
/// over. `None` if they have different kinds of barriers.
#[inline(always)]
fn group<S: Simd>(simd: S, batch: &Batch<LineContact, 3>, start: usize) -> Option<Group<Lanes<S>>> {
    let first = &batch.elements[start];
    let shape = first.barrier.shape;
    let one_sided = first.one_sided;
    let mut alike = true;

    // Numbers of all contacts, lane by lane.
    let mut numbers = [[0.0; MOST]; 10];
    for lane in 0..S::F64_LANES {
        let k = (start + lane).min(batch.elements.len() - 1);
        let contact = &batch.elements[k];
        alike &= contact.barrier.shape == shape && contact.one_sided == one_sided;

        let [p, a, b] = batch.at(k);
        let own = [
            p.x,
            p.y,
            a.x,
            a.y,
            b.x,
            b.y,
            contact.weight,
            contact.barrier.kappa,
            contact.d_hat,
            contact.separation,
        ];
        put(&mut numbers, lane, own);
    }
    if !alike {
        return None;
    }

    // The barrier at the gap, on whichever side of the edge.
    let [px, py, ax, ay, bx, by, weight, kappa, d_hat, separation] =
        Lanes::load_all(simd, &numbers);
    let EdgeFrame {
        tangent, signed, s, ..
    } = frame(&[px, py, ax, ay, bx, by]);
    let side = signed.if_below(0.0, signed.constant(-1.0), signed.constant(1.0));
    let gap = signed * side - separation;
    let jet = if one_sided {
        plane(shape, [kappa, d_hat], gap)
    } else {
        pair(shape, [kappa, d_hat], gap)
    };
    Some(Group {
        weight,
        tangent,
        s,
        side,
        spare: gap - d_hat * CLOSED_GAP,
        jet,
    })
}

impl LaneEnergy<3> for LineContact {
    /// Energies `w b(g)` of the contacts from `start` on (J), and the excess of each gap over
    /// closed ones (m).
    #[inline(always)]
    fn value_lanes<S: Simd>(
        simd: S,
        batch: &Batch<Self, 3>,
        start: usize,
    ) -> Option<[Lanes<S>; 2]> {
        let Group {
            weight, jet, spare, ..
        } = group(simd, batch, start)?;
        Some([weight * jet.value, spare])
    }

    /// Gradients of the contacts from `start` on (N), and the excess of each gap over closed ones
    /// (m).
    #[inline(always)]
    fn gradient_lanes<S: Simd>(
        simd: S,
        batch: &Batch<Self, 3>,
        start: usize,
    ) -> Option<GradientLanes<S, 3>> {
        let Group {
            weight,
            tangent: [tx, ty],
            s,
            side,
            spare,
            jet,
        } = group(simd, batch, start)?;

        // Force on the point along the normal `(-ty, tx)`.
        let force = weight * jet.first * side;
        let x = ty * force * -1.0;
        let y = tx * force;

        // Weights of the edge's start and end.
        let before = s - 1.0;
        let after = s * -1.0;
        let gradient = [[x, y], [x * before, y * before], [x * after, y * after]];
        Some((gradient, spare))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::{Barrier, BarrierShape};
    use ipcsim_energy::{Batched, LocalEnergy};
    use ipcsim_math::Vec2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_batch_is_its_contacts_one_by_one(
            places in prop::collection::vec(
                (prop::array::uniform6(-1.0_f64..1.0), 0_u8..6),
                1..20,
            ),
            mixed in any::<bool>(),
        ) {
            let mut elements = Vec::new();
            let mut stencils = Vec::new();
            let mut x = Vec::new();
            for &(place, kind) in &places {
                let kind = if mixed { kind } else { 0 };
                let shapes = [BarrierShape::Log, BarrierShape::ClampedLog];
                let shape = shapes[usize::from(kind % 2)];
                elements.push(LineContact {
                    weight: 0.3,
                    barrier: Barrier { shape, kappa: 2.0 + f64::from(kind) },
                    d_hat: 1.5,
                    separation: if kind == 3 { 0.01 } else { 0.0 },
                    one_sided: kind == 5,
                });
                stencils.push([0, 1, 2].map(|i| x.len() + i));
                x.extend(place.as_chunks::<2>().0.iter().map(|&v| Vec2::from(v)));
            }

            // One of them touches.
            x[1] = x[0];
            let batch = || Batch { elements: &elements[..], stencils: &stencils[..], x: &x };
            let mut values = vec![0.0; elements.len()];
            let mut gradients = vec![[Vec2::zeros(); 3]; elements.len()];
            LineContact::values(batch(), &mut values);
            LineContact::gradients(batch(), &mut gradients);
            for (k, contact) in elements.iter().enumerate() {
                prop_assert_eq!(values[k].to_bits(), contact.value(&batch().at(k)).to_bits());
                let found = gradients[k];
                let expected = contact.gradient(&batch().at(k));
                prop_assert!(k == 0 || found == expected, "{found:?} {expected:?}");
            }
        }
    }
}
