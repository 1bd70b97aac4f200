//! Cases of validation fail where a number of their scenes is off by so much that a quantity moves by three
//! of its tolerances: bodies of revolution, cells that repeat, gas in chambers, and ties.

use ipcsim_validate::{Bound, Case, Perturbation, Quantity, Verdict, cases, perturbed};

/// A number that a case must notice, and a quantity that it moves.
struct Entry {
    /// Case.
    case: &'static str,
    /// Begin of the name of the quantity.
    quantity: &'static str,
    /// Path of the number.
    path: &'static str,
    /// The only scene that changes, where others give the expected value.
    only: Option<usize>,
}

/// An entry whose number changes in all scenes of the case.
const fn entry(case: &'static str, quantity: &'static str, path: &'static str) -> Entry {
    Entry {
        case,
        quantity,
        path,
        only: None,
    }
}

impl Entry {
    /// The entry, whose number changes in one scene only.
    const fn only(mut self, number: usize) -> Self {
        self.only = Some(number);
        self
    }
}

/// Young's modulus of all materials.
const YOUNG: &str = "materials.*.law.*.young";

/// Axial stiffness of all rods.
const AXIAL: &str = "bodies.*.kind.rod.axial_stiffness";

const ENTRIES: &[Entry] = &[
    entry(
        "axis_patch",
        "largest |x - F X|, neo-Hookean",
        "bodies.*.prescribed.*.displacement.x",
    ),
    entry(
        "axis_plate",
        "deflection of the middle, clamped",
        "loads.*.pressure",
    ),
    entry("axis_washer", "force at 50 %", YOUNG),
    entry(
        "axis_lame",
        "displacement of the bore, cylinder, quadratic",
        "loads.*.pressure",
    ),
    entry("axis_balloon", "largest pressure, neo-Hookean", YOUNG),
    entry("axis_fit", "mean pressure, delta 0.001 m, linear", YOUNG),
    entry("axis_hertz", "largest pressure", YOUNG),
    entry("axis_punch", "force", YOUNG),
    entry("axis_seal", "force at 10 % against", YOUNG).only(1),
    entry("axis_motion", "weight, rigid", "gravity"),
    entry("cell_laminate", "across, middle", "periodic.strain.yy"),
    entry(
        "cell_window",
        "from [4, 0]: stress yy",
        "periodic.strain.yy",
    )
    .only(1),
    entry("cell_wave", "p/p* at a/L = 0.25", YOUNG),
    entry("cell_pattern", "2 x 2 before", YOUNG).only(1),
    entry("cell_middle", "stress along", YOUNG).only(1),
    entry("cell_grains", "mean stress along x", "periodic.stress.xx"),
    entry("cell_frame", "stretch", AXIAL),
    entry(
        "chamber_piston",
        "pressure, constant temperature",
        "materials.*.density",
    ),
    entry(
        "chamber_balloon",
        "pressure, rod, 0.005",
        "chambers.*.fill.amount",
    ),
    entry("chamber_pipe", "pressure 1", AXIAL),
    entry("chamber_flow", "20 steps", "pipes.*.resistance"),
    entry("chamber_spring", "period, gamma 1", "materials.*.density"),
    entry("joint_ties", "repeating: force", "ties.*.equals"),
];

/// Tolerance of a quantity in its unit.
fn tolerance(quantity: &Quantity) -> f64 {
    match quantity.bound {
        Bound::Relative(share) => share * quantity.expected.abs(),
        Bound::Absolute(tolerance) => tolerance,
        Bound::AtMost | Bound::AtLeast | Bound::Reported => f64::NAN,
    }
}

/// The case of an entry.
fn case(entry: &Entry) -> Case {
    let mut all = cases::ALL.iter();
    *all.find(|case| case.name == entry.case).unwrap()
}

/// The quantity of an entry, measured with a number that is off by this factor, and whether the case fails.
fn measured(entry: &Entry, factor: f64) -> (Quantity, bool) {
    let change = Perturbation {
        path: entry.path,
        only: entry.only,
        factor,
    };
    let (report, changed) = perturbed(case(entry), change);
    assert!(changed > 0, "{}: no {}", entry.case, entry.path);
    assert!(report.error.is_none(), "{}: {:?}", entry.case, report.error);
    let mut quantities = report.quantities().iter();
    let found = quantities.find(|own| own.name.starts_with(entry.quantity));
    let found = found.unwrap_or_else(|| panic!("{}: no {}", entry.case, entry.quantity));
    (found.clone(), report.verdict == Verdict::Fail)
}

/// Perturbs a case, and finds by how many tolerances its quantity moves and whether it fails.
fn perturb(entry: &Entry) -> Result<(), String> {
    let (before, fails) = measured(entry, 1.0);
    let tolerance = tolerance(&before);
    let moved = |quantity: &Quantity| (quantity.got - before.got).abs() / tolerance;

    // First as if the quantity were proportional to the number, then by what that has moved it.
    let share = tolerance / before.expected.abs().max(tolerance);
    let mut by = 3.0 * share.min(0.02);
    if before.expected == 0.0 {
        by = 1e-8;
    }
    for _ in 0..6 {
        let (after, fails_then) = measured(entry, 1.0 + by);
        let times = moved(&after);
        if (2.5..3.5).contains(&times) {
            let is_right = !fails && fails_then && after.verdict() == Verdict::Fail;
            println!(
                "{}: {} off by {by:e}: {times:.2} tolerances",
                entry.case, entry.path
            );
            let message = format!("{}: {before:?} {after:?}", entry.case);
            return if is_right { Ok(()) } else { Err(message) };
        }
        by *= (3.0 / times.max(1e-3)).clamp(0.1, 1000.0);
    }
    Err(format!(
        "{}: {} does not move {}",
        entry.case, entry.path, entry.quantity
    ))
}

/// Entries of these cases fail as they should.
fn check(entries: &[&Entry]) {
    let wrong: Vec<String> = entries
        .iter()
        .filter_map(|entry| perturb(entry).err())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn some_cases_fail_where_a_number_is_off_by_three_tolerances() {
    let short = ["axis_motion", "cell_laminate", "chamber_flow", "joint_ties"];
    let entries = ENTRIES.iter();
    let entries: Vec<&Entry> = entries.filter(|own| short.contains(&own.case)).collect();
    assert_eq!(entries.len(), short.len());
    check(&entries);
}

#[test]
#[ignore = "takes minutes"]
fn more_than_twenty_cases_fail_where_a_number_is_off_by_three_tolerances() {
    assert!(ENTRIES.len() > 20);
    check(&ENTRIES.iter().collect::<Vec<_>>());
}
