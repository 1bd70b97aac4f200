//! Disks pushed apart until none overlap.
//!
//! A sweep goes through all pairs of near disks, one after the other, and moves both apart to a little
//! more than the sum of their radii. Walls move disks inwards. Near pairs are listed for distances a
//! little larger, and are listed again when a disk has moved by half of the difference.

use super::cells::Cells;
use super::disk::Disk;
use super::walls::Walls;
use crate::tuning::{LISTED_WITHIN, PUSHED_APART};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use std::collections::BTreeSet;

/// Disks that are pushed apart.
pub(super) struct Packing<'a> {
    /// Walls of the areas.
    walls: &'a [Walls],
    /// The disks that are present, with their numbers.
    disks: Vec<(usize, Disk)>,
    /// Their places (m).
    x: Vec<Vec2>,
    /// Places for which pairs are listed (m).
    listed: Vec<Vec2>,
    /// Near pairs.
    pairs: Vec<[usize; 2]>,
    /// Distance beyond the target within which pairs are listed (m).
    margin: f64,
}

impl<'a> Packing<'a> {
    /// The disks that have places.
    pub(super) fn new(walls: &'a [Walls], disks: &[Disk], places: &[Option<Vec2>]) -> Self {
        let present = disks.iter().zip(places).enumerate();
        let present = present.filter_map(|(k, (disk, place))| Some(((k, *disk), (*place)?)));
        let (disks, x): (Vec<(usize, Disk)>, Vec<Vec2>) = present.unzip();
        let radii: f64 = disks.iter().map(|(_, disk)| disk.radius).sum();
        let mut packing = Self {
            walls,
            margin: LISTED_WITHIN * radii / disks.len().max(1) as f64,
            disks,
            x,
            listed: Vec::new(),
            pairs: Vec::new(),
        };
        packing.list();
        packing
    }

    /// Writes the places by the numbers of disks.
    pub(super) fn write(&self, places: &mut [Option<Vec2>]) {
        for ((k, _), at) in self.disks.iter().zip(&self.x) {
            places[*k] = Some(*at);
        }
    }

    /// Lists near pairs.
    fn list(&mut self) {
        self.listed.clone_from(&self.x);
        self.pairs.clear();
        let largest = self.disks.iter().map(|(_, disk)| disk.radius);
        let largest = largest.fold(0.0, f64::max);
        if self.x.is_empty() {
            return;
        }

        // Each pair once, in the order of the second disk.
        let around = Aabb::around(self.x.iter().copied());
        let mut cells = Cells::over(&around, 2.0 * PUSHED_APART * largest + self.margin);
        for (b, (_, disk)) in self.disks.iter().enumerate() {
            for a in cells.near(self.x[b]) {
                let far = PUSHED_APART * (self.disks[a].1.radius + disk.radius) + self.margin;
                if (self.x[a] - self.x[b]).norm_squared() < far * far {
                    self.pairs.push([a, b]);
                }
            }
            cells.add(b, self.x[b]);
        }
    }

    /// Sweeps until no disks overlap, at most `most` times. True if none do.
    pub(super) fn relax(&mut self, most: usize) -> bool {
        for _ in 0..most {
            if self.is_apart() {
                return true;
            }
            self.sweep_pairs();
            self.sweep_walls();

            // Two disks may come together by the ways of both.
            let most = 0.25 * self.margin * self.margin;
            let mut moved = self.x.iter().zip(&self.listed);
            if moved.any(|(x, listed)| (x - listed).norm_squared() > most) {
                self.list();
            }
        }
        self.is_apart()
    }

    /// True if no disks overlap each other or walls.
    fn is_apart(&self) -> bool {
        let mut disks = 0..self.x.len();
        !self.pairs.iter().any(|pair| self.overlap(*pair)) && !disks.any(|k| self.is_outside(k))
    }

    /// Areas in which disks overlap each other or walls.
    pub(super) fn crowded(&self) -> BTreeSet<usize> {
        let pairs = self.pairs.iter().filter(|pair| self.overlap(**pair));
        let overlapping = pairs.flatten().copied();
        let outside = (0..self.x.len()).filter(|&k| self.is_outside(k));
        let all = overlapping.chain(outside);
        all.map(|k| self.disks[k].1.area).collect()
    }

    /// True if the disks of a pair overlap.
    fn overlap(&self, [a, b]: [usize; 2]) -> bool {
        let sum = self.disks[a].1.radius + self.disks[b].1.radius;
        (self.x[a] - self.x[b]).norm() < sum
    }

    /// True if a disk is not within its walls.
    fn is_outside(&self, k: usize) -> bool {
        let disk = &self.disks[k].1;
        self.walls[disk.area].room(self.x[k]) < disk.clearance
    }

    /// Pushes pairs apart.
    fn sweep_pairs(&mut self) {
        for &[a, b] in &self.pairs {
            let far = PUSHED_APART * (self.disks[a].1.radius + self.disks[b].1.radius);
            let between = self.x[b] - self.x[a];
            let squared = between.norm_squared();
            if squared >= far * far {
                continue;
            }

            // Two disks at one place part along x.
            let distance = squared.sqrt();
            let normal = if distance > 0.0 {
                between / distance
            } else {
                Vec2::x()
            };
            let push = normal * (0.5 * (far - distance));
            self.x[a] -= push;
            self.x[b] += push;
        }
    }

    /// Pushes disks away from walls.
    fn sweep_walls(&mut self) {
        for (x, (_, disk)) in self.x.iter_mut().zip(&self.disks) {
            let walls = &self.walls[disk.area];
            let far = PUSHED_APART * disk.clearance;
            let Some(nearest) = walls.nearest(*x) else {
                continue;
            };
            if nearest.distance < far {
                *x = nearest.point + nearest.inward * far;
            }
            // Walls of a corner, after the nearest one.
            let others: Vec<_> = walls.within(far, *x).collect();
            for wall in others {
                *x = wall.point + wall.inward * far;
            }
        }
    }
}
