//! The runs of a share on the cores of this machine.
//!
//! Each worker is a thread with a journal of its own. It takes the next run that is missing, keeps
//! all of its loops on itself, and leaves the row in memory. The calling thread hands rows to the
//! operating system twenty times a second, and tells how far the sweep is. A signal, a file that cannot be
//! written or an answer of no stops all workers: runs under way are paused, and their states are stored.

use super::error::WorkError;
use super::folders;
use super::progress::SweepTally;
use crate::CommandError;
use crate::run::{Stop, signal_of};
use ipcsim::math::parallel::serially;
use ipcsim_store::study::{
    Collected, Ended, JournalWriter, Outcome, Share, Study, StudyEntry, StudyFolder, Unfinished,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// Time (50 ms) between two times at which rows are handed to the operating system. If the process
/// is killed, rows of at most this time are lost. A shorter one costs more calls of the system.
const INTERVAL: Duration = Duration::from_millis(50);

/// What is to be computed, and how.
pub(super) struct Work<'a> {
    /// Runs and their values.
    pub(super) study: &'a Study,
    /// Folder of the journals.
    pub(super) folder: &'a StudyFolder,
    /// Part of the runs.
    pub(super) share: Share,
    /// Number of workers; `None` for one a core.
    pub(super) threads: Option<usize>,
    /// True if only rows are kept.
    pub(super) only: bool,
}

/// What all workers share.
struct Shared<'a> {
    /// What is to be computed.
    work: &'a Work<'a>,
    /// Signals that stop the work.
    stop: &'a Stop,
    /// True once a worker has met an error, or nobody wants more.
    broken: AtomicBool,
    /// Runs without a row.
    left: Unfinished,
    /// Place in `left` of the next run that no worker has taken.
    next: AtomicUsize,
    /// Number of runs that are done.
    done: AtomicUsize,
    /// Number of runs that are done, but have not completed.
    failed: AtomicUsize,
    /// Thread that waits for the workers.
    waiting: Thread,
}

/// Computes all runs of the share that have no row. Returns the number of the signal that stopped
/// the work.
///
/// Meanwhile `listener` hears how far the sweep is, twenty times a second, and says whether to go on.
///
/// # Errors
/// If a journal or the folder of a run cannot be written.
pub(super) fn compute(
    work: &Work,
    listener: &mut dyn FnMut(&SweepTally) -> bool,
) -> Result<Option<u8>, WorkError> {
    let stop = Stop::watch(None)?;
    let range = work.share.range(work.study.count());
    let left = Collected::read(work.folder, &range)?.unfinished(range.clone())?;
    let shared = Shared {
        work,
        stop: &stop,
        broken: AtomicBool::new(false),
        left,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        failed: AtomicUsize::new(0),
        waiting: thread::current(),
    };

    let cores = thread::available_parallelism().map_or(1, usize::from);
    let workers = work.threads.unwrap_or(cores).min(shared.left.runs.len());
    let mut journals = Vec::new();
    for _ in 0..workers {
        journals.push(Mutex::new(work.folder.journal(work.share.index, &range)?));
    }
    shared.run(&journals, listener)?;
    Ok(stop.cause().map(signal_of))
}

impl Shared<'_> {
    /// Starts a worker for each journal, and waits for all of them.
    ///
    /// # Errors
    /// The first error of a worker or of a journal.
    fn run(
        &self,
        journals: &[Mutex<JournalWriter>],
        listener: &mut dyn FnMut(&SweepTally) -> bool,
    ) -> Result<(), WorkError> {
        let before = collected_before(self);
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for journal in journals {
                workers.push(scope.spawn(move || self.labour(journal)));
            }

            // Rows are kept by the operating system from here on, also if this process is killed.
            let mut kept = Ok(());
            while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
                thread::park_timeout(INTERVAL);
                for journal in journals {
                    kept = kept.and_then(|()| guard(journal).flush());
                }
                let goes_on = listener(&self.tally(before));
                if kept.is_err() || !goes_on {
                    self.broken.store(true, Ordering::Relaxed);
                }
            }

            for worker in workers {
                worker.join().unwrap_or_else(|_| {
                    let reason = "a worker has stopped without a result".to_owned();
                    Err(CommandError::Threads(reason).into())
                })?;
            }
            kept?;
            for journal in journals {
                guard(journal).flush()?;
            }
            listener(&self.tally(before));
            Ok(())
        })
    }

    /// How far the sweep is, of whose runs earlier calls have done `before`.
    fn tally(&self, before: usize) -> SweepTally {
        SweepTally {
            before,
            missing: self.left.runs.len(),
            done: self.done.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
        }
    }

    /// Computes one missing run after the other until none is left, or until the work is stopped.
    ///
    /// # Errors
    /// If a row cannot be stored, or the folder of a run cannot be written.
    fn labour(&self, journal: &Mutex<JournalWriter>) -> Result<(), WorkError> {
        let result = serially(|| self.labour_on(journal));
        if result.is_err() {
            self.broken.store(true, Ordering::Relaxed);
        }
        self.waiting.unpark();
        result
    }

    /// See [`Shared::labour`].
    ///
    /// # Errors
    /// If a row cannot be stored, or the folder of a run cannot be written.
    fn labour_on(&self, journal: &Mutex<JournalWriter>) -> Result<(), WorkError> {
        while !self.is_stopped() {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&run) = self.left.runs.get(place) else {
                return Ok(());
            };
            let ended = if self.work.only {
                let pause = self.left.pauses.get(&run);
                Some(ipcsim_store::study::compute(
                    self.work.study,
                    run,
                    pause,
                    &|| self.is_stopped(),
                ))
            } else {
                folders::compute(self.work.study, self.work.folder, run, self.stop)?
            };
            match ended {
                Some(Ended::Done(row)) => {
                    let is_whole = row.outcome == Outcome::Completed;
                    guard(journal).add(&StudyEntry::Done(row))?;
                    self.failed
                        .fetch_add(usize::from(!is_whole), Ordering::Relaxed);
                    self.done.fetch_add(1, Ordering::Relaxed);
                }
                Some(Ended::Paused(pause)) => guard(journal).add(&StudyEntry::Paused(pause))?,
                // The folder of the run has its checkpoint.
                None => {}
            }
        }
        Ok(())
    }

    /// True if no run should begin or go on.
    fn is_stopped(&self) -> bool {
        self.broken.load(Ordering::Relaxed) || self.stop.cause().is_some()
    }
}

/// Number of runs of the share that earlier calls have done.
fn collected_before(shared: &Shared) -> usize {
    let range = shared.work.share.range(shared.work.study.count());
    let all = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
    all - shared.left.runs.len()
}

/// The journal, also if a worker has panicked with it.
fn guard(journal: &Mutex<JournalWriter>) -> MutexGuard<'_, JournalWriter> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}
