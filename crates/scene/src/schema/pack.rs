//! Bodies packed into a region without overlap.
//!
//! An entry with a pack stands for many bodies, as one with copies does, and everything that names copies
//! names packed bodies too. Their places follow from the scene only: region, sizes, gap and seed. They are
//! found when the world is built, with all other packs of the scene (`copies/places.rs`).

use super::area::Area;
use super::distribution::Distribution;
use super::selection::{Bounds, Within};
use super::shape::Outline;
use super::{examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Many bodies in a region, without overlap, from random places on. Each is a separate body, whose name
/// is the name of the entry and a number from 1: `grain 1`, `grain 2`. Packed bodies of several entries
/// keep apart from each other, but not from other bodies and obstacles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::pack())]
pub struct Pack {
    /// Region that all bodies are in, relative to the body's `position`.
    pub region: PackRegion,
    /// Number of bodies; it or `fill` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 1)]
    pub count: Option<usize>,
    /// Share of the region that bodies fill (1): their areas over its area. Disks of a few sizes reach
    /// about 0.8, other shapes less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0, below = 1)]
    pub fill: Option<f64>,
    /// Least distance of bodies from each other and from the boundary of the region (m); if absent 2 %
    /// of the smallest radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub gap: Option<f64>,
    /// Radius of each body (m), instead of the radius in its shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Distribution>,
    /// Factor by which the shape of each body is larger (1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Distribution>,
    /// Rotation of each body in addition to `rotation_deg`, counter-clockwise (degrees).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_deg: Option<Distribution>,
    /// Seed of all random numbers: another one is another packing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: usize,
}

/// A region of the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum PackRegion {
    /// Rectangle between two corners.
    Box(Bounds),
    /// Disk around a centre.
    Disk(Within),
    /// Polygon, with holes.
    Outline(Outline),
    /// Area within curves of lines, arcs and splines, with holes.
    Area(Box<Area>),
}

impl Pack {
    /// Largest number of bodies of one entry.
    pub const MOST: usize = 100_000;

    /// This number of bodies in a region.
    pub fn new(region: PackRegion, count: usize) -> Self {
        Self {
            region,
            count: Some(count),
            fill: None,
            gap: None,
            radius: None,
            scale: None,
            angle_deg: None,
            seed: 0,
        }
    }
}
