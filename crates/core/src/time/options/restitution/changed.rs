//! Contacts that have opened or closed in a stage.

use super::impact::Impact;
use ipcsim_contact::Press;

/// Bodies whose contacts are others after a stage than before.
pub(super) struct Changed {
    /// True where a pair of bodies has met or parted, or a limit or a rope has closed, `[bodies]`.
    pub(super) by_pairs: Vec<bool>,
    /// True where a place of contact has opened or closed, `[bodies]`.
    pub(super) by_places: Vec<bool>,
}

impl Changed {
    /// The changes among a number of bodies between presses `before` and `after`.
    pub(super) fn of(bodies: usize, before: &[Press], after: &[Press]) -> Self {
        let mut changed = Self {
            by_pairs: vec![false; bodies],
            by_places: vec![false; bodies],
        };
        let vertices = |press: &Press| press.vertices;
        if before.iter().map(vertices).eq(after.iter().map(vertices)) {
            return changed;
        }

        let pairs = [before, after].map(|presses| sorted(presses, |press| press.bodies));
        let places = [before, after].map(|presses| sorted(presses, vertices));
        for press in before.iter().chain(after) {
            let is_in = |pairs: &Vec<_>| pairs.binary_search(&press.bodies).is_ok();
            let has_met = !pairs.iter().all(is_in);
            let is_at = |places: &Vec<_>| places.binary_search(&press.vertices).is_ok();
            let has_moved = !places.iter().all(is_at);
            for body in press.bodies {
                changed.by_pairs[body] |= has_met;
                changed.by_places[body] |= has_moved;
            }
        }
        changed
    }

    /// Adds the bodies of limits and ropes at which a law of restitution acts.
    pub(super) fn add_stops(&mut self, stops: &[Impact]) {
        for stop in stops.iter().filter(|stop| stop.law.is_some()) {
            for body in stop.normal.bodies {
                self.by_pairs[body] = true;
            }
        }
    }

    /// True if all contacts are as before.
    pub(super) fn is_nothing(&self) -> bool {
        !self.by_pairs.contains(&true) && !self.by_places.contains(&true)
    }
}

/// Presses `before` between bodies that do not press on each other `after`.
pub(super) fn opened(before: &[Press], after: &[Press]) -> Vec<Press> {
    let pressed = sorted(after, |press| press.bodies);
    let opened = before
        .iter()
        .filter(|press| pressed.binary_search(&press.bodies).is_err());
    opened.cloned().collect()
}

/// What `key` makes of each press, ascending.
fn sorted<K: Ord>(presses: &[Press], key: impl Fn(&Press) -> K) -> Vec<K> {
    let mut keys: Vec<K> = presses.iter().map(key).collect();
    keys.sort_unstable();
    keys
}
