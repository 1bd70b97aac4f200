//! Cells that repeat: meshes that match themselves across the period, and runs of them.

use crate::perturb::simulated;
use crate::scenes::{DENSITY, RUBBER};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{InlineMesh, MeanStress, Periodic, Varying};
use ipcsim::time::CellRecord;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Vertices and triangles of one cell of size 1 m.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    vertices: Vec<[f64; 2]>,
    triangles: Vec<[usize; 3]>,
}

impl Cell {
    /// A grid of `n` by `n` squares without those for which `is_open(i, j)`. It is drawn `from` some
    /// squares on, which shows the same pattern from another place.
    pub(super) fn grid(n: usize, from: [usize; 2], is_open: impl Fn(usize, usize) -> bool) -> Self {
        let mut number = BTreeMap::new();
        let mut cell = Self::default();
        for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
            let [of_i, of_j] = [(i + from[0]) % n, (j + from[1]) % n];
            if is_open(of_i, of_j) {
                continue;
            }
            let corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
            let [a, b, c, d] = corners.map(|corner| {
                *number.entry(corner).or_insert_with(|| {
                    let at = corner.map(|k| k as f64 / n as f64);
                    cell.vertices.push(at);
                    cell.vertices.len() - 1
                })
            });
            let both = if (of_i + of_j) % 2 == 0 {
                [[a, b, d], [b, c, d]]
            } else {
                [[a, b, c], [a, c, d]]
            };
            cell.triangles.extend(both);
        }
        cell
    }

    /// A square with a round hole of this radius (m) in its middle, in `rings` rings of 8 `sides` pieces.
    pub(super) fn round_hole(radius: f64, sides: usize, rings: usize) -> Self {
        let around = 8 * sides;
        let mut cell = Self::default();
        for ring in 0..=rings {
            let share = ring as f64 / rings as f64;
            for k in 0..around {
                // Places on the square are even, and rays lead there from the hole.
                let side = k / (2 * sides);
                let along = (k % (2 * sides)) as f64 / (2 * sides) as f64 - 0.5;
                let on_square = match side {
                    0 => [0.5, along],
                    1 => [-along, 0.5],
                    2 => [-0.5, -along],
                    _ => [along, -0.5],
                };
                let angle = (k as f64 / around as f64 - 0.125) * TAU;
                let on_hole = [radius * angle.cos(), radius * angle.sin()];
                let at = [0, 1].map(|i| 0.5 + on_hole[i] + (on_square[i] - on_hole[i]) * share);
                cell.vertices.push(at);
            }
        }

        for ring in 0..rings {
            for k in 0..around {
                let next = (k + 1) % around;
                let [a, b] = [k, next].map(|k| ring * around + k);
                let [d, c] = [k, next].map(|k| (ring + 1) * around + k);
                let both = if (k / sides).is_multiple_of(2) {
                    [[a, d, c], [a, c, b]]
                } else {
                    [[a, d, b], [d, c, b]]
                };
                cell.triangles.extend(both);
            }
        }
        cell
    }

    /// `count` by `count` of this cell as one.
    pub(super) fn tiled(&self, count: usize) -> Self {
        let mut number = BTreeMap::new();
        let mut tiled = Self::default();
        for (j, i) in (0..count).flat_map(|j| (0..count).map(move |i| (j, i))) {
            let mut numbers = Vec::with_capacity(self.vertices.len());
            for [x, y] in &self.vertices {
                let at = [x + i as f64, y + j as f64];
                let place = at.map(|x| (x * 1e9).round().to_bits());
                numbers.push(*number.entry(place).or_insert_with(|| {
                    tiled.vertices.push(at);
                    tiled.vertices.len() - 1
                }));
            }

            let triangles = self.triangles.iter();
            let triangles = triangles.map(|triangle| triangle.map(|k| numbers[k]));
            tiled.triangles.extend(triangles);
        }
        tiled
    }

    /// The cell as a body of rubber.
    pub(super) fn body(self) -> Body {
        Body::deformable(
            "matrix",
            InlineMesh::new(self.vertices, self.triangles),
            RUBBER,
        )
    }
}

/// A weightless scene of rubber with this law that repeats with the period `size` (m) along both axes.
pub(super) fn repeated(size: f64, law: Law, mut scene: Scene) -> Scene {
    scene.periodic = Some(Periodic::new(size, size));
    scene.gravity = [0.0; 2];
    scene.with_material(RUBBER, Material::new(DENSITY, law))
}

/// Sets the mean strains `xx`, `yy` and `xy` that a scene reaches evenly at 1 s.
pub(super) fn strained(mut scene: Scene, strains: [f64; 3]) -> Scene {
    let [xx, yy, xy] =
        strains.map(|strain| Some(Varying::from(format!("{strain:?} * t").as_str())));
    if let Some(periodic) = &mut scene.periodic {
        periodic.strain.xx = xx;
        periodic.strain.yy = yy;
        periodic.strain.xy = xy;
    }
    scene
}

/// Leaves the strain along x free, without a stress.
pub(super) fn free_across(mut scene: Scene) -> Scene {
    if let Some(periodic) = &mut scene.periodic {
        periodic.strain.xx = None;
        periodic.stress = MeanStress {
            xx: Some(Varying::from(0.0)),
            ..MeanStress::default()
        };
    }
    scene
}

/// Energy (J) and mean strain and stress after each step of a scene.
pub(super) struct Course {
    /// Kinetic energy and all potentials (J).
    pub(super) energy: Vec<f64>,
    /// Mean strain and stress.
    pub(super) cell: Vec<CellRecord>,
    /// Numbers of contacts.
    pub(super) contacts: Vec<usize>,
}

impl Course {
    /// Runs all steps of a scene, and proves each.
    pub(super) fn of(scene: Scene) -> Result<Self, Error> {
        let steps = scene.time.steps;
        let mut simulation = simulated(scene)?;
        let mut course = Self {
            energy: Vec::new(),
            cell: Vec::new(),
            contacts: Vec::new(),
        };
        for _ in 0..steps {
            let record = simulation.step()?.record;
            course.energy.push(record.total);
            course.cell.extend(record.cell);
            course.contacts.push(record.contacts);
        }
        Ok(course)
    }

    /// Mean stress (Pa) at the end: xx, yy and xy.
    pub(super) fn stress(&self) -> [f64; 3] {
        let last = self.cell.last();
        last.and_then(|cell| cell.stress).unwrap_or([f64::NAN; 3])
    }

    /// Mean stress (Pa) along y after this number of steps.
    pub(super) fn stress_after(&self, steps: usize) -> f64 {
        let cell = steps.checked_sub(1).and_then(|k| self.cell.get(k));
        cell.and_then(|cell| cell.stress)
            .map_or(f64::NAN, |stress| stress[1])
    }

    /// Strain and stress along y, both of compression, for a plot.
    pub(super) fn compression(&self) -> Vec<[f64; 2]> {
        let cells = self.cell.iter();
        let points = cells.filter_map(|cell| Some([-cell.strain[1], -cell.stress?[1]]));
        points.collect()
    }

    /// Energy (J) at the end.
    pub(super) fn last_energy(&self) -> f64 {
        self.energy.last().copied().unwrap_or(f64::NAN)
    }
}
