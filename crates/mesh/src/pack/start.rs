//! Random places from which disks are pushed apart.

use super::cells::Cells;
use super::disk::{Area, Disk};
use super::walls::Walls;
use crate::tuning::{PLACES_MOST, PLACES_TRIED};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::sort::sort_by;

/// A place for each disk: where it overlaps no disk before it, the largest first, or else the one of
/// [`PLACES_TRIED`] places where it overlaps least. `None` if it has no room within the walls.
pub(super) fn places(areas: &[Area], walls: &[Walls], disks: &[Disk]) -> Vec<Option<Vec2>> {
    let largest = disks.iter().map(|disk| disk.radius).fold(0.0, f64::max);
    let corners = areas.iter().flat_map(|area| &area.outline.vertices);
    let around = Aabb::around(corners.copied());
    let mut cells = Cells::over(&around, 2.0 * largest);
    let mut places = vec![None; disks.len()];
    let mut numbers = vec![0; areas.len()];

    let mut order: Vec<usize> = (0..disks.len()).collect();
    sort_by(&mut order, |&a, &b| {
        disks[b].radius.total_cmp(&disks[a].radius)
    });
    for k in order {
        let disk = &disks[k];
        let number = &mut numbers[disk.area];
        let end = *number + PLACES_MOST;
        let mut best: Option<(f64, Vec2)> = None;
        let mut tries = 0;
        while tries < PLACES_TRIED && *number < end {
            let at = walls[disk.area].random(areas[disk.area].stream, *number);
            *number += 1;
            if walls[disk.area].room(at) < disk.clearance {
                continue;
            }

            tries += 1;
            let depth = depth(disk, at, disks, &places, &cells);
            if best.is_none_or(|(least, _)| depth < least) {
                best = Some((depth, at));
            }
            if depth <= 0.0 {
                break;
            }
        }
        if let Some((_, at)) = best {
            cells.add(k, at);
            places[k] = Some(at);
        }
    }
    places
}

/// Largest depth by which a disk at a place overlaps others (m); 0 if it overlaps none.
fn depth(disk: &Disk, at: Vec2, disks: &[Disk], places: &[Option<Vec2>], cells: &Cells) -> f64 {
    let others = cells.near(at).filter_map(|other| {
        let place = places[other]?;
        Some(disk.radius + disks[other].radius - (at - place).norm())
    });
    others.fold(0.0, f64::max)
}
