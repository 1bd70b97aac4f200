//! Signals while steps are computed: Ctrl-C ends a step on the way.
//!
//! Python runs the handlers of signals on its main thread alone, and only where that looks for them.
//! A serial simulation looks from within Newton's method. Where a pool computes, the calling thread
//! looks while it waits, and sets a flag that Newton's method reads.

use crate::work;
use ipcsim::solve::Interrupt;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time (50 ms) between two looks at signals. A person does not notice it, and looking takes a
/// microsecond.
const INTERVAL: Duration = Duration::from_millis(50);

/// What is known of signals in a call.
struct Seen {
    /// True once a handler has raised an exception.
    is_raised: AtomicBool,
    /// The exception.
    raised: Mutex<Option<PyErr>>,
    /// Time of the last look.
    looked: Mutex<Instant>,
}

/// Watch for signals in one call.
pub(crate) struct Signals {
    /// What is known, shared with Newton's method.
    seen: Arc<Seen>,
    /// True if Newton's method looks for signals itself.
    from_within: bool,
}

impl Seen {
    /// Runs the handlers of signals that have come.
    #[allow(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is not general enough over the lifetime"
    )]
    fn look(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            *raised = Some(error);
            self.is_raised.store(true, Ordering::Relaxed);
        }
    }

    /// Looks for signals, if it is time.
    fn look_sometimes(&self) {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.elapsed() >= INTERVAL {
            self.look();
            *looked = Instant::now();
        }
    }
}

impl Signals {
    /// Watch for a call whose steps stay on the calling thread if `serial`.
    pub(crate) fn new(serial: bool) -> Self {
        let seen = Seen {
            is_raised: AtomicBool::new(false),
            raised: Mutex::new(None),
            looked: Mutex::new(Instant::now()),
        };
        Self {
            seen: Arc::new(seen),
            from_within: serial,
        }
    }

    /// Question of Newton's method whether to stop.
    pub(crate) fn interrupt(&self) -> Interrupt {
        let seen = Arc::clone(&self.seen);
        let from_within = self.from_within;
        Interrupt::new(move || {
            if from_within {
                seen.look_sometimes();
            }
            seen.is_raised.load(Ordering::Relaxed)
        })
    }

    /// Runs `f` without Python's lock, on the calling thread if `serial`, else on the pool of the
    /// process; the calling thread then looks for signals until `f` has ended.
    ///
    /// # Errors
    /// `OSError` if threads cannot be started.
    pub(crate) fn watch<R: Send>(
        &self,
        py: Python,
        serial: bool,
        threads: Option<usize>,
        f: impl FnOnce() -> R + Send,
    ) -> PyResult<R> {
        if serial {
            return work::compute(py, true, threads, f);
        }

        let pool = work::pool(threads)?;
        let result = py.detach(|| {
            thread::scope(|scope| {
                let (sender, receiver) = channel();
                scope.spawn(move || sender.send(pool.run(f)));
                loop {
                    match receiver.recv_timeout(INTERVAL) {
                        Ok(result) => return Some(result),
                        Err(RecvTimeoutError::Timeout) => self.seen.look(),
                        Err(RecvTimeoutError::Disconnected) => return None,
                    }
                }
            })
        });
        result.ok_or_else(|| PyOSError::new_err("a thread has stopped without a result"))
    }

    /// The exception that a handler has raised.
    ///
    /// # Errors
    /// That exception.
    pub(crate) fn raised(self) -> PyResult<()> {
        let mut raised = self
            .seen
            .raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        raised.take().map_or(Ok(()), Err)
    }
}
