//! ipcsim: solids that deform, collide, slide and stack, in two dimensions.
//!
//! Every time step minimises an incremental potential by projected Newton with a filtered line search, so that no accepted
//! state has an intersection or an inverted triangle (Li et al. 2020, "Incremental Potential Contact"; the free
//! physics-based simulation book).
//!
//! # A tour
//! A [`scene::Scene`] is read from JSON and built into a [`time::World`], which does not change, and a [`time::State`],
//! which [`time::step`] carries on. A step hands a [`solve::Potential`] to the [`solve::Solver`]: inertia, the energies of
//! [`energy`] and [`material`], barrier and friction of [`contact`]. [`pictures`] draws plain numbers, [`store`] writes and
//! reads the files of a run, and [`commands`] is the program. Modules use only those before them in this order: [`math`],
//! [`files`], [`geometry`], [`mesh`], [`pictures`], [`material`], [`sparse`], [`body`], [`energy`], [`contact`],
//! [`solve`], [`time`], [`scene`], [`store`], [`commands`].
//!
//! ```
//! use ipcsim::{scene, time};
//!
//! let text = r#"{
//!   "time": { "step": 0.01, "steps": 10 },
//!   "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } } },
//!   "bodies": [ { "name": "ball", "shape": { "disk": { "radius": 0.1, "segments": 12 } }, "material": "rubber" } ]
//! }"#;
//! let setup = scene::build(scene::parse(text, &[])?)?;
//! let (world, mut state) = (setup.world, setup.state);
//! let mut solver = world.solver();
//! for _ in 0..10 {
//!     time::step(&world, &mut solver, &mut state)?;
//! }
//! // Implicit Euler falls h^2 g n (n + 1) / 2 in n steps.
//! assert!((state.x[0].y + 9.81e-4 * 55.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Symbols
//! | symbol | name in code | meaning | unit | shape |
//! |---|---|---|---|---|
//! | x, v | `x`, `v` | positions, velocities | m, m/s | `[n]` of `Vec2` |
//! | q, q̇ | `q`, `q_dot` | coordinates of bodies and their velocities, in 2-vectors (nodes); q = x where vertices are free | m, rad | `[k]` |
//! | q̃ | `q_tilde` | where coordinates would go without energies, q + h q̇ + h² a | m, rad | `[k]` |
//! | J | `jacobian` | dx/dq | 1, m | 2x2 blocks |
//! | h | `h` | time step | s | |
//! | M | `mass` | mass of each component of a node | kg, kg m² | `[k]` |
//! | F, J | `f`, `j` | deformation gradient and its determinant | 1 | 2x2, |
//! | ψ, P | `energy_density`, `stress` | energy density, first Piola-Kirchhoff stress | Pa | , 2x2 |
//! | μ, λ | `mu`, `lambda` | Lame parameters | Pa | |
//! | d, d̂ | `distance`, `d_hat` | distance, and the one from which on the barrier is zero | m | |
//! | κ, b | `kappa`, `Barrier` | stiffness of the barrier, the barrier | Pa | |
//! | w | `weight` | contact length times thickness of a vertex | m² | `[n]` |
//! | μ λ | `load` | friction coefficient times normal force | N | |
//! | ε_v | `eps_v` | sliding speed from which on friction is fully developed | m/s | |
//! | p, α | `p`, `alpha` | Newton direction, fraction of it that is taken | m, 1 | `[n]`, |
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::panic,
        clippy::float_cmp,
        reason = "a test that fails should stop at once"
    )
)]

pub mod body;
pub mod commands;
pub mod contact;
pub mod energy;
pub mod files;
pub mod geometry;
pub mod material;
pub mod math;
pub mod mesh;
pub mod pictures;
pub mod scene;
pub mod solve;
pub mod sparse;
pub mod store;
pub mod time;
