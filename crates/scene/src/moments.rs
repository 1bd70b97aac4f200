//! Numbers that vary, looked at over a run before it begins.

use crate::schema::Time;
use ipcsim_math::Vec2;
use ipcsim_math::number::short;
use ipcsim_math::varying::Varying;

/// Number of times of a run at which a number is looked at.
pub(crate) const LOOKS: usize = 1000;

/// Largest number of values that are computed: fewer times are looked at where there are many places.
const VALUES: usize = 2_000_000;

/// A value of a number in a run that should not be.
pub(crate) struct Found {
    /// The value.
    pub(crate) value: f64,
    /// Place at which it is taken (m).
    pub(crate) place: Vec2,
    /// Time, and place if the number depends on it, in words.
    pub(crate) at: String,
}

/// First value of a number, at these places (m) over a run, that is not `right`.
pub(crate) fn first_wrong(
    time: &Time,
    number: &Varying,
    places: &[Vec2],
    right: impl Fn(f64) -> bool,
) -> Option<Found> {
    // What does not vary is looked at once.
    let origin = [Vec2::zeros()];
    let places = if number.has_place() { places } else { &origin };
    let most = (VALUES / places.len().max(1)).clamp(1, LOOKS);
    let most = if number.has_time() { most } else { 0 };
    for t in times(time, most) {
        for &place in places {
            let value = number.at(place, t);
            if right(value) {
                continue;
            }
            let [x, y] = [place.x, place.y].map(short);
            let at = if number.has_place() {
                format!("t = {t} s, x = {x} m and y = {y} m")
            } else {
                format!("t = {t} s")
            };
            return Some(Found { value, place, at });
        }
    }
    None
}

/// Times (s) from the start of a run to its end in at most `most` equal parts; the start alone without
/// parts.
pub(crate) fn times(time: &Time, most: usize) -> impl Iterator<Item = f64> + use<> {
    let parts = time.steps.max(1).min(most);
    let end = time.step * time.steps as f64;
    (0..=parts).map(move |k| end * k as f64 / parts.max(1) as f64)
}

/// Sentence about a value that is no finite number.
pub(crate) fn not_finite(found: &Found) -> String {
    let Found { value, at, .. } = found;
    format!("is {value} at {at}, but must be finite at all times")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Varying as Given;

    #[test]
    fn the_first_time_and_place_of_a_wrong_value_are_named() {
        let time = Time::new(0.1, 10);
        let places = [Vec2::new(1.0, 0.0), Vec2::new(2.0, 3.0)];
        let told = |formula: &str| {
            let number = Given::from(formula).read().unwrap();
            first_wrong(&time, &number, &places, f64::is_finite).map(|found| not_finite(&found))
        };
        assert_eq!(told("x + t"), None);
        let expected = "is inf at t = 0 s, but must be finite at all times";
        assert_eq!(told("1/0").as_deref(), Some(expected));
        let expected = "is NaN at t = 0.8 s, but must be finite at all times";
        assert_eq!(told("sqrt(0.75 - t)").as_deref(), Some(expected));
        let expected = "is inf at t = 0 s, x = 2 m and y = 3 m, but must be finite at all times";
        assert_eq!(told("t + 1/(2 - x)").as_deref(), Some(expected));
    }
}
