//! Parallel loops whose results do not depend on the number of threads. The only file that names
//! rayon.
//!
//! Floating-point sums depend on the order of their terms, and a scheduler gives none. Here work is
//! cut into chunks of a fixed size. One thread computes a chunk, in order, and partial results are
//! combined in order. Hence the same bits on any number of threads. Work that fits in one chunk
//! stays on the calling thread.
//!
//! There are four kinds of loops:
//!
//! - reductions to one value: [`sum`], [`max`], [`first_min`] and their forms for batches;
//! - loops that fill memory: [`fill`], [`chunks`], [`scan`];
//! - loops that make lists: [`collect`], [`collect_into`];
//! - whole tasks, each on one thread: [`tasks`].
//!
//! Forms for batches hand a short range to the caller instead of a single index, so that several
//! elements can be computed at once in the lanes of a register.
//!
//! Functions of chunks and batches are called through pointers, at a cost that is small next to their
//! work. So a loop is compiled for each type of results, and not for each place that has one.
//!
//! Loops use the pool of the thread that they are called on. [`Pool::run`] runs a function in a
//! separate pool. [`serially`] keeps all loops of a function on the calling thread, and starts no
//! thread at all: many small simulations then run side by side.

mod serial;

pub use crate::tuning::BATCH;
pub use serial::serially;

use crate::tuning::CHUNK;
use rayon::slice::ParallelSliceMut;
use serial::is_serial;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Sum of `f(i)` for `i` in `0..count`, first within chunks and then over chunks, in order.
pub fn sum(count: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    reduce(count, 0.0, f, |a, b| a + b)
}

/// Smallest `f(i)` below `start` for `i` in `0..count`, with the first `i` that has it; `start` and
/// `None` if no value is below `start`. A NaN counts as the smallest.
pub fn first_min(
    count: usize,
    start: f64,
    f: impl Fn(usize) -> f64 + Sync,
) -> (f64, Option<usize>) {
    reduce(count, (start, None), |i| (f(i), Some(i)), smaller)
}

/// Smaller of two values with their indices, the first of equal ones. A NaN counts as the smallest.
fn smaller(a: (f64, Option<usize>), b: (f64, Option<usize>)) -> (f64, Option<usize>) {
    if a.0.is_nan() || b.0 >= a.0 { a } else { b }
}

/// Largest of `start` and all `f(i)` for `i` in `0..count`. A NaN counts as the largest.
pub fn max(count: usize, start: f64, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    reduce(
        count,
        start,
        f,
        |a, b| if a.is_nan() || b <= a { a } else { b },
    )
}

/// Sum of `v_i` for `i` in `0..count`, in the order of [`sum`] and with its bits. `f(range, v)`
/// writes the values of a range.
pub fn sum_of_batches(count: usize, f: impl Fn(Range<usize>, &mut [f64]) + Sync) -> f64 {
    sum_of_written(count, &f)
}

/// [`sum_of_batches`], compiled once.
fn sum_of_written(count: usize, f: &Write<f64>) -> f64 {
    combine(
        count.div_ceil(CHUNK),
        0.0,
        &|c| {
            // The sum of a chunk runs over the values of its batches, one by one.
            let mut values = [0.0; BATCH];
            batches(chunk_range(c, count)).fold(0.0, |sum, range| {
                let values = &mut values[..range.len()];
                f(range, values);
                values.iter().fold(sum, |sum, value| sum + value)
            })
        },
        |a, b| a + b,
    )
}

/// Smallest value and the first index that has it, as by [`first_min`]. `f(range, v)` writes the
/// values of a range.
pub fn first_min_of_batches(
    count: usize,
    start: f64,
    f: impl Fn(Range<usize>, &mut [f64]) + Sync,
) -> (f64, Option<usize>) {
    first_min_of_written(count, start, &f)
}

/// [`first_min_of_batches`], compiled once.
fn first_min_of_written(count: usize, start: f64, f: &Write<f64>) -> (f64, Option<usize>) {
    combine(
        count.div_ceil(CHUNK),
        (start, None),
        &|c| {
            // The least of a chunk is found over its batches, in order.
            let mut values = [0.0; BATCH];
            batches(chunk_range(c, count)).fold((start, None), |least, range| {
                let first = range.start;
                let values = &mut values[..range.len()];
                f(range, values);
                (first..)
                    .zip(values)
                    .fold(least, |least, (i, value)| smaller(least, (*value, Some(i))))
            })
        },
        smaller,
    )
}

/// True if `f(range)` is true for all batches of `0..count`.
pub fn all_batches(count: usize, f: impl Fn(Range<usize>) -> bool + Sync) -> bool {
    combine(
        count.div_ceil(CHUNK),
        true,
        &|c| batches(chunk_range(c, count)).all(&f),
        |a, b| a && b,
    )
}

/// Passes results for `0..count` to `take(i, result)`, in order and on the calling thread.
///
/// `f(range, results)` writes the results of a range in parallel. `room` is any result, which fills
/// the memory before.
pub fn scan<T: Copy + Send>(
    count: usize,
    room: T,
    f: impl Fn(Range<usize>, &mut [T]) + Sync,
    mut take: impl FnMut(usize, T),
) {
    scan_written(count, room, &f, &mut |start, results| {
        for (i, result) in (start..).zip(results) {
            take(i, *result);
        }
    });
}

/// [`scan`], compiled once for each type of results. `hand_out(start, results)` takes the results of a
/// range.
fn scan_written<T: Copy + Send>(
    count: usize,
    room: T,
    f: &Write<T>,
    hand_out: &mut dyn FnMut(usize, &[T]),
) {
    // On one thread results need not wait.
    if count <= CHUNK || threads() == 1 {
        let mut results = [room; BATCH];
        for range in batches(0..count) {
            let start = range.start;
            let results = &mut results[..range.len()];
            f(range, results);
            hand_out(start, results);
        }
        return;
    }

    // Two chunks for each thread at a time bound the memory that results wait in.
    let block = CHUNK * 2 * threads();
    let mut results = vec![room; block.min(count)];
    for start in (0..count).step_by(block) {
        let results = &mut results[..block.min(count - start)];
        chunks(results, CHUNK, |offset, chunk| {
            let first = start + offset;
            for range in batches(first..first + chunk.len()) {
                let own = range.start - first..range.end - first;
                f(range, &mut chunk[own]);
            }
        });
        hand_out(start, results);
    }
}

/// Function that writes the results of a range.
///
/// The memory holds one result for each number of the range, in order.
type Write<'a, T> = dyn Fn(Range<usize>, &mut [T]) + Sync + 'a;

/// Consecutive parts of a range, in order, with at most [`BATCH`] elements each.
fn batches(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    range
        .clone()
        .step_by(BATCH)
        .map(move |start| start..(start + BATCH).min(range.end))
}

/// Combines `start` and `f(i)` for `i` in `0..count`, first within chunks and then over chunks.
fn reduce<T: Copy + Send + Sync>(
    count: usize,
    start: T,
    f: impl Fn(usize) -> T + Sync,
    with: fn(T, T) -> T,
) -> T {
    combine(
        count.div_ceil(CHUNK),
        start,
        &|c| chunk_range(c, count).map(&f).fold(start, with),
        with,
    )
}

/// Combines the results of `chunks` chunks in order, beginning with `start`.
fn combine<T: Copy + Send>(
    chunks: usize,
    start: T,
    chunk: &(dyn Fn(usize) -> T + Sync),
    with: fn(T, T) -> T,
) -> T {
    // On one thread nothing is stored, and a single result is not combined with anything.
    if chunks <= 1 || threads() == 1 {
        return (1..chunks).map(chunk).fold(chunk(0), with);
    }

    in_order(chunks, chunk).into_iter().fold(start, with)
}

/// Results of `task(k)` for `k` in `0..count`, in order, on all threads.
///
/// Each task has a slot for its result, which it fills whenever it runs; slots are emptied in order.
fn in_order<T: Send>(count: usize, task: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut slots: Vec<Option<T>> = (0..count).map(|_| None).collect();
    on_parts(&mut slots, 0, 1, &|k, slot| {
        slot.fill_with(|| Some(task(k)));
    });
    slots.into_iter().flatten().collect()
}

/// Fills each piece `out[i * stride..][..stride]` by `f(i, piece)`, in parallel.
pub fn fill<T: Send>(out: &mut [T], stride: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    chunks(out, CHUNK * stride, |start, part| {
        for (k, piece) in part.chunks_exact_mut(stride).enumerate() {
            f(start / stride + k, piece);
        }
    });
}

/// Cuts `out` into consecutive parts of `length` elements and calls `f(start, part)` for each, in
/// parallel. `start` is the place of the part's first element.
pub fn chunks<T: Send>(out: &mut [T], length: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    in_parts(out, length, &f);
}

/// [`chunks`], compiled once for each type of elements.
fn in_parts<T: Send>(out: &mut [T], length: usize, f: &(dyn Fn(usize, &mut [T]) + Sync)) {
    if out.len() <= length {
        // A task for another thread costs more than a little work.
        f(0, out);
    } else if is_serial() {
        for (k, part) in out.chunks_mut(length).enumerate() {
            f(k * length, part);
        }
    } else {
        on_parts(out, 0, length, f);
    }
}

/// [`chunks`] on all threads. The first element has the number `start` among all.
///
/// The parts are halved until one is left. No memory is taken, and the scheduler behind [`both`] is
/// compiled once, for all types and loops.
fn on_parts<T: Send>(
    out: &mut [T],
    start: usize,
    length: usize,
    f: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    if out.len() <= length {
        return f(start, out);
    }

    let half = out.len().div_ceil(length) / 2 * length;
    let (left, right) = out.split_at_mut(half);
    both(&mut || on_parts(left, start, length, f), &mut || {
        on_parts(right, start + half, length, f);
    });
}

/// Lists that `f` makes of the chunks of `0..count`, appended in order. `f(range, list)` appends
/// the results of a range to a list that starts empty.
pub fn collect<T: Send>(count: usize, f: impl Fn(Range<usize>, &mut Vec<T>) + Sync) -> Vec<T> {
    let mut all = Vec::new();
    collect_listed(&mut all, count, &f);
    all
}

/// Appends to `all` the lists that `f` makes of the chunks of `0..count`, in order. On one thread
/// `f` appends to `all` itself, and no memory is taken for lists of chunks.
pub fn collect_into<T: Send>(
    all: &mut Vec<T>,
    count: usize,
    f: impl Fn(Range<usize>, &mut Vec<T>) + Sync,
) {
    collect_listed(all, count, &f);
}

/// [`collect_into`], compiled once for each type of results.
fn collect_listed<T: Send>(
    all: &mut Vec<T>,
    count: usize,
    f: &(dyn Fn(Range<usize>, &mut Vec<T>) + Sync),
) {
    let chunks = count.div_ceil(CHUNK);
    if chunks <= 1 || threads() == 1 {
        return (0..chunks).for_each(|c| f(chunk_range(c, count), all));
    }

    // Chunks in parallel, their lists in order.
    let lists: Vec<Vec<T>> = in_order(chunks, &|c| {
        let mut list = Vec::new();
        f(chunk_range(c, count), &mut list);
        list
    });

    all.reserve(lists.iter().map(Vec::len).sum());
    for mut list in lists {
        all.append(&mut list);
    }
}

/// Sorts `keys`, in parallel if there are many. The order of equal keys is not kept, so that keys
/// should be equal only if they are the same.
pub fn sort<T: Ord + Send>(keys: &mut [T]) {
    if threads() == 1 || keys.len() <= CHUNK {
        keys.sort_unstable();
    } else {
        keys.par_sort_unstable();
    }
}

/// Results of `a` and `b`, which may run at the same time. Both may write, but not to the same
/// memory.
pub fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if is_serial() {
        return (a(), b());
    }

    // Each function runs once, and leaves its result here.
    let mut a = Some(a);
    let mut b = Some(b);
    let mut left = None;
    let mut right = None;
    both(&mut || left = a.take().map(|a| a()), &mut || {
        right = b.take().map(|b| b());
    });
    match (left, right) {
        (Some(left), Some(right)) => (left, right),
        _ => unreachable!("both have run"),
    }
}

/// Calls both functions, on two threads if one is free.
///
/// The calling thread runs the first one, and the second one too if no thread has taken it.
fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// Threads that are kept for many calls, where [`with_threads`] would start them for each.
#[derive(Debug)]
pub struct Pool(rayon::ThreadPool);

impl Pool {
    /// Starts `threads` threads, or one a core if `None`.
    ///
    /// # Errors
    /// Message of the operating system if the threads cannot be started.
    pub fn new(threads: Option<usize>) -> Result<Self, String> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()
            .map(Self)
            .map_err(|error| error.to_string())
    }

    /// Runs `f` on these threads. All loops within `f` use them.
    pub fn run<R: Send>(&self, f: impl FnOnce() -> R + Send) -> R {
        self.0.install(f)
    }

    /// Number of threads of the pool.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }
}

/// Runs `f` with a pool of `threads` threads, or of one thread a core if `None`. All loops within
/// `f` use that pool.
///
/// # Errors
/// Message of the operating system if the threads cannot be started.
pub fn with_threads<R: Send>(
    threads: Option<usize>,
    f: impl FnOnce() -> R + Send,
) -> Result<R, String> {
    Ok(Pool::new(threads)?.run(f))
}

/// Results of `f(i)` for `i` in `0..count`, in order, on `threads` threads or one a core if `None`.
///
/// Tasks may be long and of different lengths: each thread takes the next one when it is free. All
/// loops within a task run on its thread.
///
/// # Errors
/// Message of the operating system if a thread cannot be started.
pub fn tasks<T: Send>(
    count: usize,
    threads: Option<usize>,
    f: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();

    // A pool of one thread for each worker, so that loops of a task are not shared.
    let work = || {
        with_threads(Some(1), || {
            loop {
                // Each number is given out once, whatever the order of memory.
                let task = next.fetch_add(1, Ordering::Relaxed);
                let Some(result) = results.get(task) else {
                    break;
                };
                let value = f(task);
                *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            }
        })
    };
    let threads = threads.unwrap_or_else(threads_of_machine).min(count);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| match worker.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })?;

    let results = results.into_iter();
    Ok(results
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect())
}

/// Number of threads that the machine runs at the same time.
fn threads_of_machine() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Number of threads of the current pool; 1 within [`serially`].
pub fn threads() -> usize {
    if is_serial() {
        return 1;
    }
    rayon::current_num_threads()
}

/// Range of the elements in chunk `c` of `0..count`.
fn chunk_range(c: usize, count: usize) -> Range<usize> {
    c * CHUNK..((c + 1) * CHUNK).min(count)
}

#[cfg(test)]
mod tests;
