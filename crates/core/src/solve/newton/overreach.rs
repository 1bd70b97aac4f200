//! Bodies that leave the neighbourhood of their cell, in a scene that repeats.
//!
//! Images are there for the neighbouring cells. Two surfaces that are nearly two periods apart at home
//! could meet in images that are not there, so that no motion may lead to such a state.

use crate::body::Configuration;
use crate::solve::failure::Failure;
use crate::solve::model::Model;
use crate::tuning::CELL_EXTENT;
use ipcsim_math::Vec2;

/// Extent of all surfaces at home, in periods, and the vertex at its far end; `None` if the scene does
/// not repeat.
fn extent(model: &Model, at: &Configuration) -> Option<(usize, f64)> {
    let lattice = model.coordinates.lattice()?;
    let inverse = lattice.inverse(&at.q)?;
    let surface = &model.surface;
    let home = surface.points.iter().copied();
    let home = home.filter(|&vertex| surface.images.is_home(vertex));

    let mut low = Vec2::repeat(f64::INFINITY);
    let mut high = Vec2::repeat(f64::NEG_INFINITY);
    let mut far = [0; 2];
    for vertex in home {
        let place = inverse * at.x[vertex];
        for axis in 0..2 {
            low[axis] = low[axis].min(place[axis]);
            if place[axis] > high[axis] {
                high[axis] = place[axis];
                far[axis] = vertex;
            }
        }
    }

    let across = (0..2).filter(|&axis| lattice.repeats()[axis]);
    let extents = across.map(|axis| (far[axis], high[axis] - low[axis]));
    extents.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// True if all surfaces can meet the images that are there only.
pub(super) fn is_within_reach(model: &Model, at: &Configuration) -> bool {
    extent(model, at).is_none_or(|(_, extent)| extent <= CELL_EXTENT[1])
}

/// Fails where a body comes near the end of the images that are there.
///
/// # Errors
/// [`Failure::Drifted`], with the vertex that is farthest away.
pub(super) fn test_reach(model: &Model, at: &Configuration) -> Result<(), Failure> {
    match extent(model, at) {
        Some((vertex, extent)) if extent > CELL_EXTENT[0] => {
            Err(Failure::Drifted { vertex, extent })
        }
        _ => Ok(()),
    }
}
