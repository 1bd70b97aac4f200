//! The frames of all contacts, in a fixed order.

use super::frame::Frame;
use super::overlap::{Overlap, overlaps};
use super::resultant::Resultants;
use crate::Contacts;
use ipcsim_math::Vec2;

/// Calls a function with the frame of each of the `contacts` at `x` (m, `[vertices]`).
///
/// Contacts with a negative weight correct the barrier where two edges overlap. They and the contacts
/// that they correct have one frame together, from their resultant, at the end.
pub(super) fn each_frame(contacts: &Contacts, x: &[Vec2], mut call: impl FnMut(&Frame)) {
    // Contacts that stand for themselves.
    let resultants = Resultants::of(contacts);
    for k in 0..contacts.lines.stencils.len() {
        if !resultants.have_line(k) {
            call(&Frame::of_line(contacts, k, x));
        }
    }
    for k in 0..contacts.points.stencils.len() {
        if !resultants.have_point(k) {
            call(&Frame::of_point(contacts, k, x));
        }
    }
    for k in 0..contacts.planes.stencils.len() {
        call(&Frame::of_plane(contacts, k, x));
    }

    // Pieces of edges; overlapping ones without the part that both count.
    let overlaps = overlaps(contacts, x);
    let none = Overlap::default();
    for k in 0..contacts.strips.stencils.len() {
        let overlap = overlaps.get(k).unwrap_or(&none);
        let stencil = contacts.strips.stencils[k];
        let contact = &contacts.strips.elements[k];
        call(&Frame::of_strip(contact, stencil, overlap, x));
    }
    for (stencil, contact) in contacts.corners.iter() {
        call(&Frame::of_corner(contact, *stencil, x));
    }
    for k in 0..contacts.floors.stencils.len() {
        call(&Frame::of_floor(contacts, k, x));
    }

    // Contacts that others correct.
    for frame in resultants.frames(contacts, x) {
        call(&frame);
    }
}
