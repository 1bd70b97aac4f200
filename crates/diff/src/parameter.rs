//! Numbers of a scene.

use crate::error::Error;
use ipcsim::scene::Template;

/// A number of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Path of the number: keys and numbers of list entries from 0, joined by dots.
    pub path: String,
    /// Its value.
    pub value: f64,
}

impl Parameter {
    /// The number at a path of a scene.
    pub(crate) fn at(scene: &Template, path: &str) -> Result<Self, Error> {
        let refused = |reason: String| Error::Parameter {
            path: path.to_owned(),
            reason,
        };
        let value = scene.value_at(path).ok_or_else(|| {
            let reason = "nothing is there; write a number that the scene leaves out into it";
            refused(reason.to_owned())
        })?;
        let number = value.as_f64();
        let number = number.ok_or_else(|| refused(format!("{value} is there")))?;
        Ok(Self {
            path: path.to_owned(),
            value: number,
        })
    }
}
