//! Gas in closed chambers.
//!
//! A chamber is what its walls enclose. The volume `V(x)` is the sum over the sides of its outline, with
//! the gas on the left (see [`Walls`]), and chambers with open pipes between them are one gas with the
//! sum of their volumes. A gas of the amount `N`, the volume that it would take at the pressure `p_0`
//! of [`ATMOSPHERE`], has the pressure
//!
//! `p = p_0 (N / V)^gamma`
//!
//! and with the ambient pressure `p_a` on the other side of the walls the energy (J)
//!
//! `E = p V / (gamma - 1) + p_a V`, or at a constant temperature `E = p V ln(p / p_0) + p_a V`,
//!
//! whose derivative is `-(p - p_a) dV/dx`, the force of a pressure that follows the walls. Its Hessian is
//!
//! `-(p - p_a) d2V/dx2 + (gamma p / V) (dV/dx) (dV/dx)^T`.
//!
//! The first part belongs to single sides. The second couples all vertices of the outline: it is one
//! product of vectors ([`Chambers::products_of_slopes`]), which a solver keeps as such.
//!
//! Energies count from the start of a stage, `E(x) - E(x_start)`, and volumes by their growth
//! since then. The energy of a gas at 1e5 Pa is far larger than its change in a step, so that the
//! difference of two energies would lose most digits. `exp_m1` and `ln_1p` keep them.
//!
//! Blocks of single sides may be indefinite: they are projected by their eigenvalues where a
//! solver asks for it. The product of slopes is positive semidefinite as it is.

use crate::revolved::{positive_part, scaled, side};
use crate::tuning::LEAST_CHAMBER;
use crate::{Curvature, Energy, StepBound, Stressed};
use ipcsim_math::elementary::{exp_m1, ln, ln_1p, powf};
use ipcsim_math::{Mat2, Vec2, cross, perp};
use std::ops::Range;
use std::sync::Arc;

/// Pressure `p_0` (Pa) at which amounts of gas are measured: the standard atmosphere.
pub const ATMOSPHERE: f64 = 101_325.0;

/// Name of these energies in messages.
const GAS: &str = "gas";

/// Sides of the outline of a chamber, with the gas on the left.
///
/// Positions are not part of it: all functions take the positions of all vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walls {
    /// Straight sides in the plane, with half of their thickness (m): a parabola is three chords, one of
    /// them with a negative thickness.
    pub edges: Vec<([usize; 2], f64)>,
    /// Straight sides of a chamber of revolution.
    pub rings: Vec<[usize; 2]>,
    /// Parabolas of a chamber of revolution.
    pub curved: Vec<[usize; 3]>,
}

impl Walls {
    /// A place near the outline, at positions `x` (m).
    ///
    /// Areas count from it, so that rounding does not grow with the distance from the origin.
    fn origin(&self, x: &[Vec2]) -> Vec2 {
        let first = self.edges.first();
        first.map_or_else(Vec2::zeros, |([a, _], _)| x[*a])
    }

    /// Volume (m^3) inside at positions `x` (m).
    ///
    /// In the plane it is `half * sum cross(a, b)` over the sides, with half of the thickness; of
    /// revolution it is the sum of `pi int r^2 y' ds`.
    pub fn volume(&self, x: &[Vec2]) -> f64 {
        let origin = self.origin(x);
        let flat = self.edges.iter().map(|([a, b], half)| {
            let [a, b] = [x[*a] - origin, x[*b] - origin];
            half * cross(a, b)
        });
        let rings = self
            .rings
            .iter()
            .map(|ends| side::volume(&ends.map(|i| x[i])));
        let curved = self
            .curved
            .iter()
            .map(|nodes| side::volume(&nodes.map(|i| x[i])));

        flat.sum::<f64>() + rings.sum::<f64>() + curved.sum::<f64>()
    }

    /// Change of the volume (m^3) from the positions `from` to `x` (m), without the difference of two
    /// areas.
    fn growth(&self, from: &[Vec2], x: &[Vec2]) -> f64 {
        let origin = self.origin(from);
        let flat = self.edges.iter().map(|&([a, b], half)| {
            let first = cross(x[a] - from[a], x[b] - origin);
            half * (first + cross(from[a] - origin, x[b] - from[b]))
        });

        // Sides of revolution.
        let rings = self.rings.iter().map(|ends| {
            let [before, after] = [from, x].map(|x| side::volume(&ends.map(|i| x[i])));
            after - before
        });
        let curved = self.curved.iter().map(|nodes| {
            let [before, after] = [from, x].map(|x| side::volume(&nodes.map(|i| x[i])));
            after - before
        });

        flat.sum::<f64>() + rings.sum::<f64>() + curved.sum::<f64>()
    }

    /// Gives `add` the derivative of the volume by a vertex (m^2), once for each side at it.
    ///
    /// In the plane it is the derivative of `half * cross(a, b)`, in a plane of revolution the
    /// derivative of the volume under the side.
    fn slopes(&self, x: &[Vec2], add: &mut impl FnMut(usize, Vec2)) {
        let origin = self.origin(x);
        for &([a, b], half) in &self.edges {
            add(a, perp(x[b] - origin) * -half);
            add(b, perp(x[a] - origin) * half);
        }

        for ends in &self.rings {
            let slopes = side::slopes(&ends.map(|i| x[i]));
            ends.iter()
                .zip(slopes)
                .for_each(|(&i, slope)| add(i, slope));
        }
        for nodes in &self.curved {
            let slopes = side::slopes(&nodes.map(|i| x[i]));
            nodes
                .iter()
                .zip(slopes)
                .for_each(|(&i, slope)| add(i, slope));
        }
    }
}

/// What a gas does when its volume changes.
///
/// The pressure is uniform in a chamber: gas has no inertia here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GasLaw {
    /// A regulator holds the pressure (Pa).
    Held {
        /// Absolute pressure (Pa).
        pressure: f64,
    },
    /// The amount of gas stays.
    Closed {
        /// Amount `N` (m^3 at [`ATMOSPHERE`]), not negative.
        amount: f64,
        /// Exponent `gamma` (1): 1 at a constant temperature, the ratio of heat capacities without
        /// exchange of heat.
        gamma: f64,
    },
}

impl GasLaw {
    /// Absolute pressure (Pa) at a positive volume (m^3).
    pub fn pressure(&self, volume: f64) -> f64 {
        match *self {
            Self::Held { pressure } => pressure,
            Self::Closed { amount, gamma } => ATMOSPHERE * powf(amount / volume, gamma),
        }
    }

    /// Energy (J) that a gas holds at a positive volume (m^3), without what surrounds it; 0 where a
    /// regulator holds the pressure.
    pub fn energy(&self, volume: f64) -> f64 {
        let pressure = self.pressure(volume);
        match *self {
            Self::Closed { gamma, .. } if gamma > 1.0 => pressure * volume / (gamma - 1.0),
            Self::Closed { amount, .. } if amount > 0.0 => {
                pressure * volume * ln(pressure / ATMOSPHERE)
            }
            _ => 0.0,
        }
    }

    /// Change of that energy (J) where a volume (m^3) grows by `growth` (m^3); a held pressure has the
    /// negative of its work.
    fn gain(&self, volume: f64, growth: f64) -> f64 {
        let pressure = self.pressure(volume);
        let logarithm = ln_1p(growth / volume);
        match *self {
            Self::Held { .. } => -pressure * growth,
            Self::Closed { gamma, .. } if gamma > 1.0 => {
                pressure * volume * exp_m1((1.0 - gamma) * logarithm) / (gamma - 1.0)
            }
            Self::Closed { .. } => -pressure * volume * logarithm,
        }
    }

    /// Change of the pressure by the volume, with the other sign, `gamma p / V` (Pa/m^3).
    fn stiffness(&self, volume: f64) -> f64 {
        match *self {
            Self::Held { .. } => 0.0,
            Self::Closed { gamma, .. } => gamma * self.pressure(volume) / volume,
        }
    }
}

/// A gas in one chamber, or in several with open pipes between them, in a stage.
///
/// It acts on all walls of these chambers with one pressure.
#[derive(Clone, Debug, PartialEq)]
pub struct Gas {
    /// Walls of its chambers.
    pub walls: Vec<Arc<Walls>>,
    /// Pressure at each volume.
    pub law: GasLaw,
    /// Pressure `p_a` on the other side of the walls (Pa).
    pub ambient: f64,
}

impl Gas {
    /// Volume (m^3) at positions `x` (m).
    pub fn volume(&self, x: &[Vec2]) -> f64 {
        self.walls.iter().map(|walls| walls.volume(x)).sum()
    }

    /// Change of its energy and of the work against what surrounds it (J), between two positions (m);
    /// infinite where no volume is left.
    ///
    /// This is `E(after) - E(before)` without the difference of two large numbers.
    fn gain(&self, [before, after]: [&[Vec2]; 2]) -> f64 {
        let volume = self.volume(before);
        let walls = self.walls.iter();
        let growth: f64 = walls.map(|walls| walls.growth(before, after)).sum();
        if volume + growth > 0.0 {
            self.law.gain(volume, growth) + self.ambient * growth
        } else {
            f64::INFINITY
        }
    }

    /// Forces (N) on the vertices of walls of this gas, at positions `x` (m), once for each side at a vertex.
    pub fn forces(&self, walls: &Walls, x: &[Vec2]) -> Vec<(usize, Vec2)> {
        let excess = self.excess(x);
        let mut forces = Vec::new();
        walls.slopes(x, &mut |vertex, slope| {
            forces.push((vertex, slope * excess));
        });
        forces
    }

    /// Pressure over the ambient one (Pa), at positions `x` (m).
    fn excess(&self, x: &[Vec2]) -> f64 {
        self.law.pressure(self.volume(x)) - self.ambient
    }
}

/// Gases of a stage, and where they are at its start.
///
/// They are shared by the straight and the curved sides.
#[derive(Debug, Default, PartialEq)]
struct Gases {
    /// The gases.
    list: Vec<Gas>,
    /// Positions of all vertices at the start of the stage (m).
    start: Vec<Vec2>,
}

/// All gases of a stage.
///
/// Its elements are the straight sides; `CurvedSides` has the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chambers {
    /// The gases.
    gases: Arc<Gases>,
    /// Straight sides: the number of their gas, and half of the thickness (m), `None` of a ring.
    sides: Vec<(usize, Option<f64>)>,
    /// Ends of the straight sides.
    ends: Vec<[usize; 2]>,
    /// The other sides.
    curved: CurvedSides,
}

/// Sides of chambers of revolution that are parabolas: only their Hessians, since [`Chambers`] has all
/// energies and forces.
#[derive(Clone, Debug, Default, PartialEq)]
struct CurvedSides {
    /// The gases.
    gases: Arc<Gases>,
    /// Numbers of their gases.
    sides: Vec<usize>,
    /// Their nodes.
    nodes: Vec<[usize; 3]>,
}

impl Chambers {
    /// Gases of a stage that begins at the positions `start` (m).
    ///
    /// Energies count from these positions.
    pub fn new(list: Vec<Gas>, start: &[Vec2]) -> Self {
        let mut chambers = Self::default();
        for (gas, walls) in list.iter().enumerate().flat_map(|(k, gas)| {
            let walls = gas.walls.iter();
            walls.map(move |walls| (k, walls))
        }) {
            for &(ends, half) in &walls.edges {
                chambers.sides.push((gas, Some(half)));
                chambers.ends.push(ends);
            }
            for &ends in &walls.rings {
                chambers.sides.push((gas, None));
                chambers.ends.push(ends);
            }
            for &nodes in &walls.curved {
                chambers.curved.sides.push(gas);
                chambers.curved.nodes.push(nodes);
            }
        }

        let start = start.to_vec();
        chambers.gases = Arc::new(Gases { list, start });
        chambers.curved.gases = Arc::clone(&chambers.gases);
        chambers
    }

    /// True without gas.
    pub fn is_empty(&self) -> bool {
        self.gases.list.is_empty()
    }

    /// The gases.
    pub fn gases(&self) -> &[Gas] {
        &self.gases.list
    }

    /// The energies, one for each number of nodes of a side.
    ///
    /// A list of elements has one length of its stencil, so that sides with two and with three
    /// nodes are two lists.
    pub fn energies(&self) -> [&dyn Energy; 2] {
        [self, &self.curved]
    }

    /// The part of the Hessian that couples all sides of a gas, `w s s^T`, for each gas whose pressure
    /// changes: the weight `w = gamma p / V` (N/m^5), and `s = dV/dx` (m^2) as `add(vertex, slope)`
    /// receives it, once for each side at a vertex.
    pub fn products_of_slopes(&self, x: &[Vec2], mut take: impl FnMut(f64, &[(usize, Vec2)])) {
        let mut slopes = Vec::new();
        for gas in &self.gases.list {
            let weight = gas.law.stiffness(gas.volume(x));
            if weight > 0.0 {
                slopes.clear();
                for walls in &gas.walls {
                    walls.slopes(x, &mut |vertex, slope| slopes.push((vertex, slope)));
                }
                take(weight, &slopes);
            }
        }
    }

    /// Pressures over the ambient one (Pa), one for each gas.
    ///
    /// A negative one pulls the walls inwards.
    fn excesses(gases: &Gases, x: &[Vec2]) -> Vec<f64> {
        gases.list.iter().map(|gas| gas.excess(x)).collect()
    }
}

/// Writes the lower triangle of a symmetric matrix of blocks, times a factor.
fn write<const K: usize>(matrix: &[[Mat2; K]; K], scale: f64, blocks: &mut [Mat2]) {
    let lower = (0..K).flat_map(|row| (0..=row).map(move |column| [row, column]));
    for (block, [row, column]) in blocks.iter_mut().zip(lower) {
        *block = matrix[row][column] * scale;
    }
}

/// Second derivatives of the volume next to a straight side in the plane with half of a thickness (m).
///
/// The volume is bilinear in both ends, so that only the mixed blocks are not 0, and all are
/// constant.
fn flat(half: f64) -> [[Mat2; 2]; 2] {
    let mixed = Mat2::new(0.0, half, -half, 0.0);
    [[Mat2::zeros(), mixed], [mixed.transpose(), Mat2::zeros()]]
}

/// Hessian of a pressure on a side by the second derivatives of the volume, of a kind.
///
/// The sign is the one of `-(p - p_a) d2V/dx2`.
fn pushed<const K: usize>(
    second: &[[Mat2; K]; K],
    excess: f64,
    curvature: Curvature,
) -> [[Mat2; K]; K] {
    match curvature {
        Curvature::Projected => positive_part(second, -excess),
        Curvature::Exact => scaled(second, -excess),
    }
}

impl Energy for Chambers {
    fn name(&self) -> &'static str {
        GAS
    }

    /// Sum over the gases, from the start of the stage; infinite where a chamber has no volume left.
    fn value(&self, x: &[Vec2]) -> f64 {
        let Gases { list, start } = &*self.gases;
        list.iter().map(|gas| gas.gain([start, x])).sum()
    }

    /// None: the energy belongs to gases, and not to single sides.
    fn values(&self, _x: &[Vec2]) -> Vec<f64> {
        Vec::new()
    }

    fn add_gradient(&self, x: &[Vec2], scale: f64, gradient: &mut [Vec2]) {
        for gas in &self.gases.list {
            let factor = -scale * gas.excess(x);
            for walls in &gas.walls {
                walls.slopes(x, &mut |vertex, slope| gradient[vertex] += slope * factor);
            }
        }
    }

    fn element_count(&self) -> usize {
        self.sides.len()
    }

    fn stencil(&self, k: usize) -> &[usize] {
        &self.ends[k]
    }

    fn blocks_each(&self) -> usize {
        3
    }

    fn hessian(
        &self,
        elements: Range<usize>,
        x: &[Vec2],
        scale: f64,
        curvature: Curvature,
        blocks: &mut [Mat2],
    ) {
        let excesses = Self::excesses(&self.gases, x);
        for (k, blocks) in elements.zip(blocks.chunks_exact_mut(3)) {
            let (gas, half) = self.sides[k];
            let second = match half {
                Some(half) => flat(half),
                None => side::curvature(&self.ends[k].map(|i| x[i])),
            };
            let matrix = pushed(&second, excesses[gas], curvature);
            write(&matrix, scale, blocks);
        }
    }

    /// A motion leaves each chamber a part of its volume, `LEAST_CHAMBER`. Outlines that stay simple keep
    /// a volume anyway.
    fn max_step(&self, x: &[Vec2], p: &[Vec2]) -> StepBound {
        // Volumes are polynomials of the fraction; halving is enough, since this bound is rarely
        // active.
        let volumes: Vec<f64> = self.gases.list.iter().map(|gas| gas.volume(x)).collect();
        let mut fraction = 1.0;
        while fraction > f64::EPSILON {
            let ahead: Vec<Vec2> = x.iter().zip(p).map(|(x, p)| x + p * fraction).collect();
            let mut gases = self.gases.list.iter().zip(&volumes);
            if gases.all(|(gas, volume)| gas.volume(&ahead) > LEAST_CHAMBER * volume) {
                break;
            }
            fraction *= 0.5;
        }
        StepBound {
            fraction,
            element: (fraction < 1.0).then_some(0),
        }
    }

    fn admits(&self, x: &[Vec2]) -> bool {
        self.gases.list.iter().all(|gas| gas.volume(x) > 0.0)
    }

    fn stresses(&self, _x: &[Vec2]) -> Vec<Stressed> {
        Vec::new()
    }
}

impl Energy for CurvedSides {
    fn name(&self) -> &'static str {
        GAS
    }

    fn value(&self, _x: &[Vec2]) -> f64 {
        0.0
    }

    fn values(&self, _x: &[Vec2]) -> Vec<f64> {
        Vec::new()
    }

    fn add_gradient(&self, _x: &[Vec2], _scale: f64, _gradient: &mut [Vec2]) {}

    fn element_count(&self) -> usize {
        self.sides.len()
    }

    fn stencil(&self, k: usize) -> &[usize] {
        &self.nodes[k]
    }

    fn blocks_each(&self) -> usize {
        6
    }

    fn hessian(
        &self,
        elements: Range<usize>,
        x: &[Vec2],
        scale: f64,
        curvature: Curvature,
        blocks: &mut [Mat2],
    ) {
        let excesses = Chambers::excesses(&self.gases, x);
        for (k, blocks) in elements.zip(blocks.chunks_exact_mut(6)) {
            let at = self.nodes[k].map(|i| x[i]);
            let second = side::curvature(&at);
            let matrix = pushed(&second, excesses[self.sides[k]], curvature);
            write(&matrix, scale, blocks);
        }
    }

    fn max_step(&self, _x: &[Vec2], _p: &[Vec2]) -> StepBound {
        StepBound::FULL
    }

    fn admits(&self, _x: &[Vec2]) -> bool {
        true
    }

    fn stresses(&self, _x: &[Vec2]) -> Vec<Stressed> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gases of both laws, in the plane and of revolution, with their positions at the start and later.
    fn examples() -> Vec<(Chambers, Vec<Vec2>)> {
        let start: Vec<Vec2> = [(0.5, 0.0), (1.5, 0.1), (1.7, 0.6), (1.4, 1.2), (0.4, 1.0)]
            .map(|(x, y)| Vec2::new(x, y))
            .into();
        let later = start.iter().enumerate().map(|(k, x)| {
            let k = k as f64;
            Vec2::new(1.1 * x.x + 0.05 * k, 0.9 * x.y - 0.02 * k * k)
        });
        let later: Vec<Vec2> = later.collect();
        let ends = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]];
        let flat = Walls {
            edges: ends.map(|ends| (ends, 0.15)).into(),
            ..Walls::default()
        };
        let turned = Walls {
            rings: vec![[0, 1], [3, 4], [4, 0]],
            curved: vec![[1, 2, 3]],
            ..Walls::default()
        };
        let laws = [1.0, 1.4].map(|gamma| GasLaw::Closed { amount: 0.7, gamma });
        let mut found = Vec::new();
        for walls in [flat, turned].map(Arc::new) {
            for law in laws.into_iter().chain([GasLaw::Held { pressure: 2e5 }]) {
                let gas = Gas {
                    walls: vec![Arc::clone(&walls)],
                    law,
                    ambient: 9e4,
                };
                found.push((Chambers::new(vec![gas], &start), later.clone()));
            }
        }
        found
    }

    /// Hessian at `x`, with the products, as entries of a full matrix.
    fn whole(chambers: &Chambers, x: &[Vec2]) -> Vec<Vec<f64>> {
        let n = 2 * x.len();
        let mut full = vec![vec![0.0; n]; n];
        for energy in chambers.energies() {
            let mut blocks = vec![Mat2::zeros(); energy.block_count()];
            energy.hessian(
                0..energy.element_count(),
                x,
                1.0,
                Curvature::Exact,
                &mut blocks,
            );
            for ([i, j], block) in energy.blocks().into_iter().zip(blocks) {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    full[2 * i + a][2 * j + b] += block[(a, b)];
                    if i != j {
                        full[2 * j + b][2 * i + a] += block[(a, b)];
                    }
                }
            }
        }
        chambers.products_of_slopes(x, |weight, slopes| {
            for (i, s) in slopes {
                for (j, t) in slopes {
                    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        full[2 * i + a][2 * j + b] += weight * s[a] * t[b];
                    }
                }
            }
        });
        full
    }

    #[test]
    fn derivatives_match_differences_in_the_plane_and_of_revolution() {
        for (chambers, x) in examples() {
            let full = whole(&chambers, &x);
            let slope_at = |x: &[Vec2]| {
                let mut slope = vec![Vec2::zeros(); x.len()];
                chambers.add_gradient(x, 1.0, &mut slope);
                slope
            };
            let slope = slope_at(&x);
            for k in 0..2 * x.len() {
                let moved = |by: f64| {
                    let mut x = x.clone();
                    x[k / 2][k % 2] += by;
                    x
                };
                let [ahead, behind] = [1e-5, -1e-5].map(moved);
                let difference = (chambers.value(&ahead) - chambers.value(&behind)) / 2e-5;
                let scale = 1e5;
                assert!((difference - slope[k / 2][k % 2]).abs() < 1e-7 * scale);
                let [after, before] = [slope_at(&ahead), slope_at(&behind)];
                for (i, row) in full.iter().enumerate() {
                    let change = (after[i / 2][i % 2] - before[i / 2][i % 2]) / 2e-5;
                    assert!((change - row[k]).abs() < 1e-6 * scale, "{i} {k}");
                }
            }
        }
    }

    #[test]
    fn the_energy_is_the_work_of_the_gas_and_of_what_surrounds_it() {
        for (chambers, x) in examples() {
            let gas = &chambers.gases()[0];
            let start = &chambers.gases.start;
            let [before, after] = [&start[..], &x].map(|x| gas.volume(x));
            assert_eq!(chambers.value(start), 0.0);
            if let GasLaw::Closed { .. } = gas.law {
                let gained = gas.law.energy(after) - gas.law.energy(before);
                let expected = gained + gas.ambient * (after - before);
                assert!((chambers.value(&x) - expected).abs() < 1e-9 * 1e5);
            }
        }
    }

    #[test]
    fn no_motion_takes_a_chamber_its_volume() {
        for (chambers, x) in examples() {
            // To a mirror image, through a line.
            let p: Vec<Vec2> = x.iter().map(|x| Vec2::new(0.0, -2.0 * x.y)).collect();
            let bound = chambers.max_step(&x, &p);
            assert!(bound.fraction <= 0.5 && bound.fraction > 0.1, "{bound:?}");
            let at = |t: f64| -> Vec<Vec2> { x.iter().zip(&p).map(|(x, p)| x + p * t).collect() };
            assert!(chambers.admits(&at(bound.fraction)));
            assert!(!chambers.admits(&at(1.0)) && chambers.value(&at(1.0)).is_infinite());
        }
    }
}
