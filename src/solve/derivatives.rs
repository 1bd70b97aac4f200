//! Derivatives of the whole potential with respect to coordinates, with every kind of body in contact with every other:
//! value against gradient against matrix, by differences.

use super::pins::Pins;
use super::potential::{Gradient, Potential};
use super::system::System;
use super::timings::Timings;
use crate::body::basis::{polynomial, reduced};
use crate::body::{Configuration, Coordinates, Kinematics, Linear, Lumping, Rigid, lump};
use crate::contact::barrier::{Barrier, BarrierShape};
use crate::contact::{Candidates, Contacts, Disk, Filter, Friction, FrictionTable, HalfPlane, Lag, Surface};
use crate::energy::{Energy, Orthogonality, Summed, Triangle};
use crate::material::{Lame, NeoHookean};
use crate::math::{Mat2, Vec2};
use crate::mesh::{boundary, generate};
use nalgebra::{DMatrix, DVector};

/// A world by hand: gaps between neighbours are about half of `d_hat`.
#[derive(Default)]
struct Cluster {
    coordinates: Coordinates,
    q: Vec<Vec2>,
    mass: Vec<Vec2>,
    body: Vec<usize>,
    edges: Vec<[usize; 2]>,
    disks: Vec<Disk>,
    lone: Vec<usize>,
    planes: Vec<HalfPlane>,
    rigid: Vec<usize>,
    elastic: Summed<Triangle<NeoHookean>, 3>,
    orthogonality: Summed<Orthogonality, 2>,
}

impl Cluster {
    /// Numbers the vertices of the next body.
    fn next(&mut self, count: usize) -> usize {
        let (first, index) = (self.body.len(), self.body.last().map_or(0, |last| last + 1));
        self.body.extend(vec![index; count]);
        first
    }

    fn rigid(&mut self, center: [f64; 2], angle: f64, arms: &[[f64; 2]], edges: &[[usize; 2]]) -> usize {
        let first = self.next(arms.len());
        self.rigid.push(self.body[first]);
        self.edges.extend(edges.iter().map(|edge| edge.map(|i| first + i)));
        let arms = arms.iter().map(|&arm| arm.into()).collect();
        self.coordinates.add_reduced(self.body.len() - first, Box::new(Rigid { arms }));
        self.q.extend([center.into(), Vec2::new(angle, 0.0)]);
        self.mass.extend([Vec2::repeat(1.3), Vec2::repeat(0.4)]);
        first
    }

    fn disk(&mut self, center: [f64; 2], angle: f64, radius: f64) {
        let center = self.rigid(center, angle, &[[0.0, 0.0], [radius, 0.0]], &[[0, 0]]);
        self.lone.push(center);
        self.disks.push(Disk { center, rim: center + 1, radius });
    }

    fn point(&mut self, at: [f64; 2]) {
        let point = self.rigid(at, 0.0, &[[0.0, 0.0]], &[[0, 0]]);
        self.lone.push(point);
    }

    fn affine(&mut self, center: [f64; 2], corners: &[[f64; 2]]) {
        let first = self.next(corners.len());
        let square = |c: &[f64; 2]| [Mat2::identity(), Mat2::identity() * c[0], Mat2::identity() * c[1]];
        let map = Linear {
            origin: vec![Vec2::zeros(); corners.len()],
            basis: corners.iter().flat_map(square).collect(),
            lift: vec![Mat2::identity(), Mat2::zeros(), Mat2::zeros()],
        };
        let nodes = self.coordinates.add_reduced(corners.len(), Box::new(map));
        self.edges.extend(loop_of(corners.len()).iter().map(|edge| edge.map(|i| first + i)));
        self.q.extend([center.into(), Vec2::new(0.96, 0.2), Vec2::new(-0.15, 1.02)]);
        self.mass.extend([1.0, 0.2, 0.3].map(Vec2::repeat));
        self.orthogonality.push([nodes.start + 1, nodes.start + 2], Orthogonality { stiffness: 3.0 });
    }

    /// A rectangle whose vertices are free, or whose displacements are polynomials of the second order.
    fn soft(&mut self, center: [f64; 2], size: [f64; 2], is_reduced: bool) {
        let mesh = generate::rectangle(size, [2, 2]);
        let first = self.next(mesh.vertices.len());
        let rest: Vec<Vec2> = mesh.vertices.iter().map(|x| x + Vec2::from(center)).collect();
        let mass = lump(&mesh, 2.0, 1.0, Lumping::Area);
        self.edges.extend(boundary::edges(&mesh.triangles).iter().map(|edge| edge.map(|i| first + i)));
        for triangle in &mesh.triangles {
            let law = NeoHookean(Lame::plane_strain(5.0, 0.3));
            let triangle_rest = triangle.map(|i| mesh.vertices[i]);
            self.elastic.push(triangle.map(|i| first + i), Triangle::new(law, triangle_rest, 1.0));
        }
        if is_reduced {
            let map = reduced(&rest, &mass, &polynomial(&rest, &mass, 2).unwrap());
            self.q.extend(vec![Vec2::zeros(); map.nodes()]);
            self.mass.extend(vec![Vec2::repeat(1.0); map.nodes()]);
            self.coordinates.add_reduced(mass.len(), Box::new(map));
        } else {
            self.coordinates.add_free(mass.len());
            self.q.extend(rest);
            self.mass.extend(mass.iter().map(|&m| Vec2::repeat(m)));
        }
    }

    fn plane(&mut self, normal: [f64; 2], origin: [f64; 2]) {
        let vertex = self.next(1);
        self.coordinates.add_free(1);
        self.planes.push(HalfPlane { normal: Vec2::from(normal).normalize(), origin: vertex, along: None });
        self.q.push(origin.into());
        self.mass.push(Vec2::repeat(2.0));
    }

    fn of_all_kinds() -> Self {
        let mut cluster = Self::default();
        let corners = [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]];
        cluster.soft([0.5, 0.5], [1.0, 1.0], false);
        cluster.rigid([1.8, 0.5], 0.3, &corners, &loop_of(4));
        cluster.disk([0.5, 1.5], 0.4, 0.3);
        cluster.disk([1.3, 1.6], -2.0, 0.35);
        cluster.affine([0.4, -0.7], &corners);
        cluster.soft([2.0, -0.7], [1.0, 0.6], true);
        cluster.point([1.15, -0.2]);
        cluster.point([1.2, -0.6]);
        cluster.rigid([2.6, 0.3], 0.1, &[[0.0, -0.8], [0.1, 0.1], [0.0, 0.9]], &[[0, 1], [1, 2]]);
        cluster.disk([3.0, -1.0], 0.0, 0.25);
        cluster.plane([0.1, 1.0], [0.0, -1.4]);
        cluster
    }

    fn surface(&self, shape: BarrierShape) -> Surface {
        let barrier = Barrier { shape, kappa: 7.0, d_hat: 0.6 };
        let mut points: Vec<usize> = self.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();
        let count = self.body.len();
        let mut radius = vec![0.0; count];
        self.disks.iter().for_each(|disk| radius[disk.center] = disk.radius);
        Surface {
            points,
            edges: self.edges.clone(),
            disks: self.disks.clone(),
            radius,
            lone: (0..count).map(|i| self.lone.contains(&i)).collect(),
            planes: self.planes.clone(),
            weight: (0..count).map(|i| 0.3 + 0.01 * i as f64).collect(),
            filter: Filter::new(vec![], self.rigid.clone(), vec![]),
            min_separation: 0.02,
            ..Surface::new(self.body.clone(), barrier)
        }
    }
}

fn loop_of(count: usize) -> Vec<[usize; 2]> {
    (0..count).map(|i| [i, (i + 1) % count]).collect()
}

/// Numbers in `[-1, 1]` from a linear congruential generator.
struct Noise(u64);

impl Noise {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn shaken(&mut self, q: &[Vec2], by: f64) -> Vec<Vec2> {
        q.iter().map(|q| q + Vec2::new(self.number(), self.number()) * by).collect()
    }
}

fn configuration(coordinates: &Coordinates, q: Vec<Vec2>) -> Configuration {
    let mut x = vec![Vec2::zeros(); coordinates.vertices()];
    coordinates.positions(&q, &mut x);
    Configuration { q, x }
}

fn flat(field: &[Vec2]) -> DVector<f64> {
    DVector::from_iterator(2 * field.len(), field.iter().flat_map(|v| [v.x, v.y]))
}

/// `f(q)` with component `k` of `q` moved, once up and once down.
fn around<T>(q: &[Vec2], k: usize, step: f64, f: impl Fn(Vec<Vec2>) -> T) -> [T; 2] {
    [step, -step].map(|by| {
        let mut moved = q.to_vec();
        moved[k / 2][k % 2] += by;
        f(moved)
    })
}

/// `dx/dq` by differences.
fn jacobian(coordinates: &Coordinates, q: &[Vec2]) -> DMatrix<f64> {
    let step = 1e-6;
    let column = |k: usize| {
        let [after, before] = around(q, k, step, |q| flat(&configuration(coordinates, q).x));
        (after - before) / (2.0 * step)
    };
    DMatrix::from_columns(&(0..2 * q.len()).map(column).collect::<Vec<_>>())
}

/// The projected Hessian of an energy with respect to its own variables.
fn dense(energy: &dyn Energy, x: &[Vec2]) -> DMatrix<f64> {
    let mut blocks = vec![Mat2::zeros(); energy.block_count()];
    energy.hessian(x, 1.0, &mut blocks);
    let mut full = DMatrix::zeros(2 * x.len(), 2 * x.len());
    for ([i, j], block) in energy.blocks().into_iter().zip(blocks) {
        let mut add = |i: usize, j: usize, block: Mat2| {
            let sum = full.fixed_view::<2, 2>(2 * i, 2 * j) + block;
            full.fixed_view_mut::<2, 2>(2 * i, 2 * j).copy_from(&sum);
        };
        add(i, j, block);
        if i != j {
            add(j, i, block.transpose());
        }
    }
    full
}

/// A potential and where its derivatives are taken.
struct Case<'a> {
    potential: Potential<'a>,
    candidates: Candidates,
    at: Configuration,
}

impl Case<'_> {
    fn contacts(&self, at: &Configuration) -> Contacts {
        Contacts::find(self.potential.surface, &self.candidates, &at.x).unwrap()
    }

    fn value(&self, q: Vec<Vec2>) -> f64 {
        let at = configuration(self.potential.coordinates, q);
        self.potential.value_with(&Pins::new(&[], &at.q), &self.contacts(&at), &at)
    }

    fn gradient(&self, q: Vec<Vec2>) -> Gradient {
        let at = configuration(self.potential.coordinates, q);
        let mut gradient = Gradient { x: vec![Vec2::zeros(); at.x.len()], q: vec![Vec2::zeros(); at.q.len()] };
        self.potential.gradient(&Pins::new(&[], &at.q), &self.contacts(&at), &at, &mut gradient);
        gradient
    }

    fn hessian_by_differences(&self) -> DMatrix<f64> {
        let step = 1e-6;
        let column = |k: usize| {
            let [after, before] = around(&self.at.q, k, step, |q| flat(&self.gradient(q).q));
            (after - before) / (2.0 * step)
        };
        DMatrix::from_columns(&(0..2 * self.at.q.len()).map(column).collect::<Vec<_>>())
    }

    /// Mass, projected Hessians of all energies between Jacobians by differences, and the curvature of arcs by second
    /// differences of positions.
    fn matrix_by_differences(&self) -> DMatrix<f64> {
        let Self { potential, at, .. } = self;
        let scale = potential.h * potential.h;
        let contacts = self.contacts(at);
        let mut full = DMatrix::from_diagonal(&flat(potential.mass));
        let (now, start) =
            (jacobian(potential.coordinates, &at.q), jacobian(potential.coordinates, &potential.start.q));
        let y = configuration(potential.coordinates, potential.start.q.clone()).x;
        let slid = &start * (flat(&at.q) - flat(&potential.start.q)) + flat(&y);
        let y: Vec<Vec2> = slid.as_slice().chunks(2).map(Vec2::from_column_slice).collect();
        for energy in potential.energies.iter().map(AsRef::as_ref).chain(contacts.parts()) {
            full += now.transpose() * dense(energy, &at.x) * &now * scale;
        }
        for energy in potential.friction.parts() {
            full += start.transpose() * dense(energy, &y) * &start * scale;
        }
        for energy in potential.own {
            full += dense(energy.as_ref(), &at.q) * scale;
        }
        let (forces, step) = (flat(&self.gradient(at.q.clone()).x), 1e-4);
        let work = |q: Vec<Vec2>| flat(&configuration(potential.coordinates, q).x).dot(&forces);
        let middle = work(at.q.clone());
        for k in 0..2 * at.q.len() {
            let [after, before] = around(&at.q, k, step, work);
            let curvature = (after - 2.0 * middle + before) / (step * step);
            full[(k, k)] += curvature.max(-0.9 * potential.mass[k / 2][k % 2]);
        }
        full
    }

    /// What the solver's system answers to `right_side`.
    fn direction(&self, fixed: &[[bool; 2]], right_side: &[Vec2]) -> Vec<Vec2> {
        let contacts = self.contacts(&self.at);
        let places: Vec<[usize; 2]> = self.potential.energies.iter().flat_map(|energy| energy.blocks()).collect();
        let mut pairs = places.clone();
        pairs.extend(self.potential.changing(&contacts).iter().flat_map(|energy| energy.blocks()));
        let mut system = System::new(self.potential.coordinates, fixed, &places, &pairs).unwrap();
        assert!(system.fits(self.potential.coordinates, fixed, &self.potential.changing(&contacts)));
        let gradient = self.gradient(self.at.q.clone());
        system.assemble(&self.potential, &contacts, &self.at, &gradient.x);
        system.isolate_fixed();
        system.factorise(&mut Timings::default()).unwrap();
        let mut p = vec![Vec2::zeros(); right_side.len()];
        system.direction(right_side, &mut p);
        p
    }

    fn check(&self, fixed: &[Vec<[bool; 2]>]) {
        let gradient = flat(&self.gradient(self.at.q.clone()).q);
        for k in 0..gradient.len() {
            let [after, before] = around(&self.at.q, k, 2e-6, |q| self.value(q));
            let error = (after - before) / 4e-6 - gradient[k];
            assert!(error.abs() < 1e-7 * gradient.amax(), "component {k}: {error} of {}", gradient[k]);
        }
        let matrix = self.matrix_by_differences();
        let unprojected = self.hessian_by_differences();
        assert!((&unprojected - unprojected.transpose()).amax() < 1e-7 * matrix.amax());
        // Projection only adds.
        let added = &matrix - &unprojected;
        let least = (&added + added.transpose()).symmetric_eigenvalues().min();
        assert!(least > -1e-5 * matrix.amax(), "{least} of {}", matrix.amax());
        for fixed in fixed {
            let free: Vec<usize> = (0..gradient.len()).filter(|k| !fixed[k / 2][k % 2]).collect();
            let wanted: Vec<f64> = free.iter().map(|&k| gradient[k]).collect();
            let block = matrix.select_rows(&free).select_columns(&free);
            let right_side: Vec<Vec2> = gradient.as_slice().chunks(2).map(Vec2::from_column_slice).collect();
            let p = flat(&self.direction(fixed, &right_side));
            let expected = -block.lu().solve(&DVector::from_vec(wanted)).unwrap();
            let found = DVector::from_iterator(free.len(), free.iter().map(|&k| p[k]));
            let error = (&found - &expected).amax() / expected.amax();
            assert!(error < 1e-5, "{} free components: {error}", free.len());
        }
    }
}

#[test]
fn derivatives_match_differences_where_all_kinds_of_bodies_touch() {
    let cluster = Cluster::of_all_kinds();
    let mut noise = Noise(1);
    let energies: [Box<dyn Energy>; 1] = [Box::new(cluster.elastic.clone())];
    let own: [Box<dyn Energy>; 1] = [Box::new(cluster.orthogonality.clone())];
    let nodes = cluster.q.len();
    let held = |node: usize| [node.is_multiple_of(7), node.is_multiple_of(5) || node.is_multiple_of(7)];
    let fixed =
        [vec![[false; 2]; nodes], (0..nodes).map(held).collect(), (0..nodes).map(|i| [i % 2 == 0; 2]).collect()];
    for (shape, round) in [(BarrierShape::Log, 0), (BarrierShape::ClampedLog, 1), (BarrierShape::ClampedLog, 2)] {
        let surface = cluster.surface(shape);
        let start = configuration(&cluster.coordinates, noise.shaken(&cluster.q, 0.03));
        let at = configuration(&cluster.coordinates, noise.shaken(&start.q, 0.02));
        let q_tilde = noise.shaken(&cluster.q, 0.1);
        let candidates = Candidates::find(&surface, &at.x, |_| 0.2);
        let contacts = Contacts::find(&surface, &candidates, &start.x).unwrap();
        let lag = Lag { table: &FrictionTable::uniform(0.5), start: &start.x, slip: [0.01, 0.03, 0.1][round] };
        let friction = Friction::lagged(&surface, &contacts, &start.x, lag);
        assert!(contacts.len() > 60 && friction.parts().iter().all(|part| part.block_count() > 10));
        let potential = Potential {
            coordinates: &cluster.coordinates,
            mass: &cluster.mass,
            q_tilde: &q_tilde,
            x_tilde: &start.x,
            start: &start,
            h: 0.7,
            energies: &energies,
            own: &own,
            surface: &surface,
            friction: &friction,
        };
        Case { potential, candidates, at }.check(&fixed);
    }
}
