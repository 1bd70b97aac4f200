//! Bodies that overlap as drawn, on purpose: which of them starts with another size, and which.
//!
//! Of each pair one body is made smaller, or larger, about a point: as little as ends the overlap, and the
//! share [`GAP`] more, so that a gap is left. The pairs follow each other, again and again, since a body that is
//! made smaller may be in another fit as well: a sleeve between a shaft and a housing. A size is only
//! taken if it brings no other overlap about.
//!
//! At the start the resized body is its drawn shape, scaled. Since its shape at rest is scaled as well, it
//! has no stress there ([`Size`]).

use super::resizing::Resizing;
use super::setup::Setup;
use crate::problem::Problem;
use crate::schema::Interference;
use ipcsim_contact::{Intersection, Outlines};
use ipcsim_core::body::inertia;
use ipcsim_energy::Size;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::number::short;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Smallest and largest change of a size that are tried (1). A change is doubled between them.
const LEAST: f64 = 1e-7;
const MOST: f64 = 0.5;

/// Halvings of the interval in which a change ends the overlap.
const HALVINGS: usize = 12;

/// Share of a change that is added (1), and its least value (1): the gap at the start, from which contact
/// reaches. Larger, the run has farther to go; smaller, contact is stiff.
const GAP: f64 = 0.03;
const LEAST_GAP: f64 = 1e-6;

/// Sizes that are found, for each pair: chains of fits need several.
const ROUNDS: usize = 8;

/// Distance (1, of the size of the body) by which held vertices may be off a line.
const ON_LINE: f64 = 1e-9;

/// Two bodies of the world that overlap on purpose, with the number of their entry.
struct Fit<'a> {
    entry: usize,
    bodies: [usize; 2],
    given: &'a Interference,
}

/// The drawn world while sizes are found.
struct Search<'a> {
    setup: &'a Setup,
    /// Positions with the sizes so far (m).
    x: Vec<Vec2>,
    /// Sizes so far, `[bodies]`.
    sizes: Vec<Option<Resizing>>,
    /// Change that has freed the pair before (1).
    last: Option<f64>,
    /// Edges of each body, `[bodies]`.
    edges: Vec<Vec<[usize; 2]>>,
    /// Box around each body as it is (m), `[bodies]`; none without vertices.
    boxes: Vec<Option<Aabb>>,
}

/// Sizes of bodies by name, so that no pair with an interference overlaps. A pair that cannot be freed is
/// a problem.
pub(super) fn sizes(setup: &Setup, problems: &mut Vec<Problem>) -> BTreeMap<String, Resizing> {
    let bodies = &setup.world.bodies;
    let numbers = bodies.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = numbers.map(|(k, body)| (&body.name[..], k)).collect();
    let number = |name: &String| numbers.get(&name[..]).copied();
    let given = setup.scene.contact.interference.iter().enumerate();
    let fits = given.filter_map(|(entry, given)| {
        let [a, b] = given.between.each_ref().map(number);
        let bodies = [a?, b?];
        Some(Fit {
            entry,
            bodies,
            given,
        })
    });
    let fits: Vec<Fit> = fits.collect();

    // Sizes are those of the drawing at first.
    let mut search = Search {
        setup,
        x: setup.state.x.clone(),
        sizes: vec![None; bodies.len()],
        last: None,
        edges: vec![Vec::new(); bodies.len()],
        boxes: Vec::new(),
    };
    let surface = &setup.world.model.surface;
    for &edge in &surface.edges {
        search.edges[surface.body[edge[0]]].push(edge);
    }
    search.boxes = (0..bodies.len()).map(|body| search.around(body)).collect();

    let mut left = 0;
    for _ in 0..ROUNDS {
        let found = search.pairs(&setup.world.model.surface.edges);
        let overlapping: Vec<&Fit> = fits
            .iter()
            .filter(|fit| found.contains(&sorted(fit.bodies)))
            .collect();
        left = overlapping.len();

        // Each is freed from where the others have been left.
        for fit in overlapping {
            if let Err(message) = search.free(fit) {
                let path = format!("contact.interference[{}]", fit.entry);
                problems.push(Problem::error(path, message));
                return search.found();
            }
        }
        if left == 0 {
            break;
        }
    }

    // Two fits of one body may take turns without end.
    if left > 0 {
        let message = format!(
            "finds no sizes at which all pairs are apart: {left} still overlap after {ROUNDS} rounds; draw some of \
             them apart"
        );
        problems.push(Problem::error("contact.interference", message));
    }
    search.found()
}

/// Two numbers in ascending order.
fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

impl Search<'_> {
    /// Sizes so far, by name.
    fn found(&self) -> BTreeMap<String, Resizing> {
        let bodies = self.setup.world.bodies.iter().zip(&self.sizes);
        bodies
            .filter_map(|(body, size)| Some((body.name.clone(), (*size)?)))
            .collect()
    }

    /// Pairs of bodies that overlap among these edges and half-planes, each in ascending order.
    fn pairs(&self, edges: &[[usize; 2]]) -> BTreeSet<[usize; 2]> {
        let surface = &self.setup.world.model.surface;
        let body = |vertex: usize| surface.body[vertex];
        let outlines = Outlines {
            edges,
            ..surface.outlines()
        };
        let found = outlines.intersections(&self.x).into_iter();
        found
            .map(|found| match found {
                Intersection::Edges(a, b) => sorted([body(a[0]), body(b[0])]),
                Intersection::Inside {
                    vertex,
                    body: other,
                } => sorted([body(vertex), other]),
                Intersection::Plane { vertex, plane } => {
                    sorted([body(vertex), body(surface.planes[plane].origin)])
                }
            })
            .collect()
    }

    /// Edges of all bodies that are near a body at any size.
    fn near(&self, body: usize) -> Vec<[usize; 2]> {
        // What the body can reach if it grows.
        let own = self.boxes[body].map(|own| own.grown((1.0 + MOST) * own.extent().norm()));
        let is_near = |other: &usize| {
            let both = own.zip(self.boxes[*other]);
            both.is_some_and(|(own, other)| own.overlaps(&other))
        };
        let near = (0..self.boxes.len()).filter(is_near);
        near.flat_map(|other| self.edges[other].iter().copied())
            .collect()
    }

    /// Box around a body as it is (m).
    fn around(&self, body: usize) -> Option<Aabb> {
        let radius = &self.setup.world.model.surface.radius;
        let vertices = self.setup.world.bodies[body].vertices.clone();
        let own = vertices.map(|i| Aabb::around([self.x[i]]).grown(radius[i]));
        own.reduce(|one, other| one.union(&other))
    }

    /// Changes the size of one body of a pair so that the pair does not overlap.
    ///
    /// # Errors
    /// A message with the reasons, if no size of either does.
    fn free(&mut self, fit: &Fit) -> Result<(), String> {
        let names = |body: usize| self.setup.world.bodies[body].name.clone();
        let [a, b] = fit.bodies;
        let chosen = fit.given.resize.as_ref();
        let candidates = [a, b].map(|body| {
            let is_named = chosen.is_none_or(|name| *name == names(body));
            is_named.then(|| self.centre(body, fit.given))
        });

        // Smaller is tried before larger, and the first body before the second.
        for sign in [-1.0, 1.0] {
            for (body, candidate) in [a, b].into_iter().zip(&candidates) {
                if let Some(Ok(about)) = candidate
                    && self.scale(body, *about, sign, fit)
                {
                    return Ok(());
                }
            }
        }

        // Nothing helps: say why, of each body that may change.
        let mut reasons = String::new();
        for (body, candidate) in [a, b].into_iter().zip(candidates) {
            let reason = match candidate {
                Some(Ok(about)) => format!(
                    "\"{}\" overlaps something at every size from {} to {} about ({}, {}) m",
                    names(body),
                    1.0 - MOST,
                    1.0 + MOST,
                    short(about.x),
                    short(about.y)
                ),
                Some(Err(reason)) => format!("\"{}\" {reason}", names(body)),
                None => continue,
            };
            reasons = format!("{reasons}; {reason}");
        }
        Err(format!(
            "finds no size at which \"{}\" and \"{}\" are apart{reasons}; give about, move one of them, or \
             draw them apart and close the fit by temperature",
            names(a),
            names(b)
        ))
    }

    /// Point (m) about which a body changes its size, so that its held vertices stay.
    ///
    /// # Errors
    /// The reason why it cannot change.
    fn centre(&self, body: usize, given: &Interference) -> Result<Vec2, String> {
        let world = &self.setup.world;
        let own = &world.bodies[body];
        let spec = self.setup.scene.bodies.get(body);
        let is_free = spec.is_some_and(|spec| spec.kind.rules().can_resize());
        if !is_free {
            return Err("does not deform".to_owned());
        }
        if world
            .model
            .joints
            .iter()
            .any(|joint| joint.bodies.contains(&body))
        {
            return Err("is held by a joint, which would move with its size".to_owned());
        }

        // The centre of mass, unless lines of held vertices say more.
        let drawn = &self.setup.state.x[own.vertices.clone()];
        let masses = world.model.mass[own.nodes.clone()].iter();
        let masses: Vec<f64> = masses.map(|mass| mass.x).collect();
        let size = drawn
            .iter()
            .map(|x| (x - drawn[0]).norm())
            .fold(0.0, f64::max);
        let mut about = given
            .about
            .map_or_else(|| inertia::lumped(drawn, &masses).center, Vec2::from);
        for axis in 0..2 {
            let [least, most] = held(self.setup, &own.nodes, axis);
            if most < least {
                continue;
            }
            let is_off = given.about.is_some() && (about[axis] - least).abs() > ON_LINE * size;
            if most - least > ON_LINE * size || is_off {
                let name = ["x", "y"][axis];
                return Err(format!(
                    "has vertices whose {name} is held from {} to {} m, and which would move with its size",
                    short(least),
                    short(most)
                ));
            }
            about[axis] = least;
        }

        // A centre at the origin is there but for rounding.
        let rounded = |place: f64| {
            if place.abs() < ON_LINE * size {
                0.0
            } else {
                place
            }
        };
        Ok(about.map(rounded))
    }

    /// Makes a body smaller (`sign` -1) or larger (1) about a point until the pair of a fit is apart, and
    /// no other pair overlaps that did not before. False, and nothing changes, if no size does.
    fn scale(&mut self, body: usize, about: Vec2, sign: f64, fit: &Fit) -> bool {
        let edges = self.near(body);
        let before = self.pairs(&edges);

        // The end of the run, unless the scene says less.
        let until = fit.given.until.unwrap_or_else(|| {
            let time = &self.setup.scene.time;
            time.step * time.steps as f64
        });
        let known = self.sizes[body];
        let start = known.map_or(1.0, |known| known.size.from);
        // A second fit of the body goes on from where the first one has left it.
        let about = known.map_or(about, |known| known.about);
        let until = known.map_or(until, |known| known.size.until.max(until));
        let of = |change: f64| Resizing {
            size: Size {
                from: start * (1.0 + sign * change),
                until,
            },
            about,
        };

        // No other pair may begin to overlap.
        let last = self.last;
        let mut is_apart = |change: f64| {
            self.take(body, of(change));
            let pairs = self.pairs(&edges);
            !pairs.contains(&sorted(fit.bodies)) && pairs.is_subset(&before)
        };
        // Copies of a pair take the change of the first one.
        if let Some(last) = last
            && is_apart(last)
            && !is_apart((1.0 - 2.0 * GAP) * last)
        {
            self.take(body, of(last));
            return true;
        }

        // Twice the change until the pair is apart.
        let mut apart = LEAST;
        while !is_apart(apart) {
            apart *= 2.0;
            if apart > MOST {
                self.restore(body, known);
                return false;
            }
        }

        // The smallest change, and a gap.
        let mut overlaps = if apart > LEAST { 0.5 * apart } else { 0.0 };
        for _ in 0..HALVINGS {
            let middle = 0.5 * (overlaps + apart);
            if is_apart(middle) {
                apart = middle;
            } else {
                overlaps = middle;
            }
        }
        let wide = apart + (GAP * apart).max(LEAST_GAP);
        if is_apart(wide) {
            apart = wide;
        }
        self.take(body, of(apart));
        self.last = Some(apart);
        true
    }

    /// Gives a body a size.
    fn take(&mut self, body: usize, size: Resizing) {
        let vertices = self.setup.world.bodies[body].vertices.clone();
        let own = &mut self.x[vertices.clone()];
        own.copy_from_slice(&self.setup.state.x[vertices]);
        size.resize(own);
        self.boxes[body] = self.around(body);
        self.sizes[body] = Some(size);
    }

    /// Gives a body the size that it had.
    fn restore(&mut self, body: usize, known: Option<Resizing>) {
        let none = Resizing {
            size: Size {
                from: 1.0,
                until: 1.0,
            },
            about: Vec2::zeros(),
        };
        self.take(body, known.unwrap_or(none));
        self.sizes[body] = known;
    }
}

/// Least and largest place along an axis (m) of the nodes whose motion along it is prescribed; the least
/// is larger than the largest if there are none.
fn held(setup: &Setup, nodes: &Range<usize>, axis: usize) -> [f64; 2] {
    let own = setup.world.prescribed.iter();
    let own = own.filter(|held| nodes.contains(&held.node) && held.axes[axis]);
    own.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], held| {
        let place = held.start[axis];
        [least.min(place), most.max(place)]
    })
}
