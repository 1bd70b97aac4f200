//! Entities of a DXF drawing: a kind, a layer, and values by their codes.
//!
//! An entity begins with the code 0 and its kind, and has all pairs up to the next 0. Pairs may come in
//! any order, except in lists of points, where the coordinates and bulges of a point stand together. A
//! value that is absent has a default, or is an error that names the code.
//!
//! Codes have the same meaning in all entities where they can: 8 is the layer, 10 and 20 are the
//! first point, 30 is its height, 70 are flags ("DXF Reference", "Common Group Codes for Entities").

use super::codes::Pair;
use crate::ReadError;
use ipcsim_math::Vec2;

/// An entity: pairs from its kind to the next entity.
#[derive(Clone, Copy)]
pub(super) struct Entity<'a> {
    /// Its kind, such as `LINE`.
    pub(super) kind: &'a str,
    /// Its pairs, after the kind.
    pub(super) pairs: &'a [Pair<'a>],
    /// Number of its line.
    line: usize,
}

/// Entities of pairs: each begins with the code 0.
///
/// Pairs before the first 0 belong to none and are left out.
pub(super) fn entities<'a>(pairs: &'a [Pair<'a>]) -> Vec<Entity<'a>> {
    let starts: Vec<usize> = (0..pairs.len()).filter(|&k| pairs[k].code == 0).collect();
    let ends = starts.iter().skip(1).copied().chain([pairs.len()]);
    let all = starts.iter().zip(ends).map(|(&start, end)| Entity {
        kind: &pairs[start].value,
        pairs: &pairs[start + 1..end],
        line: pairs[start].line,
    });
    all.collect()
}

impl<'a> Entity<'a> {
    /// Value of a code, the first if there are several.
    ///
    /// `None` if the entity does not have the code.
    pub(super) fn text(&self, code: i32) -> Option<&'a str> {
        let own = self.pairs.iter().find(|pair| pair.code == code);
        own.map(|pair| &*pair.value)
    }

    /// Layer of the entity.
    ///
    /// It is `0`, the layer of every drawing, if the entity names none.
    pub(super) fn layer(&self) -> &'a str {
        self.text(8).unwrap_or("0")
    }

    /// An error at the entity.
    ///
    /// The message follows the line and the kind, as in `line 12: ARC has no radius (code 40)`.
    pub(super) fn error(&self, message: &str) -> ReadError {
        ReadError::new(format!("line {}: {} {message}", self.line, self.kind))
    }

    /// A value as a finite number.
    ///
    /// # Errors
    /// If it is none.
    fn parsed(&self, pair: &Pair) -> Result<f64, ReadError> {
        let number: Option<f64> = pair.value.parse().ok();
        number.filter(|number| number.is_finite()).ok_or_else(|| {
            let message = format!(
                "line {}: {} has \"{}\" where a number (code {}) should be",
                pair.line, self.kind, pair.value, pair.code
            );
            ReadError::new(message)
        })
    }

    /// Number of a code; a default if it is absent.
    ///
    /// # Errors
    /// If the value is not a number.
    pub(super) fn number_or(&self, code: i32, default: f64) -> Result<f64, ReadError> {
        match self.pairs.iter().find(|pair| pair.code == code) {
            Some(pair) => self.parsed(pair),
            None => Ok(default),
        }
    }

    /// Number of a code that must be there.
    ///
    /// `what` names it in the message.
    ///
    /// # Errors
    /// If it is absent, or no number.
    pub(super) fn number(&self, code: i32, what: &str) -> Result<f64, ReadError> {
        let number = self.number_or(code, f64::NAN)?;
        if number.is_finite() {
            return Ok(number);
        }
        Err(self.error(&format!("has no {what} (code {code})")))
    }

    /// Whole number of a code, 0 if it is absent.
    ///
    /// # Errors
    /// If the value is not a number.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "flags and counts; larger ones stay the largest"
    )]
    pub(super) fn whole(&self, code: i32) -> Result<i64, ReadError> {
        Ok(self.number_or(code, 0.0)? as i64)
    }

    /// True if the flags of code 70 have this bit.
    ///
    /// Several bits may be asked for at once, and one of them suffices.
    ///
    /// # Errors
    /// If they are not a number.
    pub(super) fn has_flag(&self, bit: i64) -> Result<bool, ReadError> {
        Ok(self.whole(70)? & bit != 0)
    }

    /// Point whose first coordinate has this code, and whose second has the code after 9 others.
    ///
    /// # Errors
    /// If a coordinate is absent, or no number.
    pub(super) fn point(&self, code: i32) -> Result<Vec2, ReadError> {
        Ok(Vec2::new(
            self.number(code, "x")?,
            self.number(code + 10, "y")?,
        ))
    }

    /// All numbers of a code in their order.
    ///
    /// Codes that repeat are lists, such as the knots of a spline.
    ///
    /// # Errors
    /// If a value is not a number.
    pub(super) fn numbers(&self, code: i32) -> Result<Vec<f64>, ReadError> {
        let own = self.pairs.iter().filter(|pair| pair.code == code);
        own.map(|pair| self.parsed(pair)).collect()
    }

    /// All points of a code in their order.
    ///
    /// The x are paired with the y of the code 10 above in their order, wherever they stand.
    ///
    /// # Errors
    /// If a value is not a number.
    pub(super) fn points(&self, code: i32) -> Result<Vec<Vec2>, ReadError> {
        let [x, y] = [self.numbers(code)?, self.numbers(code + 10)?];
        if x.len() != y.len() {
            return Err(self.error(&format!(
                "has {} x and {} y of points (codes {code} and {})",
                x.len(),
                y.len(),
                code + 10
            )));
        }

        Ok(x.into_iter().zip(y).map(|(x, y)| Vec2::new(x, y)).collect())
    }

    /// Corners of a light polyline, each with the bulge of the side after it.
    ///
    /// A bulge (code 42) belongs to the corner before it; a corner without one has 0, a straight
    /// side.
    ///
    /// # Errors
    /// If a value is not a number.
    pub(super) fn bulged(&self) -> Result<Vec<(Vec2, f64)>, ReadError> {
        let mut corners: Vec<(Vec2, f64)> = Vec::new();
        for pair in self.pairs {
            match (pair.code, corners.last_mut()) {
                (10, _) => corners.push((Vec2::new(self.parsed(pair)?, 0.0), 0.0)),
                (20, Some(last)) => last.0.y = self.parsed(pair)?,
                (42, Some(last)) => last.1 = self.parsed(pair)?,
                _ => {}
            }
        }

        Ok(corners)
    }
}
