use super::*;
use crate::damage;
use ipcsim::body::Coordinates;
use ipcsim::contact::{AdaptedPair, Anchor};
use ipcsim::material::Flow;
use ipcsim::math::Vec2;
use ipcsim::solve::Pattern;
use ipcsim::time::{
    AdaptiveMemory, EnergyMemory, GasMemory, OptionMemory, Parameters, Past, PathMemory,
    PlasticityMemory, Rest, SleepMemory, StepMemory, StickingMemory, StiffeningMemory,
};

/// Memory in which every option has left something.
fn options() -> OptionMemory {
    OptionMemory {
        stiffening: StiffeningMemory {
            adapted: vec![AdaptedPair {
                bodies: [0, 1],
                times: 2,
                reach: Some(0.125),
            }],
        },
        sticking: StickingMemory {
            anchors: vec![Anchor {
                vertices: [2, 2, 0, 1],
                other: 1,
                slip: 1e-6,
            }],
        },

        // Numbers that are there only with their option.
        adaptive: AdaptiveMemory { pace: Some(0.125) },
        arc_length: PathMemory { gained: Some(-0.5) },
        energy_correction: EnergyMemory { owed: Some(0.75) },
        plasticity: PlasticityMemory {
            flowed: vec![Flow::default(); 2],
        },
        sleep: SleepMemory {
            rest: vec![Rest::default()],
        },
        gas: GasMemory { amounts: vec![0.5] },
    }
}

fn checkpoint(step: usize) -> Checkpoint {
    let x = vec![Vec2::new(0.1, -0.0), Vec2::new(1e300, f64::MIN_POSITIVE)];
    let pattern = Pattern {
        fixed: vec![[true, false], [false; 2]],
        pairs: vec![[0, 1]],
    };

    Checkpoint {
        version: VERSION.to_owned(),
        identity: 7,
        options: RunOptions::default(),
        state: SavedState {
            parameters: Parameters::default(),
            step,
            time: 0.5,
            q: x.clone(),
            q_dot: x.clone(),
            memory: StepMemory {
                history: vec![Past {
                    q: x.clone(),
                    q_dot: x.clone(),
                    h: 0.25,
                }],
                multipliers: vec![Vec2::new(3.0, -4.0)],
                turned: vec![Vec2::new(0.5, 7.0)],
                broken: vec![true, false],
                options: options(),
            },
        },
        memory: SolverMemory {
            reference: x,
            margin: vec![0.5, 0.25],
            patterns: vec![pattern],
        },
        journal: (1000, 3),
        queries: Some((10, 1)),
    }
}

/// A folder that is removed at the end.
fn folder() -> (tempfile::TempDir, RunFolder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::existing(dir.path());
    (dir, folder)
}

#[test]
fn a_checkpoint_is_read_back_and_the_last_two_are_kept() {
    let (dir, folder) = folder();
    for step in [5, 10, 999_999, 1_000_000] {
        checkpoint(step).write(&folder, true).unwrap();
    }
    assert_eq!(steps(&folder).unwrap(), [999_999, 1_000_000]);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    assert_eq!(
        Checkpoint::read(&folder, 1_000_000, 7).unwrap(),
        checkpoint(1_000_000)
    );
}

#[test]
fn every_flipped_bit_and_every_cut_is_refused() {
    let (_dir, folder) = folder();
    checkpoint(5).write(&folder, true).unwrap();
    let path = path(&folder, 5);
    damage::assert_noticed(&path, || {
        matches!(
            Checkpoint::read(&folder, 5, 7),
            Err(CheckpointError::Damaged { .. })
        )
    });
}

#[test]
fn another_format_version_scene_or_step_is_refused_by_name() {
    let (_dir, folder) = folder();
    let message = |read: Result<Checkpoint, CheckpointError>| read.unwrap_err().to_string();

    // Another version.
    Checkpoint {
        version: "0.0.9".to_owned(),
        ..checkpoint(5)
    }
    .write(&folder, true)
    .unwrap();
    let other = message(Checkpoint::read(&folder, 5, 7));
    assert!(
        other.contains("written by version 0.0.9, this is version"),
        "{other}"
    );

    // Another identity, and another step than the file's name says.
    checkpoint(6).write(&folder, true).unwrap();
    let other = message(Checkpoint::read(&folder, 6, 8));
    assert!(other.contains("another scene or other options"), "{other}");

    let bytes = std::fs::read(path(&folder, 6)).unwrap();
    std::fs::write(path(&folder, 7), &bytes).unwrap();
    assert!(matches!(
        Checkpoint::read(&folder, 7, 7),
        Err(CheckpointError::Damaged { .. })
    ));

    // Another format, with a checksum that agrees.
    let mut body = bytes[..bytes.len() - 4].to_vec();
    body[SEAL.magic.len()] = 1;
    let checksum = crc32fast::hash(&body).to_le_bytes();
    std::fs::write(path(&folder, 6), [&body[..], &checksum].concat()).unwrap();
    let other = message(Checkpoint::read(&folder, 6, 7));
    assert!(
        other.contains("written by a program with format 1 of checkpoints"),
        "{other}"
    );
}

#[test]
fn a_length_that_is_not_true_does_not_take_memory() {
    let (_dir, folder) = folder();

    // After the version: an identity, a step, and a list said to have 2^63 entries.
    let mut body = [&SEAL.begin()[..], &[5], VERSION.as_bytes(), &[7, 5]].concat();
    body.extend([0xff; 8]);
    body.push(0x7f);

    // A checksum that agrees.
    let checksum = crc32fast::hash(&body).to_le_bytes();
    std::fs::write(path(&folder, 5), [&body[..], &checksum].concat()).unwrap();
    assert!(matches!(
        Checkpoint::read(&folder, 5, 7),
        Err(CheckpointError::Version { .. })
    ));
}

#[test]
fn a_state_that_is_not_finite_is_none() {
    let mut coordinates = Coordinates::default();
    coordinates.add_free(2);
    assert!(checkpoint(5).state.restore(&coordinates).is_some());
    for number in [f64::NAN, f64::INFINITY] {
        let mut other = checkpoint(5);
        other.state.q_dot[1].x = number;
        assert_eq!(other.state.restore(&coordinates), None);
    }
}
