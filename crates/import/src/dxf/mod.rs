//! Curves of DXF drawings (.dxf), as text or binary, of all versions.
//!
//! Lines, arcs, circles, ellipses, polylines with bulges, splines and filled quadrangles are curves,
//! also those of blocks that are inserted. Their names are their layer and the blocks around them.
//! Whatever else a drawing has, such as texts and dimensions, is left out with a word, and so are
//! layers that are off, and entities that are not in the plane. `$INSUNITS` is the unit. The format
//! is described in Autodesk's "DXF Reference".
//!
//! A drawing has sections: `HEADER` with variables, `TABLES` with layers, `BLOCKS`, and `ENTITIES`. An
//! `INSERT` draws the entities of a block by a displacement, factors, a rotation, and rows and columns;
//! entities on the layer 0 of a block are on the layer of the `INSERT`.
//!
//! Entities with a plane have coordinates in it. If its normal (code 210) points downwards, x is
//! mirrored; any other direction than along z is out of the plane. Heights may differ between entities,
//! but not within one.
//!
//! Angles of arcs are in degrees and run counter-clockwise; parameters of ellipses are in radians. A
//! bulge is the tangent of a quarter of the angle of an arc, positive to the left.
//!
//! A drawing that names an unknown block draws nothing for it. A polyline that was made smooth has
//! control vertices, which are not on the curve, and a `SOLID` lists its last two corners across.

mod codes;
mod entities;
mod outlines;
mod spline;

use super::ReadError;
use super::affine::Affine;
use super::drawing::{Drawing, Drawn, MOST_PIECES};
use super::names::few;
use super::pen::Pen;
use codes::{Pair, pairs};
use entities::{Entity, entities};
use ipcsim_math::Vec2;
use outlines::{FLAT, draw, range};
use std::collections::{BTreeMap, BTreeSet};

/// Depth of blocks within each other.
/// A block that inserts itself ends here with an error.
const DEEPEST: usize = 16;

/// Largest number of entities, inserted copies included.
/// Blocks may multiply them by rows and columns.
const MOST_ENTITIES: usize = 1_000_000;

/// Reads a drawing.
///
/// # Errors
/// If the bytes are not a DXF drawing, or it has no curve.
pub(super) fn read(bytes: &[u8]) -> Result<Drawing, ReadError> {
    let pairs = pairs(bytes)?;
    let sections = sections(&pairs);
    if sections.is_empty() {
        return Err(ReadError::new(
            "it has no SECTION, so that it is not a DXF drawing",
        ));
    }

    let mut reading = Reading::default();
    let mut drawn = Vec::new();
    for (name, own) in &sections {
        let all = entities(own);
        match *name {
            "HEADER" => reading.unit = unit(own),
            "TABLES" => reading.layers(&all)?,
            "BLOCKS" => reading.blocks(&all),
            "ENTITIES" => drawn.extend(all),
            _ => {}
        }
    }

    let place = Place {
        map: Affine::identity(),
        layer: "0",
        names: Vec::new(),
        depth: 0,
    };

    reading.draw(&drawn, &place)?;
    reading.finish()
}

/// Sections of a drawing: names and pairs.
///
/// Pairs between sections are ignored, such as comments at the head (code 999). A section without a
/// name is skipped.
fn sections<'a>(pairs: &'a [Pair<'a>]) -> Vec<(&'a str, &'a [Pair<'a>])> {
    let is_mark = |pair: &Pair, mark: &str| pair.code == 0 && pair.value == mark;
    let mut found = Vec::new();
    let mut rest = pairs;
    while let Some(start) = rest.iter().position(|pair| is_mark(pair, "SECTION")) {
        rest = &rest[start + 1..];
        let Some(name) = rest.first().filter(|pair| pair.code == 2) else {
            continue;
        };
        // A file that is cut off ends its last section.
        let end = rest
            .iter()
            .position(|pair| is_mark(pair, "ENDSEC"))
            .unwrap_or(rest.len());
        found.push((&*name.value, &rest[1..end]));
        rest = &rest[end..];
    }
    found
}

/// Length of a unit (m) by the header.
///
/// The number is the one of `$INSUNITS` (DXF Reference, "HEADER Section Group Codes"): 1 is an inch,
/// 2 a foot, 4 a millimetre, 6 a metre. `None` if it is absent, 0 (without a unit), or any other
/// number.
fn unit(header: &[Pair]) -> Option<f64> {
    let name = header
        .iter()
        .position(|pair| pair.code == 9 && pair.value == "$INSUNITS")?;
    let number: i32 = header.get(name + 1)?.value.parse().ok()?;
    Some(match number {
        1 => 0.0254,
        2 => 0.3048,
        4 => 1e-3,
        5 => 1e-2,
        6 => 1.0,
        7 => 1e3,
        8 => 2.54e-8,
        9 => 2.54e-5,
        10 => 0.9144,
        11 => 1e-10,
        12 => 1e-9,
        13 => 1e-6,
        14 => 0.1,
        15 => 10.0,
        16 => 100.0,
        _ => return None,
    })
}

/// Where an entity stands.
///
/// A place is made anew for each insertion and lasts as long as the block is drawn.
struct Place<'a> {
    /// Map from its numbers to the drawing.
    map: Affine,
    /// Layer that entities on layer 0 of a block take.
    layer: &'a str,
    /// Names of the blocks around it, the nearest first, and of their layers.
    names: Vec<String>,
    /// Number of blocks around it.
    depth: usize,
}

/// A block: entities about a base point.
struct Block<'a> {
    /// Point of the block that comes to the point of insertion, in units of the file.
    base: Vec2,
    /// Entities in the order of the file, with the followers of polylines.
    entities: Vec<Entity<'a>>,
}

/// A drawing while it is read.
#[derive(Default)]
struct Reading<'a> {
    /// Length of a unit (m), if the header says it.
    unit: Option<f64>,
    /// Blocks by name.
    blocks: BTreeMap<&'a str, Block<'a>>,
    /// Layers that are off or frozen.
    hidden: BTreeSet<&'a str>,
    /// Curves so far, in the order in which they are drawn.
    curves: Vec<Drawn>,
    /// Number of entities so far.
    entities: usize,
    /// Number of pieces so far.
    pieces: usize,
    /// Numbers of entities that are left out, by what they are.
    left: BTreeMap<String, usize>,
    /// Layers that are hidden and have entities.
    unseen: BTreeSet<&'a str>,
}

impl<'a> Reading<'a> {
    /// Reads the table of layers: a layer with a negative colour is off, and a flag says if it is frozen.
    ///
    /// Code 62 is the colour, code 70 the flags; bit 1 says "frozen".
    ///
    /// # Errors
    /// If a colour or a flag is not a number.
    fn layers(&mut self, all: &[Entity<'a>]) -> Result<(), ReadError> {
        for layer in all.iter().filter(|entity| entity.kind == "LAYER") {
            if let Some(name) = layer.text(2)
                && (layer.whole(62)? < 0 || layer.has_flag(1)?)
            {
                self.hidden.insert(name);
            }
        }

        Ok(())
    }

    /// Reads blocks: entities between `BLOCK` and `ENDBLK`.
    ///
    /// A block without a name cannot be inserted and is left out. One without `ENDBLK` lasts to the
    /// end of the section.
    fn blocks(&mut self, all: &[Entity<'a>]) {
        let mut rest = all;
        while let Some((block, after)) = rest.split_first() {
            rest = after;
            if block.kind != "BLOCK" {
                continue;
            }
            let end = after
                .iter()
                .position(|entity| entity.kind == "ENDBLK")
                .unwrap_or(after.len());
            if let Some(name) = block.text(2) {
                let own = Block {
                    base: block.point(10).unwrap_or_default(),
                    entities: after[..end].to_vec(),
                };
                self.blocks.insert(name, own);
            }

            rest = &after[end..];
        }
    }

    /// Notes that something is left out.
    ///
    /// Equal words are counted together, and one sentence lists them.
    fn leave(&mut self, what: impl Into<String>) {
        *self.left.entry(what.into()).or_default() += 1;
    }

    /// Draws entities at a place.
    ///
    /// Vertices of a polyline and attributes of an insertion are entities of the file after it. They
    /// are handed over with it, and do not count by themselves.
    ///
    /// # Errors
    /// If there are too many entities or blocks within each other, or an entity is malformed.
    fn draw(&mut self, all: &[Entity<'a>], place: &Place<'a>) -> Result<(), ReadError> {
        let mut rest = all;
        while let Some((entity, after)) = rest.split_first() {
            rest = after;
            self.entities += 1;
            if self.entities > MOST_ENTITIES || place.depth > DEEPEST {
                let message = format!(
                    "it has more than {MOST_ENTITIES} entities, inserted blocks included, or blocks deeper than \
                     {DEEPEST}; simplify it"
                );
                return Err(ReadError::new(message));
            }

            // Vertices and attributes follow the entity that has them.
            let followers = match entity.kind {
                "POLYLINE" | "INSERT" => {
                    let is_follower =
                        |entity: &Entity| matches!(entity.kind, "VERTEX" | "ATTRIB" | "SEQEND");
                    let end = after
                        .iter()
                        .position(|entity| !is_follower(entity))
                        .unwrap_or(after.len());
                    rest = &after[end..];
                    &after[..end]
                }
                _ => &[],
            };

            self.entity(entity, followers, place)?;
        }

        Ok(())
    }

    /// Draws an entity.
    ///
    /// Entities of paper space (code 67), of hidden layers, invisible ones (code 60) and entities
    /// outside of the plane are left out with a word. An `INSERT` draws its block.
    ///
    /// # Errors
    /// If a number is malformed, or the curves have too many pieces and names.
    fn entity(
        &mut self,
        entity: &Entity<'a>,
        followers: &[Entity<'a>],
        place: &Place<'a>,
    ) -> Result<(), ReadError> {
        if entity.whole(67)? == 1 {
            self.leave("entities of paper space");
            return Ok(());
        }

        // Entities of layer 0 in a block are on the layer of its insertion.
        let layer = if entity.layer() == "0" {
            place.layer
        } else {
            entity.layer()
        };
        if self.hidden.contains(layer) {
            self.unseen.insert(layer);
            return Ok(());
        }

        if entity.whole(60)? == 1 {
            self.leave("invisible entities");
            return Ok(());
        }

        let Some(mirror) = Self::in_plane(entity)? else {
            self.leave(format!("{} not in the plane", entity.kind));
            return Ok(());
        };

        // The layer first, then the blocks around.
        let mut names = vec![layer.to_owned()];
        names.extend(place.names.iter().filter(|name| *name != layer).cloned());
        let map = place.map.after(&mirror);
        if entity.kind == "INSERT" {
            let inner = Place {
                map,
                layer,
                names,
                depth: place.depth + 1,
            };

            return self.insert(entity, &inner);
        }

        let mut pen = Pen::new(map, &names, Vec2::zeros());
        if !draw(entity, followers, &mut pen)? {
            let kind = entity.kind.to_owned();
            self.leave(kind);
            return Ok(());
        }

        let is_filled = matches!(entity.kind, "SOLID" | "TRACE");
        for mut curve in pen.finish() {
            curve.is_filled = is_filled;
            self.pieces += curve.pieces.len() + curve.names.len();
            self.curves.push(curve);
        }

        if self.pieces > MOST_PIECES {
            let message = format!(
                "its curves have more than {MOST_PIECES} pieces and names, inserted blocks included; simplify it"
            );
            return Err(ReadError::new(message));
        }

        Ok(())
    }

    /// The map from an entity's own plane; `None` if it is not in the plane of the drawing.
    ///
    /// A direction (code 210) that points downwards mirrors entities that have a plane.
    ///
    /// Heights (codes 30 and 31) may differ by 1e-6 of the extent of the entity.
    ///
    /// # Errors
    /// If a coordinate is not a number.
    fn in_plane(entity: &Entity) -> Result<Option<Affine>, ReadError> {
        let mut heights = entity.numbers(30)?;
        if entity.kind == "LINE" {
            heights.extend(entity.numbers(31)?);
        }
        let mut reach = 0.0_f64;
        for code in [10, 11, 20, 21] {
            reach = reach.max(FLAT * range(&entity.numbers(code)?));
        }
        // An entity may be at any one height.
        if range(&heights) > reach {
            return Ok(None);
        }

        // Direction of the entity's own plane.
        let normal = [
            entity.number_or(210, 0.0)?,
            entity.number_or(220, 0.0)?,
            entity.number_or(230, 1.0)?,
        ];
        let slope = normal[0].abs().max(normal[1].abs());
        if slope > FLAT * normal[2].abs() {
            return Ok(None);
        }
        let is_mirrored = normal[2] < 0.0 && !matches!(entity.kind, "LINE" | "SPLINE" | "ELLIPSE");
        let sign = if is_mirrored { -1.0 } else { 1.0 };
        Ok(Some(Affine::scale(sign, 1.0)))
    }

    /// Draws copies of a block in rows and columns.
    fn insert(&mut self, entity: &Entity<'a>, place: &Place<'a>) -> Result<(), ReadError> {
        let Some(name) = entity.text(2) else {
            return Err(entity.error("has no name of a block (code 2)"));
        };
        let Some(block) = self.blocks.get(name) else {
            self.leave(format!("INSERT of the unknown block {name}"));
            return Ok(());
        };

        let own = block.entities.clone();
        let base = block.base;
        let [x, y] = [41, 42].map(|code| entity.number_or(code, 1.0));
        let turn = Affine::rotation(entity.number_or(50, 0.0)?.to_radians());
        let spacing = Vec2::new(entity.number_or(44, 0.0)?, entity.number_or(45, 0.0)?);
        let at = entity.point(10)?;
        let [columns, rows] = [entity.whole(70)?.max(1), entity.whole(71)?.max(1)];

        let mut names = place.names.clone();
        if !name.starts_with('*') {
            names.insert(0, name.to_owned());
        }
        // Each copy: about the base, scaled, shifted, turned, placed.
        let scale = Affine::scale(x?, y?);
        for row in 0..rows {
            for column in 0..columns {
                let shift = Vec2::new(spacing.x * column as f64, spacing.y * row as f64);
                let map = Affine::translation(at)
                    .after(&turn)
                    .after(&Affine::translation(shift))
                    .after(&scale)
                    .after(&Affine::translation(-base));
                let copy = Place {
                    map: place.map.after(&map),
                    layer: place.layer,
                    names: names.clone(),
                    depth: place.depth,
                };
                // Copies of nothing count, too.
                self.entities += 1;
                self.draw(&own, &copy)?;
                if self.entities > MOST_ENTITIES {
                    return Err(entity.error("has too many rows and columns"));
                }
            }
        }

        Ok(())
    }

    /// The drawing, with a word on everything else.
    ///
    /// Sentences say how many entities of each kind were left out, and which hidden layers have some.
    ///
    /// # Errors
    /// If there are none.
    fn finish(self) -> Result<Drawing, ReadError> {
        let left: Vec<String> = self
            .left
            .iter()
            .map(|(what, count)| format!("{what} ({count})"))
            .collect();
        let mut notes = Vec::new();
        if !left.is_empty() {
            notes.push(format!("left out: {}", few(&left)));
        }
        if !self.unseen.is_empty() {
            let unseen: Vec<&str> = self.unseen.into_iter().collect();
            notes.push(format!(
                "layers that are off or frozen were left out: {}",
                few(&unseen)
            ));
        }

        if self.curves.is_empty() {
            let mut message =
                "it has no line, arc, circle, ellipse, polyline or spline in the plane".to_owned();
            if !notes.is_empty() {
                message.push_str("; ");
                message.push_str(&notes.join("; "));
            }

            return Err(ReadError::new(message));
        }

        let is_wrong = |curve: &&Drawn| {
            curve
                .corners()
                .any(|x| !(x.x.is_finite() && x.y.is_finite()))
        };

        if self.curves.iter().any(|curve| is_wrong(&curve)) {
            return Err(ReadError::new(
                "it has a curve with a place that is not finite",
            ));
        }

        Ok(Drawing {
            curves: self.curves,
            unit: self.unit,
            is_downwards: false,
            notes,
        })
    }
}
