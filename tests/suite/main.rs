//! Tests of the library as a whole and of the program.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    clippy::print_stdout,
    reason = "a test that fails should stop at once, and may say what it measured"
)]

mod affine;
mod anchors;
mod baselines;
mod bullets;
mod ccd;
mod ccd_advancement;
mod ccd_families;
mod ccd_nonlinear;
mod ccd_oracle;
mod ccd_separation;
mod certificates;
mod certificates_damaged;
mod chapters;
mod circles;
mod cli_bench;
mod cli_ccd;
mod cli_check;
mod cli_damaged;
mod cli_forces;
mod cli_import;
mod cli_killed;
mod cli_preflight;
mod cli_render;
mod cli_resume;
mod cli_rigid;
mod cli_run;
mod cli_run_fails;
mod cli_run_files;
mod cli_verify;
mod collision;
mod contact;
mod disks;
mod edges;
mod elasticity;
mod equilibrium;
mod examples;
mod extremes;
mod factorisation;
mod families;
mod floors;
mod forces;
mod friction;
mod friction_belts;
mod friction_frames;
mod friction_kinetic;
mod friction_promises;
mod friction_rolling;
mod import_bodies;
mod import_kinematic;
mod import_runs;
mod importing;
mod integrators;
mod invariance;
mod joints;
mod loads;
mod loads_files;
mod narrow;
mod newton;
mod obstacles;
mod page;
mod pairs;
mod prescribed;
mod program;
mod recorded;
mod reduced;
mod restitution;
mod restitution_crowds;
mod restitution_forces;
mod rigid;
mod rigid_ipc_scenes;
mod rigid_stacks;
mod same_bits;
mod schema;
mod schemes;
mod schemes_forces;
mod schemes_promises;
mod scripted;
mod showcase;
mod showcase_gears;
mod showcase_runs;
mod simulation;
mod step_memory;
mod stress;
mod support;
mod torture;
mod torture_files;
mod tutorial;
mod validate;
mod words;
