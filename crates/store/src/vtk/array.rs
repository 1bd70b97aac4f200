//! Arrays of numbers with a name, compressed.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Size of the parts that are compressed each by itself (bytes).
const BLOCK: usize = 1 << 18;

/// Effort of the compression, from 0 to 10.
///
/// Level 1 takes 14 ms for the 4 MB of a state of 20,000 triangles with all fields; level 6 takes
/// eight times as long for files that are a hundredth smaller.
const LEVEL: u8 = 1;

/// Numbers of an array, of the type in which a file has them.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayValues {
    /// 64 bits, floating point.
    Double(Vec<f64>),
    /// 32 bits, floating point.
    Single(Vec<f32>),
    /// 32 bits, whole.
    Int(Vec<i32>),
    /// 64 bits, whole.
    Long(Vec<i64>),
    /// 8 bits, from 0.
    Byte(Vec<u8>),
}

/// An array with its name, whose numbers are compressed.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Name of the array.
    name: String,
    /// Type of the numbers, in words of the format.
    kind: &'static str,
    /// Names of the components of a value; empty for single numbers.
    components: Vec<&'static str>,
    /// Number of values.
    tuples: usize,
    /// Lengths of the parts and their contents, as a file has them.
    pub(super) data: Vec<u8>,
}

impl Array {
    /// An array of single numbers.
    pub fn scalars(name: &str, numbers: &ArrayValues) -> Self {
        Self::new(name, &[], numbers)
    }

    /// An array of values with these components.
    pub fn new(name: &str, components: &[&'static str], numbers: &ArrayValues) -> Self {
        let (kind, bytes, count) = numbers.encoded();
        Self {
            name: name.to_owned(),
            kind,
            components: components.to_vec(),
            tuples: count / components.len().max(1),
            data: compressed(&bytes),
        }
    }

    /// The element that announces the array, whose numbers begin at `offset` (bytes).
    pub(super) fn element(&self, offset: usize) -> String {
        use std::fmt::Write;

        let name = escaped(&self.name);
        let mut text = format!("<DataArray type=\"{}\" Name=\"{name}\"", self.kind);
        if !self.components.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(text, " NumberOfComponents=\"{}\"", self.components.len());
        }
        for (k, component) in self.components.iter().enumerate() {
            let _ = write!(text, " ComponentName{k}=\"{}\"", escaped(component));
        }
        let tuples = self.tuples;
        let _ = write!(
            text,
            " NumberOfTuples=\"{tuples}\" format=\"appended\" offset=\"{offset}\"/>"
        );
        text
    }
}

impl ArrayValues {
    /// Name of the type, the bytes, and the number of numbers.
    fn encoded(&self) -> (&'static str, Vec<u8>, usize) {
        match self {
            Self::Double(n) => ("Float64", bytes(n, f64::to_le_bytes), n.len()),
            Self::Single(n) => ("Float32", bytes(n, f32::to_le_bytes), n.len()),
            Self::Int(n) => ("Int32", bytes(n, i32::to_le_bytes), n.len()),
            Self::Long(n) => ("Int64", bytes(n, i64::to_le_bytes), n.len()),
            Self::Byte(n) => ("UInt8", n.clone(), n.len()),
        }
    }
}

/// Bytes of all numbers, in order.
fn bytes<T: Copy, const N: usize>(numbers: &[T], of: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| of(number)).collect()
}

/// Bytes as a file has them: the number of parts, their size, the size of a last part that is
/// shorter or 0, the compressed size of each, then the parts.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let parts: Vec<Vec<u8>> = bytes
        .chunks(BLOCK)
        .map(|part| compress_to_vec_zlib(part, LEVEL))
        .collect();
    let rest = bytes.len() % BLOCK;
    let mut head = vec![parts.len(), BLOCK, rest];
    head.extend(parts.iter().map(Vec::len));

    let mut data = Vec::new();
    for number in head {
        data.extend_from_slice(&(number as u64).to_le_bytes());
    }
    data.extend(parts.into_iter().flatten());
    data
}

/// Text as it may stand in an attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    #[test]
    fn parts_come_back_as_they_were() {
        // Lengths around the size of a part.
        for length in [0, 5, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let bytes: Vec<u8> = (0..=250).cycle().take(length).collect();
            let data = compressed(&bytes);
            let word = |k: usize| {
                let word = data[8 * k..8 * k + 8].try_into().unwrap();
                usize::try_from(u64::from_le_bytes(word)).unwrap()
            };

            let parts = length.div_ceil(BLOCK);
            assert_eq!([word(0), word(1), word(2)], [parts, BLOCK, length % BLOCK]);

            let mut at = 8 * (3 + parts);
            let mut found = Vec::new();
            for k in 0..parts {
                let end = at + word(3 + k);
                found.extend(decompress_to_vec_zlib(&data[at..end]).unwrap());
                at = end;
            }
            assert_eq!((at, found), (data.len(), bytes));
        }
    }

    #[test]
    fn an_array_announces_its_numbers() {
        let numbers = ArrayValues::Single(vec![1.0; 6]);
        let array = Array::new("a < \"b\"", &["x", "y", "z"], &numbers);
        assert_eq!(
            array.element(7),
            "<DataArray type=\"Float32\" Name=\"a &lt; &quot;b&quot;\" NumberOfComponents=\"3\" \
             ComponentName0=\"x\" ComponentName1=\"y\" ComponentName2=\"z\" NumberOfTuples=\"2\" \
             format=\"appended\" offset=\"7\"/>"
        );
    }
}
