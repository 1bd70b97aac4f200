//! Places of the bodies that entries stand for.

use super::circle::{self, Around};
use super::drawn::Drawn;
use super::region;
use crate::problem::Problem;
use crate::schema::{Body, Pack, Scene};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::rotation;
use ipcsim_math::number::short;
use ipcsim_mesh::pack::{self, Area, Disk};
use std::f64::consts::PI;

/// Gap between packed bodies, if a scene does not say it, over the smallest radius (1).
const GAP: f64 = 0.02;

/// Place, size and angle of a copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// Displacement from the body's position (m).
    pub(super) offset: Vec2,
    /// Factor of its shape (1).
    pub(super) scale: f64,
    /// Radius of the shape, if it is drawn (m).
    pub(super) radius: Option<f64>,
    /// Rotation in addition to the body's (degrees).
    pub(super) angle_deg: f64,
}

/// Copies of all entries, `[bodies][copies]`; none for entries that are one body.
///
/// Bodies that have no room in their region are left out, with a problem for the entry.
pub(super) fn places(scene: &Scene) -> (Vec<Vec<Placed>>, Vec<Problem>) {
    let all = scene.bodies.iter();
    let mut copies: Vec<Vec<Placed>> = all.map(of_body).collect();
    let problems = place_packed(scene, &mut copies);
    (copies, problems)
}

/// Copies of a body; those of a pack have no places yet.
fn of_body(body: &Body) -> Vec<Placed> {
    if !body.is_many() {
        return Vec::new();
    }
    let drawn = Drawn::of(body);
    let all = 0..body.count();
    all.map(|k| Placed {
        offset: match &body.copies {
            Some(copies) => copies.offset(k, drawn.jitter(k)).into(),
            None => Vec2::zeros(),
        },
        scale: drawn.scale(k),
        radius: drawn.radius(k),
        angle_deg: drawn.angle_deg(k),
    })
    .collect()
}

/// A pack of the scene.
struct Packed<'a> {
    /// Number of its entry.
    entry: usize,
    /// The entry.
    body: &'a Body,
    /// Its pack.
    pack: &'a Pack,
    /// Circle around the shape before it is scaled.
    around: Around,
    /// Numbers of its disks among all.
    disks: std::ops::Range<usize>,
}

/// Places all packed bodies, by the circles around them. Returns a problem for each pack without room.
fn place_packed(scene: &Scene, copies: &mut [Vec<Placed>]) -> Vec<Problem> {
    let mut packs = Vec::new();
    let mut areas = Vec::new();
    let mut disks = Vec::new();
    for (entry, body) in scene.bodies.iter().enumerate() {
        let Some(pack) = &body.pack else { continue };
        // The checks have refused regions without an outline.
        let Ok(mut outline) = region::outline(&pack.region) else {
            continue;
        };
        for at in &mut outline.vertices {
            *at += Vec2::from(body.position);
        }

        let around = circle::around(&body.shape, body.stretch);
        let own = of_pack(pack, around, &copies[entry], areas.len());
        packs.push(Packed {
            entry,
            body,
            pack,
            around,
            disks: disks.len()..disks.len() + own.len(),
        });
        disks.extend(own);
        areas.push(Area {
            outline,
            stream: Drawn::of(body).stream("place"),
        });
    }

    let places = pack::pack(&areas, &disks);
    let mut problems = Vec::new();
    for own in &packs {
        let here = &places[own.disks.clone()];
        problems.extend(without_room(own, here, &disks, &areas));
        let copies = &mut copies[own.entry];
        for (copy, place) in copies.iter_mut().zip(here) {
            copy.offset = place.map_or_else(Vec2::zeros, |at| own.offset(copy, at));
        }
        let mut places = here.iter();
        copies.retain(|_| places.next().is_some_and(Option::is_some));
    }
    problems
}

/// Disks around the bodies of a pack, in the area with this number.
fn of_pack(pack: &Pack, around: Around, copies: &[Placed], area: usize) -> Vec<Disk> {
    let least = copies.iter().map(|copy| copy.scale);
    let least = around.radius * least.fold(f64::INFINITY, f64::min);
    let gap = pack.gap.unwrap_or(GAP * least);

    // A disk keeps half of the gap from others, and all of it from walls.
    let all = copies.iter();
    all.map(|copy| Disk {
        radius: around.radius * copy.scale + 0.5 * gap,
        clearance: around.radius * copy.scale + gap,
        area,
    })
    .collect()
}

impl Packed<'_> {
    /// Displacement of a copy from the body's position so that the circle around it is at a place (m).
    fn offset(&self, copy: &Placed, at: Vec2) -> Vec2 {
        let turn = rotation((self.body.rotation_deg + copy.angle_deg).to_radians());
        at - turn * self.around.center * copy.scale - Vec2::from(self.body.position)
    }
}

/// Problem of a pack with bodies that have no room.
fn without_room(
    own: &Packed,
    places: &[Option<Vec2>],
    disks: &[Disk],
    areas: &[Area],
) -> Option<Problem> {
    let count = places.len();
    let fitting = places.iter().flatten().count();
    if fitting == count {
        return None;
    }
    let name = &own.body.name;
    let key = if own.pack.fill.is_some() {
        "fill"
    } else {
        "count"
    };
    let path = format!("bodies[{}].pack.{key}", own.entry);
    let area = areas[disks[own.disks.start].area].outline.area();
    let disks = &disks[own.disks.clone()];

    let message = if fitting == 0 {
        format!(
            "no \"{name}\" fits into the region: the circle around one needs a radius of {} m with its \
             gap; make the region wider or the bodies smaller",
            short(disks[0].clearance)
        )
    } else {
        format!(
            "{fitting} of {count} \"{name}\" fit into the region: the circles around all, with their gaps, \
             would fill {} of its area, and those that fit fill {}; use fewer or smaller bodies, or a larger \
             region",
            short(filled(disks) / area),
            short(filled(&disks[..fitting]) / area)
        )
    };
    Some(Problem::error(path, message))
}

/// Sum of the areas of disks (m^2).
fn filled(disks: &[Disk]) -> f64 {
    let areas = disks.iter().map(|disk| PI * disk.radius * disk.radius);
    areas.sum()
}
