//! From nodes and cells of a file to triangles and lines in the plane.
//!
//! Whatever the format, the same is done in the same order: the part is chosen, z is checked, near
//! nodes become one, cells become counter-clockwise triangles and lines, and vertices that no
//! triangle has are left out. What was changed is noted in sentences, since a program that changes
//! a mesh silently would leave its author with numbers that do not fit the file.

use super::ReadError;
use super::cells::{CellKind, Cells};
use super::near::merged;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::number::short;
use ipcsim_math::{Vec2, cross};
use ipcsim_mesh::{CORNERS_OF_FACETS, Curved};
use std::collections::{BTreeMap, BTreeSet};

/// Share of the extent within which z must be the same (1).
const FLAT: f64 = 1e-6;

/// A group of a file: vertices that it names itself, and triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Numbers of vertices.
    pub vertices: BTreeSet<usize>,
    /// Numbers of triangles.
    pub triangles: Vec<usize>,
}

/// Triangles and lines in the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Vertices (m).
    pub vertices: Vec<Vec2>,
    /// Counter-clockwise triangles.
    pub triangles: Vec<[usize; 3]>,
    /// True if the triangles are the facets of quadratic ones, four by four, and nothing else.
    pub is_quadratic: bool,
    /// Lines, with the names that each has.
    pub lines: Vec<([usize; 2], Vec<String>)>,
    /// Groups by name.
    pub groups: BTreeMap<String, Group>,
    /// What has been changed, in sentences.
    pub notes: Vec<String>,
}

/// Triangles and lines while they are made.
struct Making {
    /// The grid so far, whose vertices are complete.
    grid: Grid,
    /// Number of quadratic triangles.
    quadratic: usize,
    /// Number of quadrangles with middles, which became two quadratic triangles each.
    halved: usize,
    /// Number of quadrangles and polygons, which became triangles.
    split: usize,
    /// Number of cells that stand more than once in the file.
    twice: usize,
    /// Number of triangles that ran clockwise.
    turned: usize,
    /// Number of triangles without area, which are left out.
    flat: usize,
}

impl Grid {
    /// Triangles and lines of cells, whose coordinates are multiplied by `unit` (m) after `origin`
    /// is subtracted. Nodes nearer than `tolerance` (m) are one; 1e-6 of the extent if absent. With
    /// a `part` only its cells are taken.
    ///
    /// # Errors
    /// If z differs, the part does not exist, or a polygon is not convex.
    pub fn of(
        cells: &Cells,
        unit: f64,
        origin: [f64; 2],
        tolerance: Option<f64>,
        part: Option<&str>,
    ) -> Result<Self, ReadError> {
        let all = cells.nodes.iter();
        let x: Vec<Vec2> = all
            .map(|&[x, y, _]| Vec2::new(x - origin[0], y - origin[1]) * unit)
            .collect();
        let taken = taken(cells, part)?;
        let used: BTreeSet<usize> = taken
            .iter()
            .flat_map(|&k| cells.all[k].nodes.clone())
            .collect();
        // Nodes that no cell uses, such as centres of arcs, may have another z.
        check_flat(cells, &used)?;

        let extent = Aabb::around(used.iter().map(|&i| x[i])).extent().norm();
        let (merged, count) = merged(&x, &used, tolerance.unwrap_or(FLAT * extent));
        let mut making = Making {
            grid: Self {
                vertices: vec![Vec2::zeros(); count],
                notes: cells.notes.clone(),
                ..Self::default()
            },
            quadratic: 0,
            halved: 0,
            split: 0,
            twice: 0,
            turned: 0,
            flat: 0,
        };

        // In reverse order, so that the first of merged nodes gives the place.
        for &i in used.iter().rev() {
            making.grid.vertices[merged[&i]] = x[i];
        }
        let mut twice = doubles(cells, &taken);
        let count_of_doubles = twice.values().map(Vec::len).sum::<usize>();
        let later: BTreeSet<usize> = twice.values().flatten().copied().collect();
        for &k in taken.iter().filter(|k| !later.contains(k)) {
            let cell = &cells.all[k];
            let nodes: Vec<usize> = cell.nodes.iter().map(|i| merged[i]).collect();
            let mut names = cell.names.clone();
            for other in twice.remove(&k).unwrap_or_default() {
                let others = cells.all[other].names.iter();
                let further: Vec<String> = others
                    .filter(|name| !names.contains(name))
                    .cloned()
                    .collect();
                names.extend(further);
            }
            making.add(cell.kind, &nodes, &names)?;
        }
        making.twice = count_of_doubles;
        for (name, nodes) in &cells.named_nodes {
            let members = nodes.iter().filter_map(|i| merged.get(i));
            let group = making.grid.groups.entry(name.clone()).or_default();
            group.vertices.extend(members);
        }

        // Merged nodes and flat triangles may have broken the order of facets.
        making.grid.is_quadratic = making.has_six_nodes();
        making.notes(used.len() - count);
        Ok(making.grid.without_unused())
    }

    /// The grid without vertices that only lines and points have, if there are triangles.
    ///
    /// Vertices keep their order. Lines are left out, since their names have become groups of
    /// vertices.
    fn without_unused(mut self) -> Self {
        if self.triangles.is_empty() {
            return self;
        }
        let mut new = vec![None; self.vertices.len()];
        for &i in self.triangles.iter().flatten() {
            new[i] = Some(0);
        }
        // Numbers are given in a second pass, so that vertices keep their order.
        for (count, number) in new.iter_mut().flatten().enumerate() {
            *number = count;
        }

        let kept = (0..new.len()).filter(|&i| new[i].is_some());
        self.vertices = kept.map(|i| self.vertices[i]).collect();
        for triangle in &mut self.triangles {
            *triangle = triangle.map(|i| new[i].unwrap_or(0));
        }
        for group in self.groups.values_mut() {
            group.vertices = group.vertices.iter().filter_map(|&i| new[i]).collect();
        }

        // An empty group is left out: a selection of it would be refused.
        self.groups
            .retain(|_, group| !group.vertices.is_empty() || !group.triangles.is_empty());
        self.lines.clear();
        self
    }
}

/// Numbers of the cells that a part has, or of all.
///
/// Lines and points of other groups stay if all of their nodes are on the part: they are what
/// selections on it are made of.
///
/// # Errors
/// If no cell with a length or an area is in the part.
fn taken(cells: &Cells, part: Option<&str>) -> Result<Vec<usize>, ReadError> {
    let Some(part) = part else {
        return Ok((0..cells.all.len()).collect());
    };
    let own: Vec<usize> = (0..cells.all.len())
        .filter(|&k| cells.all[k].names.iter().any(|name| name == part))
        .collect();

    let is_area = |&k: &usize| {
        let kind = cells.all[k].kind;
        !matches!(kind, CellKind::Point)
    };

    if own.iter().any(is_area) {
        // Named lines on the part stay with it.
        let nodes: BTreeSet<usize> = own
            .iter()
            .flat_map(|&k| cells.all[k].nodes.clone())
            .collect();
        let is_on = |k: &usize| {
            let cell = &cells.all[*k];
            let is_small = matches!(
                cell.kind,
                CellKind::Point | CellKind::Line | CellKind::QuadraticLine
            );
            is_small && cell.nodes.iter().all(|node| nodes.contains(node))
        };

        let beside = (0..cells.all.len()).filter(is_on);
        let all: BTreeSet<usize> = own.iter().copied().chain(beside).collect();
        return Ok(all.into_iter().collect());
    }

    let names: BTreeSet<&str> = cells
        .all
        .iter()
        .flat_map(|cell| cell.names.iter().map(String::as_str))
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let known = if names.is_empty() {
        "it has no groups".to_owned()
    } else {
        format!("its groups are {}", names.join(", "))
    };

    let message = format!("it has no triangle or line in a group \"{part}\"; {known}");
    Err(ReadError::new(message))
}

/// Cells with an area that have the nodes of an earlier one, by the first of each.
///
/// A program that writes one group for each element repeats elements that are in several.
///
/// Nodes are compared as sets, so that their order does not matter.
fn doubles(cells: &Cells, taken: &[usize]) -> BTreeMap<usize, Vec<usize>> {
    let is_area = |k: &usize| {
        let kind = cells.all[*k].kind;
        !matches!(
            kind,
            CellKind::Point | CellKind::Line | CellKind::QuadraticLine
        )
    };

    let mut order: Vec<(Vec<usize>, usize)> = Vec::new();
    for k in taken.iter().copied().filter(is_area) {
        let mut nodes = cells.all[k].nodes.clone();
        nodes.sort_unstable();
        order.push((nodes, k));
    }
    order.sort_unstable();

    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for same in order
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|same| same.len() > 1)
    {
        let others = same[1..].iter().map(|(_, k)| *k);
        found.insert(same[0].1, others.collect());
    }
    found
}

/// Checks that z is the same at all nodes that are used.
///
/// # Errors
/// If z differs by more than 1e-6 of the extent in the plane.
fn check_flat(cells: &Cells, used: &BTreeSet<usize>) -> Result<(), ReadError> {
    let z = used.iter().map(|&i| cells.nodes[i][2]);
    let [low, high] = [
        z.clone().fold(f64::INFINITY, f64::min),
        z.fold(f64::NEG_INFINITY, f64::max),
    ];
    let around = Aabb::around(used.iter().map(|&i| {
        let [x, y, _] = cells.nodes[i];
        Vec2::new(x, y)
    }));

    if high - low > FLAT * around.extent().norm() {
        let message = format!(
            "z runs from {} to {}, but must be the same everywhere; project the shape onto the plane z = 0",
            short(low),
            short(high)
        );
        return Err(ReadError::new(message));
    }

    Ok(())
}

impl Making {
    /// Adds a cell as triangles or lines.
    ///
    /// `n` are the numbers of its vertices, after near ones have become one.
    ///
    /// # Errors
    /// If a polygon is not convex.
    fn add(&mut self, kind: CellKind, n: &[usize], names: &[String]) -> Result<(), ReadError> {
        match kind {
            CellKind::Point => self.name(n, names),
            CellKind::Line => self.line([n[0], n[1]], names),
            CellKind::QuadraticLine => {
                self.line([n[0], n[2]], names);
                self.line([n[2], n[1]], names);
            }
            CellKind::Triangle => self.triangle([n[0], n[1], n[2]], names),
            CellKind::QuadraticTriangle => {
                self.quadratic_triangle([n[0], n[1], n[2], n[3], n[4], n[5]], names);
            }
            CellKind::QuadraticQuad => {
                self.check_convex(&n[..4])?;
                self.halved += 1;
                // The middle of the quadrangle becomes the middle of the side between the halves.
                self.quadratic_triangle([n[0], n[1], n[2], n[4], n[5], n[8]], names);
                self.quadratic_triangle([n[0], n[2], n[3], n[8], n[6], n[7]], names);
            }
            CellKind::Polygon => {
                self.check_convex(n)?;
                self.split += 1;
                // A fan from one corner needs a convex polygon.
                for k in 1..n.len() - 1 {
                    self.triangle([n[0], n[k], n[k + 1]], names);
                }
            }
        }

        Ok(())
    }

    /// Adds a six-node triangle as its four facets.
    ///
    /// `n` are its corners and then the middles of its sides, from the first to the second corner on.
    fn quadratic_triangle(&mut self, n: [usize; 6], names: &[String]) {
        self.quadratic += 1;

        // Clockwise ones are turned as a whole, so that facets keep their order.
        let [a, b, c] = [n[0], n[1], n[2]].map(|i| self.grid.vertices[i]);
        let order = if cross(b - a, c - a) < 0.0 {
            self.turned += 1;
            [0, 2, 1, 5, 4, 3]
        } else {
            [0, 1, 2, 3, 4, 5]
        };
        for corners in CORNERS_OF_FACETS {
            self.triangle(corners.map(|k| n[order[k]]), names);
        }
    }

    /// True if all triangles are facets of six-node ones whose order nothing has changed.
    fn has_six_nodes(&self) -> bool {
        let triangles = &self.grid.triangles;
        let count = 4 * self.quadratic;
        let firsts = (0..self.quadratic).map(|k| Curved::of_facets(triangles, 4 * k));
        count > 0
            && triangles.len() == count
            && firsts
                .into_iter()
                .all(|curved| triangles[curved.first..curved.first + 4] == curved.facets())
    }

    /// Adds vertices to groups.
    fn name(&mut self, nodes: &[usize], names: &[String]) {
        for name in names {
            let group = self.grid.groups.entry(name.clone()).or_default();
            group.vertices.extend(nodes);
        }
    }

    /// Adds a line with two ends.
    ///
    /// Ends that have become one leave no line, but are in its groups.
    fn line(&mut self, ends: [usize; 2], names: &[String]) {
        self.name(&ends, names);
        if ends[0] != ends[1] {
            self.grid.lines.push((ends, names.to_vec()));
        }
    }

    /// Adds a triangle counter-clockwise, unless it has no area.
    ///
    /// A triangle has no area if two corners are one, or all are on a line exactly.
    fn triangle(&mut self, corners: [usize; 3], names: &[String]) {
        let [a, b, c] = corners;
        let [xa, xb, xc] = corners.map(|i| self.grid.vertices[i]);
        let area = cross(xb - xa, xc - xa);
        if a == b || b == c || c == a || area == 0.0 {
            self.flat += 1;
            return;
        }

        if area < 0.0 {
            self.turned += 1;
        }

        // The triangle is added below, so that its number is the length of the list now.
        for name in names {
            let group = self.grid.groups.entry(name.clone()).or_default();
            group.triangles.push(self.grid.triangles.len());
        }

        let triangle = if area < 0.0 { [a, c, b] } else { corners };
        self.grid.triangles.push(triangle);
    }

    /// Checks that a polygon turns to one side at all corners.
    ///
    /// # Errors
    /// If it turns to the left at one corner and to the right at another.
    fn check_convex(&self, n: &[usize]) -> Result<(), ReadError> {
        let x = |k: usize| self.grid.vertices[n[k % n.len()]];
        // A straight corner turns to neither side.
        let turns = (0..n.len()).map(|k| cross(x(k + 1) - x(k), x(k + 2) - x(k + 1)));
        let [left, right] = [
            turns.clone().any(|turn| turn > 0.0),
            turns.clone().any(|turn| turn < 0.0),
        ];
        if left && right {
            let at = x(0);
            return Err(ReadError {
                message: format!(
                    "a polygon of {} corners at ({}, {}) m is not convex; export triangles instead",
                    n.len(),
                    short(at.x),
                    short(at.y)
                ),
                places: vec![at],
            });
        }

        Ok(())
    }

    /// Notes what has been changed; `merged` nodes became others.
    fn notes(&mut self, merged: usize) {
        let notes = [
            (
                merged,
                "nodes were nearer to others than the tolerance, and are one with them",
            ),
            (
                self.halved,
                "quadrangles with nodes in the middles of their sides became two six-node triangles each",
            ),
            (
                self.split,
                "quadrangles or polygons were split into triangles",
            ),
            (
                self.quadratic,
                "six-node triangles became four triangles each; a body with \"elements\": \"quadratic\" has \
                 them as they are",
            ),
            (
                self.twice,
                "cells stand in the file again, in another group, and count once",
            ),
            (self.turned, "triangles ran clockwise and were turned"),
            (self.flat, "triangles had no area and were left out"),
        ];

        let broken = if self.grid.is_quadratic {
            0
        } else {
            self.quadratic
        };
        let broken = (
            broken,
            "six-node triangles are mixed with others, flat or turned over, so that their parts count as \
             linear triangles",
        );
        for (count, what) in notes.into_iter().chain([broken]) {
            if count > 0 {
                self.grid.notes.push(format!("{count} {what}"));
            }
        }
    }
}
