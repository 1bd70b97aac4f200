//! Bodies whose displacements are sums of the softest modes of vibration.
//!
//! Modes are the displacement fields `phi` with `K phi = omega^2 M phi` and the smallest `omega`,
//! for the stiffness `K` of the body at rest. The first three are the rigid motions. Energy is that
//! of the full mesh, evaluated at the displaced vertices, so that only the number of unknowns
//! shrinks (the free physics-based simulation book, chapter on reduced-order models).

use super::rules::{Freedom, NewBody, Rules, ShapeClass};
use crate::assemble::builder::Builder;
use crate::assemble::elements::BodyElements;
use crate::check::report::Report;
use crate::problem::Problem;
use crate::schema::Modal;
use ipcsim_core::solve::softest_modes;

/// Number of modes without stiffness: two translations and a rotation.
///
/// With fewer, the body cannot fall or turn.
const RIGID_MODES: usize = 3;

impl Rules for Modal {
    fn name(&self) -> &'static str {
        "modal"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["regions", "temperature"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Meshed
    }

    fn freedom(&self) -> Freedom {
        Freedom::Fields(self.modes as f64)
    }

    fn add(&self, builder: &mut Builder, body: &NewBody) {
        // Of a rotation a few modes have the first-order part alone: a body that spins swells, and
        // is pulled back after about a tenth of a turn. All modes together can do what vertices
        // can.
        let mut can_turn = true;
        builder.add_reduced_mesh(body, |mesh, mass| {
            can_turn = self.modes >= 2 * mesh.vertices.len();

            // Modes of the body alone, about its own origin.
            let mut alone = BodyElements::default();
            alone.add_body(body.spec, body.scene, mesh, 0);
            let energies = alone.elastic.sums.into_energies();
            softest_modes(&energies, &mesh.vertices, mass, self.modes)
        });

        if body.spec.spin_deg != 0.0 && !can_turn {
            let message = "a modal body cannot spin: a few modes have only the first-order part of a \
                           rotation; use a deformable, affine or rigid body, or remove it";
            let path = format!("bodies[{}].spin_deg", body.entry);
            builder.problems.push(Problem::error(path, message));
        }
    }

    fn check(&self, report: &mut Report, path: &str) {
        report.at_least(RIGID_MODES, &format!("{path}.modal.modes"), self.modes);
    }

    fn allows_springs(&self) -> bool {
        false
    }
}
