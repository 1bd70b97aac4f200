//! Tests of the library as a whole and of the program.
//!
//! - Trajectories of the book's tutorial (`tutorial`), closed forms, exact oracles, and the program
//!   from end to end (`cli_...`).
//! - `validate` runs the quick cases of `ipcsim validate`. A tolerance follows from the method; a
//!   known miss has a reason and a limit in the file of its case.
//! - `manual` follows the manual: pages are listed, links, headings, functions and files exist,
//!   scenes are accepted, commands run in a new folder.
//! - `baselines` compares shipped scenes with `tests/baselines`, and writes these.
//! - `torture` and `torture_files` mutate scenes and files with fixed seeds; `tests/fuzz` has
//!   targets for a fuzzer.
//! - `scenes/broken` has scenes that are refused, `scenes/doubtful` scenes that cause warnings,
//!   each with its message in a file; `scenes/failing` has scenes that fail, in folders with the names
//!   of the failures (`failures`).
//! - `cli_sweep` kills and stops sweeps; `tests/sweep` runs them on Slurm and Dask, nightly.
//! - `tests/view` opens pages of `ipcsim view` in headless Chromium: positions, pixels, clicks,
//!   keys, charts and stored pictures (`IPCSIM_WRITE_PICTURES=1` writes these).
//! - `tests/counts.rs` keeps iterations, factor entries and allocations of six runs below recorded
//!   limits.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    clippy::print_stdout,
    reason = "a test that fails should stop at once, and may say what it measured"
)]

mod adaptive;
mod advice;
mod affine;
mod anchors;
mod axisymmetry;
mod baselines;
mod bounds;
mod bullets;
mod cams;
mod ccd;
mod ccd_advancement;
mod ccd_families;
mod ccd_nonlinear;
mod ccd_oracle;
mod ccd_separation;
mod certificates;
mod certificates_damaged;
mod chambers;
mod changes;
mod chapters;
mod cli_bench;
mod cli_ccd;
mod cli_check;
mod cli_damaged;
mod cli_export;
mod cli_forces;
mod cli_guarded;
mod cli_import;
mod cli_joints;
mod cli_killed;
mod cli_losses;
mod cli_preflight;
mod cli_render;
mod cli_resume;
mod cli_rigid;
mod cli_run;
mod cli_run_fails;
mod cli_run_files;
mod cli_streams;
mod cli_sweep;
mod cli_verify;
mod cli_view;
mod close_at_rest;
mod collision;
mod contact;
mod dilatation;
mod disks;
mod edges;
mod elasticity;
mod equilibrium;
mod examples;
mod extremes;
mod factorisation;
mod failures;
mod field_forces;
mod fields;
mod flag;
mod forces;
mod friction;
mod friction_belts;
mod friction_frames;
mod friction_kinetic;
mod friction_promises;
mod friction_rolling;
mod friction_turning;
mod gradients;
mod grains;
mod hands;
mod heat;
mod impact_friction;
mod impacts;
mod import_bodies;
mod import_kinematic;
mod import_runs;
mod importing;
mod increments;
mod integrators;
mod interference;
mod interrupts;
mod invariance;
mod joint_cylinders;
mod joint_drives;
mod joint_drives_changed;
mod joint_kinds;
mod joint_scripts;
mod joint_stops;
mod joint_world;
mod joints;
mod kept_energy;
mod lattices;
mod laws_files;
mod ledger;
mod ledger_joints;
mod linkages;
mod live_edits;
mod loads;
mod loads_files;
mod manual;
mod measures;
mod meshes;
mod narrow;
mod newmark;
mod newton;
mod obstacles;
mod pairs;
mod paths;
mod periodic;
mod periodic_joined;
mod periodic_kinds;
mod perturbed;
mod plastic;
mod preloads;
mod prescribed;
mod pressures;
mod program;
mod quadratic;
mod racks;
mod reasonable;
mod recorded;
mod reduced;
mod restitution;
mod restitution_crowds;
mod restitution_forces;
mod rigid;
mod rigid_ipc_scenes;
mod rigid_stacks;
mod rods;
mod same_bits;
mod schema;
mod schemes;
mod schemes_forces;
mod schemes_promises;
mod scripted;
mod seams;
mod servos;
mod showcase;
mod showcase_clock;
mod showcase_compliant;
mod showcase_gears;
mod showcase_machines;
mod showcase_metal;
mod showcase_ropes;
mod showcase_runs;
mod showcase_soft;
mod simulation;
mod simulation_state;
mod sleep;
mod start_state;
mod statics;
mod step_memory;
mod stress;
mod support;
mod ties;
mod torture;
mod torture_files;
mod trains;
mod tutorial;
mod units;
mod until;
mod validate;
mod wholes;
