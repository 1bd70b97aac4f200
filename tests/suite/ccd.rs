//! Every narrow phase against exact arithmetic.

use crate::ccd_families::{self as families, Family, Random};
use crate::ccd_oracle::impact;
use ipcsim::contact::ccd::{NarrowPhase, Query};
use std::cmp::Ordering;

/// What is wrong with an answer, if anything. Any method: no impact is missed, and none is reported late.
fn unsafe_answer(query: &Query, toi: Option<f64>) -> Option<&'static str> {
    match (impact(query), toi) {
        (Some(_), None) => Some("a missed impact"),
        (Some(exact), Some(toi)) if exact.compare(toi, 1, 1) == Ordering::Greater => Some("later than the impact"),
        (None, Some(toi)) if !(0.0..=1.0).contains(&toi) => Some("not in the step"),
        _ => None,
    }
}

/// As above; and for the exact method, no impact is invented and none is reported much too early.
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
fn the_exact_method_decides_a_million_queries_of_every_family_as_exact_arithmetic_does() {
    for family in families::ALL {
        hold(NarrowPhase::Exact, inexact_answer, family, 1_000_000);
    }
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
        let hits = (0..1000).filter(|_| impact(&generate(&mut random)).is_some()).count();
        assert!((5..=995).contains(&hits), "{name}: {hits} of 1000 are impacts");
    }
}
