use super::*;
use clap::Parser;

/// Program with the arguments of the command only.
#[derive(Parser)]
struct Program {
    #[command(flatten)]
    args: CcdArgs,
}

/// Beginning of a query whose point falls through the edge at `t = 0.75`.
const FALL: &str = r#"{"id": 7, "p0": [0, 3], "e00": [-1, 0], "e10": [1, 0], "p1": [0, -1], "e01": [-1, 0], "e11": [1, 0]"#;
/// Beginning of a query whose point rises from the edge.
const RISE: &str = r#"{"id": 3, "p0": [0, 3], "e00": [-1, 0], "e10": [1, 0], "p1": [0, 4], "e01": [-1, 0], "e11": [1, 0]"#;

/// Outcome or message, standard output and standard error for a file with `text`.
fn answered(text: &str, options: &[&str]) -> (Result<Outcome, String>, String, String) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let command = [["ccd", file.path().to_str().unwrap()].as_slice(), options].concat();
    let args = Program::try_parse_from(command)
        .unwrap_or_else(|error| error.exit())
        .args;

    let mut out = Vec::new();
    let mut err = Vec::new();
    let outcome = run(&args, &mut out, &mut err).map_err(|error| error.to_string());
    (
        outcome,
        String::from_utf8(out).unwrap(),
        String::from_utf8(err).unwrap(),
    )
}

#[test]
fn every_query_is_answered_in_input_order() {
    for method in ["exact", "additive", "inclusion"] {
        let (outcome, out, err) =
            answered(&format!("{FALL}}}\n\n{RISE}}}\n"), &["--method", method]);
        assert_eq!(outcome, Ok(Outcome::Done));

        let answers = out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect::<Vec<serde_json::Value>>();
        assert_eq!(answers.len(), 2);
        assert!(
            answers[0]["id"] == 7
                && answers[0]["hit"] == true
                && answers[0]["toi"].as_f64().unwrap() <= 0.75
        );
        assert_eq!(
            answers[1],
            serde_json::json!({"id": 3, "hit": false, "toi": null})
        );
        assert_eq!(err, "2 queries, 1 hit\n");
    }
}

#[test]
fn known_answers_are_compared_with() {
    let text = format!(
        "{FALL}, \"hits\": true, \"toi_exact\": \"0.75\"}}\n{FALL}, \"hits\": false}}\n{RISE}, \"hits\": false}}"
    );
    let (outcome, _, err) = answered(&text, &[]);
    assert_eq!(outcome, Ok(Outcome::Done));
    assert!(
        err.contains("3 known answers: 0 false negatives, 1 false positive"),
        "{err}"
    );
    assert!(
        err.contains("mean toi/exact over 1 hit with exact > 0: 0.9995"),
        "{err}"
    );
}

#[test]
fn a_false_negative_fails() {
    let text = format!("{RISE}, \"hits\": true, \"toi_exact\": \"0.5\"}}");
    let (outcome, _, err) = answered(&text, &[]);
    assert_eq!(outcome, Ok(Outcome::Failed));
    assert!(
        err.contains("1 false negative\n") || err.contains("1 false negative,"),
        "{err}"
    );

    // Known answers are for a separation of zero.
    assert_eq!(
        answered(&text, &["--min-separation", "0.1"]).0,
        Ok(Outcome::Done)
    );
}

#[test]
fn a_separation_makes_the_impact_earlier() {
    let (_, out, _) = answered(&format!("{FALL}}}"), &["--min-separation", "1"]);
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    let toi = answer["toi"].as_f64().unwrap();
    assert!((0.999 * 0.5..=0.5).contains(&toi), "{toi}");
}

#[test]
fn a_malformed_line_is_named_with_what_was_expected() {
    let bad = [
        "{\"id\": 1}",
        "[]",
        "nonsense",
        &FALL.replace("[0, 3]", "[0]"),
        &format!("{}}}", FALL.replace("[0, 3]", "[0, 1e999]")),
        &format!("{FALL}, \"hits\": true, \"toi_exact\": \"soon\"}}"),
    ];
    for line in bad {
        let (outcome, out, _) = answered(&format!("{RISE}}}\n{line}\n"), &[]);
        let message = outcome.unwrap_err();
        assert!(!message.contains("line 1"), "{message}");
        assert!(
            message.starts_with("line 2: ") && message.contains("expected an object with"),
            "{message}"
        );
        assert_eq!(out.lines().count(), 1, "what came before is answered");
    }
}

#[test]
fn a_missing_file_and_a_bad_separation_are_refused() {
    let args = Program::try_parse_from(["ccd", "no/such/file.jsonl"])
        .unwrap_or_else(|error| error.exit())
        .args;
    let message = run(&args, &mut Vec::new(), &mut Vec::new())
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("cannot read no/such/file.jsonl: "),
        "{message}"
    );
    for bad in ["-1", "nan", "inf", "wide"] {
        assert!(Program::try_parse_from(["ccd", "f", &format!("--min-separation={bad}")]).is_err());
    }
}

#[test]
fn a_line_without_an_end_is_refused_before_it_fills_memory() {
    let message = answered(&format!("{RISE}}}\n{}", " ".repeat(2_000_000)), &[])
        .0
        .unwrap_err();
    assert!(
        message.starts_with("line 2: more than 1000000 bytes; expected an object"),
        "{message}"
    );
}
