//! Threads that compute: the calling one, or a pool that all simulations share.
//!
//! Results have the same bits on any number of threads, so the choice is one of time alone. A small
//! simulation stays on the calling thread, where handing it to a pool would take as long as a step.
//!
//! Threads do not survive a fork of the process. Pools are therefore kept by process: a forked
//! child makes its own when it first needs one, and never touches those of its parent.

use ipcsim::math::parallel::{Pool, serially};
use ipcsim::time::World;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Vertices or triangles (1024) from which on a simulation uses several threads: as many as one
/// task of the library's loops takes. Fewer would leave the other threads without work.
const LARGE: usize = 1024;

/// Largest number of threads that can be asked for.
const MOST: usize = 1024;

/// A pool of a process.
struct Shared {
    /// Number of the process that has started the threads.
    process: u32,
    /// Number of threads that was asked for; `None` for one a core.
    threads: Option<usize>,
    /// Pool itself. It is never dropped, since a child cannot stop threads that it does not have.
    pool: Arc<Pool>,
}

/// Pools of this process, and those of its ancestors from before a fork.
static POOLS: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// Pool of this process with `threads` threads, or one a core if `None`. It is started once.
///
/// # Errors
/// `OSError` if threads cannot be started.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<Pool>> {
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut own = pools.iter().filter(|shared| shared.process == process);
    if let Some(shared) = own.find(|shared| shared.threads == threads) {
        return Ok(Arc::clone(&shared.pool));
    }

    let pool = Pool::new(threads).map_err(PyOSError::new_err)?;
    let pool = Arc::new(pool);
    pools.push(Shared {
        process,
        threads,
        pool: Arc::clone(&pool),
    });
    Ok(pool)
}

/// Number of threads that a caller asks for, if it is possible.
///
/// # Errors
/// `ValueError` unless it is from 1 to 1024.
pub(crate) fn checked(threads: Option<usize>) -> PyResult<Option<usize>> {
    match threads {
        Some(count) if !(1..=MOST).contains(&count) => Err(PyValueError::new_err(format!(
            "threads is {count}, but must be from 1 to {MOST}"
        ))),
        other => Ok(other),
    }
}

/// Number of steps or runs that a caller asks for under this name.
///
/// # Errors
/// `ValueError` if it is negative.
pub(crate) fn counted(name: &str, count: i64) -> PyResult<usize> {
    usize::try_from(count)
        .map_err(|_| PyValueError::new_err(format!("{name} is {count}, but must not be negative")))
}

/// True if a simulation of this world should stay on the calling thread.
pub(crate) fn is_small(world: &World) -> bool {
    world.rest.len().max(world.triangles.len()) <= LARGE
}

/// Runs `f` without Python's lock, on the calling thread if `serial`, else on the pool of the
/// process.
///
/// # Errors
/// `OSError` if threads cannot be started.
pub(crate) fn compute<R: Send>(
    py: Python,
    serial: bool,
    threads: Option<usize>,
    f: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    if serial {
        return Ok(py.detach(|| serially(f)));
    }
    let pool = pool(threads)?;
    Ok(py.detach(|| pool.run(f)))
}
