//! Every narrow phase against exact arithmetic.

use crate::ccd_families::{self as families, Family, Random};
use crate::ccd_oracle::impact;
use ipcsim::contact::ccd::{NarrowPhase, Query};
use ipcsim::math::Vec2;
use rayon::prelude::*;
use std::cmp::Ordering;

/// Error of an answer, if any. By any method, no impact may be missed and none reported late.
fn unsafe_answer(query: &Query, toi: Option<f64>) -> Option<&'static str> {
    match (impact(query), toi) {
        (Some(_), None) => Some("a missed impact"),
        (Some(exact), Some(toi)) if exact.compare(toi, 1, 1) == Ordering::Greater => {
            Some("later than the impact")
        }
        (None, Some(toi)) if !(0.0..=1.0).contains(&toi) => Some("not in the step"),
        _ => None,
    }
}

/// Error of an answer of the exact method, if any. Also, no impact may be invented or reported much
/// too early.
fn inexact_answer(query: &Query, toi: Option<f64>) -> Option<&'static str> {
    let (exact, toi) = match (impact(query), toi) {
        (None, None) => return None,
        (Some(_), None) => return Some("a missed impact"),
        (None, Some(_)) => return Some("an invented impact"),
        (Some(exact), Some(toi)) => (exact, toi),
    };

    // 0.999 of a time below the normal numbers may not be a number.
    let normal = exact.compare(f64::MIN_POSITIVE, 1, 1) != Ordering::Greater;
    if exact.compare(toi, 1, 1) == Ordering::Greater {
        Some("later than the impact")
    } else if normal && exact.compare(toi, 1000, 999) == Ordering::Less {
        Some("earlier than 0.999 of the impact")
    } else if normal && toi <= 0.0 && !exact.is_zero() {
        Some("no way at all to a later impact")
    } else {
        None
    }
}

type Check = fn(&Query, Option<f64>) -> Option<&'static str>;

fn hold(method: NarrowPhase, check: Check, (name, generate): Family, count: u32) {
    let mut random = Random(name.len() as u64);
    for i in 0..count {
        let query = generate(&mut random);
        let toi = method.time_of_impact(&query, 0.0);
        if let Some(problem) = check(&query, toi) {
            panic!("{name} {i}, {method:?}: {problem}: {toi:?} {query:?}");
        }
    }
}

#[test]
fn the_exact_method_decides_every_query_as_exact_arithmetic_does() {
    for family in families::ALL {
        hold(NarrowPhase::Exact, inexact_answer, family, 10_000);
    }
}

#[test]
#[ignore = "some minutes"]
fn the_exact_method_decides_a_hundred_million_queries_as_exact_arithmetic_does() {
    let each = 100_000_000_u32.div_ceil(u32::try_from(families::ALL.len()).unwrap());
    let all = families::ALL.par_iter();
    all.for_each(|&family| hold(NarrowPhase::Exact, inexact_answer, family, each));
}

#[test]
fn the_bounded_methods_miss_no_impact_and_report_none_late() {
    for method in [NarrowPhase::Additive, NarrowPhase::Inclusion] {
        for family in families::ALL {
            hold(method, unsafe_answer, family, 1000);
        }
    }
}

#[test]
#[ignore = "some minutes"]
fn the_bounded_methods_miss_none_of_a_hundred_thousand_impacts() {
    for method in [NarrowPhase::Additive, NarrowPhase::Inclusion] {
        for family in families::ALL {
            hold(method, unsafe_answer, family, 100_000);
        }
    }
}

#[test]
fn every_family_has_impacts_and_misses() {
    for (name, generate) in families::ALL {
        let mut random = Random(1);
        let hits = (0..1000)
            .filter(|_| impact(&generate(&mut random)).is_some())
            .count();
        assert!(
            (5..=995).contains(&hits),
            "{name}: {hits} of 1000 are impacts"
        );
    }
}

/// Query of the reference file with its answer in exact arithmetic.
struct Reference {
    id: u64,
    query: Query,
    hits: bool,
    toi: f64,
}

fn references() -> Vec<Reference> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/ccd_queries.jsonl");
    let vector = |value: &serde_json::Value| {
        Vec2::new(value[0].as_f64().unwrap(), value[1].as_f64().unwrap())
    };

    let mut references = Vec::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        references.push(Reference {
            id: value["id"].as_u64().unwrap(),
            query: Query {
                start: ["p0", "e00", "e10"].map(|key| vector(&value[key])),
                end: ["p1", "e01", "e11"].map(|key| vector(&value[key])),
            },
            hits: value["hits"].as_bool().unwrap(),
            toi: value["toi_f64"].as_f64().unwrap_or(f64::INFINITY),
        });
    }
    references
}

#[test]
fn the_reference_queries_have_the_recorded_answers() {
    let references = references();
    assert_eq!(references.len(), 690);

    for Reference {
        id,
        query,
        hits,
        toi: exact,
    } in references
    {
        assert_eq!(impact(&query).is_some(), hits, "{id}: the oracle");

        // Every method finds each impact, and not too late.
        for method in NarrowPhase::ALL {
            let toi = method.time_of_impact(&query, 0.0);
            assert!(toi.is_some() || !hits, "{id}: {method:?} misses an impact");
            assert!(
                toi.is_none_or(|toi| toi <= exact),
                "{id}: {method:?} is late"
            );
        }

        // The exact one finds no others, and none too early.
        let toi = NarrowPhase::Exact.time_of_impact(&query, 0.0);
        assert_eq!(toi.is_some(), hits, "{id}: exact invents an impact");
        assert!(
            toi.is_none_or(|toi| toi >= 0.999 * exact),
            "{id}: exact is early: {toi:?} {exact}"
        );
    }
}

#[test]
fn a_position_that_is_not_a_number_is_an_impact_at_once() {
    for (vertex, at_end) in [(0, false), (1, false), (2, true)] {
        let mut query = families::random(&mut Random(3));
        let x = if at_end {
            &mut query.end
        } else {
            &mut query.start
        };
        x[vertex] = Vec2::new(f64::NAN, f64::NAN);

        for method in NarrowPhase::ALL {
            for separation in [0.0, 1e-3] {
                assert_eq!(
                    method.time_of_impact(&query, separation),
                    Some(0.0),
                    "{method:?} {query:?}"
                );
            }
        }
    }
}

#[test]
fn an_infinite_motion_is_an_impact_at_once_unless_its_direction_tells() {
    let edge = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
    let flies = |y: f64| Query {
        start: [Vec2::y(), edge[0], edge[1]],
        end: [Vec2::y() * y, edge[0], edge[1]],
    };

    for method in NarrowPhase::ALL {
        assert_eq!(method.time_of_impact(&flies(f64::INFINITY), 0.0), None);
        assert_eq!(
            method.time_of_impact(&flies(f64::NEG_INFINITY), 0.0),
            Some(0.0)
        );
        assert!(method.time_of_impact(&flies(-1e200), 0.0).unwrap() <= 1e-200);
    }
}

#[test]
fn the_largest_doubles_and_the_smallest_are_decided_like_others() {
    for size in [f64::MAX, 1e200, 1.0, 1e-200, 1e-310] {
        let vector = |x: f64, y: f64| Vec2::new(x * size, y * size);
        let falls = Query {
            start: [vector(0.0, 1.0), vector(-1.0, -1.0), vector(1.0, -1.0)],
            end: [vector(0.0, -1.0), vector(-1.0, 1.0), vector(1.0, 1.0)],
        };

        for method in NarrowPhase::ALL {
            let toi = method.time_of_impact(&falls, 0.0).unwrap();
            let early = if method == NarrowPhase::Exact {
                0.001
            } else {
                0.11
            };
            assert!(
                toi <= 0.5 && toi >= 0.5 * (1.0 - early),
                "{method:?} {size}: {toi}"
            );
        }
    }
}

#[test]
fn a_second_impact_is_not_lost_where_the_product_of_the_roots_vanishes() {
    let at = Vec2::new;
    let query = Query {
        start: [
            at(0.013_031_678_004_163_327, 0.0),
            at(-5.2e-215, 0.0),
            at(-1.1e-238, 2.657_786_616_839_190_6e-103),
        ],
        end: [
            at(-2.2e-244, -9.420_935_849_330_974e-46),
            at(-6.7e-266, 0.0),
            at(2.0e-239, -8.056_224_966_749_504e-35),
        ],
    };
    assert!(impact(&query).is_some());
    assert_eq!(
        inexact_answer(&query, NarrowPhase::Exact.time_of_impact(&query, 0.0)),
        None
    );
}

#[test]
fn methods_agree_that_a_slide_at_a_gap_makes_no_impact_or_end_safely() {
    for gap in [1e-1, 1e-4, 1e-9, 1e-15] {
        let along = Vec2::new(0.8, 0.6);
        let lift = Vec2::new(-0.6, 0.8) * gap;
        let query = Query {
            start: [lift - along * 0.5, -along, along],
            end: [lift + along * 0.5, -along, along],
        };

        assert_eq!(
            NarrowPhase::Exact.time_of_impact(&query, 0.0),
            None,
            "{gap}"
        );
        assert_eq!(
            NarrowPhase::Exact.time_of_impact(&query, gap * 0.5),
            (gap < 1e-14).then_some(0.0),
            "{gap}"
        );
        assert!(
            NarrowPhase::Additive
                .time_of_impact(&query, 0.0)
                .is_none_or(|toi| toi < 1.0)
        );
    }
}
