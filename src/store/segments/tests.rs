use super::*;
use crate::store::damage;

/// Four places of three vertices, the last two of which turn.
fn written() -> (tempfile::TempDir, PathBuf, Vec<(u64, Place)>) {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::existing(dir.path());
    let layout = Layout {
        vertices: 3,
        turning: std::iter::once(1..3).collect(),
    };
    let place = |k: f64| Place {
        x: vec![Vec2::new(k, -0.0); 3],
        turns: vec![[k, 1e300, f64::MIN_POSITIVE]],
    };
    let ways = [
        vec![place(0.0)],
        vec![],
        vec![place(1.0), place(2.0)],
        vec![place(3.0)],
    ];
    write(
        &folder,
        &layout,
        4,
        ways.iter().cloned().enumerate().map(Ok),
    )
    .unwrap();
    for wrong in [3, 5] {
        assert!(
            write(
                &RunFolder::existing(&dir.path().join("x")),
                &layout,
                wrong,
                std::iter::empty()
            )
            .is_err()
        );
    }
    let places = ways
        .into_iter()
        .zip(0..)
        .flat_map(|(way, step)| way.into_iter().map(move |place| (step, place)));
    let path = dir.path().join(SEGMENTS);
    (dir, path, places.collect())
}

fn read(path: &Path) -> Result<Vec<(u64, Place)>, SegmentsError> {
    SegmentsReader::open(path, 3)?.collect()
}

#[test]
fn what_is_written_is_read_back_with_its_steps() {
    let (_dir, path, places) = written();
    assert_eq!(read(&path).unwrap(), places);
    let layout = SegmentsReader::open(&path, 3).unwrap().layout().clone();
    assert_eq!((layout.vertices, layout.turn_of()), (3, vec![0, 1, 1]));
}

#[test]
fn every_flipped_bit_and_every_cut_is_refused() {
    let (_dir, path, _) = written();
    damage::assert_noticed(&path, || {
        matches!(
            read(&path),
            Err(SegmentsError::Damaged { .. } | SegmentsError::Format { .. })
        )
    });
}

#[test]
fn a_file_that_announces_more_than_the_mesh_has_takes_no_memory() {
    let (_dir, path, _) = written();
    let mut bytes = std::fs::read(&path).unwrap();
    for (count, of_mesh) in [(3_u64, 2), (1 << 36, 3)] {
        bytes[HEAD - 16..HEAD - 8].copy_from_slice(&count.to_le_bytes());
        std::fs::write(&path, &bytes).unwrap();
        let length = HEAD as u64 + 16 * count + 4 + 4 * (12 + 16 * 3 + 24 * count);
        std::fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(length)
            .unwrap();
        let message = SegmentsReader::open(&path, of_mesh)
            .unwrap_err()
            .to_string();
        assert!(
            message.contains(&format!(
                "it has 3 vertices and {count} bodies that turn, the mesh {of_mesh} "
            )),
            "{message}"
        );
    }
}
