//! `ipcsim ccd` and `ipcsim run --record-ccd`.

use crate::program::{Place, ipcsim};

#[test]
fn every_method_answers_the_reference_queries_without_a_false_negative() {
    for method in ["exact", "additive", "inclusion"] {
        let ended = ipcsim(&["ccd", "tests/data/ccd_queries.jsonl", "--method", method]);
        assert_eq!(
            (ended.code, ended.stdout.lines().count()),
            (0, 690),
            "{method}: {}",
            ended.stderr
        );
        ended
            .complains("690 queries")
            .complains("0 false negatives");
    }
}

#[test]
fn the_queries_of_a_run_can_be_recorded_and_asked_again() {
    let place = Place::new();
    let file = place.path("queries.jsonl");
    place.completed(
        "a",
        &[
            "--steps",
            "120",
            "--no-frames",
            "--quiet",
            "--record-ccd",
            &file,
        ],
    );
    place.completed("b", &["--steps", "120", "--no-frames", "--quiet"]);

    assert_eq!(place.read("a/energies.csv"), place.read("b/energies.csv"));
    let recorded = place.read("queries.jsonl");
    assert!(recorded.starts_with("{\"id\":0,\"p0\":[") && recorded.lines().count() > 10);

    let asked = ipcsim(&["ccd", &file]);
    assert_eq!(
        (asked.code, asked.stdout.lines().count()),
        (0, recorded.lines().count())
    );
}

#[test]
fn a_malformed_line_is_named_by_its_number() {
    let place = Place::new();
    let file = place.path("queries.jsonl");
    std::fs::write(&file, "{\"id\":0,\"p0\":[0,1]}\n").unwrap();
    ipcsim(&["ccd", &file]).exits(2).complains("line 1");
    assert_eq!(ipcsim(&["ccd", "no/such/file.jsonl"]).code, 2);
}
