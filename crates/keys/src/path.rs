//! Keys at paths such as `bodies.0.kind.rod.thickness`.

use crate::{Form, Key, Type};

/// A part of a path that names no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The part.
    pub part: String,
    /// Names of the keys at its place; none below a value that has no keys.
    pub known: Vec<&'static str>,
}

impl Type {
    /// Keys that a path leads through, the last one at its end. Parts of the path are joined by dots:
    /// keys, and numbers or names of entries.
    ///
    /// # Errors
    /// [`UnknownKey`] with the first part that names no key.
    pub fn find(&'static self, path: &str) -> Result<Vec<&'static Key>, UnknownKey> {
        let mut form = Form::Type(self);
        let mut found = Vec::new();
        for part in path.split('.') {
            form = form.value();
            form = match form {
                // Numbers and names of entries are up to the file, so that any part leads on.
                Form::List { of, .. } | Form::Named(of) => of(),
                _ => {
                    let key = form.key(part).ok_or_else(|| UnknownKey {
                        part: part.to_owned(),
                        known: form.names(),
                    })?;
                    found.push(key);
                    (key.form)()
                }
            };
        }
        Ok(found)
    }
}

impl Form {
    /// Form of the value if it is not absent.
    fn value(self) -> Self {
        match self {
            Self::Optional(of) => of().value(),
            own => own,
        }
    }

    /// Keys of an object or a choice; none of other values.
    fn keys(self) -> &'static [Key] {
        match self {
            Self::Type(own) => own.keys,
            _ => &[],
        }
    }

    /// Key of this name, also in a choice within the choice.
    fn key(self, name: &str) -> Option<&'static Key> {
        let is_named = |key: &&Key| key.name == name || key.alias == Some(name);
        let own = self.keys().iter().find(is_named);
        own.or_else(|| {
            let unnamed = self.keys().iter().filter(|key| key.name.is_empty());
            unnamed
                .map(|key| (key.form)().value())
                .find_map(|form| form.key(name))
        })
    }

    /// Names of all keys.
    fn names(self) -> Vec<&'static str> {
        let names = self.keys().iter().map(|key| key.name);
        names.filter(|name| !name.is_empty()).collect()
    }
}
