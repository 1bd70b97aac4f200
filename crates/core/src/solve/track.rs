//! The path of a step: the configurations that the solver has accepted, one after another.
//!
//! Each motion between two of them has been proved free of contact, so the list is evidence that
//! the step is. Certificates store it. The solver may give a motion up and return to an earlier
//! configuration, for instance when a fallback tries the step again; the list then forgets
//! everything after that configuration.

use crate::body::Configuration;

/// Configurations, each reachable from the one before without impact.
#[derive(Clone, Debug, Default)]
pub struct Track(Vec<Configuration>);

impl Track {
    /// Adds the motion from `from` to `to`.
    ///
    /// Everything after `from` has been given up since. If no motion ends at `from`, a new path
    /// begins there.
    pub fn add(&mut self, from: &Configuration, to: &Configuration) {
        if !self.return_to(from) {
            self.0 = vec![from.clone()];
        }
        self.0.push(to.clone());
    }

    /// Takes the configurations after the start, up to `end`; none if the path does not lead there.
    pub fn take(&mut self, end: &Configuration) -> Vec<Configuration> {
        let leads_there = self.return_to(end);
        let way = std::mem::take(&mut self.0);
        way.into_iter()
            .skip(if leads_there { 1 } else { usize::MAX })
            .collect()
    }

    /// Forgets everything after the last configuration with the coordinates of `end`; false, and
    /// without effect, if there is none.
    fn return_to(&mut self, end: &Configuration) -> bool {
        let place = self.0.iter().rposition(|at| at.q == end.q);
        self.0
            .truncate(place.map_or(self.0.len(), |place| place + 1));
        place.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_math::Vec2;

    fn at(x: f64) -> Configuration {
        Configuration {
            q: vec![Vec2::new(x, 0.0)],
            x: vec![Vec2::new(x, 0.0)],
        }
    }

    #[test]
    fn what_is_given_up_is_no_part_of_the_way() {
        let mut track = Track::default();
        track.add(&at(7.0), &at(8.0));
        track.add(&at(0.0), &at(1.0));
        track.add(&at(0.0), &at(2.0));
        track.add(&at(2.0), &at(3.0));
        track.add(&at(3.0), &at(4.0));
        track.add(&at(3.0), &at(5.0));

        assert_eq!(track.take(&at(5.0)), [2.0, 3.0, 5.0].map(at));
        assert_eq!(track.take(&at(5.0)), []);

        // A path that leads elsewhere.
        track.add(&at(5.0), &at(6.0));
        assert_eq!(track.clone().take(&at(9.0)), []);
        assert_eq!(track.take(&at(5.0)), []);
    }
}
