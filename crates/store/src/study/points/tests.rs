use super::*;
use crate::study::Plan;
use serde_json::json;

/// Points of a plan's `vary`.
fn points(vary: &Value) -> Result<Points, StudyError> {
    let text = json!({ "scene": "a.json", "vary": vary }).to_string();
    Points::new(&Plan::parse(&text).unwrap().vary, &[])
}

#[test]
fn entries_multiply_and_the_last_one_is_fastest() {
    let vary = json!([
        { "list": { "key": "a", "values": [1, "x"] } },
        { "range": { "key": "b", "from": 0, "to": 1, "count": 3 } },
        { "points": { "keys": ["c", "d"], "values": [[7, 8], [9, 10]] } }
    ]);
    let points = points(&vary).unwrap();
    assert_eq!(points.count(), 12);
    let all: Vec<Vec<Value>> = (0..12).map(|run| points.values(run)).collect();
    assert_eq!(all[0], [json!(1), json!(0), json!(7), json!(8)]);
    assert_eq!(all[3], [json!(1), json!(0.5), json!(9), json!(10)]);
    assert_eq!(all[11], [json!("x"), json!(1), json!(9), json!(10)]);
}

#[test]
fn ratios_are_equal_and_both_ends_are_met() {
    let vary =
        json!([{ "range": { "key": "a", "from": 0.1, "to": 1000.0, "count": 5, "scale": "log" } }]);
    let points = points(&vary).unwrap();
    let values: Vec<f64> = (0..5)
        .map(|run| points.values(run)[0].as_f64().unwrap())
        .collect();
    for (value, expected) in values.iter().zip([0.1, 1.0, 10.0, 100.0, 1000.0]) {
        assert!((value / expected - 1.0).abs() < 1e-14, "{values:?}");
    }
    assert_eq!([values[0], values[4]], [0.1, 1000.0]);
}

#[test]
fn a_latin_hypercube_has_one_point_in_each_part_of_every_interval() {
    let sample = json!({ "runs": 97, "seed": 5, "over": [
        { "key": "a", "from": 0, "to": 1 },
        { "key": "b", "from": -3, "to": 3 }
    ] });
    let cube = points(&json!([{ "latin_hypercube": sample }])).unwrap();
    let random = points(&json!([{ "random": sample }])).unwrap();
    for (column, from, length) in [(0, 0.0, 1.0), (1, -3.0, 6.0)] {
        let parts = |points: &Points| {
            let mut hit = BTreeSet::new();
            for run in 0..97 {
                let value = points.values(run)[column].as_f64().unwrap();
                hit.insert(((value - from) / length * 97.0).floor().to_bits());
            }
            hit
        };

        let all = (0..97).map(|part| f64::from(part).to_bits());
        assert_eq!(parts(&cube), all.collect());
        // Independent numbers leave about 1/e of the parts empty.
        assert!((45..80).contains(&parts(&random).len()));
    }
}

#[test]
fn numbers_of_a_key_do_not_depend_on_other_entries() {
    let random =
        json!({ "random": { "runs": 3, "seed": 9, "over": [{ "key": "a", "from": 0, "to": 1 }] } });
    let list = json!({ "list": { "key": "b", "values": [1, 2] } });
    let alone = points(&json!([random])).unwrap();
    let both = points(&json!([list, random])).unwrap();
    for run in 0..6 {
        assert_eq!(both.values(run)[1], alone.values(run % 3)[0]);
    }
}

#[test]
fn entries_without_points_are_refused() {
    let message = |vary: Value| points(&vary).unwrap_err().to_string();
    let empty = message(json!([{ "list": { "key": "a", "values": [] } }]));
    assert_eq!(empty, "vary[0]: it has no values");
    let log = json!([{ "range": { "key": "a", "from": 0, "to": 1, "count": 2, "scale": "log" } }]);
    assert_eq!(
        message(log),
        "vary[0]: \"a\" goes from 0 to 1; on the scale \"log\" both must be above 0"
    );
    let one = json!({ "list": { "key": "a", "values": [1] } });
    assert_eq!(message(json!([one, one])), "vary: \"a\" varies twice");
    let short = json!([{ "points": { "keys": ["a", "b"], "values": [[1, 2], [3]] } }]);
    assert_eq!(
        message(short),
        "vary[0]: point 1 has 1 values, but there are 2 keys"
    );
}
