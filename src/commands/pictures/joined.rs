//! Symbols of joints, where they are in a state.

use crate::constraint::{Action, Ends, Joint, Rule, Tie};
use crate::math::Vec2;
use crate::pictures::diagram::Symbol;

/// Symbols of a joint where vertices are at `x` (m). Limits, motors and springs about a hinge are
/// drawn around it.
pub(super) fn joined(joint: &Joint, x: &[Vec2]) -> Vec<Symbol> {
    // Glue has a tie for each vertex.
    let hinges = |tie: &Tie| matches!(tie.rule, Rule::Hinge(_));
    if joint.ties.len() > 1 && joint.ties.iter().all(hinges) {
        let points = joint.ties.iter().map(|tie| tie.frames[0].place(x));
        return vec![Symbol::Glue(points.collect())];
    }

    let is_weld = joint
        .ties
        .iter()
        .any(|tie| matches!(tie.rule, Rule::Alike(_)));
    let mut symbols = Vec::new();
    for tie in &joint.ties {
        symbols.extend(symbol(tie, is_weld, x));
    }

    // A hinge over the rest.
    symbols.sort_by_key(|symbol| matches!(symbol, Symbol::Hinge(_)));
    symbols
}

/// Symbol of one tie of a joint; `None` for what has none of its own.
fn symbol(tie: &Tie, is_weld: bool, x: &[Vec2]) -> Option<Symbol> {
    let ends = Ends::of(&tie.frames);
    let places = tie.frames.map(|frame| frame.place(x));
    let pose = ends.pose(&ends.vertices.map(|i| x[i]), [0.0; 2]);
    Some(match (&tie.rule, &tie.action) {
        (Rule::Hinge(_), _) if is_weld => Symbol::Weld(places[0]),
        (Rule::Hinge(_), _) => Symbol::Hinge(places[0]),
        (Rule::Rod(_) | Rule::Along(_), Action::Sprung(_)) => Symbol::Spring(places),
        (Rule::Rod(rod), Action::Taut) => Symbol::Rope {
            ends: places,
            length: rod.length,
        },
        (Rule::Rod(_), _) => Symbol::Rod(places),
        (Rule::Slot(_) | Rule::Slider(_), _) => Symbol::Guide {
            origin: places[0],
            at: places[1],
            axis: pose.axis(0),
            turns: matches!(tie.rule, Rule::Slot(_)),
        },
        (Rule::Gear(_), _) => Symbol::Gear(places),
        (Rule::Turned(_), Action::Driven(_)) => Symbol::Motor(places[1]),
        (Rule::Turned(_), Action::Limited(limits)) => Symbol::Stops {
            at: places[0],
            from: pose.axis(0),
            range: limits.range,
        },
        (Rule::Alike(_) | Rule::Turned(_) | Rule::Along(_), _) => return None,
    })
}
