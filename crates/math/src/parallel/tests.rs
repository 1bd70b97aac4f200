//! Bits on any number of threads, order of results, and loops that stay where they are.

use super::*;

/// Number of terms, which fill several chunks and part of another.
const COUNT: usize = 50_001;

/// Term of a sum whose bits depend on the order of its terms.
fn term(i: usize) -> f64 {
    1.0 / (i as f64 + 0.1)
}

/// Writes the terms of a range.
fn terms(range: Range<usize>, out: &mut [f64]) {
    for (i, out) in range.zip(out) {
        *out = term(i);
    }
}

/// Bits of a sum that is computed on some threads.
fn bits(threads: usize, sum: impl FnOnce() -> f64 + Send) -> u64 {
    with_threads(Some(threads), sum).unwrap().to_bits()
}

#[test]
fn sums_have_the_same_bits_on_any_number_of_threads() {
    let expected = bits(1, || sum(COUNT, term));
    for threads in [2, 3, 8] {
        assert_eq!(bits(threads, || sum(COUNT, term)), expected);
    }

    // In batches as well, and with the same bits as one by one.
    for threads in [1, 2, 3, 8] {
        assert_eq!(bits(threads, || sum_of_batches(COUNT, terms)), expected);
    }
}

#[test]
fn a_nan_survives_minimum_and_maximum() {
    let f = |i: usize| if i == 5000 { f64::NAN } else { i as f64 };
    assert!(first_min(9000, f64::INFINITY, f).0.is_nan() && max(9000, 0.0, f).is_nan());
    assert_eq!(
        first_min(9000, 1.0, |i| if i % 3000 == 2999 { 0.5 } else { 2.0 }),
        (0.5, Some(2999))
    );
    assert_eq!(first_min(0, 1.0, f), (1.0, None));
}

#[test]
fn a_scan_takes_results_in_order() {
    let mut seen = Vec::new();
    scan(
        9000,
        0,
        |range, out| {
            for (i, out) in range.zip(out) {
                *out = i * i;
            }
        },
        |i, square| seen.push((i, square)),
    );

    let expected: Vec<(usize, usize)> = (0..9000).map(|i| (i, i * i)).collect();
    assert_eq!(seen, expected);
}

#[test]
fn tasks_keep_their_order_and_run_once() {
    for threads in [None, Some(1), Some(3), Some(100)] {
        let squares = tasks(20, threads, |i| i * i).unwrap();
        assert_eq!(squares, (0..20).map(|i| i * i).collect::<Vec<_>>());
    }
    assert_eq!(tasks(0, None, |i| i).unwrap(), [0; 0]);

    // Loops of a task stay on one thread.
    assert_eq!(tasks(3, Some(2), |_| super::threads()).unwrap(), [1; 3]);
}

#[test]
fn lists_keep_their_order() {
    let odd = collect(10_000, |range, list| {
        list.extend(range.filter(|i| i % 2 == 1));
    });
    assert_eq!(odd, (0..10_000).filter(|i| i % 2 == 1).collect::<Vec<_>>());
}

#[test]
fn serial_loops_stay_on_their_thread_and_have_the_same_bits() {
    let expected = bits(4, || sum(COUNT, term));
    let pool = Pool::new(Some(3)).unwrap();
    assert_eq!(pool.threads(), 3);

    // Within a pool, and outside of any.
    let inside = pool.run(|| serially(|| [sum(COUNT, term), sum_of_batches(COUNT, terms)]));
    let outside = serially(|| sum(COUNT, term));
    assert_eq!(inside.map(f64::to_bits), [expected; 2]);
    assert_eq!(outside.to_bits(), expected);

    // Every kind of loop sees the caller's thread only.
    let here = std::thread::current().id();
    let is_here = || std::thread::current().id() == here;
    serially(|| {
        assert_eq!(threads(), 1);
        let mut places = vec![false; COUNT];
        fill(&mut places, 1, |_, place| place[0] = is_here());
        assert!(places.iter().all(|place| *place));
        assert_eq!(join(is_here, is_here), (true, true));
        assert!(all_batches(COUNT, |_| is_here()));
        let lists = collect(COUNT, |range, list| list.extend(range.map(|_| is_here())));
        assert!(lists.len() == COUNT && lists.iter().all(|place| *place));

        let mut numbers: Vec<usize> = (0..COUNT).rev().collect();
        sort(&mut numbers);
        assert!(numbers.is_sorted());
    });
}

#[test]
fn a_serial_stretch_ends_with_its_function() {
    let pool = Pool::new(Some(2)).unwrap();
    pool.run(|| {
        serially(|| serially(|| assert_eq!(threads(), 1)));
        assert_eq!(threads(), 2);
        let panicked = std::panic::catch_unwind(|| serially(|| panic!("as it must")));
        assert!(panicked.is_err());
        assert_eq!(threads(), 2);
    });
}
