//! Disks packed into areas without overlap.
//!
//! 1. Each disk, the largest first, takes the first of some random places where it has room, or the one
//!    where it overlaps the others least (`start`). Loose packings are done here.
//! 2. Sweeps over all pairs that overlap push both apart, and walls push inwards (`relax`).
//! 3. If disks still overlap, the last ones of their area leave, and the sweeps go on.
//!
//! | share of the area | what happens |
//! |---|---|
//! | up to 0.5 | almost every disk finds a free place at random |
//! | up to 0.7 | a few dozen sweeps |
//! | up to 0.78 | some hundred sweeps, for disks of sizes that differ by a few times |
//! | more | disks leave |
//!
//! The packing is random and alike everywhere: no direction is preferred, and walls have the same distance
//! as other disks. Areas may have corners, holes and narrow parts. Disks that are wider than a part of their
//! area stay out of it.
//!
//! Only sums, products, quotients and square roots are computed, one after the other, so that the same
//! numbers come out on every machine. The number of sweeps is bounded.

mod cells;
mod disk;
mod grid;
mod relax;
mod start;
mod walls;

pub use disk::{Area, Disk};

use crate::tuning::{DENSEST, LEAVING, MANY_DISKS, SWEEPS_FIRST, SWEEPS_NEXT};
use grid::whole;
use ipcsim_math::Vec2;
use relax::Packing;
use walls::Walls;

/// A place for each disk in its area (m); `None` for those that have no room.
///
/// Areas may overlap: all disks keep apart from each other. The last ones of an area leave first.
pub fn pack(areas: &[Area], disks: &[Disk]) -> Vec<Option<Vec2>> {
    let walls: Vec<Walls> = (0..areas.len())
        .map(|k| {
            let own = disks.iter().filter(|disk| disk.area == k);
            let reach = own.map(|disk| disk.clearance).fold(0.0, f64::max);
            Walls::of(&areas[k].outline, reach)
        })
        .collect();
    let mut places = start::places(areas, &walls, disks);
    thin(areas, disks, &mut places);

    // Fewer and fewer disks, until they have room.
    let mut sweeps = SWEEPS_FIRST;
    loop {
        let share = (MANY_DISKS as f64 / disks.len().max(MANY_DISKS) as f64).max(0.05);
        let mut packing = Packing::new(&walls, disks, &places);
        let is_done = packing.relax(whole(sweeps as f64 * share));
        let crowded = packing.crowded();
        packing.write(&mut places);
        if is_done {
            return places;
        }
        for area in 0..areas.len() {
            if crowded.contains(&area) {
                leave(area, disks, &mut places);
            }
        }
        sweeps = SWEEPS_NEXT;
    }
}

/// Takes the last disks out of areas that have more than could ever fill them.
fn thin(areas: &[Area], disks: &[Disk], places: &mut [Option<Vec2>]) {
    for (k, area) in areas.iter().enumerate() {
        let most = DENSEST * area.outline.area();
        let mut sum = 0.0;
        for (disk, place) in disks.iter().zip(&mut *places) {
            if disk.area != k || place.is_none() {
                continue;
            }
            sum += std::f64::consts::PI * disk.radius * disk.radius;
            if sum > most {
                *place = None;
            }
        }
    }
}

/// Takes the last disks out of an area: one of [`LEAVING`], and one at least.
fn leave(area: usize, disks: &[Disk], places: &mut [Option<Vec2>]) {
    let all = 0..disks.len();
    let here: Vec<usize> = all
        .filter(|&k| disks[k].area == area && places[k].is_some())
        .collect();
    let count = here.len().div_ceil(LEAVING);
    for k in here.into_iter().rev().take(count) {
        places[k] = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outline;
    use ipcsim_math::random::Stream;

    /// A square of this side with a square hole of a third of it.
    fn frame(side: f64) -> Area {
        let square = |half: f64| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| Vec2::new(x, y) * half)
                .to_vec()
        };
        Area {
            outline: Outline::polygon(square(side / 2.0), vec![square(side / 6.0)]),
            stream: Stream::new(1, "places"),
        }
    }

    /// Disks of radii from 0.8 to 1.2 (m) that fill this share of an area.
    fn disks(share: f64, area: &Area) -> Vec<Disk> {
        let stream = Stream::new(2, "radii");
        let mut sum = 0.0;
        let radii = (0..).map(|k| 0.8 + 0.4 * stream.uniform(k));
        let radii = radii.take_while(|radius| {
            sum += std::f64::consts::PI * radius * radius;
            sum <= share * area.outline.area()
        });
        let disk = |radius| Disk {
            radius,
            clearance: radius,
            area: 0,
        };
        radii.map(disk).collect()
    }

    /// Checks that disks at these places meet neither each other nor the walls.
    fn assert_apart(area: &Area, disks: &[Disk], places: &[Option<Vec2>]) {
        let walls = Walls::of(&area.outline, 2.0);
        let placed: Vec<(&Disk, Vec2)> = disks
            .iter()
            .zip(places)
            .filter_map(|(disk, place)| Some((disk, (*place)?)))
            .collect();
        for (k, (disk, at)) in placed.iter().enumerate() {
            assert!(
                walls
                    .nearest(*at)
                    .is_none_or(|wall| wall.distance >= disk.clearance)
            );
            for (other, place) in &placed[..k] {
                assert!((at - place).norm() >= disk.radius + other.radius);
            }
        }
    }

    #[test]
    fn disks_of_many_shares_have_room_around_a_hole() {
        for share in [0.1, 0.4, 0.6, 0.76] {
            let area = frame(60.0);
            let disks = disks(share, &area);
            let places = pack(std::slice::from_ref(&area), &disks);
            assert!(places.iter().all(Option::is_some), "{share}");
            assert_apart(&area, &disks, &places);
        }
    }

    #[test]
    fn disks_without_room_leave_and_the_others_have_it() {
        let area = frame(30.0);
        let disks = disks(1.3, &area);
        let places = pack(std::slice::from_ref(&area), &disks);
        let placed = || {
            disks
                .iter()
                .zip(&places)
                .filter(|(_, place)| place.is_some())
        };
        let filled: f64 = placed()
            .map(|(disk, _)| std::f64::consts::PI * disk.radius * disk.radius)
            .sum();
        let share = filled / area.outline.area();
        assert!((0.68..0.9).contains(&share), "{share}");
        assert_apart(&area, &disks, &places);

        // A disk that is larger than the area has no place at all.
        let huge = Disk {
            radius: 100.0,
            clearance: 100.0,
            area: 0,
        };
        assert_eq!(pack(&[area], &[huge]), [None]);
    }
}
