//! Loops over all threads whose results do not depend on how many there are. The only file that names rayon.
//!
//! Work is cut into chunks of a fixed size, whatever the number of threads; each chunk is computed by one thread in
//! order, and partial results are combined in order. Hence the same bits on any number of threads. Work that fits in
//! one chunk stays on the calling thread.

use rayon::prelude::*;
use std::ops::Range;

/// Elements a chunk holds.
const CHUNK: usize = 1024;

/// The most elements that are asked for at once.
pub const BATCH: usize = 64;

/// `sum_i f(i)` for `i` in `0..count`, summed within chunks and then over chunks, in order.
pub fn sum(count: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    reduce(count, 0.0, f, |a, b| a + b)
}

/// The smallest `f(i)` below `start` for `i` in `0..count`, with the first `i` that has it; `start` and `None` if
/// there is none. A NaN is the smallest.
pub fn first_min(
    count: usize,
    start: f64,
    f: impl Fn(usize) -> f64 + Sync,
) -> (f64, Option<usize>) {
    reduce(count, (start, None), |i| (f(i), Some(i)), smaller)
}

fn smaller(a: (f64, Option<usize>), b: (f64, Option<usize>)) -> (f64, Option<usize>) {
    if a.0.is_nan() || b.0 >= a.0 { a } else { b }
}

/// The largest of `start` and all `f(i)` for `i` in `0..count`. A NaN is the largest.
pub fn max(count: usize, start: f64, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    reduce(
        count,
        start,
        f,
        |a, b| if a.is_nan() || b <= a { a } else { b },
    )
}

/// `sum_i v_i` for `i` in `0..count`, of which `f(range, v)` writes a few at a time; summed as [`sum`] does.
pub fn sum_of_batches(count: usize, f: impl Fn(Range<usize>, &mut [f64]) + Sync) -> f64 {
    let chunk = |c: usize| {
        let mut values = [0.0; BATCH];
        batches(chunk_range(c, count)).fold(0.0, |sum, range| {
            let values = &mut values[..range.len()];
            f(range, values);
            values.iter().fold(sum, |sum, value| sum + value)
        })
    };
    combine(count.div_ceil(CHUNK), 0.0, chunk, |a, b| a + b)
}

/// The same as [`first_min`] of values of which `f(range, v)` writes a few at a time.
pub fn first_min_of_batches(
    count: usize,
    start: f64,
    f: impl Fn(Range<usize>, &mut [f64]) + Sync,
) -> (f64, Option<usize>) {
    let chunk = |c: usize| {
        let mut values = [0.0; BATCH];
        batches(chunk_range(c, count)).fold((start, None), |least, range| {
            let (first, values) = (range.start, &mut values[..range.len()]);
            f(range, values);
            (first..)
                .zip(values)
                .fold(least, |least, (i, value)| smaller(least, (*value, Some(i))))
        })
    };
    combine(count.div_ceil(CHUNK), (start, None), chunk, smaller)
}

/// Whether `f(range)` holds for all batches of `0..count`.
pub fn all_batches(count: usize, f: impl Fn(Range<usize>) -> bool + Sync) -> bool {
    let chunk = |c: usize| batches(chunk_range(c, count)).all(&f);
    combine(count.div_ceil(CHUNK), true, chunk, |a, b| a && b)
}

/// Hands results for `0..count`, of which `f(range, results)` writes a few at a time, to `take(i, result)` in order.
/// `room` is any result.
pub fn scan<T: Copy + Send>(
    count: usize,
    room: T,
    f: impl Fn(Range<usize>, &mut [T]) + Sync,
    mut take: impl FnMut(usize, T),
) {
    let mut hand_out = |start: usize, results: &[T]| {
        (start..)
            .zip(results)
            .for_each(|(i, result)| take(i, *result));
    };
    if count <= CHUNK || threads() == 1 {
        let mut results = [room; BATCH];
        for range in batches(0..count) {
            let (start, results) = (range.start, &mut results[..range.len()]);
            f(range, results);
            hand_out(start, results);
        }
        return;
    }
    // Two blocks of chunks at a time bound the memory that results wait in.
    let block = CHUNK * 2 * threads();
    let mut results = vec![room; block.min(count)];
    for start in (0..count).step_by(block) {
        let results = &mut results[..block.min(count - start)];
        results
            .par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(c, chunk)| {
                let first = start + c * CHUNK;
                for range in batches(first..first + chunk.len()) {
                    let own = range.start - first..range.end - first;
                    f(range, &mut chunk[own]);
                }
            });
        hand_out(start, results);
    }
}

fn batches(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    range
        .clone()
        .step_by(BATCH)
        .map(move |start| start..(start + BATCH).min(range.end))
}

fn reduce<T: Copy + Send + Sync>(
    count: usize,
    start: T,
    f: impl Fn(usize) -> T + Sync,
    with: impl Fn(T, T) -> T + Sync,
) -> T {
    let chunk = |c: usize| chunk_range(c, count).map(&f).fold(start, &with);
    combine(count.div_ceil(CHUNK), start, chunk, &with)
}

/// Combines the results of chunks in order.
fn combine<T: Copy + Send>(
    chunks: usize,
    start: T,
    chunk: impl Fn(usize) -> T + Sync,
    with: impl Fn(T, T) -> T,
) -> T {
    if chunks <= 1 || threads() == 1 {
        // Where there is one chunk its result is not combined with anything.
        return (1..chunks).map(&chunk).fold(chunk(0), with);
    }
    let partial: Vec<T> = (0..chunks).into_par_iter().map(&chunk).collect();
    partial.into_iter().fold(start, with)
}

/// Fills `out[i * stride..][..stride]` by `f(i, piece)` for every `i`.
pub fn fill<T: Send>(out: &mut [T], stride: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    let chunk = |(c, part): (usize, &mut [T])| {
        for (k, piece) in part.chunks_exact_mut(stride).enumerate() {
            f(c * CHUNK + k, piece);
        }
    };
    if out.len() <= CHUNK * stride {
        chunk((0, out));
    } else {
        out.par_chunks_mut(CHUNK * stride)
            .enumerate()
            .for_each(chunk);
    }
}

/// Calls `f(start, part)` for the consecutive parts of `length` elements that `out` is cut into, in parallel; `start` is
/// the place of the part's first element.
pub fn chunks<T: Send>(out: &mut [T], length: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    if out.len() <= length {
        // Handing a little work to others takes longer than doing it.
        f(0, out);
    } else {
        out.par_chunks_mut(length)
            .enumerate()
            .for_each(|(k, part)| f(k * length, part));
    }
}

/// The lists that `f` makes of the chunks of `0..count`, appended in order.
pub fn collect<T: Send>(count: usize, f: impl Fn(Range<usize>, &mut Vec<T>) + Sync) -> Vec<T> {
    let mut all = Vec::new();
    collect_into(&mut all, count, f);
    all
}

/// The same, appended to `all`.
pub fn collect_into<T: Send>(
    all: &mut Vec<T>,
    count: usize,
    f: impl Fn(Range<usize>, &mut Vec<T>) + Sync,
) {
    let chunks = count.div_ceil(CHUNK);
    if chunks <= 1 || threads() == 1 {
        return (0..chunks).for_each(|c| f(chunk_range(c, count), all));
    }
    let chunk = |c: usize| {
        let mut list = Vec::new();
        f(chunk_range(c, count), &mut list);
        list
    };
    let lists: Vec<Vec<T>> = (0..chunks).into_par_iter().map(chunk).collect();
    all.reserve(lists.iter().map(Vec::len).sum());
    for mut list in lists {
        all.append(&mut list);
    }
}

/// Sorts `keys`. Equal keys must be indistinguishable: their order is not kept.
pub fn sort<T: Ord + Send>(keys: &mut [T]) {
    if threads() == 1 || keys.len() <= CHUNK {
        keys.sort_unstable();
    } else {
        keys.par_sort_unstable();
    }
}

/// The results of `a` and `b`, perhaps run at the same time.
pub fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(a, b)
}

/// Runs `f` with `threads` threads at the disposal of this module, or with all cores if `None`.
///
/// # Errors
/// A sentence of the operating system's when the threads cannot be started.
pub fn with_threads<R: Send>(
    threads: Option<usize>,
    f: impl FnOnce() -> R + Send,
) -> Result<R, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map_err(|error| error.to_string())?;
    Ok(pool.install(f))
}

/// The number of threads that loops run on here.
pub fn threads() -> usize {
    rayon::current_num_threads()
}

fn chunk_range(c: usize, count: usize) -> Range<usize> {
    c * CHUNK..((c + 1) * CHUNK).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_the_same_bits_on_any_number_of_threads() {
        let term = |i: usize| 1.0 / (i as f64 + 0.1);
        let on = |threads| {
            with_threads(Some(threads), || sum(50_001, term))
                .unwrap()
                .to_bits()
        };
        assert!([2, 3, 8].iter().all(|&threads| on(threads) == on(1)));
        let terms = |range: Range<usize>, out: &mut [f64]| {
            range.zip(out).for_each(|(i, out)| *out = term(i));
        };
        let batches = |threads| {
            with_threads(Some(threads), || sum_of_batches(50_001, terms))
                .unwrap()
                .to_bits()
        };
        assert!(
            [1, 2, 3, 8]
                .iter()
                .all(|&threads| batches(threads) == on(1))
        );
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
        let squares = |range: Range<usize>, out: &mut [usize]| {
            range.zip(out).for_each(|(i, out)| *out = i * i);
        };
        scan(9000, 0, squares, |i, square| seen.push((i, square)));
        assert!(
            seen.iter()
                .enumerate()
                .all(|(k, &(i, square))| i == k && square == k * k)
                && seen.len() == 9000
        );
    }

    #[test]
    fn lists_keep_their_order() {
        let odd = collect(10_000, |range, list| {
            list.extend(range.filter(|i| i % 2 == 1));
        });
        assert_eq!(odd, (0..10_000).filter(|i| i % 2 == 1).collect::<Vec<_>>());
    }
}
