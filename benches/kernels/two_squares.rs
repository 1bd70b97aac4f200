//! The book's two squares with friction, with `n` segments a side, at the moments that are
//! measured.

use ipcsim::energy::Energy;
use ipcsim::scene::{Setup, build, read};
use ipcsim::solve::Solver;
use ipcsim::solve::evaluation::Evaluation;
use ipcsim::solve::scatter::{self, Scatter};
use ipcsim::sparse::{BlockMatrix, fill_reducing};
use ipcsim::time::step;
use std::path::Path;

/// Scene of the book's chapter 8.
const SCENE: &str = "scenes/book/08_two_squares_friction.json";

/// Steps after which both contacts are there: with the ground from step 23 on, between the squares
/// from step 27 on.
const STEPS_TO_CONTACT: usize = 30;

/// The scene with `n` segments a side and more settings, as `key=value`.
fn two_squares(n: usize, more: &[&str]) -> Setup {
    let segments = (0..2).map(|body| format!("bodies.{body}.shape.square.segments={n}"));
    let overrides: Vec<String> = segments
        .chain(more.iter().map(ToString::to_string))
        .collect();
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
    /// World and state.
    setup: Setup,
    /// Vertices, without the origins of half-planes, which come last.
    pub(crate) nodes: usize,
    /// Vertices that share a triangle.
    pub(crate) pairs: Vec<[usize; 2]>,
    /// Row of each vertex.
    position: Vec<usize>,
    /// Places of each energy's blocks in the matrix.
    scatters: Vec<Scatter>,
    /// The assembled matrix.
    pub(crate) matrix: BlockMatrix,
}

impl Newton {
    /// The matrix at the state of a world, assembled.
    pub(crate) fn of(setup: Setup) -> Self {
        let world = &setup.world;
        let nodes = world.rest.len() - world.model.surface.planes.len();
        let pairs: Vec<[usize; 2]> = world
            .model
            .energies
            .iter()
            .flat_map(|energy| energy.blocks())
            .filter(|[a, b]| a != b)
            .collect();

        // The matrix in its fill-reducing order.
        let position = fill_reducing(nodes, &pairs);
        let placed = |pair: &[usize; 2]| pair.map(|i| position[i]);
        let matrix = BlockMatrix::new(nodes, &mut pairs.iter().map(placed).collect());
        let slot = |pair: [usize; 2]| {
            let [a, b] = placed(&pair);
            Some((matrix.slot(a, b)?, a < b))
        };

        // Places of each energy's blocks in the matrix.
        let part = scatter::part_size(&matrix);
        let scatters = world
            .model
            .energies
            .iter()
            .map(|energy| Scatter::new(energy.as_ref(), part, |_| true, slot).unwrap())
            .collect();

        let mut newton = Self {
            setup,
            nodes,
            pairs,
            position,
            scatters,
            matrix,
        };
        newton.assemble();
        newton
    }

    /// Sums the blocks of all triangles and adds the mass.
    pub(crate) fn assemble(&mut self) {
        let world = &self.setup.world;
        let energies: Vec<&dyn Energy> = world.model.energies.iter().map(AsRef::as_ref).collect();
        scatter::assemble(
            &self.scatters,
            &energies,
            Evaluation::projected(&self.setup.state.x, world.h * world.h),
            &mut self.matrix,
        );

        for (&j, &mass) in self.position.iter().zip(&self.setup.world.model.mass) {
            self.matrix.add_diagonal(j, &mass);
        }
    }
}
