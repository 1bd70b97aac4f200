use super::*;
use crate::damage;

/// Three vertices, and one body that turns with the last two.
fn layout() -> Layout {
    Layout {
        vertices: 3,
        turning: std::iter::once(1..3).collect(),
    }
}

/// Four places of three vertices, where the last two vertices turn, and the checksums of their
/// files.
fn written() -> (tempfile::TempDir, Checksums, Vec<(u64, Place)>) {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::existing(dir.path());
    let place = |k: f64| Place {
        x: vec![Vec2::new(k, -0.0); 3],
        turns: vec![[k, 1e300, f64::MIN_POSITIVE]],
    };
    let places = vec![
        (0, place(0.0)),
        (2, place(1.0)),
        (2, place(2.0)),
        (3, place(3.0)),
    ];

    let mut writer = SegmentsWriter::create(&folder, &layout(), 4).unwrap();
    for (step, place) in &places {
        writer.add(usize::try_from(*step).unwrap(), place).unwrap();
    }
    let checksums = writer.finish().unwrap();
    (dir, checksums, places)
}

/// Reads all places back.
fn read(dir: &Path, checksums: &Checksums) -> Result<Vec<(u64, Place)>, SegmentsError> {
    SegmentsReader::open(dir, layout(), checksums)?.collect()
}

#[test]
fn what_is_written_is_read_back_with_its_steps() {
    let (dir, checksums, places) = written();
    assert_eq!(read(dir.path(), &checksums).unwrap(), places);
    assert_eq!(layout().turn_of(), vec![0, 1, 1]);
}

#[test]
fn fewer_places_than_announced_are_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::existing(dir.path());
    let writer = SegmentsWriter::create(&folder, &layout(), 4).unwrap();
    assert!(writer.finish().is_err());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn every_flipped_bit_and_every_cut_is_refused_by_name() {
    let (dir, checksums, _) = written();
    for name in SEGMENTS {
        damage::assert_noticed(&dir.path().join(name), || {
            read(dir.path(), &checksums)
                .is_err_and(|error| error.to_string().contains(&format!("{name} is damaged: ")))
        });
    }
}

#[test]
fn a_missing_file_and_a_missing_checksum_are_refused_by_name() {
    let (dir, checksums, _) = written();
    let message = read(dir.path(), &Checksums::new()).unwrap_err().to_string();
    assert!(
        message.contains("segments_step.npy is damaged: run.json has no checksum of it"),
        "{message}"
    );

    std::fs::remove_file(dir.path().join(TURNS)).unwrap();
    let message = read(dir.path(), &checksums).unwrap_err().to_string();
    assert!(
        message.contains("segments_turns.npy is damaged: it is missing"),
        "{message}"
    );
}

#[test]
fn arrays_of_another_mesh_take_no_memory() {
    let (dir, checksums, _) = written();
    for (vertices, turning) in [(2, 1), (1 << 40, 1), (3, 0)] {
        let other = Layout {
            vertices,
            turning: vec![0..1; turning],
        };
        let error = SegmentsReader::open(dir.path(), other, &checksums).err();
        let message = error.unwrap().to_string();
        assert!(message.contains("expected [places, "), "{message}");
    }
}
