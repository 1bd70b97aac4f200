use super::*;
use crate::damage;
use crate::lock::refuse_busy;
use ipcsim::contact::{AdaptedPair, GapAtRest};
use ipcsim::solve::{Counts, Status};
use ipcsim::time::{Broke, CellRecord, Fallback, Reading, Record, Recovery};

/// Record of a step with numbers that formats get wrong.
fn record(step: usize) -> Record {
    Record {
        step,
        time: 0.1 * step as f64,
        kinetic: 1.5,
        potentials: vec![-2.0, f64::MIN_POSITIVE],
        total: 3.0,
        momentum: Vec2::new(-0.0, 1e300),
        imbalance: 1e-9,
        stiffening: 0.25,
        unstable: (step > 1).then_some(2),
        asleep: (step > 2).then_some(3),
        cell: (step > 1).then_some(CellRecord {
            strain: [0.1, -0.2, 0.0],
            stress: Some([1e6, 0.0, -3.0]),
        }),
        ledger: None,
        chambers: Vec::new(),
        newton_iterations: 7,
        contacts: 300,
        min_gap: (step > 1).then_some(1e-9),
        min_area_ratio: None,
        flattest: None,
    }
}

/// A joint that broke within the step.
fn broke() -> Vec<Broke> {
    vec![Broke {
        joint: 1,
        from: 0.5,
    }]
}

/// Report of a step with every kind of value.
fn report(step: usize) -> StepReport {
    let recovery = Recovery {
        rung: Fallback::HalvedStep,
        kind: "iterations".to_owned(),
        why: "after 500 iterations".to_owned(),
    };
    StepReport {
        status: Status::RoundingReached,
        residual: 1e-7,
        lag_residual: 0.0,
        late_contacts: 2,
        lowered: 3,
        held: 0.5,
        hash: 7,
        recovery: Some(recovery),
        substeps: None,
        broke: broke(),
        woken: vec![0, 3],
        adapted: vec![AdaptedPair {
            bodies: [0, 2],
            times: 3,
            reach: Some(0.25),
        }],
        gap_at_rest: Some(GapAtRest {
            bodies: [0, 1],
            gap: 1e-5,
            share: 0.1,
        }),
        over: false,
        measures: vec![Some(Reading::of(0.5)), None],
        record: record(step),
    }
}

/// Entry of a step with numbers that formats get wrong, and with lists that depend on the step.
fn entry(step: usize) -> Entry {
    let report = report(step);

    // No segment in every third step, no positions in every second.
    let way = vec![
        Place {
            x: vec![Vec2::new(0.5, -0.0)],
            turns: vec![[1.0, 2.0, 3.0]]
        };
        step % 3
    ];
    let x = step
        .is_multiple_of(2)
        .then(|| vec![Vec2::new(step as f64, 0.25); 3]);
    Entry {
        report,
        timings: Timings::default(),
        counts: Counts::default(),
        whole: Duration::from_nanos(41),
        x,
        way,
        forces: (step > 1).then(Sums::default),
        joints: (step > 1).then(Vec::new),
        bodies: (step > 1).then(|| {
            vec![[
                Some(0.5),
                None,
                Some(-0.0),
                None,
                None,
                None,
                None,
                None,
                None,
                Some(2e4),
                Some(1e-5),
            ]]
        }),
        contacts: Vec::new(),
        v: (step > 2).then(|| vec![Vec2::new(-0.0, step as f64); 3]),
        on_vertices: (step > 1).then(|| {
            vec![VertexContact {
                vertex: 2,
                normal: Vec2::new(1.0, 1e-300),
                friction: Vec2::new(-1.0, 0.5),
                per_length: 3e4,
            }]
        }),
        flowed: vec![Flow::default(); step],
    }
}

/// A journal of four entries, and where they end.
fn journal(path: &Path) -> (Vec<Entry>, Vec<usize>) {
    let entries: Vec<Entry> = (0..4).map(entry).collect();
    let mut journal = Journal::create(path).unwrap();

    let mut ends = Vec::new();
    for entry in &entries {
        journal.add(entry).unwrap();
        ends.push(usize::try_from(journal.end().0).unwrap());
    }

    let back: Result<Vec<Entry>, JournalError> = journal.read_back().unwrap().collect();
    assert_eq!(back.unwrap(), entries);
    (entries, ends)
}

/// All entries that can be read.
fn read(path: &Path) -> Vec<Entry> {
    JournalReader::open(path)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

#[test]
fn a_journal_cut_anywhere_gives_the_records_that_are_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let (entries, ends) = journal(&path);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes.len(), ends[3]);

    for length in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let whole = ends.iter().filter(|&&end| end <= length).count();
        assert_eq!(read(&path), entries[..whole], "{length}");
    }
}

#[test]
fn no_flipped_bit_of_a_journal_is_taken_for_good() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let (entries, ends) = journal(&path);
    let bytes = std::fs::read(&path).unwrap();

    for (bit, flipped) in damage::flipped(&bytes) {
        std::fs::write(&path, &flipped).unwrap();
        let before = ends.iter().filter(|&&end| end <= bit / 8).count();
        assert_eq!(read(&path), entries[..before], "bit {bit}");
    }
}

#[test]
fn a_journal_is_reopened_where_a_checkpoint_says() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let (entries, ends) = journal(&path);

    // After two records, the others are written again.
    let whole = std::fs::read(&path).unwrap();
    let mut journal = Journal::open(&path, ends[1] as u64, 2).unwrap();
    for entry in &entries[2..] {
        journal.add(entry).unwrap();
    }
    journal.sync().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    assert_eq!(journal.end(), (ends[3] as u64, 4));
}

#[test]
fn one_process_at_a_time_has_a_journal() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    refuse_busy(&path).unwrap();

    let journal = Journal::create(&path).unwrap();
    for refused in [
        refuse_busy(&path).unwrap_err(),
        Journal::create(&path).unwrap_err(),
    ] {
        assert!(
            refused
                .to_string()
                .starts_with("a run under way writes to "),
            "{refused}"
        );
    }

    drop(journal);
    refuse_busy(&path).unwrap();
}

#[test]
fn a_journal_that_lost_records_says_how_many() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let (_, ends) = journal(&path);
    let mut open = Journal::open(&path, ends[3] as u64, 4).unwrap();

    // The file is cut within its third record.
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(ends[1] as u64 + 5)
        .unwrap();

    let read: Vec<_> = open.read_back().unwrap().collect();
    assert!(read[0].is_ok() && read[1].is_ok() && read.len() == 4);
    let message = read[2].as_ref().unwrap_err().to_string();
    assert!(
        message.contains(&format!("damaged after byte {}: 2 of 4 records", ends[1])),
        "{message}"
    );
}

#[test]
fn an_entry_of_another_world_does_not_fit() {
    let layout = Layout {
        vertices: 3,
        turning: std::iter::once(0..2).collect(),
    };
    let own = Entry {
        way: vec![Place {
            x: vec![Vec2::zeros(); 3],
            turns: vec![[0.0; 3]],
        }],
        ..entry(2)
    };
    assert!(own.fits(&layout, 2, 1) && !own.fits(&layout, 3, 1));

    // Layouts with fewer or more vertices, or without turning bodies.
    let [fewer, more] = [2, 4].map(|vertices| Layout {
        vertices,
        ..layout.clone()
    });
    assert!(!own.fits(&fewer, 2, 1) && !own.fits(&more, 2, 1));
    assert!(!own.fits(
        &Layout {
            turning: Vec::new(),
            ..layout.clone()
        },
        2,
        1
    ));
    assert!(
        Entry {
            x: None,
            way: Vec::new(),
            on_vertices: None,
            flowed: Vec::new(),
            ..own
        }
        .fits(&more, 2, 1)
    );
}
