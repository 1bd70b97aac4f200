//! Contacts that are corrected by others, and the one force of friction that they have together.
//!
//! On a fine outline a point is near many edges at once. Where vertices that two edges share are
//! counted once, the edges near the point push, and the vertices between them pull back the part
//! that was counted twice. Only the sum of these forces has a meaning, so friction acts on the sum:
//! a roller in a bore is braked by the coefficient of friction times its load, not times the sum of
//! all that pushes.
//!
//! Contacts of a point belong together where a contact that pulls back joins them: it lies at a
//! vertex that both edges have. Two edges of one outline whose common vertex is out of reach, such
//! as the two sides of a groove, have separate forces.

use super::frame::Frame;
use crate::Contacts;
use crate::segments::Growth;
use ipcsim_math::Vec2;
use smallvec::SmallVec;
use std::ops::Range;

/// A contact, by its number among contacts of points with edges or with vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Member {
    /// Point over the inside of an edge.
    Line(usize),
    /// Point at a vertex.
    Point(usize),
}

/// Contacts of one point that have one friction force together.
type Cluster = SmallVec<[Member; 8]>;

/// All clusters of contacts in which one is negative.
#[derive(Clone, Debug, Default)]
pub(super) struct Resultants {
    clusters: Vec<Cluster>,
    /// Marks contacts with edges that belong to a cluster; empty without clusters.
    lines: Vec<bool>,
    /// Marks contacts with vertices that belong to a cluster; empty without clusters.
    points: Vec<bool>,
}

impl Resultants {
    /// The clusters of `contacts`.
    pub(super) fn of(contacts: &Contacts) -> Self {
        let mut resultants = Self::default();
        if !(0..contacts.points.elements.len()).any(|k| pulls(contacts, k)) {
            return resultants;
        }

        // Contacts come point by point, in the same order for edges and vertices, once those with
        // half-planes that turn are passed.
        resultants.lines = vec![false; contacts.lines.stencils.len()];
        resultants.points = vec![false; contacts.points.stencils.len()];
        let with_planes = contacts.lines.elements.iter();
        let first_edge = with_planes.take_while(|line| line.one_sided).count();
        let mut lines = first_edge..first_edge;
        let mut points = 0..0;
        while points.end < contacts.points.stencils.len() {
            let point = contacts.points.stencils[points.end][0];
            points = run(&contacts.points.stencils, points.end, point);
            lines = run(&contacts.lines.stencils, lines.end, point);
            resultants.join(contacts, lines.clone(), points.clone());
        }
        resultants
    }

    /// Finds the clusters of one point with these contacts.
    fn join(&mut self, contacts: &Contacts, lines: Range<usize>, points: Range<usize>) {
        for start in points.clone() {
            if self.points[start] || !pulls(contacts, start) {
                continue;
            }

            // Everything that is joined to this contact, one after another.
            let mut cluster = Cluster::new();
            cluster.push(Member::Point(start));
            self.points[start] = true;
            let mut next = 0;
            while next < cluster.len() {
                let member = cluster[next];
                next += 1;
                for k in lines.clone() {
                    if !self.lines[k] && joins(contacts, member, Member::Line(k)) {
                        self.lines[k] = true;
                        cluster.push(Member::Line(k));
                    }
                }
                for k in points.clone() {
                    if !self.points[k] && joins(contacts, member, Member::Point(k)) {
                        self.points[k] = true;
                        cluster.push(Member::Point(k));
                    }
                }
            }
            self.clusters.push(cluster);
        }
    }

    /// True if the contact `k` with an edge belongs to a cluster.
    pub(super) fn have_line(&self, k: usize) -> bool {
        self.lines.get(k).is_some_and(|&is_taken| is_taken)
    }

    /// True if the contact `k` with a vertex belongs to a cluster.
    pub(super) fn have_point(&self, k: usize) -> bool {
        self.points.get(k).is_some_and(|&is_taken| is_taken)
    }

    /// Number of clusters.
    pub(super) fn count(&self) -> usize {
        self.clusters.len()
    }

    /// Vertices of the contacts of a cluster, in any order, repeated or not.
    pub(super) fn vertices(&self, cluster: usize, contacts: &Contacts) -> Vec<usize> {
        let members = self.clusters[cluster].iter();
        let vertices = members.flat_map(|&member| match member {
            Member::Line(k) => contacts.lines.stencils[k].to_vec(),
            Member::Point(k) => {
                let beside = contacts.points.elements[k].beside;
                let [point, vertex] = contacts.points.stencils[k];
                vec![point, vertex, beside]
            }
        });
        vertices.collect()
    }

    /// Frame of each cluster at `x` (m, `[vertices]`).
    pub(super) fn frames(&self, contacts: &Contacts, x: &[Vec2]) -> impl Iterator<Item = Frame> {
        (0..self.count()).filter_map(move |cluster| self.frame(cluster, contacts, x))
    }

    /// Frame of a cluster at `x` (m, `[vertices]`): the frame of its strongest contact, with the sum
    /// of all forces.
    pub(super) fn frame(&self, cluster: usize, contacts: &Contacts, x: &[Vec2]) -> Option<Frame> {
        let frames = self.clusters[cluster].iter().map(|&member| match member {
            Member::Line(k) => Frame::of_line(contacts, k, x),
            Member::Point(k) => Frame::of_point(contacts, k, x),
        });
        let frames: SmallVec<[Frame; 8]> = frames.collect();
        let forces = frames.iter().map(|frame| frame.normal * frame.load(1.0));
        let sum: Vec2 = forces.sum();

        // The sum grows by the growth of its parts along it.
        let along = sum / sum.norm();
        let mut growth = Growth::default();
        for frame in &frames {
            growth.add(frame.growth(), frame.normal.dot(&along));
        }

        // The last of those with the largest force.
        let by_force = |a: &Frame, b: &Frame| a.load(1.0).total_cmp(&b.load(1.0));
        let strongest = frames.into_iter().rev().max_by(by_force);
        strongest.map(|frame| frame.with_force(sum, growth))
    }
}

/// True if the contact `k` with a vertex subtracts the part that two edges count.
fn pulls(contacts: &Contacts, k: usize) -> bool {
    contacts.points.elements[k].weight < 0.0
}

/// The contacts of `point` from number `from` on, after the contacts of points before it.
fn run<const N: usize>(stencils: &[[usize; N]], from: usize, point: usize) -> Range<usize> {
    let is_before = |stencil: &[usize; N]| stencil[0] < point;
    let start = from + stencils[from..].iter().take_while(|s| is_before(s)).count();
    let own = stencils[start..].iter().take_while(|s| s[0] == point);
    start..start + own.count()
}

/// True if a negative contact joins two contacts of one point: one of them is at a vertex of the
/// other.
fn joins(contacts: &Contacts, one: Member, other: Member) -> bool {
    let edge = |member: Member| match member {
        Member::Line(k) => {
            let [_, a, b] = contacts.lines.stencils[k];
            [a, b]
        }
        Member::Point(k) => [contacts.points.stencils[k][1]; 2],
    };
    let is_vertex = |member: Member| matches!(member, Member::Point(_));
    let [a, b] = edge(one);
    let touches = edge(other).iter().any(|v| *v == a || *v == b);
    touches && (is_vertex(one) || is_vertex(other))
}
