//! Stress of grains by their contacts, of single bodies and as a field.
//!
//! A contact with the force `f` on a body at the point `c` has a branch from the centre `r` of the body to
//! `c`. The mean stress of a body of the area `A` and the thickness `t` is (Weber 1966)
//!
//! `1 / (A t) sum f (c - r)^T`,
//!
//! and the field at a place `z` is (Goldhirsch 2010, "Stress, stress asymmetry and couple stress: from
//! discrete particles to continuous fields", with branches that end at the contacts)
//!
//! `sigma = 1 / t sum f (c - r)^T int_0^1 phi(|z - r - s (c - r)|) ds`,
//!
//! `phi(d) = 3 / (pi w^2) (1 - d^2 / w^2)^2` within the radius `w`.
//!
//! | field | sum over |
//! |---|---|
//! | density, share of the area, velocity | bodies, at their centres |
//! | stress by contacts | branches |
//! | stress by velocities beyond the mean | bodies |
//!
//! Its divergence is then the rate of momentum exactly, whatever the radius. Tension is positive. A
//! contact is the middle of its gap, so that the forces of both bodies cancel in sums over all.
//!
//! The kernel is a polynomial along a branch, so that three points of Gauss integrate it exactly.

use super::contact::contacts;
use crate::solve::Touching;
use crate::time::{State, World};
use ipcsim_math::{Mat2, Vec2, cross, outer};
use std::f64::consts::PI;

/// A body as a grain.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    /// Number of the body.
    pub body: usize,
    /// Mass (kg).
    pub mass: f64,
    /// Area (m^2); 0 for a body without an inside.
    pub area: f64,
    /// Centre (m).
    pub center: Vec2,
    /// Velocity of the centre (m/s).
    pub velocity: Vec2,
}

/// A contact from the centre of a body.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// Number of the body.
    pub body: usize,
    /// Centre of the body (m).
    pub center: Vec2,
    /// Middle of the gap (m).
    pub contact: Vec2,
    /// Force on the body (N).
    pub force: Vec2,
}

/// All bodies other than obstacles, and their contacts.
#[derive(Clone, Debug, Default)]
pub struct Grains {
    /// The bodies.
    pub grains: Vec<Grain>,
    /// Their contacts; none if forces are not known.
    pub branches: Vec<Branch>,
    /// Thickness of all bodies (m).
    pub thickness: f64,
    /// Mean stress of each body (Pa), `[bodies]`; `None` for obstacles and bodies without an inside.
    pub mean_stress: Vec<Option<Mat2>>,
}

/// Continuous fields at a place, means over bodies around it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coarse {
    /// Mass for each volume (kg/m^3).
    pub density: f64,
    /// Share of the area that bodies fill (1).
    pub fraction: f64,
    /// Velocity, by mass (m/s).
    pub velocity: Vec2,
    /// Stress by contacts (Pa), tension positive.
    pub stress: Mat2,
    /// Stress by velocities beyond the mean (Pa), `-sum m v' v'^T phi / t`.
    pub kinetic: Mat2,
}

impl Grains {
    /// Bodies of this thickness (m) in a `state` at the end of a step that ended with `last`.
    pub fn of(world: &World, state: &State, last: &Touching, thickness: f64) -> Self {
        let areas = areas(world, &state.x);
        let mut grains = Vec::new();
        for (body, own) in world.bodies.iter().enumerate() {
            if own.kind.is_obstacle() {
                continue;
            }
            grains.push(Grain {
                body,
                mass: world.mass_of(own),
                area: areas[body],
                center: world.at_centre(own, &state.q, &state.x),
                velocity: world.at_centre(own, &state.q_dot, &state.v),
            });
        }

        // Forces are known at the end of a step only.
        let mut branches = Vec::new();
        if last.stage.is_some() {
            branches = self::branches(world, state, last);
        }
        let mut sums = vec![Mat2::zeros(); world.bodies.len()];
        for branch in &branches {
            sums[branch.body] += branch.moment();
        }
        let mut mean_stress = vec![None; world.bodies.len()];
        for grain in grains.iter().filter(|grain| grain.area > 0.0) {
            mean_stress[grain.body] = Some(sums[grain.body] / (grain.area * thickness));
        }
        Self {
            grains,
            branches,
            thickness,
            mean_stress,
        }
    }

    /// Fields at a place, means over the bodies within a radius (m) for which `counts` holds.
    pub fn coarse(&self, at: Vec2, radius: f64, counts: impl Fn(usize) -> bool) -> Coarse {
        let mut fields = Coarse::default();
        let mut momentum = Vec2::zeros();
        let mut flux = Mat2::zeros();
        for grain in self.grains.iter().filter(|grain| counts(grain.body)) {
            let weight = kernel((at - grain.center).norm_squared(), radius);
            let mass = weight * grain.mass / self.thickness;
            fields.density += mass;
            fields.fraction += weight * grain.area;
            momentum += grain.velocity * mass;
            flux += outer(grain.velocity, grain.velocity) * mass;
        }
        if fields.density > 0.0 {
            fields.velocity = momentum / fields.density;
            fields.kinetic = outer(momentum, fields.velocity) - flux;
        }
        for branch in self.branches.iter().filter(|own| counts(own.body)) {
            let weight = along(branch.center - at, branch.contact - at, radius);
            fields.stress += branch.moment() * (weight / self.thickness);
        }
        fields
    }
}

impl Branch {
    /// Force times branch (N m).
    fn moment(&self) -> Mat2 {
        outer(self.force, self.contact - self.center)
    }
}

/// Contacts of all bodies other than obstacles, with each other and with obstacles.
fn branches(world: &World, state: &State, last: &Touching) -> Vec<Branch> {
    let centers: Vec<Vec2> = world
        .bodies
        .iter()
        .map(|body| world.at_centre(body, &state.q, &state.x))
        .collect();
    let mut branches = Vec::new();
    let images = &world.model.surface.images;
    for own in contacts(world, state, last) {
        // Of an image both the place of the contact and the centre are a period away.
        let vertices = own.pair.vertices();
        let sides = [vertices.first(), vertices.last()].map(|vertex| vertex.copied().unwrap_or(0));
        let away = sides.map(|vertex| state.x[vertex] - state.x[images.original(vertex)]);
        let [a, b] = own.bodies;
        if a == b && away[0] == away[1] {
            continue;
        }
        let contact = own.point + own.normal * (0.5 * own.gap);
        let force = own.force();
        for (body, force, away) in [(a, force, away[0]), (b, -force, away[1])] {
            if !world.bodies[body].kind.is_obstacle() {
                branches.push(Branch {
                    body,
                    center: centers[body],
                    contact: contact - away,
                    force,
                });
            }
        }
    }
    branches
}

/// Area of each body at positions `x` (m), `[bodies]` (m^2); 0 without an inside.
fn areas(world: &World, x: &[Vec2]) -> Vec<f64> {
    let surface = &world.model.surface;
    let mut areas = vec![0.0; world.bodies.len()];
    let home = |vertex: usize| vertex < surface.images.first();
    for disk in surface.disks.iter().filter(|disk| home(disk.center)) {
        areas[surface.body[disk.center]] += PI * disk.radius * disk.radius;
    }
    for &[a, b] in &surface.edges {
        let body = surface.body[a];
        if a != b && surface.filled[body] && home(a) {
            // From a vertex of the body, so that no digits are lost far from the origin.
            let origin = x[world.bodies[body].vertices.start];
            areas[body] += 0.5 * cross(x[a] - origin, x[b] - origin);
        }
    }
    areas
}

/// Weight of a point whose distance has this square (m^2), by a kernel of a radius (m): `1/m^2`.
fn kernel(squared: f64, radius: f64) -> f64 {
    let rest = 1.0 - squared / (radius * radius);
    if rest <= 0.0 {
        return 0.0;
    }
    3.0 / (PI * radius * radius) * rest * rest
}

/// Places and weights of the integral over `[0, 1]` by three points (Gauss).
const GAUSS: [(f64, f64); 3] = [
    (0.112_701_665_379_258_31, 5.0 / 18.0),
    (0.5, 8.0 / 18.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

/// Mean of the kernel of a radius (m) at the origin along a segment (m): `int_0^1 phi ds`.
fn along(from: Vec2, to: Vec2, radius: f64) -> f64 {
    // Part of the segment within the circle.
    let way = to - from;
    let squared = way.norm_squared();
    if squared == 0.0 {
        return kernel(from.norm_squared(), radius);
    }
    let middle = -from.dot(&way) / squared;
    let nearest = cross(from, way) * cross(from, way) / squared;
    let half = (radius * radius - nearest) / squared;
    if half <= 0.0 {
        return 0.0;
    }
    let half = half.sqrt();
    let first = (middle - half).max(0.0);
    let length = (middle + half).min(1.0) - first;
    if length <= 0.0 {
        return 0.0;
    }

    let weighted = GAUSS.map(|(place, weight)| {
        let at = from + way * (first + place * length);
        weight * kernel(at.norm_squared(), radius)
    });
    length * (weighted[0] + weighted[1] + weighted[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{GRAVITY, MASS, RADIUS, circles, moved, resting_gap, touching};

    #[test]
    fn kernels_have_the_integral_1_over_the_plane_and_along_segments_exact_means() {
        let radius = 0.7;
        let count = 400_u32;
        let step = 2.0 * radius / f64::from(count);
        let mut sum = 0.0;
        for i in 0..count {
            for j in 0..count {
                let at = [i, j].map(|k| (f64::from(k) + 0.5) * step - radius);
                sum += kernel(Vec2::from(at).norm_squared(), radius) * step * step;
            }
        }
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");

        // A segment that leaves the circle, by many points.
        let [from, to] = [Vec2::new(-0.2, 0.3), Vec2::new(1.1, -0.4)];
        let points = 20_000_u32;
        let places = (0..points).map(|k| (f64::from(k) + 0.5) / f64::from(points));
        let sum: f64 = places
            .map(|s| kernel((from + (to - from) * s).norm_squared(), radius))
            .sum();
        let mean = along(from, to, radius);
        assert!((mean - sum / f64::from(points)).abs() < 1e-7 * mean);
    }

    #[test]
    fn a_circle_that_rests_has_its_weight_over_its_cut_as_stress() {
        let (world, from) = circles(&[[0.0, RADIUS + resting_gap()]], true, 0.4);
        let state = moved(&world, &from, |_| ());
        let last = touching(&world, &from, &state);
        let grains = Grains::of(&world, &state, &last, 2.0);
        let stress = grains.mean_stress[0].unwrap();
        let branch = RADIUS + 0.5 * resting_gap();
        let expected = -MASS * GRAVITY * branch / (PI * RADIUS * RADIUS * 2.0);
        assert!((stress[(1, 1)] / expected - 1.0).abs() < 1e-9, "{stress}");
        assert!(stress[(0, 0)].abs() < 1e-9 * -expected);
        assert_eq!(grains.mean_stress[1], None);

        // The integral of the field is the sum of all branches.
        let radius = 0.4 * RADIUS;
        let mut sum = Mat2::zeros();
        let step = 0.02 * RADIUS;
        for i in -160..160 {
            for j in -100..160 {
                let at = Vec2::new(f64::from(i) * step, f64::from(j) * step);
                sum += grains.coarse(at, radius, |_| true).stress * (step * step);
            }
        }
        let whole = expected * PI * RADIUS * RADIUS;
        assert!((sum[(1, 1)] / whole - 1.0).abs() < 1e-3, "{sum} {whole}");
    }
}
