//! `verify` of segments that are damaged, missing or of another run.

use crate::certificates::{square_and_wall, verify};
use crate::program::{Npy, Place};
use ipcsim_store::segments::SEGMENTS;

#[test]
fn segments_that_do_not_lead_to_the_stored_state_are_caught_to_the_last_bit() {
    let (place, x) = square_and_wall();
    Npy::open(&place.path("a/trajectory.npy")).put(1, 0, [x[0].x.next_up(), x[0].y]);
    let ended = verify(&place, "a");
    let expected = "step 1: the segments do not lead to the state: vertex 0 of \"square\" is at ";
    ended.exits(1).prints(expected);
}

#[test]
fn damaged_or_foreign_segments_or_meshes_are_refused_by_name() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames", "--certify"]);
    for name in SEGMENTS.into_iter().chain(["mesh.json"]) {
        let path = place.root().join("a").join(name);
        let bytes = std::fs::read(&path).unwrap();
        for k in 0..20 {
            let mut flipped = bytes.clone();
            flipped[k * (bytes.len() - 1) / 19] ^= 1 << (k % 8);
            std::fs::write(&path, &flipped).unwrap();
            let ended = verify(&place, "a");
            let named = ended.stderr.contains(&format!("a/{name}"));
            assert!(
                ended.code == 2 && ended.stdout.is_empty() && named,
                "{k}: {ended:?}"
            );
        }
        std::fs::write(&path, &bytes).unwrap();
    }
    assert_eq!(verify(&place, "a").code, 0);

    // Files of another run do not have the checksums in the report.
    let (other, _) = square_and_wall();
    for name in SEGMENTS {
        let theirs = other.root().join("a").join(name);
        std::fs::copy(theirs, place.root().join("a").join(name)).unwrap();
    }
    verify(&place, "a")
        .exits(2)
        .complains("a/segments_step.npy is damaged: its checksum is ");
}

#[test]
fn segments_are_arrays_that_numpy_reads() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames", "--certify"]);
    let segments = place.json("a/run.json")["segments"].as_u64().unwrap();
    let places = segments + 1;
    for (name, shape, kind) in [
        (SEGMENTS[0], format!("({places}, )"), "<u8"),
        (SEGMENTS[1], format!("({places}, 20, 2, )"), "<f8"),
        (SEGMENTS[2], format!("({places}, 0, 3, )"), "<f8"),
    ] {
        let bytes = std::fs::read(place.root().join("a").join(name)).unwrap();
        let head = String::from_utf8_lossy(&bytes[..128]).into_owned();
        assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"), "{name}");
        assert!(head.contains(&format!("'shape': {shape}")), "{head}");
        assert!(head.contains(kind), "{head}");
    }
}

#[test]
fn a_folder_with_segments_of_an_older_version_says_what_to_do() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames", "--certify"]);
    for name in SEGMENTS {
        std::fs::remove_file(place.root().join("a").join(name)).unwrap();
    }
    std::fs::write(place.root().join("a/segments.bin"), "ipcsim segments\n").unwrap();
    let ended = verify(&place, "a");
    let advice = "a/segments.bin holds step segments in an older format; run the scene again with \
                  --certify, or remove the file to verify the stored states only";
    ended.exits(2).complains(advice);

    // A new run in the folder replaces the file.
    place.completed("a", &["--steps", "3", "--no-frames"]);
    assert!(!place.root().join("a/segments.bin").exists());
}
