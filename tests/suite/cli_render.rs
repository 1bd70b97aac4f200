//! `ipcsim render`: draws frames from the folder of a run.

use crate::program::{Ended, Place, ipcsim, png_size, words};

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
    let choices: [&[&str]; 5] = [
        &["--color-by", "body"],
        &["--color-by", "stress"],
        &["--color-by", "speed"],
        &["--color-by", "pressure"],
        &["--fit"],
    ];
    let mut pictures = Vec::new();

    for args in choices {
        render(&place, &[&["--size", "320x180"], args].concat()).exits(0);
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
        render(&place, &[&format!("--size={size}")])
            .exits(2)
            .complains("expected, for example, 1920x1080");
    }

    for (trace, complaint) in [
        ("nobody", "no body or obstacle is named \"nobody\""),
        ("upper@5,5", "outside of \"upper\" at rest"),
        ("upper@5", "\"5\" is not a place such as 0.1,0.2 (m)"),
    ] {
        render(&place, &["--trace", trace])
            .exits(2)
            .complains(complaint);
    }

    assert_eq!(place.files("a"), before);
    assert_eq!(ipcsim(&["render", &place.path("nowhere")]).code, 2);
}

#[test]
fn a_name_of_a_picture_gets_the_last_frame_or_the_sheet() {
    let place = run();
    let whole = place.files("a");
    let draw = |args: &[&str]| {
        let out = place.path("one.png");
        let all = [args, &["--size", "320x180", "--out", &out]].concat();
        assert_eq!(render(&place, &all).code, 0);
        std::fs::read(out).unwrap()
    };

    let frames = rendered(&place, "frames", &["--color-by", "speed", "--sheet", "2x1"]);
    assert!(draw(&["--color-by", "speed"]) == frames["frames/000006.png"]);
    assert!(draw(&["--color-by", "speed", "--sheet", "2x1"]) == frames["sheet.png"]);
    assert!(place.files("a") == whole);
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
            render(&place, &["--color-by", color])
                .exits(2)
                .complains(&place.path(&format!("a/{name}")));
            assert!(place.files("a") == before, "{name} by {color}");
        }
    }
}

/// Renders the run to another folder, and returns its files.
fn rendered(
    place: &Place,
    name: &str,
    args: &[&str],
) -> std::collections::BTreeMap<String, Vec<u8>> {
    let out = place.path(name);
    render(
        place,
        &[&["--out", &out, "--size", "320x180"], args].concat(),
    )
    .exits(0);
    place.files(name)
}

#[test]
fn pictures_are_the_same_bytes_on_any_number_of_threads() {
    let place = Place::new();
    place.completed("a", &["--steps", "9", "--no-frames"]);
    let common = [
        "--color-by",
        "stress",
        "--smooth",
        "--log",
        "--sheet",
        "2x2",
        "--animation",
        "apng",
    ];
    let one = rendered(&place, "one", &[&common[..], &["--threads", "1"]].concat());
    assert_eq!(one.len(), 12);
    for threads in ["2", "3", "7"] {
        let others = rendered(
            &place,
            "many",
            &[&common[..], &["--threads", threads]].concat(),
        );
        assert!(one == others, "{threads}");
    }
}

#[test]
fn every_option_of_pictures_changes_them_and_leaves_the_run_alone() {
    let place = run();
    let before = place.files("a");
    let usual = rendered(&place, "usual", &[]);
    let choices: [&[&str]; 18] = [
        &["--color-by", "stress"],
        &["--color-by", "stress", "--smooth"],
        &["--color-by", "stress", "--log"],
        &["--color-by", "stress", "--range", "1:1e3"],
        &["--color-by", "stress", "--palette", "grey"],
        &["--color-by", "speed", "--range", "frame"],
        &["--body-color", "upper=#00ff00"],
        &["--no-labels"],
        &["--transparent"],
        &["--follow", "upper"],
        &["--view", "-1,-1:1,1"],
        &["--camera", "0@0,0,1", "--camera", "1@1,0,2"],
        &["--fit"],
        &["--forces", "arrows"],
        &["--arrows", "--arrow-scale", "3"],
        &["--forces", "network"],
        &["--trace", "upper"],
        &["--trace", "lower@0,-0.5"],
    ];
    let mut seen = vec![usual["frames/000006.png"].clone()];
    for args in choices {
        let files = rendered(&place, "other", args);
        let last = files["frames/000006.png"].clone();
        assert!(!seen.contains(&last), "{args:?}");
        seen.push(last);
        assert_eq!(
            files.contains_key("animation.gif"),
            args != ["--transparent"]
        );
    }
    assert!(place.files("a") == before);
}

#[test]
fn the_range_is_that_of_the_frames_that_are_drawn() {
    // The squares are crushed at the end, to stresses far above those before.
    let place = Place::new();
    let crush = words(
        "--steps 200 --no-frames --set obstacles.ceiling.velocity=[0,-0.7] --set \
         obstacles.ceiling.travel=1.26",
    );
    place.completed("a", &crush);
    let last = |name: &str, args: &[&str]| {
        let color = ["--color-by", "stress", "--animation", "none"];
        rendered(&place, name, &[&color[..], args].concat())["frames/000150.png"].clone()
    };
    let part = last("b", &["--frames", "140..150"]);
    let whole = last("b", &["--range", "whole"]);
    let part_whole = last("b", &["--frames", "140..150", "--range", "whole"]);
    assert!(part != whole && part_whole != whole);

    // What was crushed is left out of the usual range of all frames: pictures before are not all dark.
    assert!(last("b", &[]) != whole);
}

#[test]
fn forces_are_drawn_in_one_manner() {
    let place = run();
    for (args, said) in [
        (
            &["--arrows", "--forces", "network"][..],
            "cannot be used with",
        ),
        (&["--arrow-scale", "2"], "required"),
        (&["--forces", "chains"], "possible values: arrows, network"),
        (
            &["--arrows", "--arrow-scale", "0"],
            "expected a number above 0",
        ),
    ] {
        render(&place, args).exits(2).complains(said);
    }
}

#[test]
fn frames_are_chosen_by_steps_and_the_last_one_is_always_drawn() {
    let place = Place::new();
    place.completed("a", &["--steps", "9", "--no-frames"]);
    let frames = |name: &str, args: &[&str]| {
        let files = rendered(&place, name, args);
        let frames = files.into_keys().filter_map(|file| {
            let name = file.strip_prefix("frames/")?.strip_suffix(".png")?;
            name.parse::<usize>().ok()
        });
        frames.collect::<Vec<_>>()
    };
    assert_eq!(frames("b", &["--every", "4"]), [0, 4, 8, 9]);
    assert_eq!(
        frames("b", &["--frames", "3..6", "--every", "2"]),
        [3, 5, 6]
    );
    render(&place, &["--frames", "70.."])
        .exits(2)
        .complains("its last one is 9");
}

#[test]
fn a_run_with_options_of_pictures_has_the_frames_that_render_draws() {
    let place = Place::new();
    let options = [
        "--color-by",
        "speed",
        "--smooth",
        "--no-labels",
        "--sheet",
        "2x1",
    ];
    place.completed("a", &[&["--steps", "5"], &options[..]].concat());
    place.completed("b", &["--steps", "5", "--no-frames"]);
    assert_eq!(render_into(&place, "b", &options).code, 0);
    let pictures = |name: &str| {
        let mut files = place.files(name);
        files.retain(|file, _| file.starts_with("frames/") || file.starts_with("sheet"));
        files
    };
    assert_eq!(pictures("a").len(), 7);
    assert!(pictures("a") == pictures("b"));
    assert_eq!(place.json("a/run.json")["frames"], 6);
}

/// Renders the run in the folder `name` again.
fn render_into(place: &Place, name: &str, args: &[&str]) -> Ended {
    ipcsim(&[&["render", &place.path(name)][..], args].concat())
}

#[test]
fn the_default_view_holds_where_bodies_really_go() {
    // A ball that flies off, which no script tells.
    let place = Place::new();
    let scene = r#"{ "time": { "step": 0.05, "steps": 20 }, "gravity": [0, 0],
        "materials": { "steel": { "density": 7800 } },
        "bodies": [
          { "name": "still", "kind": "rigid", "shape": { "circle": { "radius": 1 } }, "material": "steel" },
          { "name": "ball", "kind": "rigid", "shape": { "circle": { "radius": 0.5 } }, "material": "steel",
            "position": [3, 0], "velocity": [4, 0] } ],
        "output": { "width": 320, "height": 180 } }"#;
    std::fs::write(place.root().join("fly.json"), scene).unwrap();
    let file = place.path("fly.json");
    ipcsim(&["run", &file, "--out", &place.path("a"), "--quiet"]).exits(0);

    // The ball is at 7 m at the end, and the usual view ends at less than 5 m.
    let frames = place.files("a")["frames/000020.png"].clone();
    let wide = rendered(&place, "wide", &["--view", "-1.5,-2:8.5,2"])["frames/000020.png"].clone();
    assert_ne!(frames, wide);
    assert_eq!(render(&place, &[]).code, 0);
    assert!(frames == place.files("a")["frames/000020.png"]);
    let narrow = rendered(&place, "narrow", &["--view", "-1.5,-2:4.5,2"]);
    assert_ne!(frames, narrow["frames/000020.png"]);
}

#[test]
fn a_video_needs_ffmpeg_and_gets_all_frames() {
    let place = run();
    let video = place.path("film.mp4");
    let at = |path: &str| {
        assert_cmd::Command::new(env!("CARGO_BIN_EXE_ipcsim"))
            .args([
                "render",
                &place.path("a"),
                "--video",
                &video,
                "--size",
                "64x36",
                "--fps",
                "100",
            ])
            .env("PATH", path)
            .output()
            .unwrap()
    };
    let before = place.files("a");
    let missing = at("");
    let text = String::from_utf8(missing.stderr).unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(text.contains("ffmpeg writes videos"), "{text}");
    assert!(place.files("a") == before);

    // A program that stores what it reads: frames at 0, 4 and 6 of 100 a second, and the last for a second.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let fake = place.root().join("ffmpeg");
        std::fs::write(
            &fake,
            "#!/bin/sh\nfor last; do :; done\n/bin/cat > \"$last\"\n",
        )
        .unwrap();
        std::fs::set_permissions(&fake, PermissionsExt::from_mode(0o755)).unwrap();
        let ended = at(place.root().to_str().unwrap());
        assert_eq!(
            ended.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
        let bytes = std::fs::metadata(&video).unwrap().len();
        assert_eq!(bytes, 64 * 36 * 4 * (4 + 2 + 100));
    }
    render(&place, &["--video", "film.avi"])
        .exits(2)
        .complains(".mp4 or .webm");
}
