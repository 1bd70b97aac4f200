//! Mean strain and stress of a cell that repeats, as numbers of a state.
//!
//! A component of the strain is the change of a period along an axis over a length at rest. The stress that holds a
//! prescribed period is the balance of forces on it, over the area across it at rest (first Piola and Kirchhoff).

use crate::error::Error;
use crate::passed::Passed;
use crate::slopes::Slopes;
use ipcsim::time::World;
use ipcsim::time::linear::StepEquation;

/// Names of all components, each with its period and its axis.
const NAMES: [(&str, [usize; 2]); 3] = [("xx", [0, 0]), ("yy", [1, 1]), ("xy", [1, 0])];

/// A component of the mean strain (1) or stress (Pa) of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfCell {
    /// Period, 0 or 1.
    period: usize,
    /// Axis along which the period changes or is pulled.
    axis: usize,
    /// True for the stress.
    pub(crate) is_stress: bool,
}

impl OfCell {
    /// A component by the name of its quantity; `None` for other names, and in a scene that does not repeat.
    ///
    /// # Errors
    /// A reason for a stress that the scene prescribes: it is a load, and has no reading.
    pub(crate) fn named(world: &World, name: &str) -> Result<Option<Self>, String> {
        let parts = name
            .strip_prefix("cell_")
            .and_then(|own| own.split_once('_'));
        let (Some((kind, component)), Some(lattice)) = (parts, world.model.coordinates.lattice())
        else {
            return Ok(None);
        };
        let found = NAMES.iter().find(|(own, _)| *own == component);
        let Some(&(_, [period, axis])) = found else {
            return Ok(None);
        };
        let is_stress = match kind {
            "strain" => false,
            "stress" => true,
            _ => return Ok(None),
        };
        if is_stress && lattice.masks()[period][axis] != 0.0 {
            return Err(format!("the scene prescribes {name}"));
        }
        Ok(Some(Self {
            period,
            axis,
            is_stress,
        }))
    }

    /// Value at the end of a step, with the numbers of a world.
    ///
    /// # Errors
    /// [`Error::Refused`] if something touches there.
    pub(crate) fn at(&self, world: &World, passed: &Passed) -> Result<f64, Error> {
        let (node, size) = period_of(world, self.period);
        if self.is_stress {
            let equation = passed.equation(world)?;
            let factor = self.per_area(world, &equation);
            return Ok(equation.values(false).slope[node][self.axis] * factor);
        }
        let rest = world.rest[world.model.coordinates.vertex_of(node)];
        Ok((passed.end.q[node] - rest)[self.axis] / size)
    }

    /// Adds the derivatives at the end of a step, times a weight.
    ///
    /// # Errors
    /// As [`OfCell::at`].
    pub(crate) fn add_slopes(
        &self,
        world: &World,
        passed: &Passed,
        weight: f64,
        out: &mut Slopes,
    ) -> Result<(), Error> {
        let (node, size) = period_of(world, self.period);
        if self.is_stress {
            let equation = passed.equation(world)?;
            out.held[node][self.axis] += weight * self.per_area(world, &equation);
        } else {
            out.state.q[node][self.axis] += weight / size;
        }
        Ok(())
    }

    /// Factor that makes a mean stress (Pa) of the balance of forces on the period (N s^2).
    fn per_area(&self, world: &World, equation: &StepEquation) -> f64 {
        let (_, across) = period_of(world, 1 - self.period);
        let area = across * world.model.surface.thickness;
        1.0 / (equation.contact_factor() * area)
    }
}

/// Node of a period of a cell, and the length at rest (m) that strains count relative to.
///
/// # Panics
/// In a scene that does not repeat.
fn period_of(world: &World, period: usize) -> (usize, f64) {
    let coordinates = &world.model.coordinates;
    let lattice = coordinates.lattice();
    let node = lattice
        .expect("numbers of cells are of scenes that repeat")
        .periods()[period];
    (node, world.rest[coordinates.vertex_of(node)][period])
}
