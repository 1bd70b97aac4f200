//! `ipcsim run --resume` with checkpoints and journals that are damaged or of another run.

use crate::cli_resume::{AT_ONCE, args, assert_same, resume, resumed};
use crate::program::Place;
use serde_json::Value;
use std::path::Path;

/// Two steps of a run, with a checkpoint of each.
fn two_checkpoints(place: &Place, name: &str) {
    place.completed(name, &args(&[&["--steps", "6", "--no-frames"], &AT_ONCE]));
    resumed(place, name, &AT_ONCE);

    for step in ["000001", "000002"] {
        assert!(
            place
                .root()
                .join(format!("{name}/checkpoint-{step}.bin"))
                .exists()
        );
    }
}

/// Flips a bit of a byte of a file.
fn flip(path: &Path, byte: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    let place = byte.min(bytes.len() - 1);
    bytes[place] ^= 0x10;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_flipped_bit_is_refused_and_the_older_checkpoint_offered() {
    let place = Place::new();
    place.completed("whole", &["--steps", "6", "--no-frames"]);

    for byte in [0, 20, 100, usize::MAX] {
        two_checkpoints(&place, "a");
        flip(&place.root().join("a/checkpoint-000002.bin"), byte);
        let before = place.files("a");
        let ended = resume(&place, "a", &[]);

        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        let dir = place.path("a");
        let expected = "checkpoint-000002.bin is damaged: its checksum does not agree";
        assert!(
            ended
                .stderr
                .starts_with(&format!("error: {dir}/{expected}")),
            "{}",
            ended.stderr
        );

        // The message offers the older checkpoint, and nothing has changed.
        let offer = format!(
            "the checkpoint of step 1 is valid, resume from it with: ipcsim run --resume {dir} --from 1\n"
        );
        assert!(ended.stderr.ends_with(&offer), "{}", ended.stderr);
        assert_eq!(place.files("a"), before);

        resumed(&place, "a", &["--from", "1"]);
        assert_same(&place, "a", "whole", "from the older one");
    }
}

#[test]
fn without_a_good_checkpoint_the_beginning_is_offered() {
    let place = Place::new();
    place.completed("whole", &["--steps", "6", "--no-frames"]);
    two_checkpoints(&place, "a");

    for step in 1..=2 {
        flip(
            &place.root().join(format!("a/checkpoint-00000{step}.bin")),
            40,
        );
    }

    let ended = resume(&place, "a", &[]);
    ended
        .exits(2)
        .complains("no other checkpoint is valid; start again with: ");
    assert!(ended.stderr.ends_with("--from 0\n"), "{}", ended.stderr);

    // A step without a checkpoint.
    resume(&place, "a", &["--from", "4"])
        .exits(2)
        .complains("it has those of steps 1 and 2, and --from 0");

    resumed(&place, "a", &["--from", "0"]);
    assert_same(&place, "a", "whole", "from the beginning");
}

#[test]
fn a_damaged_journal_is_refused_where_it_matters() {
    let place = Place::new();
    place.completed("whole", &["--steps", "6", "--no-frames"]);

    // The journal has the start and two steps of about the same size: the last one is of step 2.
    two_checkpoints(&place, "a");
    flip(&place.root().join("a/journal.bin"), usize::MAX);
    resume(&place, "a", &[]).exits(2).complains(
        "damaged, of another run, or was cut before step 2; the checkpoint of step 1 is valid",
    );
    resumed(&place, "a", &["--from", "1"]);
    assert_same(&place, "a", "whole", "from before the damage");

    two_checkpoints(&place, "a");
    std::fs::remove_file(place.root().join("a/journal.bin")).unwrap();
    resume(&place, "a", &[]).exits(2).complains("--from 0");

    // Without any checkpoint it starts from the beginning without being asked.
    for step in 1..=2 {
        std::fs::remove_file(place.root().join(format!("a/checkpoint-00000{step}.bin"))).unwrap();
    }

    resumed(&place, "a", &[]);
    assert_same(&place, "a", "whole", "without anything stored");
}

#[test]
fn a_checkpoint_of_another_scene_is_refused() {
    let place = Place::new();
    two_checkpoints(&place, "a");
    let scene = place.read("a/scene.json");
    std::fs::write(
        place.root().join("a/scene.json"),
        scene.replace("\"step\": 0.01", "\"step\": 0.02"),
    )
    .unwrap();
    resume(&place, "a", &[])
        .exits(2)
        .complains("is of another scene or other options");

    // Written in another way it is the same scene.
    let compact: Value = serde_json::from_str(&scene).unwrap();
    std::fs::write(place.root().join("a/scene.json"), compact.to_string()).unwrap();
    resumed(&place, "a", &[]);
}
