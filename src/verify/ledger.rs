//! The ledger of a run: whether work explains all changes of energy.

use ipcsim_store::ledger::CLOSES;
use ipcsim_store::table::Table;

/// Largest gaps in a ledger. Those of energy are relative to the largest number that they are made
/// of; a momentum may vanish, and has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Gaps {
    /// Change of energy that no work explains (1).
    energy: f64,
    /// Row of the table where that is largest.
    row: usize,
    /// Work of the forces that the solver left over (1).
    residual: f64,
    /// Change of momentum, along x or y, that no impulse explains (N s).
    momentum: f64,
    /// Change of angular momentum that no moment explains (N m s).
    angular: f64,
}

/// Sentence about the ledger of a run; `None` if it keeps none.
///
/// # Errors
/// Sentence about the first number that is missing, or the row at which energy does not close.
pub(super) fn check(table: &Table) -> Result<Option<String>, String> {
    if !table.columns.iter().any(|name| name == "mechanical") {
        return Ok(None);
    }
    let Gaps {
        energy,
        row,
        residual,
        momentum,
        angular,
    } = Ledger { table }.gaps()?;

    // Written so that a NaN does not close.
    if energy.is_nan() || energy > CLOSES {
        return Err(format!(
            "step {}: the ledger does not close: work explains the change of energy but for \
             {energy:.1e} of its largest number, more than {CLOSES:.0e}",
            table.moments()[row].step
        ));
    }
    Ok(Some(format!(
        "the ledger closes: energy to {energy:.1e} of its largest number, momentum to {momentum:.1e} N s, \
         angular momentum to {angular:.1e} N m s; the forces left over by the solver do {residual:.1e} of \
         the work"
    )))
}

/// A table with the columns of a ledger.
struct Ledger<'a> {
    /// The table.
    table: &'a Table,
}

impl Ledger<'_> {
    /// Largest gaps over all rows.
    ///
    /// # Errors
    /// Sentence about a number that is missing or not finite.
    fn gaps(&self) -> Result<Gaps, String> {
        let mut gaps = Gaps::default();

        // Energy: that of bodies, and all work.
        let worked = self.sources("work_", "")?;
        let energy = self.differences("mechanical", &worked)?;
        let mut scale = self.largest("mechanical")?.max(self.largest("kinetic")?);
        for source in &worked {
            scale = scale.max(largest(source));
        }
        for column in self.table.energies() {
            let name = &self.table.columns[column];
            if !["friction", "load", "total"].contains(&name.as_str()) {
                scale = scale.max(self.largest(name)?);
            }
        }
        for (row, gap) in energy.iter().enumerate() {
            let gap = gap.abs() / scale.max(f64::MIN_POSITIVE);
            if gap.is_nan() || gap > gaps.energy {
                gaps.energy = gap;
                gaps.row = row;
            }
        }
        gaps.residual = self.largest("work_residual")? / scale.max(f64::MIN_POSITIVE);

        // Momentum along both axes, and angular momentum.
        let along_x = self.gap("momentum_x", "impulse_", "_x")?;
        let along_y = self.gap("momentum_y", "impulse_", "_y")?;
        gaps.momentum = along_x.max(along_y);
        gaps.angular = self.gap("angular_momentum", "moment_", "")?;
        Ok(gaps)
    }

    /// Largest part of the change in a column that the sources with these first and last parts of
    /// their names do not explain.
    ///
    /// # Errors
    /// Sentence about a number that is missing or not finite.
    fn gap(&self, name: &str, first: &str, last: &str) -> Result<f64, String> {
        let sources = self.sources(first, last)?;
        Ok(largest(&self.differences(name, &sources)?))
    }

    /// Change in a column since the first row, less the sum of all `sources`, row by row.
    ///
    /// # Errors
    /// Sentence about a number that is missing or not finite.
    fn differences(&self, name: &str, sources: &[Vec<f64>]) -> Result<Vec<f64>, String> {
        let values = self.column(name)?;
        let first = values.first().copied().unwrap_or_default();
        let rows = values.iter().enumerate();
        Ok(rows
            .map(|(row, value)| {
                let explained: f64 = sources.iter().map(|source| source[row]).sum();
                value - first - explained
            })
            .collect())
    }

    /// Columns with a first and a last part of the name, but those of what is unexplained.
    ///
    /// # Errors
    /// Sentence about a number that is missing or not finite.
    fn sources(&self, first: &str, last: &str) -> Result<Vec<Vec<f64>>, String> {
        let all = self.table.columns.iter();
        all.filter(|name| name.starts_with(first) && name.ends_with(last))
            .filter(|name| !name.contains("unexplained"))
            .map(|name| self.column(name))
            .collect()
    }

    /// Largest magnitude in a column.
    ///
    /// # Errors
    /// Sentence about a number that is missing or not finite.
    fn largest(&self, name: &str) -> Result<f64, String> {
        Ok(largest(&self.column(name)?))
    }

    /// Numbers of a column.
    ///
    /// # Errors
    /// Sentence about a number that is missing or not finite.
    fn column(&self, name: &str) -> Result<Vec<f64>, String> {
        let found = self.table.columns.iter().position(|column| column == name);
        let index = found.ok_or_else(|| format!("column {name} is missing"))?;

        let mut numbers = Vec::with_capacity(self.table.rows.len());
        for (row, moment) in self.table.rows.iter().zip(self.table.moments()) {
            match row[index] {
                Some(number) if number.is_finite() => numbers.push(number),
                Some(number) => {
                    return Err(format!(
                        "step {}: {name} is {number}, not finite",
                        moment.step
                    ));
                }
                None => return Err(format!("step {}: {name} is missing", moment.step)),
            }
        }
        Ok(numbers)
    }
}

/// Largest magnitude of some numbers; 0 if there are none.
fn largest(numbers: &[f64]) -> f64 {
    numbers
        .iter()
        .fold(0.0, |most, number| number.abs().max(most))
}
