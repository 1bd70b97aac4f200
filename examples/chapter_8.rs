//! The book's algorithm on one page: chapter 8, two squares with friction under a moving ceiling.
//!
//! A step minimises `E(x) = 1/2 |x - x_tilde|_M^2 + h^2 (elasticity + barrier + friction)` with
//! `x_tilde = x_n + h v_n + h^2 g`, by projected Newton with a line search that collision detection
//! filters. Energies and collision detection are the library's; loop and dense matrix are here.
#![expect(clippy::print_stdout, reason = "an example prints")]

use ipcsim::contact::{Candidates, Contacts, Friction, Lag, max_step};
use ipcsim::energy::{Curvature, Energy};
use ipcsim::time::{Parameters, World};
use ipcsim::{geometry::path::Sweep, math::Vec2, solve::Target};
use nalgebra::{DMatrix, DVector};
use std::{error::Error, path::Path};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    println!("after 200 steps: {:.3?}", trajectory(200)?[200]);
    Ok(())
}

/// Positions of all vertices at the start and after each step.
pub(crate) fn trajectory(steps: usize) -> Result<Vec<Vec<Vec2>>, Box<dyn Error>> {
    let path = Path::new("scenes/book/08_two_squares_friction.json");
    let setup = ipcsim::scene::read(path, &[])?.build()?;
    let mut positions = vec![setup.state.x];
    for n in 0..steps {
        let before = n.saturating_sub(1);
        positions.push(time_step(&setup.world, &positions[before..=n], n)?);
    }
    Ok(positions)
}

/// Positions at the end of step `n`, from those before it; the start is at rest.
fn time_step(world: &World, before: &[Vec<Vec2>], n: usize) -> Result<Vec<Vec2>, String> {
    let h = world.h;
    let surface = &world.model.surface;
    let x_n = &before[before.len() - 1];
    let h_v = moved(x_n, &before[0], -1.0);
    let g = vec![world.loading.gravity; x_n.len()];
    let lag = Lag::along_tangents(&world.friction, x_n, h);
    let mut potential = Potential {
        world,
        mass: world.model.mass.iter().map(|mass| mass.x).collect(),
        x_tilde: moved(&moved(x_n, &h_v, 1.0), &g, h * h),
        friction: Friction::lagged(surface, &contacts_at(world, x_n)?, x_n, lag),
    };

    // Ground and ceiling have no mass: a penalty like inertia pulls them to their targets.
    let targets = world.targets(
        &Parameters::default(),
        (n + 1) as f64 * h,
        n as f64 * h,
        x_n,
    );
    for target in &targets {
        potential.mass[target.node] = 1e3;
        potential.x_tilde[target.node] = target.position;
    }

    let mut x = x_n.clone();
    loop {
        // Newton's direction. Below 1e-6 m/s, the penalty grows until the targets are met.
        let p = potential.direction(&x)?;
        if p.iter().all(|p| p.amax() < 1e-6 * h) {
            let missed = |target: &Target| (x[target.node] - target.position).amax() > 1e-6 * h;
            if !targets.iter().any(missed) {
                return Ok(x);
            }
            for target in &targets {
                potential.mass[target.node] *= 10.0;
            }
        }

        // The largest step without contact and without inverted triangles.
        let end = moved(&x, &p, 1.0);
        let near = Candidates::find(surface, &x, |i| p[i].amax());
        let mut alpha = max_step(surface, &near, &Sweep::straight(&x, &end)).fraction;
        for energy in &world.model.energies {
            alpha = alpha.min(energy.max_step(&x, &p).fraction);
        }

        // Halved until the potential decreases.
        let before = potential.value(&x)?;
        while potential.value(&moved(&x, &p, alpha))? > before {
            alpha *= 0.5;
        }
        x = moved(&x, &p, alpha);
    }
}

fn moved(x: &[Vec2], p: &[Vec2], alpha: f64) -> Vec<Vec2> {
    x.iter().zip(p).map(|(x, p)| x + p * alpha).collect()
}

fn contacts_at(world: &World, x: &[Vec2]) -> Result<Contacts, String> {
    let surface = &world.model.surface;
    let near = Candidates::find(surface, x, |_| 0.0);
    Contacts::find(surface, &world.barriers, &near, x).map_err(|touch| touch.to_string())
}

/// The incremental potential `E` of one step.
struct Potential<'a> {
    world: &'a World,
    mass: Vec<f64>,
    x_tilde: Vec<Vec2>,
    friction: Friction,
}

impl Potential<'_> {
    fn energies<'a>(&'a self, contacts: &'a Contacts) -> impl Iterator<Item = &'a dyn Energy> {
        let elastic = self.world.model.energies.iter().map(AsRef::as_ref);
        let touching = contacts.energies().into_iter();
        elastic.chain(touching.chain(self.friction.energies()))
    }

    fn value(&self, x: &[Vec2]) -> Result<f64, String> {
        let contacts = contacts_at(self.world, x)?;
        let energy: f64 = self.energies(&contacts).map(|energy| energy.value(x)).sum();
        let away = |i: usize| (x[i] - self.x_tilde[i]).norm_squared();
        let inertia: f64 = (0..x.len()).map(|i| 0.5 * self.mass[i] * away(i)).sum();
        Ok(inertia + self.world.h.powi(2) * energy)
    }

    /// Newton's direction `p = -H^-1 g` with the projected Hessian.
    fn direction(&mut self, x: &[Vec2]) -> Result<Vec<Vec2>, String> {
        let inertia = |i: usize| (x[i] - self.x_tilde[i]) * self.mass[i];
        let mut g: Vec<Vec2> = (0..x.len()).map(inertia).collect();
        let mut h = DMatrix::from_diagonal(&DVector::from_fn(2 * x.len(), |i, _| self.mass[i / 2]));

        let scale = self.world.h.powi(2);
        let contacts = contacts_at(self.world, x)?;
        self.friction.predict(x, &vec![Vec2::zeros(); x.len()]);
        for energy in self.energies(&contacts) {
            let all = 0..energy.element_count();
            let mut blocks = vec![ipcsim::math::Mat2::zeros(); energy.block_count()];
            energy.add_gradient(x, scale, &mut g);
            energy.hessian(all, x, scale, Curvature::Projected, &mut blocks);
            for ([i, j], block) in energy.blocks().into_iter().zip(blocks) {
                let mut part = h.view_mut((2 * i, 2 * j), (2, 2));
                part += block;
                if i != j {
                    let mut part = h.view_mut((2 * j, 2 * i), (2, 2));
                    part += block.transpose();
                }
            }
        }

        let g = DVector::from_iterator(2 * x.len(), g.iter().flat_map(|g| [g.x, g.y]));
        let p = h.cholesky().ok_or("H is not positive definite")?.solve(&-g);
        let p = p.as_slice().chunks(2);
        Ok(p.map(Vec2::from_column_slice).collect())
    }
}
