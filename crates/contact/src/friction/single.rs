//! Friction of one contact after another, at any positions near those at which contacts were found.
//!
//! Derivatives of friction with respect to positions need its parts where a few vertices have moved:
//! the normal force, the slip, and the weights of vertices. [`RubbingContacts`] evaluates them by
//! the formulas of [`Friction::lagged`], for one contact at a time. Ends of pieces of edges move
//! with the cuts that they have.

use super::frame::Frame;
use super::overlap::{Overlap, overlapping};
use super::resultant::Resultants;
use super::{Against, Friction, FrictionTable, Group, Lag, SlipLaw, Turning};
use crate::{Contacts, CornerContact, StripContact, Surface};
use ipcsim_math::Vec2;
use smallvec::SmallVec;

/// All contacts that may have friction, one after another.
#[derive(Debug)]
pub struct RubbingContacts<'a> {
    surface: &'a Surface,
    contacts: &'a Contacts,
    resultants: Resultants,
    list: Vec<Member>,
    /// Friction of one contact, a buffer.
    friction: Friction,
}

/// A contact, by its number among those of its kind.
#[derive(Clone, Debug)]
enum Member {
    Line(usize),
    Point(usize),
    Plane(usize),
    /// A strip, with the numbers of the corners that it overlaps.
    Strip(usize, SmallVec<[usize; 2]>),
    Corner(usize),
    Floor(usize),
    /// Contacts with one resultant.
    Cluster(usize),
}

/// Motion that a contact resists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resisted {
    /// Sliding.
    Sliding,
    /// Rolling.
    Rolling,
}

/// Parts of the friction of one contact at some positions.
///
/// The derivative of its potential by the position of the vertex `i` is `load f_1(|u|) sign(u) c_i`.
#[derive(Clone, Debug)]
pub struct Rubbing {
    /// Motion that is resisted.
    pub resisted: Resisted,
    /// Coefficient times normal force (N; of rolling N m).
    pub load: f64,
    /// Derivative of the load by positions (N/m; of rolling N), by vertices that may repeat; `None`
    /// for the resultant of several contacts.
    pub growth: Option<SmallVec<[(usize, Vec2); 12]>>,
    /// Distance slid, `u` (m; of rolling rad).
    pub slid: f64,
    /// Vertices with their parts `c_i` of the distance (1; of rolling 1/m).
    pub weights: SmallVec<[(usize, Vec2); 4]>,
    /// Force against the distance, relative to the load.
    pub law: SlipLaw,
    /// Vertices of both sides, by which anchors are known.
    pub vertices: [usize; 4],
    /// The anchor of a contact that has one.
    pub anchored: Option<Anchored>,
}

/// How a contact holds on to its anchor.
#[derive(Clone, Copy, Debug)]
pub struct Anchored {
    /// Number of the anchor with which the step begins, if there is one.
    pub from: Option<usize>,
    /// Derivative of the distance slid by the slip of the anchor, 1 or -1.
    pub across: f64,
}

/// A contact at some positions of its vertices, for what its friction against sliding follows from there.
///
/// It has no law and no anchor, and serves derivatives by differences, which need the same three numbers again and
/// again.
#[derive(Debug)]
pub struct SlidingContact<'a> {
    surface: &'a Surface,
    frame: Frame,
}

impl SlidingContact<'_> {
    /// Coefficient times normal force (N); 0 or less where vertices are out of reach.
    pub fn load(&self, table: &FrictionTable) -> f64 {
        let [point, _, other, _] = self.frame.vertices;
        let bodies = [point, other].map(|vertex| self.surface.body[vertex]);
        self.frame.load(table.get(bodies[0], bodies[1]).sticking)
    }

    /// Distance slid (m) in a frame that turns, from `start` to the positions `x` (m, `[vertices]`), without belts and
    /// anchors, which are the same at all positions.
    pub fn slid(&self, start: &[Vec2], turning: Turning, x: &[Vec2]) -> f64 {
        self.frame.slid(self.surface, start, turning, x)
    }

    /// Vertices with their parts `c_i` of the distance (1), where vertices are at `x` (m, `[vertices]`).
    pub fn weights(&self, x: &[Vec2]) -> SmallVec<[(usize, Vec2); 4]> {
        self.frame.sliding_weights(self.surface, x)
    }
}

impl<'a> RubbingContacts<'a> {
    /// Contacts that were found on a surface.
    pub fn new(surface: &'a Surface, contacts: &'a Contacts) -> Self {
        let resultants = Resultants::of(contacts);
        let mut list = Vec::new();
        let lines = 0..contacts.lines.stencils.len();
        list.extend(
            lines
                .filter(|&k| !resultants.have_line(k))
                .map(Member::Line),
        );
        let points = 0..contacts.points.stencils.len();
        list.extend(
            points
                .filter(|&k| !resultants.have_point(k))
                .map(Member::Point),
        );
        list.extend((0..contacts.planes.stencils.len()).map(Member::Plane));

        let mut overlaps = vec![SmallVec::new(); contacts.strips.stencils.len()];
        for [strip, corner] in overlapping(contacts) {
            overlaps[strip].push(corner);
        }
        let strips = overlaps.into_iter().enumerate();
        list.extend(strips.map(|(k, corners)| Member::Strip(k, corners)));
        list.extend((0..contacts.corners.stencils.len()).map(Member::Corner));
        list.extend((0..contacts.floors.stencils.len()).map(Member::Floor));
        list.extend((0..resultants.count()).map(Member::Cluster));
        Self {
            surface,
            contacts,
            resultants,
            list,
            friction: Friction::default(),
        }
    }

    /// Number of contacts, with or without friction.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Vertices whose positions friction of the contact `k` depends on, ascending.
    pub fn vertices(&self, k: usize) -> Vec<usize> {
        let Self {
            surface, contacts, ..
        } = self;
        let mut vertices = match &self.list[k] {
            &Member::Line(k) => contacts.lines.stencils[k].to_vec(),
            &Member::Point(k) => {
                let [point, vertex] = contacts.points.stencils[k];
                vec![point, vertex, contacts.points.elements[k].beside]
            }
            &Member::Plane(k) => contacts.planes.stencils[k].to_vec(),
            Member::Strip(k, corners) => {
                let mut vertices = contacts.strips.stencils[*k].to_vec();
                vertices.extend(contacts.strips.elements[*k].piece.movers());
                for &corner in corners {
                    vertices.extend(contacts.corners.stencils[corner]);
                    vertices.extend(contacts.corners.elements[corner].piece.movers());
                }
                vertices
            }
            &Member::Corner(k) => {
                let mut vertices = contacts.corners.stencils[k].to_vec();
                vertices.extend(contacts.corners.elements[k].piece.movers());
                vertices
            }
            &Member::Floor(k) => contacts.floors.stencils[k].to_vec(),
            &Member::Cluster(k) => self.resultants.vertices(k, contacts),
        };
        let rims = vertices
            .iter()
            .filter_map(|&vertex| surface.disk_at(vertex).map(|disk| disk.rim));
        let rims: SmallVec<[usize; 2]> = rims.collect();
        vertices.extend(rims);
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// Friction of the contact `k` where vertices are at `x` and, on tangents, at `y` (m,
    /// `[vertices]`): none, one part, or with resistance to rolling two. Loads are 0 or less where
    /// vertices are out of reach.
    pub fn at(&mut self, k: usize, lag: Lag, [x, y]: [&[Vec2]; 2]) -> SmallVec<[Rubbing; 2]> {
        let Some(frame) = self.frame(k, x) else {
            return SmallVec::new();
        };
        let Self {
            surface, friction, ..
        } = self;
        friction.pairs.clear(0);
        friction.triples.clear(0);
        friction.quadruples.clear(0);
        let force = frame.load(1.0);
        let is_cluster = matches!(self.list[k], Member::Cluster(_));
        friction.add(surface, lag, x, &mut 0, &frame.pressed());

        let mut found = SmallVec::new();
        friction.triples.add_parts(surface, lag, y, &mut found);
        friction.pairs.add_parts(surface, lag, y, &mut found);
        friction.quadruples.add_parts(surface, lag, y, &mut found);
        for part in &mut found {
            part.load *= force;
            part.growth = part.growth.take().filter(|_| !is_cluster);
        }
        found
    }

    /// The contact `k` where vertices are at `x` (m, `[vertices]`); `None` if it does not press.
    pub fn sliding(&self, k: usize, x: &[Vec2]) -> Option<SlidingContact<'a>> {
        let frame = self.frame(k, x)?;
        Some(SlidingContact {
            surface: self.surface,
            frame,
        })
    }

    /// Frame of the contact `k` at `x` (m, `[vertices]`).
    fn frame(&self, k: usize, x: &[Vec2]) -> Option<Frame> {
        let contacts = self.contacts;
        Some(match &self.list[k] {
            &Member::Line(k) => Frame::of_line(contacts, k, x),
            &Member::Point(k) => Frame::of_point(contacts, k, x),
            &Member::Plane(k) => Frame::of_plane(contacts, k, x),
            Member::Strip(k, corners) => {
                let mut overlap = Overlap::default();
                for &corner in corners {
                    let (stencil, contact) = self.corner(corner, x);
                    overlap.lose(&contact.push(stencil, x));
                }
                let stencil = contacts.strips.stencils[*k];
                let piece = contacts.strips.elements[*k].piece;
                let contact = StripContact {
                    piece: piece.moved([stencil[0], stencil[1]], x),
                };
                Frame::of_strip(&contact, stencil, &overlap, x)
            }
            &Member::Corner(k) => {
                let (stencil, contact) = self.corner(k, x);
                Frame::of_corner(&contact, stencil, x)
            }
            &Member::Floor(k) => Frame::of_floor(contacts, k, x),
            &Member::Cluster(k) => return self.resultants.frame(k, contacts, x),
        })
    }

    /// A corner with the ends that it has at `x` (m, `[vertices]`).
    fn corner(&self, k: usize, x: &[Vec2]) -> ([usize; 3], CornerContact) {
        let stencil = self.contacts.corners.stencils[k];
        let piece = self.contacts.corners.elements[k].piece;
        let piece = piece.moved([stencil[0], stencil[1]], x);
        (stencil, CornerContact { piece })
    }
}

impl<const N: usize> Group<N> {
    /// Adds the parts of all contacts of this group at `y` (m, `[vertices]`).
    fn add_parts(
        &self,
        surface: &Surface,
        lag: Lag,
        y: &[Vec2],
        found: &mut SmallVec<[Rubbing; 2]>,
    ) {
        for (k, ((stencil, contact), place)) in self.sum.iter().zip(&self.places).enumerate() {
            let other = surface.body[place.vertices[2]];
            let anchored = place.hold.map(|hold| Anchored {
                from: lag.table.anchor_of(place.vertices, other, &mut 0),
                across: hold.across,
            });
            found.push(Rubbing {
                resisted: match place.against {
                    Against::Sliding(_) => Resisted::Sliding,
                    Against::Rolling => Resisted::Rolling,
                },
                load: contact.load,
                growth: Some(SmallVec::from_slice(self.growths.of(k))),
                slid: contact.slide(&stencil.map(|i| y[i])),
                weights: stencil.iter().copied().zip(contact.weights).collect(),
                law: contact.law,
                vertices: place.vertices,
                anchored,
            });
        }
    }
}
