//! Tests of `npy` files: headers, rounding, damaged files.

use super::*;

#[test]
fn headers_are_those_of_numpy_and_are_read_in_any_order() {
    let header = header_of("'<f8'", &[3, 2]);
    let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2, ), }";
    assert_eq!(header.len(), 128);
    assert_eq!(&header[..10], b"\x93NUMPY\x01\0\x76\0");
    let written = String::from_utf8(header[10..].to_vec()).unwrap();
    assert_eq!(written.trim_end_matches([' ', '\n']), text);
    assert!(written.ends_with(" \n"));

    let parsed = |text: &str| Header::parse(text).map(|found| (found.is_fortran, found.shape));
    assert_eq!(parsed(text), Some((false, vec![3, 2])));
    let other = r#"{"shape": (7,), "fortran_order": True, "descr": "<f8"}"#;
    assert_eq!(parsed(other), Some((true, vec![7])));
    // A shape without lengths is a single number.
    assert_eq!(parsed(&text.replace("3, 2, ", "")), Some((false, vec![])));
    for wrong in [
        text.replace("3, 2", "-1"),
        text.replace("3, 2", "99999999999999999999"),
        text.replace("'shape'", "'size'"),
        text.replace("False", "0"),
        text.replace("'<f8'", "[('a', '<f8')]"),
    ] {
        assert_eq!(parsed(&wrong), None, "{wrong}");
    }
}

#[test]
fn an_array_with_too_few_or_too_many_numbers_is_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::existing(dir.path());
    for count in [5, 7] {
        let mut writer = NpyWriter::create::<f64>(&folder, "a.npy", &[3, 2]).unwrap();
        let added = writer.add(vec![1.0; count]);
        assert!(added.and_then(|()| writer.finish()).is_err());
    }
    // Not even a partial file remains.
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn an_array_of_another_shape_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer =
        NpyWriter::create::<u64>(&RunFolder::existing(dir.path()), "a.npy", &[2]).unwrap();
    writer.add_natural(3).unwrap();
    writer.add_natural(4).unwrap();
    writer.finish().unwrap();

    let path = dir.path().join("a.npy");
    let mut reader = NpyReader::<u64>::open(&path, &[Axis::Any("steps")]).unwrap();
    assert_eq!((reader.length(0), reader.number().unwrap()), (2, 3));
    let error = NpyReader::<u64>::open(&path, &[Axis::Any("n"), Axis::Is(2)]).err();
    let message = error.unwrap().to_string();
    assert!(
        message.ends_with("has shape [2] in C order; expected [n, 2] in C order"),
        "{message}"
    );
    // The bytes of whole numbers must not be read as floating-point numbers.
    assert!(NpyReader::<f64>::open(&path, &[Axis::Any("steps")]).is_err());
}

#[test]
fn a_header_that_is_too_long_or_too_nested_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.npy");
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let opened = NpyReader::<f64>::open(&path, &[Axis::Any("n")]);
        opened.err().unwrap().to_string()
    };

    let nested = format!(
        "{{'descr': '<f8', 'fortran_order': False, 'shape': {}{}}}",
        "[".repeat(40),
        "]".repeat(40)
    );
    let length = u16::try_from(nested.len()).unwrap().to_le_bytes();
    let message = refused(&[b"\x93NUMPY\x01\0", &length[..], nested.as_bytes()].concat());
    assert!(
        message.ends_with("its header has 41 brackets; at most 8 are read"),
        "{message}"
    );

    // The length is refused before any of its bytes is read.
    let message = refused(b"\x93NUMPY\x02\0\xff\xff\xff\xff");
    assert!(
        message.ends_with("its header has 4294967295 bytes; at most 10000 are read"),
        "{message}"
    );
    let message = refused(b"step,time,kinetic");
    assert!(message.ends_with("it is not a NumPy file"), "{message}");
}
