//! Causes that stop a run before its last step: a signal, or the limit of `--max-wall`.
//!
//! A signal handler may only set a flag. The run looks at the flags after each step and the solver
//! once in each iteration, which gives up the step; then the run writes a checkpoint and stops. A
//! second signal ends the process at once.
//!
//! The time limit is looked at after each step. A step that takes long is given up half a second
//! after the limit, so that shorter ones are not computed in vain.

use super::super::CommandError;
use ipcsim::solve::Interrupt;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Cause that stops a run early, with its state saved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cause {
    /// Signal with this number, SIGINT (2) or SIGTERM (15).
    Signal(u8),
    /// Limit of the wall time that was reached (s).
    Wall(f64),
}

/// Watch for causes to stop. Signal handlers are removed when it is dropped, so that signals end
/// the process again as usual.
pub(crate) struct Stop {
    /// Number of the signal that was received, or 0.
    signal: Arc<AtomicUsize>,
    /// Time at which the watch began.
    started: Instant,
    /// Limit of the wall time (s), if there is one.
    max_wall: Option<f64>,
    /// Handlers that are installed.
    watched: Vec<SigId>,
    /// Request to the solver to give up a step.
    gives_up: Arc<AtomicBool>,
    /// Dropped with the watch, by which the thread of the time limit ends.
    _alarm: Option<Sender<()>>,
}

/// Time that a step may take after the limit of the wall time. A shorter one gives up more steps
/// that are nearly done, and a longer one keeps the user waiting.
const GRACE: Duration = Duration::from_millis(500);

/// Signals that stop a run, as the number of the system and as the number in the exit code.
const SIGNALS: [(i32, u8); 2] = [(SIGINT, 2), (SIGTERM, 15)];

/// True as long as no run watches for signals: then a signal ends the process at once.
static UNWATCHED: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Lets SIGINT and SIGTERM end the process with the exit codes of the documentation from now on, also
/// before a run watches for them. A handler that cannot be installed leaves the system's own.
pub(crate) fn end_by_signals() {
    for (number, code) in SIGNALS {
        let _ =
            flag::register_conditional_shutdown(number, exit_code(code).into(), UNWATCHED.clone());
    }
}

impl Stop {
    /// Starts to watch for signals and the limit `max_wall` (s).
    ///
    /// After a first signal the run gives up its step and stops. A second one ends the process at
    /// once, which leaves a folder that can be resumed.
    ///
    /// # Errors
    /// If a signal handler cannot be installed.
    pub(crate) fn watch(max_wall: Option<f64>) -> Result<Self, CommandError> {
        let received = Arc::new(AtomicBool::new(false));
        let signal = Arc::new(AtomicUsize::new(0));
        let gives_up = Arc::new(AtomicBool::new(false));
        let mut stop = Self {
            signal: signal.clone(),
            started: Instant::now(),
            max_wall,
            watched: Vec::new(),
            _alarm: max_wall.map(|limit| alarm(limit, gives_up.clone())),
            gives_up: gives_up.clone(),
        };

        let watched = &mut stop.watched;
        let mut watch = |id: std::io::Result<SigId>| {
            id.map(|id| watched.push(id)).map_err(CommandError::Signals)
        };
        for (number, code) in SIGNALS {
            // The order counts: the first signal finds `received` still false.
            watch(flag::register_conditional_shutdown(
                number,
                exit_code(code).into(),
                received.clone(),
            ))?;
            watch(flag::register(number, received.clone()))?;
            watch(flag::register_usize(number, signal.clone(), code.into()))?;
            watch(flag::register(number, gives_up.clone()))?;
        }

        UNWATCHED.store(false, Ordering::Relaxed);

        // Without a handler this signal would end the process where a file exceeds the system's
        // size limit. With one, the write fails with an error.
        #[cfg(unix)]
        watch(flag::register(signal_hook::consts::SIGXFSZ, Arc::default()))?;
        Ok(stop)
    }

    /// Question of the solver whether to give up a step.
    pub(super) fn interrupt(&self) -> Interrupt {
        let gives_up = self.gives_up.clone();
        Interrupt::new(move || gives_up.load(Ordering::Relaxed))
    }

    /// Cause to stop now, if there is one. A signal comes before the time limit.
    pub(crate) fn cause(&self) -> Option<Cause> {
        match u8::try_from(self.signal.load(Ordering::Relaxed)) {
            Ok(0) | Err(_) => {
                let elapsed = self.started.elapsed().as_secs_f64();
                self.max_wall
                    .filter(|limit| elapsed >= *limit)
                    .map(Cause::Wall)
            }
            Ok(signal) => Some(Cause::Signal(signal)),
        }
    }
}

/// Starts a thread that sets `gives_up` when the `limit` (s) and the grace after it are over, or
/// ends when the sender is dropped.
fn alarm(limit: f64, gives_up: Arc<AtomicBool>) -> Sender<()> {
    let (sender, dropped) = channel();
    let patience = Duration::from_secs_f64(limit).saturating_add(GRACE);
    std::thread::spawn(move || {
        if dropped.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            gives_up.store(true, Ordering::Relaxed);
        }
    });
    sender
}

impl Drop for Stop {
    /// Removes the signal handlers.
    fn drop(&mut self) {
        UNWATCHED.store(true, Ordering::Relaxed);
        for id in self.watched.drain(..) {
            low_level::unregister(id);
        }
    }
}

/// Number of the signal of a cause; SIGTERM's for a limit of the time.
pub(crate) fn signal_of(cause: Cause) -> u8 {
    match cause {
        Cause::Signal(number) => number,
        Cause::Wall(_) => 15,
    }
}

/// Exit code of a program that was ended by a signal: 128 plus its number.
pub(crate) fn exit_code(signal: u8) -> u8 {
    128 + signal
}

impl Cause {
    /// Short name of the cause, the `kind` of the reason in `run.json`.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Signal(2) => "sigint",
            Self::Signal(_) => "sigterm",
            Self::Wall(_) => "max_wall",
        }
    }

    /// Cause as the beginning of a sentence: "stopped by SIGINT".
    pub(super) fn sentence(self) -> String {
        match self {
            Self::Signal(_) => format!("stopped by {}", self.kind().to_uppercase()),
            Self::Wall(limit) => format!("stopped by --max-wall {limit}"),
        }
    }
}

/// Reads a time in seconds from the command line.
///
/// # Errors
/// If the text is not a finite number above 0.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let value = text
        .parse()
        .ok()
        .filter(|&value: &f64| Duration::try_from_secs_f64(value).is_ok() && value > 0.0);
    value.ok_or_else(|| {
        "expected a number of seconds above 0 and below 1.8e19, for example 3600".to_owned()
    })
}
