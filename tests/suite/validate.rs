//! Validation: the quick cases, and `ipcsim validate` from end to end.

use crate::program::{Place, ipcsim};
use ipcsim_validate::{Case, Verdict, Weight, cases, run_all};

/// Cases that take less than a second.
fn quick() -> Vec<Case> {
    let mut cases = cases::ALL.to_vec();
    cases.retain(|case| case.weight == Weight::Quick);
    cases
}

#[test]
fn no_quick_case_fails() {
    let reports = run_all(&quick(), None, |_| ()).unwrap();
    for report in reports {
        let failed: Vec<_> = report
            .quantities()
            .iter()
            .filter(|quantity| quantity.verdict() == Verdict::Fail)
            .collect();
        let name = report.case.name;
        assert!(
            report.verdict != Verdict::Fail,
            "{name}: {failed:#?} {:?}",
            report.error
        );
    }
}

#[test]
#[ignore = "takes minutes"]
fn no_case_fails() {
    let reports = run_all(cases::ALL, None, |_| ()).unwrap();
    let failed: Vec<_> = reports
        .iter()
        .filter(|report| report.verdict == Verdict::Fail)
        .map(|report| report.case.name)
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn there_are_many_cases_and_a_list_of_them() {
    assert!(cases::ALL.len() >= 50, "{}", cases::ALL.len());
    let ended = ipcsim(&["validate", "--list"]);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.stdout.lines().count(), cases::ALL.len());
}

#[test]
fn a_selection_runs_prints_a_table_and_writes_a_page_that_stands_alone() {
    let place = Place::new();
    let folder = place.path("new/folder");
    let ended = ipcsim(&["validate", "rest_gap", "*flight", "--out", &folder]);
    ended.exits(0).prints("2 cases, 15 quantities: 2 pass");
    for line in ended.stdout.lines().filter(|line| line.contains(" rel ")) {
        assert!(line.chars().count() <= 100, "{line}");
    }

    let page = place.read("new/folder/validate.html");
    for wanted in ["<svg", "id=\"rest_gap\"", "href=\"#motion_flight\""] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for unwanted in ["http:", "https:", "<script", "<link", "url("] {
        assert!(!page.contains(unwanted), "{unwanted}");
    }
}

#[test]
fn results_are_the_same_on_any_number_of_threads_and_json_is_for_scripts() {
    let place = Place::new();
    let texts = ["1", "3"].map(|threads| {
        let page = place.path("page.html");
        let args = [
            "validate",
            "rest",
            "--quick",
            "--json",
            "--threads",
            threads,
        ];
        let ended = ipcsim(&[&args[..], &["--out", &page]].concat());
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        ended.stdout + &place.read("page.html")
    });
    assert_eq!(texts[0], texts[1]);

    let json = texts[0].split("<!DOCTYPE").next().unwrap();
    let reports: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(reports[0]["name"], "rest_gap");
    assert_eq!(reports[0]["quantities"][0]["bound"]["relative"], 1e-8);
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest_one() {
    let ended = ipcsim(&["validate", "rest_gup"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
    ended.complains("no case is named \"rest_gup\"; did you mean \"rest_gap\"?");
}
