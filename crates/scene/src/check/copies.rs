//! Checks of copies in rows and of packed bodies.
//!
//! A body with copies stands for many bodies. There must be at least one, and few enough that a slip
//! does not fill the memory before anything is reported. Whether packed bodies have room is found when
//! they are placed.

use super::report::Report;
use super::{area, curve, shape};
use crate::copies::{area_of_shape, has_radius};
use crate::schema::{
    Body, Copies, Distribution, Pack, PackRegion, Region, Selection, Shape, Where,
};

/// Checks the copies or the pack of a body whose JSON path is `path`.
pub(super) fn check(report: &mut Report, path: &str, body: &Body) {
    if let Some(copies) = &body.copies {
        let path = format!("{path}.copies");
        let [x, y] = copies.counts;
        if copies.count() > Copies::MOST {
            let message = format!("{x} x {y} bodies are more than {}; use fewer", Copies::MOST);
            report.add(&format!("{path}.counts"), message);
        }
        let drawn = [&copies.radius, &copies.scale, &copies.angle_deg];
        check_drawn(report, &path, body, drawn.map(Option::as_ref));
    }
    let Some(pack) = &body.pack else { return };

    let path = format!("{path}.pack");
    if body.copies.is_some() {
        report.add(&path, "is given besides \"copies\"; leave one of them out");
    }
    let drawn = [&pack.radius, &pack.scale, &pack.angle_deg];
    check_drawn(report, &path, body, drawn.map(Option::as_ref));
    check_number(report, &path, body, pack);
    check_region(report, &format!("{path}.region"), &pack.region);
}

/// Checks that a pack has a number of bodies, and that they have a size.
fn check_number(report: &mut Report, path: &str, body: &Body, pack: &Pack) {
    match (pack.count, pack.fill) {
        (None, None) => report.add(
            path,
            "has no number of bodies; give \"count\", or the share of the region by \"fill\"",
        ),
        (Some(_), Some(_)) => report.add(
            &format!("{path}.fill"),
            "is given besides \"count\"; leave one of them out",
        ),
        (None, Some(_)) if area_of_shape(&body.shape).is_none() => {
            let name = shape::name(&body.shape);
            let message = format!("has no meaning, since a {name} has no area; give \"count\"");
            report.add(&format!("{path}.fill"), message);
        }
        _ if body.count() > Pack::MOST => {
            let key = if pack.fill.is_some() { "fill" } else { "count" };
            let message = format!(
                "means more than {} bodies; use fewer, or larger ones",
                Pack::MOST
            );
            report.add(&format!("{path}.{key}"), message);
        }
        _ => {}
    }
    let is_point = matches!(body.shape, Shape::Point(_));
    if is_point && !pack.gap.is_some_and(|gap| gap > 0.0) {
        let message = "points have no size; give their distance by \"gap\"";
        report.add(path, message);
    }
}

/// Checks that a region has an inside.
fn check_region(report: &mut Report, path: &str, region: &PackRegion) {
    match region {
        PackRegion::Box(own) => {
            let is_good = [0, 1].iter().all(|&axis| own.min[axis] < own.max[axis]);
            if !is_good {
                let message = format!(
                    "goes from {:?} to {:?}, but min must be less than max along x and y",
                    own.min, own.max
                );
                report.add(&format!("{path}.box"), message);
            }
        }
        PackRegion::Disk(own) if own.radius <= 0.0 => {
            report.add(&format!("{path}.disk.radius"), "is 0; make it larger");
        }
        PackRegion::Disk(_) => {}
        PackRegion::Outline(own) => curve::check_outline(report, &format!("{path}.outline"), own),
        PackRegion::Area(own) => area::check(report, &format!("{path}.area"), own),
    }
}

/// Checks the distributions of radius, scale and angle, and that the body can have other sizes and
/// angles.
fn check_drawn(report: &mut Report, path: &str, body: &Body, drawn: [Option<&Distribution>; 3]) {
    let [radius, scale, angle] = drawn;
    if radius.is_some() && !has_radius(&body.shape) {
        let name = shape::name(&body.shape);
        let message = format!("has no meaning, since a {name} has no radius; use \"scale\"");
        report.add(&format!("{path}.radius"), message);
    }
    if radius.is_some() && scale.is_some() {
        let message = "is given besides \"radius\"; leave one of them out";
        report.add(&format!("{path}.scale"), message);
    }
    for (key, own) in [("radius", radius), ("scale", scale), ("angle_deg", angle)] {
        if let Some(own) = own {
            check_distribution(report, &format!("{path}.{key}"), own, key != "angle_deg");
        }
    }

    // Places and curves do not turn or grow with a copy.
    if drawn.iter().all(Option::is_none) {
        return;
    }
    let mut selections = body.prescribed.iter().map(|own| &own.vertices);
    let is_placed = selections.any(has_place) || body.selections.values().any(has_place);
    if is_placed || body.regions.iter().any(is_drawn) {
        let message = "gives copies other sizes or angles, with which selections and regions by place do \
                       not change; select by side, number or name";
        report.add(path, message);
    }
}

/// Checks a distribution, of sizes above 0 if `is_size`.
fn check_distribution(report: &mut Report, path: &str, own: &Distribution, is_size: bool) {
    let is_empty = match own {
        Distribution::Normal(own) => own.cut()[0] > own.cut()[1],
        Distribution::Lognormal(own) => own.cut()[0] > own.cut()[1],
        _ => false,
    };
    if is_empty {
        let message =
            "has no number within 6 deviations between min and max; move them to the middle";
        return report.add(path, message);
    }
    if let Distribution::Choice(own) = own {
        let path = format!("{path}.choice");
        if own.values.is_empty() {
            return report.add(
                &format!("{path}.values"),
                "is empty; list one number at least",
            );
        }
        let count = own.values.len();
        if !own.weights.is_empty() && own.weights.len() != count {
            let message = format!("has {} weights for {count} values", own.weights.len());
            return report.add(&format!("{path}.weights"), message);
        }
        if !own.weights.is_empty() && own.weights.iter().sum::<f64>() <= 0.0 {
            return report.add(&format!("{path}.weights"), "are all 0; make one larger");
        }
    }

    let [least, most] = own.range();
    if is_size && !(least > 0.0 && most.is_finite()) {
        let message = format!("goes down to {least}, but must be above 0");
        report.add(path, message);
    }
}

/// True if a selection has a place.
fn has_place(selection: &Selection) -> bool {
    match selection {
        Selection::Box(_)
        | Selection::Disk(_)
        | Selection::HalfPlane(_)
        | Selection::Nearest(_)
        | Selection::Tangent(_) => true,
        Selection::Any(all) | Selection::AllOf(all) => all.iter().any(has_place),
        Selection::Not(own) => has_place(own),
        _ => false,
    }
}

/// True if a region is within a curve or a formula.
fn is_drawn(region: &Region) -> bool {
    !matches!(region.place, Where::Group(_))
}
