//! The book's two squares with friction, with `n` segments a side, at the moments that are measured.

use ipcsim::energy::Curvature;
use ipcsim::math::Mat2;
use ipcsim::scene::{Setup, build, read};
use ipcsim::solve::Solver;
use ipcsim::solve::linear::{BlockMatrix, Gather, fill_reducing};
use ipcsim::time::step;
use std::path::Path;

const SCENE: &str = "scenes/book/08_two_squares_friction.json";

/// Steps after which both contacts are there: with the ground from step 23 on, between the squares from step 27 on.
const STEPS_TO_CONTACT: usize = 30;

fn two_squares(n: usize, more: &[&str]) -> Setup {
    let segments = (0..2).map(|body| format!("bodies.{body}.shape.square.segments={n}"));
    let overrides: Vec<String> = segments.chain(more.iter().map(ToString::to_string)).collect();
    build(read(Path::new(SCENE), &overrides).unwrap()).unwrap()
}

/// The scene's start.
pub(crate) fn released(n: usize) -> Setup {
    two_squares(n, &[])
}

/// The squares half an activation distance apart.
pub(crate) fn near(n: usize) -> Setup {
    two_squares(n, &["bodies.1.position=[0.045, -0.455]"])
}

/// The squares in contact, each other and the ground, and the solver that brought them there.
pub(crate) fn in_contact(n: usize) -> (Setup, Solver) {
    let mut setup = released(n);
    let mut solver = setup.world.solver();
    for _ in 0..STEPS_TO_CONTACT {
        step(&setup.world, &mut solver, &mut setup.state).unwrap();
    }
    (setup, solver)
}

/// The Newton matrix of mass and elasticity, and what it is assembled from.
pub(crate) struct Newton {
    setup: Setup,
    /// Vertices, without the origins of half-planes, which come last.
    pub(crate) nodes: usize,
    /// Vertices that share a triangle.
    pub(crate) pairs: Vec<[usize; 2]>,
    /// Row of each vertex.
    position: Vec<usize>,
    contributions: Vec<Mat2>,
    gather: Gather,
    /// The assembled matrix.
    pub(crate) matrix: BlockMatrix,
}

impl Newton {
    pub(crate) fn of(setup: Setup) -> Self {
        let world = &setup.world;
        let nodes = world.rest.len() - world.surface.planes.len();
        let places: Vec<[usize; 2]> = world.energies.iter().flat_map(|energy| energy.blocks()).collect();
        let pairs: Vec<[usize; 2]> = places.iter().copied().filter(|[a, b]| a != b).collect();
        let position = fill_reducing(nodes, &pairs);
        let placed = |pair: &[usize; 2]| pair.map(|i| position[i]);
        let matrix = BlockMatrix::new(nodes, &mut pairs.iter().map(placed).collect());
        let gather = Gather::new(&matrix, places.iter().map(|pair| Some(placed(pair)))).unwrap();
        let contributions = vec![Mat2::zeros(); places.len()];
        let mut newton = Self { setup, nodes, pairs, position, contributions, gather, matrix };
        newton.evaluate();
        newton.assemble();
        newton
    }

    /// The blocks of all triangles.
    fn evaluate(&mut self) {
        let (world, x) = (&self.setup.world, &self.setup.state.x);
        let mut rest = &mut self.contributions[..];
        for energy in &world.energies {
            let (own, others) = rest.split_at_mut(energy.block_count());
            energy.hessian(x, world.h * world.h, Curvature::Projected, own);
            rest = others;
        }
    }

    /// Sums the blocks and adds the mass.
    pub(crate) fn assemble(&mut self) {
        self.gather.assemble(&self.contributions, &mut self.matrix);
        for (&j, &mass) in self.position.iter().zip(&self.setup.world.mass) {
            assert!(self.matrix.add(j, j, &Mat2::from_diagonal(&mass)));
        }
    }
}
