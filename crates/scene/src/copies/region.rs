//! Regions that bodies are packed into, as curves.

use crate::area::{Curves, Purpose};
use crate::area_bounds::Asked;
use crate::schema::{Area, Curve, PackRegion, Shape, Stop};
use crate::shape_geometry;
use ipcsim_math::Vec2;
use ipcsim_mesh::{Fault, Outline};

/// Distance of chords from the circle of a region over its radius (1).
const DEVIATION: f64 = 1e-3;

/// Outline of a region (m).
///
/// # Errors
/// Faults of the curves of an area.
pub(crate) fn outline(region: &PackRegion) -> Result<Outline, Vec<Fault>> {
    match region {
        PackRegion::Box(own) => {
            let [[left, bottom], [right, top]] = [own.min, own.max];
            let corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
            Ok(Outline::polygon(
                corners.map(Vec2::from).to_vec(),
                Vec::new(),
            ))
        }
        PackRegion::Disk(own) => of_area(&Area {
            // Bodies stay within the chords, so that few of them cost little room.
            deviation: Some(DEVIATION * own.radius),
            ..Area::new(Curve::circle(own.center, own.radius))
        }),
        PackRegion::Outline(own) => Ok(shape_geometry::outline(&Shape::Outline(own.clone()))),
        PackRegion::Area(own) => of_area(own),
    }
}

/// Outline of an area (m).
///
/// # Errors
/// Faults of its curves; none is listed for an area whose numbers are wrong, which the checks report.
fn of_area(area: &Area) -> Result<Outline, Vec<Fault>> {
    let mut curves = std::iter::once(&area.outline).chain(&area.holes);
    if !curves.all(begins) || Asked::of(area).excess().is_some() {
        return Err(Vec::new());
    }
    Ok(Curves::of(area, Purpose::Edges).domain()?.outline().0)
}

/// True if a curve has a point to begin with, and an end of each piece.
fn begins(curve: &Curve) -> bool {
    let Curve::Path(path) = curve else {
        return true;
    };
    let mut stops = path.points.iter();
    let has_end = |stop: &Stop| !matches!(stop, Stop::Spline(own) if own.through.is_empty());
    matches!(path.points.first(), Some(Stop::Point(_))) && stops.all(has_end)
}
