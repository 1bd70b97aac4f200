//! Unstructured grids of VTK in XML (.vtu), as text or binary, in place or appended, compressed or
//! not.
//!
//! Pieces, by which programs on several processors write a grid, are put together; points that they
//! share become one where near nodes do. Whole numbers of cells are names, as in legacy grids. The format is described in VTK's "VTK XML
//! file formats".
//!
//! The elements of a file are `VTKFile / UnstructuredGrid / Piece`, and in each piece `Points`, `Cells`,
//! `CellData` and `PointData` with arrays. An array is
//!
//! - `ascii`: numbers as text in its element;
//! - `binary`: base 64 in its element;
//! - `appended`: bytes or base 64 in the element `AppendedData`, from an offset after its underscore on.
//!
//! Before binary numbers stands their length in bytes, of 4 or 8 bytes as `header_type` says. A
//! compressed array has a longer head: the number of blocks, the length of a block and of the last one
//! before compression, and the length of each block after compression. In base 64 this head is encoded
//! apart from the blocks.
//!
//! Names of cells follow from arrays of whole numbers with one component; the limit of different
//! values is the same as for legacy grids.

use super::ReadError;
use super::cells::Cells;
use super::kinds::{Kind, Order, index, whole};
use super::names::CellNames;
use super::packed::{Compressor, Packed, Undecoded, number};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ipcsim_math::number::bytes as in_bytes;
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
    /// Order of the bytes of numbers.
    order: Order,
    /// Method by which data is compressed.
    compressor: Option<Compressor>,
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

    let compressor = match root.attribute("compressor") {
        None | Some("") => None,
        Some(name) => Some(Compressor::of(name)?),
    };

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
        order: if root.attribute("byte_order") == Some("BigEndian") {
            Order::Big
        } else {
            Order::Little
        },
        compressor,
    };

    let mut cells = Cells::default();
    // Pieces follow each other in the lists of nodes and cells.
    let mut names = CellNames::default();
    let pieces = root.descendants().filter(|node| node.has_tag_name("Piece"));
    let mut all = Vec::new();
    for piece in pieces {
        file.piece(piece, &mut cells, &mut names, &mut all)?;
    }
    if cells.nodes.is_empty() {
        return Err(ReadError::new("its pieces have no points"));
    }

    let (names, notes) = names.finish(all.len());
    for ((kind, nodes), names) in all.iter().zip(names) {
        cells.add_vtk(*kind, nodes, &names)?;
    }
    cells.notes.extend(notes);
    Ok(cells)
}

/// Elements without the data that is appended to them, and that data after its underscore.
///
/// Without appended data the whole file is elements, and the data is empty.
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
    /// Adds points of a piece to `cells`, kinds and points of its cells to `all`, and their names.
    ///
    /// Points of a piece count from 0, and are shifted by the number of points before it.
    ///
    /// # Errors
    /// If an array is absent, damaged, or does not fit the counts of the piece.
    fn piece(
        &self,
        piece: Node,
        cells: &mut Cells,
        names: &mut CellNames,
        all: &mut Vec<(u64, Vec<usize>)>,
    ) -> Result<(), ReadError> {
        let before = cells.nodes.len();
        let Some(points) =
            group(piece, "Points").and_then(|node| node.children().find(Node::is_element))
        else {
            return Err(ReadError::new("its piece has no points"));
        };
        let expected = count_of(piece, "NumberOfPoints").map(|count| count.saturating_mul(3));
        for point in self.numbers(points, expected)?.chunks(3) {
            if let &[x, y, z] = point {
                cells.nodes.push([x, y, z]);
            }
        }
        // Text may say nan or inf.
        let own = &cells.nodes[before..];
        if let Some(wrong) = own
            .iter()
            .position(|node| node.iter().any(|c| !c.is_finite()))
        {
            return Err(ReadError::new(format!("point {wrong} is not finite")));
        }

        // Lists of a length that the piece states.
        let count = count_of(piece, "NumberOfCells");
        let points = self.list(piece, "connectivity", None)?;
        let ends = self.list(piece, "offsets", count)?;
        let kinds = self.list(piece, "types", count)?;
        // Numbers of points count from the first of the piece.
        let first = all.len();
        let mut start = 0;
        for (&end, &kind) in ends.iter().zip(&kinds) {
            let end = index(end, "an offset of cells")?;
            let own = points
                .get(start..end)
                .ok_or_else(|| ReadError::new("the offsets of its cells are not in order"))?;
            let own = own.iter().map(|&point| {
                let point = index(point, "the number of a point")?;
                if point < cells.nodes.len() - before {
                    return Ok(before + point);
                }
                let count = cells.nodes.len() - before;
                let message = format!(
                    "a cell names point {point}, but there are only {count}, numbered from 0"
                );
                Err(ReadError::new(message))
            });
            all.push((
                index(kind, "the kind of a cell")? as u64,
                own.collect::<Result<_, _>>()?,
            ));
            start = end;
        }

        self.names(piece, first..all.len(), names)
    }

    /// Numbers of one of the lists that describe cells.
    ///
    /// `expected` is how many numbers it should have, if the piece says it.
    ///
    /// # Errors
    /// If the array is absent or cannot be decoded.
    fn list(
        &self,
        piece: Node,
        name: &str,
        expected: Option<usize>,
    ) -> Result<Vec<f64>, ReadError> {
        let arrays = group(piece, "Cells")
            .into_iter()
            .flat_map(|node| node.children());
        let array = arrays
            .into_iter()
            .find(|node| node.attribute("Name") == Some(name));
        match array {
            Some(array) => self.numbers(array, expected),
            None => Err(ReadError::new(format!("its cells have no array {name}"))),
        }
    }

    /// Adds the names of cells with these numbers, and notes arrays that give none.
    ///
    /// `cells` are the numbers of the cells of this piece among all cells of the file.
    ///
    /// # Errors
    /// If an array of whole numbers cannot be decoded.
    fn names(
        &self,
        piece: Node,
        cells: std::ops::Range<usize>,
        names: &mut CellNames,
    ) -> Result<(), ReadError> {
        for owner in ["CellData", "PointData"] {
            let arrays = group(piece, owner)
                .into_iter()
                .flat_map(|node| node.children());
            for array in arrays.filter(|node| node.has_tag_name("DataArray")) {
                let name = array.attribute("Name").unwrap_or("without a name");
                // Numbers with a fraction are results and no names.
                let is_whole = Kind::of_xml(array.attribute("type").unwrap_or_default())
                    .is_some_and(Kind::is_whole);
                let is_single = array
                    .attribute("NumberOfComponents")
                    .is_none_or(|count| count == "1" || count.is_empty());
                if owner != "CellData" || !is_whole || !is_single {
                    names.leave(name);
                    continue;
                }
                let values = self.numbers(array, Some(cells.len()))?;
                let values: Result<Vec<i64>, _> = values
                    .into_iter()
                    .map(|value| whole(value, "a whole number of a cell"))
                    .collect();
                names.add_from(cells.start, name, &values?);
            }
        }

        Ok(())
    }

    /// Numbers of an array that should have this many (`expected`).
    ///
    /// An array in text may have another number of values, and the caller sees it.
    ///
    /// # Errors
    /// If the type is unknown, or the text or the bytes are damaged or too many.
    fn numbers(&self, array: Node, expected: Option<usize>) -> Result<Vec<f64>, ReadError> {
        let name = array.attribute("Name").unwrap_or("Points");
        let kind = array.attribute("type").unwrap_or_default();
        let Some(kind) = Kind::of_xml(kind) else {
            let message = format!("its array {name} has numbers of the unknown type {kind}");
            return Err(ReadError::new(message));
        };

        // Nothing is unpacked beyond what the piece states.
        let most = expected.unwrap_or(MOST_VALUES).min(MOST_VALUES);
        let most = most.saturating_mul(kind.width());

        let text = array.text().unwrap_or_default().trim();
        let bytes = match array.attribute("format") {
            Some("ascii") | None => {
                let numbers: Result<Vec<f64>, _> =
                    text.split_whitespace().map(str::parse).collect();
                return numbers.map_err(|_| {
                    ReadError::new(format!("its array {name} has a word that is not a number"))
                });
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

        let bytes = bytes.map_err(|undecoded| {
            ReadError::new(match undecoded {
                Undecoded::Damaged => {
                    format!("its array {name} cannot be decoded; the file is damaged")
                }
                Undecoded::TooLong(bytes) => format!(
                    "its array {name} unpacks to {}, but its numbers of points and cells, and the limit of \
                     {MOST_VALUES} values, allow {}",
                    in_bytes(bytes as f64),
                    in_bytes(most as f64)
                ),
            })
        })?;

        Ok(kind.values(&bytes, self.order))
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
        if let Some(compressor) = self.compressor {
            let packed = self.packed(data, is_base64).ok_or(Undecoded::Damaged)?;
            return packed.unpacked(compressor, most);
        }

        let raw = |count: usize| {
            if is_base64 {
                base64_until(data, encoded(count))
            } else {
                data.get(..count).map(<[u8]>::to_vec)
            }
        };

        let head = raw(self.header).ok_or(Undecoded::Damaged)?;
        let length = number(&head, 0, self.header, self.order).ok_or(Undecoded::Damaged)?;
        let end = self.header.saturating_add(length);
        let raw = raw(end).ok_or(Undecoded::Damaged)?;
        let own = raw.get(self.header..end);
        own.map(<[u8]>::to_vec).ok_or(Undecoded::Damaged)
    }

    /// Blocks of a compressed array; `None` if their head is damaged.
    ///
    /// `data` begins with the head. In base 64 the length of the head follows from the number of
    /// blocks, which stands first.
    fn packed(&self, data: &[u8], is_base64: bool) -> Option<Packed> {
        // A head with the number of blocks and their lengths, encoded apart.
        let first = if is_base64 {
            base64_until(data, encoded(3 * self.header))?
        } else {
            data.get(..3 * self.header)?.to_vec()
        };
        let count = number(&first, 0, self.header, self.order)?;
        // Counts of a damaged file must not overflow.
        let length = self.header.checked_mul(count.checked_add(3)?)?;
        let split = if is_base64 { encoded(length) } else { length };
        let (head, body) = data.split_at_checked(split)?;
        let head = if is_base64 {
            base64_until(head, split)?
        } else {
            head.to_vec()
        };

        let lengths = (0..count).map(|block| number(&head, 3 + block, self.header, self.order));
        let lengths: Vec<usize> = lengths.collect::<Option<_>>()?;
        // Other arrays may follow.
        let total = lengths
            .iter()
            .fold(0, |sum: usize, &length| sum.saturating_add(length));
        Some(Packed {
            block: number(&head, 1, self.header, self.order)?,
            last: number(&head, 2, self.header, self.order)?,
            lengths,
            body: if is_base64 {
                base64_until(body, encoded(total))?
            } else {
                body.get(..total)?.to_vec()
            },
        })
    }
}

/// Child of a piece with a name.
/// `None` if the piece has none.
fn group<'a>(piece: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    piece.children().find(|node| node.has_tag_name(name))
}

/// Number of points or cells that a piece states.
/// `name` is `NumberOfPoints` or `NumberOfCells`; `None` if it is absent or malformed.
fn count_of(piece: Node, name: &str) -> Option<usize> {
    piece.attribute(name)?.trim().parse().ok()
}

/// Number of characters of base 64 for a number of bytes.
/// Four characters are three bytes, and the last four may be padded.
fn encoded(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

/// Bytes of the first characters of base 64, as far as they are some.
///
/// `None` if the characters before the first foreign one are damaged.
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
