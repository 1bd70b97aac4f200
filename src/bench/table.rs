//! Measurements as tables to read.
//!
//! A table has a row for each phase of a step. Phases are wall times of the thread that steps, so
//! they add up to less than the whole; processor time is that of all threads.

use super::calibration::{REFERENCE, Times};
use super::measure::Measured;
use ipcsim::math::number::counted;
use ipcsim::solve::Phase;
use std::fmt::Write;

/// Calibration times, and the factor from times of the reference machine to times of this one.
pub(super) fn calibration(times: &Times) -> String {
    let Times {
        factorisation,
        scalar_loop,
        scale,
    } = times;

    format!(
        "calibration: {:.1} ms for faer's factorisation of 101,124 unknowns, {:.1} ms for a scalar \
         loop\n  times of a machine where faer takes {:.0} ms correspond to {scale:.3} times as \
         much here\n",
        factorisation * 1e3,
        scalar_loop * 1e3,
        REFERENCE * 1e3,
    )
}

/// Table of a scene's cost: a row for each phase, for the rest, for the whole, and for processor
/// time.
pub(super) fn scene(measured: &Measured, threads: usize) -> String {
    let Measured {
        name,
        vertices,
        triangles,
        steps,
        newton_iterations: iterations,
        ..
    } = measured;

    let mut text = format!(
        "{name}: {}, {}, {}, {} ({:.1} a step), {}\n",
        counted(*vertices, "vertex"),
        counted(*triangles, "triangle"),
        counted(*steps, "step"),
        counted(*iterations, "Newton iteration"),
        measured.per_step(*iterations as f64),
        counted(threads, "thread"),
    );

    // Counts and memory. Writing to a string cannot fail.
    let memory = match measured.peak_memory {
        Some(bytes) => memory(bytes, *triangles),
        None => "not known on this system".to_owned(),
    };
    let _ = writeln!(
        text,
        "  contacts {:.1} on average, {} at most; factor {} entries; peak memory {memory}",
        measured.contacts_mean, measured.contacts_max, measured.factor_entries
    );

    text.push_str(&directions(measured));

    // A row for each phase; the rest is what no phase covers.
    let _ = writeln!(
        text,
        "  {:16} {:>10} {:>7} {:>12} {:>16}",
        "phase", "s", "share", "ms a step", "ms an iteration"
    );

    let mut other = measured.wall;
    for (_, phase) in Phase::ALL {
        let seconds = measured.phases.get(phase).copied().unwrap_or_default();
        other -= seconds;
        text += &row(measured, &phase.replace('_', " "), seconds);
    }
    text += &row(measured, "other", other);
    text += &row(measured, "whole", measured.wall);
    if let Some(processor) = measured.processor {
        text += &row(measured, "processor time", processor);
    }

    if let Some(ratio) = measured.over_linear_algebra() {
        let _ = writeln!(
            text,
            "  an iteration costs {ratio:.2} times its factorisation and solve"
        );
    }
    text
}

/// Line of the directions of a scene, and of what became of them.
fn directions(measured: &Measured) -> String {
    let of = |name| measured.counts.get(name).copied().unwrap_or_default();
    format!(
        "  directions {}: {} of projected Hessians, {} cut by contact; {} halvings; {} substitutions for \
         friction; {} inner solves\n",
        of("directions"),
        of("projected"),
        of("cut"),
        of("halvings"),
        of("substitutions"),
        of("inner")
    )
}

/// Row of the table: time (s), its share of the whole, and the time of a step and of an iteration
/// (ms).
fn row(measured: &Measured, label: &str, seconds: f64) -> String {
    let share = 100.0 * seconds / measured.wall.max(f64::MIN_POSITIVE);
    let step = measured.per_step(seconds) * 1e3;
    let iteration = measured.per_iteration(seconds) * 1e3;
    format!("  {label:16} {seconds:10.3} {share:6.1}% {step:12.4} {iteration:16.4}\n")
}

/// Memory in MB and, if there are triangles, in kB for each of them.
fn memory(bytes: u64, triangles: usize) -> String {
    let whole = format!("{:.1} MB", bytes as f64 / 1e6);
    if triangles == 0 {
        return whole;
    }
    format!(
        "{whole} ({:.2} kB a triangle)",
        bytes as f64 / 1e3 / triangles as f64
    )
}
