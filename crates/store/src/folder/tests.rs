use super::*;

/// The least that makes a report that of a run.
const REPORT: &str =
    r#"{"scene": "a", "version": "0", "status": "completed", "steps": 1, "hash": "0"}"#;

#[test]
fn a_run_is_replaced_and_foreign_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b");

    // A run with a frame is replaced.
    let folder = RunFolder::create(&path, &[], false).unwrap();
    folder
        .write(RUN, |out| out.write_all(REPORT.as_bytes()))
        .unwrap();
    fs::create_dir(path.join(FRAMES)).unwrap();
    fs::write(path.join(FRAMES).join("000000.png"), "x").unwrap();
    // As long as the run is being written, nobody replaces it.
    let busy = RunFolder::create(&path, &[], true).unwrap_err();
    assert!(matches!(busy, FolderError::Busy { .. }), "{busy}");
    drop(folder);
    RunFolder::create(&path, &[], false).unwrap();
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);

    // A file of the user is refused, or left alone.
    fs::write(path.join("thesis.tex"), "x").unwrap();
    let error = RunFolder::create(&path, &[], false)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("thesis.tex") && error.contains("--force"),
        "{error}"
    );
    RunFolder::create(&path, &[], true).unwrap();
    assert!(path.join("thesis.tex").exists());
}

#[test]
fn a_scene_without_a_run_is_foreign_and_so_are_other_pictures() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(SCENE), "x").unwrap();
    assert!(RunFolder::create(dir.path(), &[], false).is_err());
    assert!(dir.path().join(SCENE).exists());

    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(FRAMES)).unwrap();
    fs::write(dir.path().join(FRAMES).join("holiday.png"), "x").unwrap();
    assert!(RunFolder::create(dir.path(), &[], false).is_err());
}

#[test]
fn a_file_that_fails_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), &[], false).unwrap();
    let failed = folder.write(RUN, |out| {
        out.write_all(b"half")?;
        Err(io::Error::other("no space left"))
    });
    assert!(failed.unwrap_err().to_string().contains("no space left"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn files_of_writers_are_replaced_only_where_they_are_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(RUN), REPORT).unwrap();
    fs::write(dir.path().join("energies.csv"), "x").unwrap();
    fs::write(dir.path().join(".energies.csv.partial"), "x").unwrap();
    assert!(RunFolder::create(dir.path(), &[], false).is_err());
    RunFolder::create(dir.path(), &["energies.csv"], false).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
