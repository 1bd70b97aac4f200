//! Numbers out of range, and their places in a file.

/// A number out of the range of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Path of the number, such as `bodies[0].shape.disk.radius`.
    pub path: String,
    /// The value, its limit, and what to do.
    pub message: String,
}

/// Place of a value in a file. It becomes a path only where a value is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Place of the value around it.
    around: Option<&'a Place<'a>>,
    /// Last part of the path.
    part: Part<'a>,
}

/// Part of a path.
#[derive(Clone, Copy, Debug)]
enum Part<'a> {
    /// A key, or at the beginning a path.
    Key(&'a str),
    /// Number of an entry of a list.
    Entry(usize),
}

impl<'a> Place<'a> {
    /// Place at this path. The empty path is the whole file.
    pub fn at(path: &'a str) -> Self {
        Self {
            around: None,
            part: Part::Key(path),
        }
    }

    /// Place of the value of a key.
    pub fn key<'b>(&'b self, name: &'b str) -> Place<'b> {
        Place {
            around: Some(self),
            part: Part::Key(name),
        }
    }

    /// Place of an entry of a list.
    pub fn entry(&self, number: usize) -> Place<'_> {
        Place {
            around: Some(self),
            part: Part::Entry(number),
        }
    }

    /// Path with dots between keys, and numbers of entries in brackets.
    pub fn path(&self) -> String {
        let around = self.around.map_or_else(String::new, Place::path);
        match self.part {
            Part::Entry(number) => format!("{around}[{number}]"),
            Part::Key(name) if around.is_empty() => name.to_owned(),
            Part::Key(name) => format!("{around}.{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_dots_and_brackets() {
        let root = Place::at("");
        let bodies = root.key("bodies");
        let body = bodies.entry(2);
        assert_eq!(body.key("belt").path(), "bodies[2].belt");
        assert_eq!(Place::at("loads[0]").key("at").path(), "loads[0].at");
    }
}
