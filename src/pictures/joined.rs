//! Symbols of joints, which move with the bodies that they join.

use super::carried::Carried;
use ipcsim::constraint::{ConstraintAction, ConstraintRow, Joint, Rule};
use ipcsim_pictures::diagram::Symbol;

/// Symbols of a joint, whose first body is at rest on the ground or may move. Limits, motors and springs
/// about a hinge are drawn around it.
pub(super) fn joined(joint: &Joint, is_grounded: bool) -> Vec<Symbol<Carried>> {
    // Glue has a row for each vertex.
    let hinges = |row: &ConstraintRow| matches!(row.rule, Rule::Hinge(_));
    if joint.rows.len() > 1 && joint.rows.iter().all(hinges) {
        let rows = joint.rows.iter();
        let points = rows.map(|row| Carried::point_of(&row.frames[0]));
        return vec![Symbol::Glue(points.collect())];
    }

    let is_weld = joint
        .rows
        .iter()
        .any(|row| matches!(row.rule, Rule::Alike(_)));
    let mut symbols = Vec::new();
    for row in &joint.rows {
        symbols.extend(symbol(row, is_weld, is_grounded));
    }

    // One symbol for all that acts in a cylinder, and a hinge over the rest.
    symbols.dedup();
    symbols.sort_by_key(|symbol| matches!(symbol, Symbol::Hinge(_)));
    symbols
}

/// Symbol of one row of a joint; `None` for what has none of its own.
fn symbol(row: &ConstraintRow, is_weld: bool, is_grounded: bool) -> Option<Symbol<Carried>> {
    let [first, second] = row.frames.each_ref().map(Carried::point_of);
    let axis = Carried::arrow_of(&row.frames[0]);
    let ends = [first.clone(), second.clone()];
    Some(match (&row.rule, &row.action) {
        (Rule::Hinge(_), _) if is_weld => Symbol::Weld(first),
        (Rule::Hinge(_), _) => Symbol::Hinge(first),
        (Rule::Rod(_), ConstraintAction::Sprung(_)) => Symbol::Spring(ends),
        (Rule::Along(_), ConstraintAction::Sprung(_)) => Symbol::Strut { ends, axis },
        (Rule::Rod(rod), ConstraintAction::Taut) => Symbol::Rope {
            ends,
            length: rod.length,
        },
        (
            Rule::Rod(_),
            ConstraintAction::Driven(_)
            | ConstraintAction::Served(_)
            | ConstraintAction::Limited(_),
        ) => Symbol::Cylinder(ends),
        (Rule::Rod(_), _) => Symbol::Rod(ends),
        (Rule::Slot(_) | Rule::Slider(_), _) => Symbol::Guide {
            origin: first,
            at: second,
            axis,
            turns: matches!(row.rule, Rule::Slot(_)),
            is_grounded,
        },
        (Rule::Gear(_) | Rule::Epicyclic(_), _) => Symbol::Gear(ends),
        (Rule::Rack(_), _) => Symbol::Gear([second.clone(), second]),
        (Rule::Turned(_), ConstraintAction::Driven(_) | ConstraintAction::Served(_)) => {
            Symbol::Motor(second)
        }
        (Rule::Turned(_), ConstraintAction::Limited(limits)) => Symbol::Stops {
            at: first,
            from: axis,
            range: limits.range,
        },
        (Rule::Alike(_) | Rule::Turned(_) | Rule::Along(_) | Rule::Tie(_), _) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim::math::Vec2;
    use ipcsim::scene::{build, parse};
    use serde_json::{Value, json};

    /// Symbols of a joint between a soft block at the origin and a rigid one at (1, 0), at the start.
    fn symbols(joint: &Value) -> Vec<Symbol> {
        let block = |name: &str, x: f64, kind: &str| {
            json!({
                "name": name, "kind": kind, "material": "rubber", "position": [x, 0.0],
                "shape": { "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } }
            })
        };
        let law = json!({ "neo_hookean": { "young": 1e6, "poisson": 0.3 } });
        let scene = json!({
            "time": { "step": 0.01, "steps": 1 },
            "materials": { "rubber": { "density": 1000.0, "law": law } },
            "bodies": [block("a", 0.0, "deformable"), block("b", 1.0, "rigid")],
            "joints": [joint]
        });
        let setup = build(parse(&scene.to_string(), &[]).unwrap()).unwrap();
        let symbols = joined(&setup.world.model.joints[0], false);
        let at_start = symbols
            .iter()
            .map(|symbol| symbol.map(|p| p.at(&setup.state.x)));
        at_start.collect()
    }

    /// Kind of a symbol, and its points (m).
    type Part = (&'static str, Vec<Vec2>);

    /// Parts of a symbol; those of loads and supports have no name.
    fn parts(symbol: &Symbol) -> Part {
        match symbol {
            Symbol::Hinge(at) => ("hinge", vec![*at]),
            Symbol::Rod(ends) => ("rod", ends.to_vec()),
            Symbol::Rope { ends, .. } => ("rope", ends.to_vec()),
            Symbol::Spring(ends) => ("spring", ends.to_vec()),
            Symbol::Strut { ends, .. } => ("strut", ends.to_vec()),
            Symbol::Cylinder(ends) => ("cylinder", ends.to_vec()),
            Symbol::Weld(at) => ("weld", vec![*at]),
            Symbol::Guide { at, turns, .. } => (if *turns { "slot" } else { "slider" }, vec![*at]),
            Symbol::Gear(centres) => ("gear", centres.to_vec()),
            Symbol::Motor(at) => ("motor", vec![*at]),
            Symbol::Stops { at, .. } => ("stops", vec![*at]),
            Symbol::Glue(points) => ("glue", points.clone()),
            _ => ("no joint", Vec::new()),
        }
    }

    /// Checks the symbols of a joint with these keys between the two blocks.
    fn check(kind: &str, keys: Value, expected: &[Part]) {
        let mut own = keys;
        own["bodies"] = json!(["a", "b"]);
        let joint = json!({ kind: own });
        let found = symbols(&joint);

        assert_eq!(found.len(), expected.len(), "{joint}: {found:?}");
        for (symbol, (kind, points)) in found.iter().zip(expected) {
            let (found_kind, found_points) = parts(symbol);
            assert_eq!(found_kind, *kind, "{joint}");
            assert_eq!(
                found_points.len(),
                points.len(),
                "{joint}: {found_points:?}"
            );
            for (a, b) in found_points.iter().zip(points) {
                assert!((a - b).norm() < 1e-12, "{joint}: {a} {b}");
            }
        }
    }

    /// A place on the first block, as JSON and as a point (m).
    const AT: [f64; 2] = [0.1, 0.1];

    #[test]
    fn joints_at_a_point_have_their_symbols_there() {
        let at = || vec![Vec2::from(AT)];
        let motor = json!({ "speed_deg": 1.0, "torque": 1.0 });
        let hinge = json!({ "at": AT, "motor": motor, "limits_deg": [-9, 9] });
        check(
            "hinge",
            hinge,
            &[("stops", at()), ("motor", at()), ("hinge", at())],
        );
        check("weld", json!({ "at": AT }), &[("weld", at())]);
        check(
            "slider",
            json!({ "at": AT, "axis": [1, 0] }),
            &[("slider", at())],
        );
        check(
            "slot",
            json!({ "at": AT, "axis": [1, 0] }),
            &[("slot", at())],
        );

        let wheel =
            json!({ "at": AT, "axis": [0, 1], "spring": { "stiffness": 1.0 }, "motor": motor });
        let sprung = vec![Vec2::from(AT); 2];
        check(
            "wheel",
            wheel,
            &[("slot", at()), ("strut", sprung), ("motor", at())],
        );
        check(
            "gear",
            json!({ "ratio": 1.0 }),
            &[("gear", vec![Vec2::zeros(), Vec2::x()])],
        );

        let side = vec![Vec2::new(0.1, -0.1), Vec2::from(AT)];
        check(
            "attach",
            json!({ "on": { "side": "right" } }),
            &[("glue", side)],
        );
    }

    #[test]
    fn joints_between_two_points_have_their_symbols_from_one_to_the_other() {
        let to = [0.9, 0.0];
        let both = || vec![Vec2::from(AT), Vec2::from(to)];
        let ends = json!([AT, to]);
        for kind in ["rod", "rope"] {
            check(kind, json!({ "ends": ends }), &[(kind, both())]);
        }
        check(
            "spring",
            json!({ "ends": ends, "stiffness": 1.0 }),
            &[("spring", both())],
        );

        let motor = json!({ "speed": 1.0, "force": 1.0 });
        let driven = json!({ "ends": ends, "motor": motor, "limits": [-0.1, 0.1] });
        check("cylinder", driven, &[("cylinder", both())]);
        let held = json!({ "ends": ends, "brake": 1.0, "spring": { "stiffness": 1.0 } });
        check(
            "cylinder",
            held,
            &[("cylinder", both()), ("spring", both())],
        );
    }
}
