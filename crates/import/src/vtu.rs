//! Unstructured grids of VTK in XML (.vtu), as text or binary, in place or appended, compressed by
//! zlib or not.
//!
//! Whole numbers of cells are names, as in legacy grids. The format is described in VTK's "VTK XML
//! file formats".

use super::ReadError;
use super::cells::Cells;
use super::legacy_vtk::name_cells;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ipcsim_math::number::bytes as in_bytes;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use roxmltree::{Document, Node};

/// Largest number of values of an array that is compressed: four million points or triangles. A file of
/// a megabyte may unpack to a gigabyte.
const MOST_VALUES: usize = 12_000_000;

/// A file: its elements, and the bytes after them.
///
/// Appended bytes are no XML, so that they are cut off before the elements are read.
struct File<'a> {
    /// Bytes that arrays refer to by offset.
    appended: &'a [u8],
    /// True if these are in base 64.
    is_base64: bool,
    /// Bytes of a number before data: 4 or 8.
    header: usize,
    /// True if data is compressed.
    is_compressed: bool,
}

/// Reads a grid.
///
/// # Errors
/// If the bytes are no such grid.
pub(super) fn read(bytes: &[u8]) -> Result<Cells, ReadError> {
    let (head, appended) = split(bytes);
    let head = String::from_utf8_lossy(&head).into_owned();
    let document =
        Document::parse(&head).map_err(|error| ReadError::new(format!("it is no XML: {error}")))?;
    let root = document.root_element();

    if root.attribute("type") != Some("UnstructuredGrid") {
        let message =
            "its element VTKFile has another type than UnstructuredGrid; save the grid as one";
        return Err(ReadError::new(message));
    }

    if root.attribute("byte_order") == Some("BigEndian") {
        return Err(ReadError::new(
            "its bytes are in big-endian order; save it in little-endian order",
        ));
    }
    let compressor = root.attribute("compressor");
    if compressor.is_some_and(|name| name != "vtkZLibDataCompressor") {
        return Err(ReadError::new(
            "it is compressed by another method than zlib; save it with zlib",
        ));
    }

    let encoding = root
        .descendants()
        .find(|node| node.has_tag_name("AppendedData"))
        .and_then(|node| node.attribute("encoding"));
    let file = File {
        appended,
        is_base64: encoding == Some("base64"),
        header: if root.attribute("header_type") == Some("UInt64") {
            8
        } else {
            4
        },
        is_compressed: compressor.is_some(),
    };

    let pieces: Vec<Node> = root
        .descendants()
        .filter(|node| node.has_tag_name("Piece"))
        .collect();
    let [piece] = pieces[..] else {
        let message = format!("it has {} pieces, but must have one", pieces.len());
        return Err(ReadError::new(message));
    };
    file.piece(piece)
}

/// Elements without the data that is appended to them, and that data after its underscore.
fn split(bytes: &[u8]) -> (Vec<u8>, &[u8]) {
    let mark = b"<AppendedData";
    let Some(start) = bytes.windows(mark.len()).position(|window| window == mark) else {
        return (bytes.to_vec(), &[]);
    };
    let Some(end) = bytes[start..].iter().position(|&byte| byte == b'>') else {
        return (bytes.to_vec(), &[]);
    };
    let after = &bytes[start + end + 1..];
    let data = after
        .iter()
        .position(|&byte| byte == b'_')
        .map_or(after, |k| &after[k + 1..]);

    // Elements are closed by hand, because their end stands after the data.
    let mut head = bytes[..=start + end].to_vec();
    head.extend_from_slice(b"</AppendedData></VTKFile>");
    (head, data)
}

impl File<'_> {
    /// Nodes and cells of the only piece.
    fn piece(&self, piece: Node) -> Result<Cells, ReadError> {
        let mut cells = Cells::default();
        let group = |name: &str| piece.children().find(|node| node.has_tag_name(name));
        let points = group("Points").and_then(|node| node.children().find(Node::is_element));
        let Some(points) = points else {
            return Err(ReadError::new("its piece has no points"));
        };

        let expected = count_of(piece, "NumberOfPoints").map(|count| count.saturating_mul(3));
        for point in self.numbers(points, expected)?.chunks(3) {
            if let &[x, y, z] = point {
                cells.nodes.push([x, y, z]);
            }
        }
        // Text may say nan or inf.
        if let Some(wrong) = cells
            .nodes
            .iter()
            .position(|node| node.iter().any(|c| !c.is_finite()))
        {
            return Err(ReadError::new(format!("point {wrong} is not finite")));
        }

        let cell_count = count_of(piece, "NumberOfCells");
        let list = |name: &str| {
            let arrays = group("Cells").into_iter().flat_map(|node| node.children());
            let array = arrays
                .into_iter()
                .find(|node| node.attribute("Name") == Some(name));
            array.map_or_else(
                || Err(ReadError::new(format!("its cells have no array {name}"))),
                |array| self.wholes(array, cell_count.filter(|_| name != "connectivity")),
            )
        };
        let [points, ends, kinds] = [list("connectivity")?, list("offsets")?, list("types")?];

        let mut names: Vec<Vec<String>> = Vec::new();
        for array in group("CellData")
            .into_iter()
            .flat_map(|node| node.children())
        {
            // Numbers with a fraction are results and no names.
            let is_whole = array
                .attribute("type")
                .is_some_and(|kind| kind.contains("Int"));
            let is_single = array
                .attribute("NumberOfComponents")
                .is_none_or(|count| count == "1");
            if let (Some(name), true, true) = (array.attribute("Name"), is_whole, is_single) {
                name_cells(&mut names, name, &self.wholes(array, cell_count)?);
            }
        }
        names.resize(ends.len(), Vec::new());

        let mut start = 0;
        for ((&end, &kind), names) in ends.iter().zip(&kinds).zip(names) {
            let wrong = || ReadError::new("the offsets of its cells are not in order");
            let end = usize::try_from(end).map_err(|_| wrong())?;
            let own = points.get(start..end).ok_or_else(wrong)?;
            let own: Result<Vec<usize>, _> = own.iter().map(|&k| usize::try_from(k)).collect();
            let own = own.map_err(|_| ReadError::new("a cell names a point below 0"))?;
            cells.add_vtk(kind.unsigned_abs(), &own, &names)?;
            start = end;
        }
        Ok(cells)
    }

    /// Whole numbers of an array that should have this many (`expected`).
    #[expect(
        clippy::cast_possible_truncation,
        reason = "numbers of points are whole"
    )]
    fn wholes(&self, array: Node, expected: Option<usize>) -> Result<Vec<i64>, ReadError> {
        Ok(self
            .numbers(array, expected)?
            .into_iter()
            .map(|number| number as i64)
            .collect())
    }

    /// Numbers of an array that should have this many (`expected`).
    fn numbers(&self, array: Node, expected: Option<usize>) -> Result<Vec<f64>, ReadError> {
        let kind = array.attribute("type").unwrap_or_default();
        let width = width_of(kind).unwrap_or(8);
        let most = expected.unwrap_or(MOST_VALUES).min(MOST_VALUES);
        let most = most.saturating_mul(width);
        let name = array.attribute("Name").unwrap_or("Points");
        let wrong = |what: &str| ReadError::new(format!("its array {name} {what}"));

        let text = array.text().unwrap_or_default().trim();
        let bytes = match array.attribute("format") {
            Some("ascii") | None => {
                let numbers: Result<Vec<f64>, _> =
                    text.split_whitespace().map(str::parse).collect();
                return numbers.map_err(|_| wrong("has a word that is no number"));
            }
            Some("binary") => self.decoded(text.as_bytes(), true, most),
            Some("appended") => {
                let offset = array
                    .attribute("offset")
                    .and_then(|offset| offset.parse::<usize>().ok());
                let data = offset.and_then(|offset| self.appended.get(offset..));
                data.map_or(Err(Undecoded::Damaged), |data| {
                    self.decoded(data, self.is_base64, most)
                })
            }
            Some(_) => Err(Undecoded::Damaged),
        };

        let bytes = bytes.map_err(|undecoded| match undecoded {
            Undecoded::Damaged => wrong("cannot be decoded; the file is damaged"),
            Undecoded::TooLong(bytes) => wrong(&format!(
                "unpacks to {}, but its numbers of points and cells, and the limit of {MOST_VALUES} values, \
                 allow {}",
                in_bytes(bytes as f64),
                in_bytes(most as f64)
            )),
        })?;
        numbers_of(&bytes, kind)
            .ok_or_else(|| wrong(&format!("has numbers of the unknown type {kind}")))
    }

    /// Bytes of an array, decoded and decompressed; a compressed one may have as many as `most`.
    ///
    /// Without compression a number before the data is its length. With it there are the number of
    /// blocks, the length of a block and of the last one before compression, and the length of each
    /// block after it; in base 64 these are a text of their own.
    ///
    /// # Errors
    /// [`Undecoded`] if they are damaged, or too many.
    fn decoded(&self, data: &[u8], is_base64: bool, most: usize) -> Result<Vec<u8>, Undecoded> {
        if self.is_compressed {
            let packed = self.packed(data, is_base64).ok_or(Undecoded::Damaged)?;
            return packed.unpacked(most);
        }
        let raw = if is_base64 {
            base64_until(data, usize::MAX).ok_or(Undecoded::Damaged)?
        } else {
            data.to_vec()
        };
        let length = number(&raw, 0, self.header).ok_or(Undecoded::Damaged)?;
        let end = self.header.checked_add(length);
        let own = end.and_then(|end| raw.get(self.header..end));
        own.map(<[u8]>::to_vec).ok_or(Undecoded::Damaged)
    }

    /// Blocks of a compressed array; `None` if their head is damaged.
    fn packed(&self, data: &[u8], is_base64: bool) -> Option<Packed> {
        // A head with the number of blocks and their lengths, encoded apart.
        let first = if is_base64 {
            base64_until(data, encoded(3 * self.header))?
        } else {
            data.get(..3 * self.header)?.to_vec()
        };
        let count = number(&first, 0, self.header)?;
        // Counts of a damaged file must not overflow.
        let length = self.header.checked_mul(count.checked_add(3)?)?;
        let (head, body) = if is_base64 {
            let split = encoded(length);
            (
                base64_until(data.get(..split)?, split)?,
                base64_until(data.get(split..)?, usize::MAX)?,
            )
        } else {
            (data.get(..length)?.to_vec(), data.get(length..)?.to_vec())
        };
        let lengths = (0..count).map(|block| number(&head, 3 + block, self.header));
        Some(Packed {
            block: number(&head, 1, self.header)?,
            last: number(&head, 2, self.header)?,
            lengths: lengths.collect::<Option<_>>()?,
            body,
        })
    }
}

/// A compressed array.
struct Packed {
    /// Bytes of each block before compression.
    block: usize,
    /// Bytes of the last block before compression; 0 if it is as long as the others.
    last: usize,
    /// Bytes of each block after compression.
    lengths: Vec<usize>,
    /// All blocks after compression.
    body: Vec<u8>,
}

impl Packed {
    /// Bytes before compression, at most this many.
    ///
    /// # Errors
    /// [`Undecoded`] if they are damaged, or too many.
    fn unpacked(&self, most: usize) -> Result<Vec<u8>, Undecoded> {
        let whole = self.block.saturating_mul(self.lengths.len());
        let whole = if self.last == 0 {
            whole
        } else {
            whole.saturating_sub(self.block).saturating_add(self.last)
        };
        // Nothing is unpacked before its length is known to be right.
        if whole > most {
            return Err(Undecoded::TooLong(whole));
        }

        let mut bytes = Vec::with_capacity(whole);
        let mut rest = &self.body[..];
        for &length in &self.lengths {
            let (part, after) = rest.split_at_checked(length).ok_or(Undecoded::Damaged)?;
            let limit = whole - bytes.len();
            let block = decompress_to_vec_zlib_with_limit(part, limit);
            bytes.extend(block.map_err(|_| Undecoded::Damaged)?);
            rest = after;
        }
        Ok(bytes)
    }
}

/// Reason why an array cannot be decoded.
#[derive(Debug)]
enum Undecoded {
    /// They are damaged.
    Damaged,
    /// There are this many, which are too many.
    TooLong(usize),
}

/// Number of points or cells that a piece states.
fn count_of(piece: Node, name: &str) -> Option<usize> {
    piece.attribute(name)?.trim().parse().ok()
}

/// Bytes of a number of a type of VTK.
fn width_of(kind: &str) -> Option<usize> {
    let bits: usize = kind
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .ok()?;
    Some(bits / 8)
}

/// Number of characters of base 64 for a number of bytes.
fn encoded(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

/// Bytes of the first characters of base 64, as far as they are some.
fn base64_until(data: &[u8], most: usize) -> Option<Vec<u8>> {
    let is_code = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let code: Vec<u8> = data
        .iter()
        .take(most)
        .take_while(is_code)
        .copied()
        .collect();

    // Data may consist of several texts, each with an end of its own.
    let mut bytes = Vec::new();
    let mut rest = &code[..];
    while !rest.is_empty() {
        // Padding ends a text at a multiple of four characters.
        let end = rest
            .iter()
            .position(|&byte| byte == b'=')
            .map_or(rest.len(), |k| (k + 1).next_multiple_of(4));
        let end = end.min(rest.len());
        bytes.extend(STANDARD.decode(&rest[..end]).ok()?);
        rest = &rest[end..];
    }
    Some(bytes)
}

/// Number `k` of a list of numbers without sign, of 4 or 8 bytes each.
fn number(bytes: &[u8], k: usize, width: usize) -> Option<usize> {
    let start = k.checked_mul(width)?;
    let own = bytes.get(start..start.checked_add(width)?)?;
    let mut whole = [0; 8];
    whole[..width].copy_from_slice(own);
    usize::try_from(u64::from_le_bytes(whole)).ok()
}

/// Numbers of a type of VTK.
#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of points are below 2^53"
)]
fn numbers_of(bytes: &[u8], kind: &str) -> Option<Vec<f64>> {
    macro_rules! each {
        ($number:ty, $double:expr) => {{
            let chunks = bytes.chunks_exact(size_of::<$number>());
            let numbers = chunks.filter_map(|chunk| chunk.try_into().ok());
            numbers.map(<$number>::from_le_bytes).map($double).collect()
        }};
    }

    Some(match kind {
        "Float64" => each!(f64, |number| number),
        "Float32" => each!(f32, f64::from),
        "Int64" => each!(i64, |number| number as f64),
        "UInt64" => each!(u64, |number| number as f64),
        "Int32" => each!(i32, f64::from),
        "UInt32" => each!(u32, f64::from),
        "Int16" => each!(i16, f64::from),
        "UInt16" => each!(u16, f64::from),
        "Int8" => each!(i8, f64::from),
        "UInt8" => each!(u8, f64::from),
        _ => return None,
    })
}
