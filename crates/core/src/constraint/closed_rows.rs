//! Rows of joints that are closed at the end of a stage, to first order.

use super::augmented_lagrangian::Act;
use super::multipliers::Constraints;
use super::pose::STENCIL;
use ipcsim_math::{Mat2, Vec2};

/// Equations of one row at some positions.
#[derive(Clone, Copy, Debug)]
pub struct ClosedRow {
    /// Number of the row among those of all joints.
    pub number: usize,
    /// Vertices that carry it.
    pub vertices: [usize; STENCIL],
    /// Derivative of its residual by each of them.
    pub slopes: [Mat2; STENCIL],
    /// True for each component of the residual that is kept at zero.
    pub components: [bool; 2],
    /// Residual, less what a motor aims at (m or rad).
    pub residual: Vec2,
}

/// Part of a row that follows the residual from which its rate counts.
#[derive(Clone, Copy, Debug)]
pub struct RateRow {
    /// Number of the row among those of all joints.
    pub number: usize,
    /// Vertices that carry it.
    pub vertices: [usize; STENCIL],
    /// Derivative of the force on each vertex by that residual (N/m), as part of the gradient.
    pub gradient: [Vec2; STENCIL],
    /// Derivative of the row's equation by that residual, 0 or -1.
    pub aim: f64,
}

impl Constraints {
    /// Equations at the positions `x` (m, `[vertices]`) of all rows that a force closes and that do not
    /// slip.
    pub fn closed_rows(&self, x: &[Vec2]) -> Vec<ClosedRow> {
        let rows = self.rows.iter().enumerate();
        let closed = rows.filter_map(|(number, (&vertices, acting))| {
            let Act::Close(multiplier) = &acting.act else {
                return None;
            };
            let pose = acting.pose(&vertices.map(|i| x[i]));
            let residual = super::Constraint::residual(&acting.rule, &pose);
            let slopes = acting
                .ends
                .jacobian(&super::Constraint::slopes(&acting.rule, &pose));
            let has_second = slopes.iter().any(|slope| slope.row(1).amax() > 0.0);
            Some(ClosedRow {
                number,
                vertices,
                slopes,
                components: [!multiplier.slips(residual), has_second],
                residual: residual - Vec2::new(multiplier.aim, 0.0),
            })
        });
        closed.collect()
    }

    /// Rows at the positions `x` (m, `[vertices]`) whose force or aim depends on a rate, where `rates`
    /// says so of each row, in a stage with this time `beta` (s).
    pub fn rate_rows(&self, x: &[Vec2], rates: &[bool]) -> Vec<RateRow> {
        let rows = self.rows.iter().enumerate();
        let rated = rows.filter(|(number, _)| rates[*number]);
        let found = rated.filter_map(|(number, (&vertices, acting))| {
            let pose = acting.pose(&vertices.map(|i| x[i]));
            let residual = super::Constraint::residual(&acting.rule, &pose);
            let (force, aim) = match &acting.act {
                Act::Close(multiplier) if multiplier.slips(residual) => (0.0, 0.0),
                Act::Close(multiplier) => (-multiplier.stiffness, -1.0),
                Act::Pull(pull) => (-pull.share * pull.stiffness[1], 0.0),
                Act::Serve(serve) => (serve.by_before(residual.x), 0.0),
                Act::Stay(_) => return None,
            };
            let slopes = super::Constraint::slopes(&acting.rule, &pose);
            Some(RateRow {
                number,
                vertices,
                gradient: acting.ends.pull(&slopes, &Vec2::new(force, 0.0)),
                aim,
            })
        });
        found.collect()
    }

    /// For each row 1 or -1 if its force is at its upper or lower bound at the positions `x` (m,
    /// `[vertices]`), 0 if it is between these or has none.
    pub fn slips(&self, x: &[Vec2]) -> Vec<i8> {
        let rows = self.rows.iter();
        let slips = rows.map(|(vertices, acting)| {
            let Act::Close(multiplier) = &acting.act else {
                return 0;
            };
            let residual = acting.residual(&vertices.map(|i| x[i]));
            let [_, most] = multiplier.bounds;
            match (
                multiplier.slips(residual),
                multiplier.at(residual).x >= most,
            ) {
                (false, _) => 0,
                (true, true) => 1,
                (true, false) => -1,
            }
        });
        slips.collect()
    }

    /// The same constraints, whose rows slip as these numbers of [`Constraints::slips`] say, whatever
    /// their residuals are: their forces are at their bounds, or have none.
    #[must_use]
    pub fn slipping(mut self, slips: &[i8]) -> Self {
        for (acting, slips) in self.rows.elements.iter_mut().zip(slips) {
            let Act::Close(multiplier) = &mut acting.act else {
                continue;
            };
            let [least, most] = multiplier.bounds;
            multiplier.bounds = match slips {
                0 => [f64::NEG_INFINITY, f64::INFINITY],
                1 => [most; 2],
                _ => [least; 2],
            };
        }
        self
    }
}
