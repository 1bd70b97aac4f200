//! `ipcsim render`: draws frames from the folder of a run.

use crate::program::{Ended, Place, ipcsim, png_size};

fn run() -> Place {
    let place = Place::new();
    place.completed("a", &["--steps", "6", "--set", "output.every=4"]);
    place
}

/// Renders the run again with some arguments.
fn render(place: &Place, args: &[&str]) -> Ended {
    ipcsim(&[&["render", &place.path("a")][..], args].concat())
}

#[test]
fn frames_that_were_deleted_come_back_as_they_were() {
    let place = run();
    let before = place.files("a");
    std::fs::remove_dir_all(place.root().join("a/frames")).unwrap();
    std::fs::remove_file(place.root().join("a/animation.gif")).unwrap();
    let ended = render(&place, &[]);

    assert_eq!(
        (ended.code, ended.stdout),
        (0, format!("{}: 3 frames drawn\n", place.path("a")))
    );
    assert!(before.contains_key("frames/000006.png") && place.files("a") == before);
}

#[test]
fn a_run_without_frames_gets_them() {
    let place = Place::new();
    place.completed("a", &["--steps", "2", "--no-frames"]);
    assert_eq!(render(&place, &[]).code, 0);
    assert_eq!(
        place.names("a/frames"),
        ["000000.png", "000001.png", "000002.png"]
    );
    assert!(place.root().join("a/animation.gif").exists());
}

#[test]
fn frames_have_the_size_that_was_asked_for() {
    let place = run();
    assert_eq!(render(&place, &["--size", "640x360"]).code, 0);
    for bytes in place.files("a/frames").values() {
        assert_eq!(png_size(bytes), [640, 360]);
    }
    assert_eq!(place.files("a")["animation.gif"][6..10], [0x80, 2, 0x68, 1]);
}

#[test]
fn colours_and_view_change_the_picture() {
    let place = run();
    let choices: [&[&str]; 4] = [
        &["--color", "body"],
        &["--color", "stress"],
        &["--color", "speed"],
        &["--fit"],
    ];
    let mut pictures = Vec::new();

    for args in choices {
        let ended = render(&place, &[&["--size", "320x180"], args].concat());
        assert_eq!(ended.code, 0, "{args:?}: {}", ended.stderr);
        pictures.push(place.files("a")["frames/000006.png"].clone());
    }

    for (k, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..k].contains(picture), "{:?}", choices[k]);
    }
}

#[test]
fn frames_of_another_run_do_not_stay() {
    let place = run();
    std::fs::write(place.root().join("a/frames/000099.png"), "old").unwrap();
    assert_eq!(render(&place, &[]).code, 0);
    assert_eq!(
        place.names("a/frames"),
        ["000000.png", "000004.png", "000006.png"]
    );
}

#[test]
fn bad_input_ends_with_exit_code_2_and_the_frames_stay() {
    let place = run();
    let before = place.files("a");

    for size in [
        "0x0",
        "640",
        "640x",
        "axb",
        "-1x5",
        "8x600",
        "100000x100000",
    ] {
        let ended = render(&place, &[&format!("--size={size}")]);
        assert!(
            ended.code == 2 && ended.stderr.contains("expected, for example, 1920x1080"),
            "{size}: {ended:?}"
        );
    }

    assert_eq!(place.files("a"), before);
    assert_eq!(ipcsim(&["render", &place.path("nowhere")]).code, 2);
}

#[test]
fn a_damaged_run_is_bad_input_and_its_frames_stay() {
    let whole = run().files("a");
    let damaged = [
        (
            "trajectory.npy",
            whole["trajectory.npy"][..whole["trajectory.npy"].len() - 8].to_vec(),
        ),
        ("trajectory.npy", Vec::new()),
        ("energies.csv", b"hello\n1\n".to_vec()),
        ("scene.json", b"{".to_vec()),
    ];

    for (name, bytes) in damaged {
        let place = run();
        std::fs::write(place.root().join("a").join(name), bytes).unwrap();
        let before = place.files("a");

        for color in ["body", "stress"] {
            let ended = render(&place, &["--color", color]);
            assert!(
                ended.code == 2 && ended.stderr.contains(&place.path(&format!("a/{name}"))),
                "{ended:?}"
            );
            assert!(place.files("a") == before, "{name} by {color}");
        }
    }
}
