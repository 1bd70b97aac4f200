//! What ends a run before its last step: a signal, or the time it was given.

use super::super::CommandError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Why a run ends early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cause {
    /// A signal with this number.
    Signal(u8),
    /// The time (s) is over.
    Wall(f64),
}

/// Watches for a reason to end.
pub(super) struct Stop {
    /// The number of the signal that came, or 0.
    signal: Arc<AtomicUsize>,
    started: Instant,
    max_wall: Option<f64>,
    watched: Vec<SigId>,
}

/// The signals that a run ends at.
const SIGNALS: [(i32, u8); 2] = [(SIGINT, 2), (SIGTERM, 15)];

impl Stop {
    /// Watches from now on. A second signal ends the process at once: the files are always as they should be.
    pub(super) fn watch(max_wall: Option<f64>) -> Result<Self, CommandError> {
        let (came, signal) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicUsize::new(0)),
        );
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
            watch(flag::register_conditional_shutdown(
                number,
                exit_code(code).into(),
                came.clone(),
            ))?;
            watch(flag::register(number, came.clone()))?;
            watch(flag::register_usize(number, signal.clone(), code.into()))?;
        }
        // A file that grows beyond a limit of the system is an error that can be told, if this signal does not kill.
        #[cfg(unix)]
        watch(flag::register(signal_hook::consts::SIGXFSZ, Arc::default()))?;
        Ok(stop)
    }

    /// Why the run shall end now, if it shall.
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

/// The code with which a program ends that a signal has ended.
pub(super) fn exit_code(signal: u8) -> u8 {
    128 + signal
}

impl Cause {
    /// A short name for programs.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Signal(2) => "sigint",
            Self::Signal(_) => "sigterm",
            Self::Wall(_) => "max_wall",
        }
    }

    /// What has ended the run.
    pub(super) fn sentence(self) -> String {
        match self {
            Self::Signal(_) => format!("ended by {}", self.kind().to_uppercase()),
            Self::Wall(limit) => format!("ended by --max-wall {limit}"),
        }
    }
}

/// Reads a time in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let value = text
        .parse()
        .ok()
        .filter(|&value: &f64| Duration::try_from_secs_f64(value).is_ok() && value > 0.0);
    value.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}
