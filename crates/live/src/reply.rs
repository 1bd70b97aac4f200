//! Replies as bytes: a head in JSON, and arrays of numbers that the page reads without parsing.
//!
//! | bytes | contents |
//! |---|---|
//! | 4 | number of bytes of the head |
//! | 4 | number of bytes before the arrays, a multiple of 8 |
//! | | head: a JSON object, in which `arrays` has kind, start and count of each array by its name |
//! | | arrays, each from a multiple of 8 on; little-endian |

use serde_json::{Map, Value, json};

/// A reply in the making.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// What the page reads as JSON.
    pub(crate) head: Map<String, Value>,
    /// Arrays: name, kind, count and place.
    arrays: Map<String, Value>,
    /// Bytes of the arrays.
    bytes: Vec<u8>,
}

impl Reply {
    /// A reply that says why a request failed.
    pub(crate) fn error(message: &str) -> Self {
        let mut reply = Self::default();
        reply.set("error", message);
        reply
    }

    /// Sets a value of the head.
    pub(crate) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.head.insert(key.to_owned(), value.into());
    }

    /// Adds an array of whole numbers.
    pub(crate) fn words(&mut self, name: &str, numbers: impl Iterator<Item = usize>) {
        let start = self.begin();
        let mut count = 0;
        for number in numbers {
            // Meshes that fit into memory have fewer vertices than 2^32.
            let word = u32::try_from(number).unwrap_or(u32::MAX);
            self.bytes.extend(word.to_le_bytes());
            count += 1;
        }
        self.note(name, "u32", start, count);
    }

    /// Adds an array of numbers.
    pub(crate) fn doubles(&mut self, name: &str, numbers: impl Iterator<Item = f64>) {
        let start = self.begin();
        let mut count = 0;
        for number in numbers {
            self.bytes.extend(number.to_le_bytes());
            count += 1;
        }
        self.note(name, "f64", start, count);
    }

    /// Begins an array, at a multiple of 8.
    fn begin(&mut self) -> usize {
        let start = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(start, 0);
        start
    }

    /// Notes an array in the head.
    fn note(&mut self, name: &str, kind: &str, start: usize, count: usize) {
        self.arrays
            .insert(name.to_owned(), json!([kind, start, count]));
    }

    /// The bytes of the reply.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.head.insert("arrays".to_owned(), self.arrays.into());
        let head = Value::Object(self.head).to_string();
        let start = (8 + head.len()).next_multiple_of(8);

        let mut all = Vec::with_capacity(start + self.bytes.len());
        for number in [head.len(), start] {
            all.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
        all.extend(head.as_bytes());
        all.resize(start, 0);
        all.extend(self.bytes);
        all
    }
}
