//! Notes that a solver takes while it works: times and counts always, and on request the queries of collision
//! detection, the accepted configurations and the motions to them.
//!
//! No note influences a result.

use super::counts::Counts;
use super::descent::Descent;
use super::timings::Timings;
use super::track::Track;
use ipcsim_contact::ccd::Query;

/// Choice of optional notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// True for continuous collision queries that bounding boxes do not decide.
    pub queries: bool,
    /// Configurations that the solver accepts in between, for certificates.
    pub track: bool,
    /// Motions along directions, for a display of the method.
    pub descents: bool,
}

/// Notes of one step.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Time spent in each phase.
    pub timings: Timings,
    /// Directions, and what became of them.
    pub counts: Counts,
    /// Continuous collision queries that bounding boxes did not decide; `None` if they are not
    /// watched.
    pub queries: Option<Vec<Query>>,
    /// Configurations accepted; `None` if they are not watched.
    pub track: Option<Track>,
    /// Motions along directions; `None` if they are not watched.
    pub descents: Option<Vec<Descent>>,
}

impl Log {
    /// An empty log with the notes that are watched.
    pub fn new(watch: Watch) -> Self {
        Self {
            timings: Timings::default(),
            counts: Counts::default(),
            queries: watch.queries.then(Vec::new),
            track: watch.track.then(Track::default),
            descents: watch.descents.then(Vec::new),
        }
    }
}
