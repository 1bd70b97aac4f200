//! Causes that stop a run before its last step: a signal, or the limit of `--max-wall`.

use super::super::CommandError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Cause that stops a run early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cause {
    /// Signal with this number.
    Signal(u8),
    /// Wall time reached this limit (s).
    Wall(f64),
}

/// Watch for causes to stop.
pub(super) struct Stop {
    /// Number of the signal that was received, or 0.
    signal: Arc<AtomicUsize>,
    started: Instant,
    max_wall: Option<f64>,
    watched: Vec<SigId>,
}

/// Signals that stop a run, as the system's number and as the exit code's part.
const SIGNALS: [(i32, u8); 2] = [(SIGINT, 2), (SIGTERM, 15)];

impl Stop {
    /// Starts to watch. After a first signal the run stops at the end of its step. A second one ends the process at once,
    /// which leaves a folder that can be resumed.
    ///
    /// # Errors
    /// If a signal handler cannot be installed.
    pub(super) fn watch(max_wall: Option<f64>) -> Result<Self, CommandError> {
        let received = Arc::new(AtomicBool::new(false));
        let signal = Arc::new(AtomicUsize::new(0));
        let mut stop = Self {
            signal: signal.clone(),
            started: Instant::now(),
            max_wall,
            watched: Vec::new(),
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
        }

        // Without a handler this signal would end the process where a file exceeds the system's size limit. With one,
        // the write fails with an error.
        #[cfg(unix)]
        watch(flag::register(signal_hook::consts::SIGXFSZ, Arc::default()))?;
        Ok(stop)
    }

    /// Cause to stop now, if there is one.
    pub(super) fn cause(&self) -> Option<Cause> {
        match u8::try_from(self.signal.load(Ordering::Relaxed)) {
            Ok(0) | Err(_) => {
                let over = |limit: &f64| self.started.elapsed().as_secs_f64() >= *limit;
                self.max_wall.filter(over).map(Cause::Wall)
            }
            Ok(signal) => Some(Cause::Signal(signal)),
        }
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        for id in self.watched.drain(..) {
            low_level::unregister(id);
        }
    }
}

/// Exit code of a program that was ended by a signal.
pub(super) fn exit_code(signal: u8) -> u8 {
    128 + signal
}

impl Cause {
    /// Short name of the cause, for `run.json`.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Signal(2) => "sigint",
            Self::Signal(_) => "sigterm",
            Self::Wall(_) => "max_wall",
        }
    }

    /// Cause as part of a sentence.
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
/// If it is not a number above 0.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let value = text
        .parse()
        .ok()
        .filter(|&value: &f64| Duration::try_from_secs_f64(value).is_ok() && value > 0.0);
    value.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}
