//! Solids that deform, collide, slide and stack, in two dimensions: Incremental Potential Contact.
//!
//! Every time step minimises an incremental potential by projected Newton with a filtered line
//! search. No accepted state has an intersection or an inverted triangle.
//!
//! # Use
//! A [`Scene`](scene::Scene) is built from values, and a [`Simulation`] steps it:
//!
//! ```
//! use ipcsim::prelude::*;
//!
//! let scene = Scene::new(Time::new(0.01, 100))
//!     .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
//!     .with_body(Body::deformable("ball", Disk::new(0.1, 12), "rubber").at([0.0, 0.5]))
//!     .with_obstacle(Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0])));
//! let mut simulation = Simulation::new(scene)?;
//! simulation.run(10)?;
//!
//! // Implicit Euler falls h^2 g n (n + 1) / 2 in n steps.
//! let centre = simulation.body("ball")?.centre();
//! assert!((0.5 - centre.y - 9.81e-4 * 55.0).abs() < 1e-9);
//! # Ok::<(), ipcsim::Error>(())
//! ```
//!
//! Forces are read between steps. Here a block of steel comes to rest on the ground:
//!
//! ```
//! use ipcsim::prelude::*;
//!
//! let scene = Scene::new(Time::new(0.01, 100))
//!     .with_material("steel", Material::rigid(7800.0))
//!     .with_body(Body::rigid("block", Square::new(0.1, 1), "steel").at([0.0, 0.051]))
//!     .with_obstacle(Obstacle::new("ground", HalfPlane::new([0.0, 1.0], [0.0, 0.0])));
//! let mut simulation = Simulation::new(scene)?;
//! simulation.run(100)?;
//!
//! let weight = 9.81 * simulation.body("block")?.mass();
//! let normal: f64 = simulation.contacts().map(|contact| contact.normal_force).sum();
//! assert!((normal - weight).abs() < 1e-3 * weight);
//! # Ok::<(), ipcsim::Error>(())
//! ```
//!
//! Scenes are read from JSON, too. [`time::step`] is the step itself, for programs that keep world,
//! solver and state apart:
//!
//! ```
//! use ipcsim::{scene, time};
//!
//! let text = r#"{
//!   "time": { "step": 0.01, "steps": 10 },
//!   "materials": { "stone": { "density": 2500 } },
//!   "bodies": [
//!     { "name": "ball", "kind": "rigid", "shape": { "circle": { "radius": 0.1 } }, "material": "stone" }
//!   ]
//! }"#;
//! let setup = scene::parse(text, &[])?.build()?;
//! let world = setup.world;
//! let mut state = setup.state;
//! let mut solver = world.solver();
//! time::step(&world, &mut solver, &mut state)?;
//! assert!(state.v[0].y < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` has an energy of your own, forces read while stepping, and the book's
//! algorithm on one page.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `import` (on by default) | shapes and scenes from files of other programs: [`scene::import`] |
//! | `faer` | the factorisation of the library faer, `solver.linear = "faer"` |
//!
//! # Modules
//! Each module is a crate or a part of one. A module uses only those before it in this order:
//! [`math`], [`files`], [`geometry`], [`mesh`], [`sparse`], [`material`], [`energy`], [`contact`],
//! [`body`], [`constraint`], [`solve`], [`time`], [`forces`], [`fields`], [`scene`], [`simulation`].
//! A scene becomes a [`time::World`], which does not change, and a [`time::State`], which
//! [`time::step`] replaces. A step hands a [`solve::Potential`] to the [`solve::Solver`]: inertia,
//! the energies of [`energy`] and [`material`], barrier and friction of [`contact`].
//!
//! Pictures, folders of runs, the cases of the validation and the program are crates above this one.
//!
//! # Sources
//! - M. Li, C. Jiang, Z. Luo, [Physics-Based Simulation](https://phys-sim-book.github.io), the free
//!   book that the code follows.
//! - M. Li et al. 2020, "Incremental Potential Contact: Intersection- and Inversion-free Large
//!   Deformation Dynamics", [doi:10.1145/3386569.3392425](https://doi.org/10.1145/3386569.3392425).
//! - Z. Ferguson et al. 2021, "Intersection-free Rigid Body Dynamics",
//!   [doi:10.1145/3450626.3459802](https://doi.org/10.1145/3450626.3459802).
//! - L. Lan et al. 2022, "Affine Body Dynamics: Fast, Stable and Intersection-free Simulation of Stiff
//!   Materials", [doi:10.1145/3528223.3530064](https://doi.org/10.1145/3528223.3530064).
//! - M. Li, D. M. Kaufman, C. Jiang 2021, "Codimensional Incremental Potential Contact",
//!   [doi:10.1145/3450626.3459767](https://doi.org/10.1145/3450626.3459767).
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
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod prelude;
pub mod scene;
pub mod simulation;

pub use ipcsim_contact as contact;
pub use ipcsim_core::{body, constraint, fields, forces, measures, quantities, solve, time};
pub use ipcsim_energy as energy;
pub use ipcsim_energy::material;
pub use ipcsim_math as math;
pub use ipcsim_math::{files, geometry};
pub use ipcsim_mesh as mesh;
pub use ipcsim_sparse as sparse;
pub use simulation::{Error, Simulation};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
