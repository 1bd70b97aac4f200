//! Steps whose motion is proved again, by other code than the solver's.

use super::{Error, Simulation};
use ipcsim_contact::{Breach, Proved, Prover};
use ipcsim_core::body::Configuration;
use ipcsim_core::measures::step_measured;
use ipcsim_core::solve::Watch;
use ipcsim_core::time::StepReport;
use ipcsim_math::geometry::path::Sweep;
use ipcsim_mesh::are_facets;

impl Simulation {
    /// Computes one step as [`Simulation::step`] does, to the same bits, and proves that nothing passed
    /// through anything: no vertex meets an edge, and no triangle collapses, on any motion that the
    /// solver has accepted on the way. `ipcsim run --certify` and `verify` prove the same of files.
    ///
    /// ```
    /// use ipcsim::prelude::*;
    ///
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
    ///     .with_body(Body::deformable("ball", Disk::new(0.1, 12), "rubber").at([0.0, 0.11]))
    ///     .with_obstacle(Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0])));
    /// let mut simulation = Simulation::new(scene)?;
    /// let (_, proved) = simulation.step_proved()?;
    /// assert!(proved.is_ok_and(|proved| proved.planes > 0 && proved.triangles > 0));
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Step`] if the step fails; then the state is as before. What the proof says is part of
    /// the result: a [`Breach`] would be an error of this library.
    pub fn step_proved(&mut self) -> Result<(StepReport, Result<Proved, Breach>), Error> {
        self.settle()?;
        let start = self.state.configuration();

        // The solver notes all motions that it accepts.
        let watch = Watch {
            track: true,
            ..Watch::default()
        };
        self.solver.watch(watch);
        let result = step_measured(
            &self.world,
            &mut self.solver,
            &mut self.state,
            &self.measures,
            self.until.as_ref(),
        );
        self.solver.watch(Watch::default());
        let mut done = result.map_err(|failure| self.failed(failure))?;

        // Without a track the whole step is one motion.
        let end = self.state.configuration();
        let track = done.log.track.as_mut();
        let mut way = track.map_or_else(Vec::new, |track| track.take(&end));
        if way.is_empty() {
            way.push(end);
        }
        Ok((done.report, self.proof(start, way)))
    }

    /// Proves the motions from a configuration to one after another.
    fn proof(&self, start: Configuration, way: Vec<Configuration>) -> Result<Proved, Breach> {
        let world = &self.world;
        let is_facet = are_facets(&world.curved, world.triangles.len());
        let all = world.triangles.iter().zip(is_facet);
        let linear: Vec<[usize; 3]> = all
            .filter(|(_, is_facet)| !is_facet)
            .map(|(triangle, _)| *triangle)
            .collect();
        let prover = Prover::new(world.model.surface.outlines(), &linear)
            .with_curved(&world.curved)
            .with_bends(&world.bends);

        let coordinates = &world.model.coordinates;

        // One motion after another, on straight paths and arcs as the solver took them.
        let mut proved = Proved::default();
        let mut here = start;
        for next in way {
            let motion: Vec<_> = next.q.iter().zip(&here.q).map(|(a, b)| a - b).collect();
            let turns = coordinates.turns(&here.q, &motion);
            let sweep = Sweep {
                start: &here.x,
                end: &next.x,
                turn_of: coordinates.turn_of(),
                turns: &turns,
            };
            proved += prover.prove(&sweep)?;
            here = next;
        }
        Ok(proved)
    }
}
