//! Sums over steps, and fields of the table.

use super::*;
use crate::testing;

/// Record of a step with this mechanical energy, work of friction, and stiffening (J).
fn record(step: usize, [mechanical, friction, within, stiffening]: [f64; 4]) -> Record {
    let work = Work {
        friction,
        stiffening: within,
        ..Work::default()
    };
    Record {
        stiffening,
        ..testing::record(
            step,
            Ledger {
                mechanical,
                work,
                ..Ledger::default()
            },
        )
    }
}

#[test]
#[allow(clippy::float_cmp, reason = "small whole numbers are exact")]
fn barriers_that_stiffen_after_a_step_count_in_the_next() {
    // 10 J at first. A step loses 3 J; then barriers gain 2 J. A halved step gains 1 J in its
    // middle, loses 4 J, and ends with a gain of 8 J, which no step follows.
    let mut books = Books::default();
    books.enter(&record(0, [10.0, 0.0, 0.0, 0.0]));
    books.enter(&record(1, [7.0, -3.0, 0.0, 2.0]));
    assert_eq!([books.gained(), books.unexplained_work()], [-3.0, 0.0]);
    // A record that is entered again counts once.
    for _ in 0..2 {
        books.enter(&record(2, [6.0, -4.0, 1.0, 9.0]));
        assert_eq!([books.gained(), books.unexplained_work()], [-4.0, 0.0]);
        assert_eq!([books.work.friction, books.work.stiffening], [-7.0, 3.0]);
    }
}

#[test]
fn a_line_has_a_field_for_each_column() {
    let with = record(0, [1.0, 2.0, 0.0, 0.0]);
    let without = Record {
        ledger: None,
        ..with.clone()
    };
    for record in [with, without] {
        let mut books = Books::default();
        books.enter(&record);
        let fields = fields(&books, &record);
        assert_eq!(fields.matches(',').count(), columns().len(), "{fields}");
    }
    assert_eq!(
        columns().len(),
        3 + Work::NAMES.len() + 3 * (Impulses::NAMES.len() + 1)
    );
}
