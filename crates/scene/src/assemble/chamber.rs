//! Chambers of a scene: the closed outline that their walls make in the world.
//!
//! Walls are edges of bodies, in chains. Closed chains are outlines, with the gas on their left: the hole
//! of a body, or the outline of a body that stands in the gas. Open chains are joined end to end, each
//! with the one whose end is nearest, by straight sides across the gaps, until they close.
//!
//! The order is: the edges of each wall become chains; closed chains are whole outlines; open
//! ones are joined to one outline with bridges. The outline must have a positive volume, and no
//! bridge may cross a wall. Quadratic elements keep their curved sides: in the plane a parabola
//! is three chords, and in a plane of revolution it is a parabola.
//!
//! An end of a wall on the axis of revolution needs no bridge, since a side on the axis has the
//! volume 0.

use super::builder::Builder;
use super::cell::{Cell, Shift};
use super::chosen::in_chains;
use super::turn::is_revolved;
use crate::problem::Problem;
use crate::schema::{self, Scene};
use ipcsim_core::body::{Configuration, PressedEdge};
use ipcsim_core::time::{Chamber, Fill, Pipe, Pneumatics, Window};
use ipcsim_energy::Walls;
use ipcsim_math::sort::sort_by_key;
use ipcsim_math::varying::Varying;
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Length of a gap that a straight side bridges, relative to the size of the chamber (1), above which
/// the user is warned.
const WIDE_GAP: f64 = 0.1;

/// Radius relative to the size of a chamber (1) below which an end of a wall is on the axis.
const ON_AXIS: f64 = 1e-9;

/// Edges that follow each other along an outline.
///
/// A chain has at least one edge, and each edge begins where the one before it ends.
struct Chain {
    /// Number of the body.
    body: usize,
    /// Edges, with the gas on the left.
    edges: Vec<[usize; 2]>,
    /// True if the edges belong to a rod, which has gas on either side.
    turns: bool,
    /// Sides of the outline with their factors, if the chain goes across the periods of a scene that
    /// repeats.
    sides: Vec<([usize; 2], f64)>,
}

impl Chain {
    /// First and last vertex.
    fn ends(&self) -> [usize; 2] {
        let last = self.edges.len() - 1;
        [self.edges[0][0], self.edges[last][1]]
    }

    /// True if it closes.
    fn is_closed(&self) -> bool {
        let [first, last] = self.ends();
        first == last
    }

    /// True if the gas is inside of it, as in the hole of a body.
    fn is_hole(&self, x: &[Vec2]) -> bool {
        area(&self.edges, x) > 0.0
    }

    /// Turns it round.
    fn reverse(&mut self) {
        self.edges.reverse();
        self.edges.iter_mut().for_each(|edge| edge.reverse());
        self.sides.iter_mut().for_each(|(ends, _)| ends.reverse());
    }
}

/// A gap that a straight side bridges.
///
/// The gas pushes on its ends as if the bridge were a wall.
struct Bridge {
    /// Its ends, with the gas on the left.
    ends: [usize; 2],
}

impl Bridge {
    /// Its length (m).
    fn length(&self, x: &[Vec2]) -> f64 {
        (x[self.ends[1]] - x[self.ends[0]]).norm()
    }
}

/// An edge from its end to its start.
fn back(&[a, b]: &[usize; 2]) -> [usize; 2] {
    [b, a]
}

impl Builder {
    /// Adds the chambers of a scene, and the pipes between them. What encloses nothing is a problem.
    ///
    /// All bodies and obstacles have been added before, since walls are edges of them at their
    /// start.
    ///
    /// In a scene that repeats walls go on across the periods of the `cell`.
    pub(super) fn add_chambers(&mut self, scene: &Scene, mut cell: Option<&mut Cell>) {
        if scene.chambers.is_empty() {
            return;
        }
        let mut chambers = Vec::with_capacity(scene.chambers.len());
        for (k, spec) in scene.chambers.iter().enumerate() {
            let path = format!("chambers[{k}]");
            chambers.push(self.chamber(scene, spec, &path, cell.as_deref_mut()));
        }

        // A problem stops the build anyway.
        let pipes = scene.pipes.iter().filter_map(|pipe| {
            let find = |name: &String| scene.chambers.iter().position(|own| own.name == *name);
            let [a, b] = pipe.between.each_ref().map(find);
            Some(Pipe {
                chambers: [a?, b?],
                window: window([pipe.from, pipe.until]),
                resistance: pipe.resistance,
            })
        });
        let pipes = pipes.collect();
        if let Some(chambers) = chambers.into_iter().collect() {
            self.gas = Pneumatics {
                chambers,
                pipes,
                ambient: scene.ambient_pressure,
            };
        }
    }

    /// A chamber at the JSON path `path`; `None`, and a problem, if its walls enclose nothing.
    ///
    /// The amount of gas follows from the pressure at the start and the volume within the walls.
    fn chamber(
        &mut self,
        scene: &Scene,
        spec: &schema::Chamber,
        path: &str,
        cell: Option<&mut Cell>,
    ) -> Option<Chamber> {
        // The checks report a chamber without walls.
        if spec.walls.is_empty() {
            return None;
        }
        let mut at = self.here();
        let mut chains = Vec::new();
        for (k, wall) in spec.walls.iter().enumerate() {
            let path = format!("{path}.walls[{k}]");
            chains.extend(self.chains(scene, wall, &path, &at)?);
        }
        if let Some(cell) = cell {
            chains = self.across(cell, chains, scene.thickness, path, &at)?;
            at = self.here();
        }

        // The outline, with the gas on its left.
        let x = &at.x;
        let revolved = is_revolved(scene);
        let (chains, bridges) = joined(chains, x, revolved);
        let (chains, bridges) = self.outward(scene, chains, bridges, x);

        let walls = self.walls(scene, &chains, &bridges, x);
        let volume = walls.volume(x);
        let outline: Vec<usize> = chains
            .iter()
            .flat_map(|chain| &chain.edges)
            .map(|edge| edge[0])
            .collect();
        if let Some(message) = refusal(&spec.name, volume, crossing(&chains, &bridges, x), x) {
            let mut problem = Problem::error(format!("{path}.walls"), message);
            problem.places.extend(outline.first().map(|&i| x[i]));
            self.problems.push(problem);
            return None;
        }
        self.warn_of_gaps(spec, path, &bridges, x);

        let mut bodies: Vec<usize> = chains.iter().map(|chain| chain.body).collect();
        bodies.sort_unstable();
        bodies.dedup();

        // Gas at the start.
        let fill = filling(spec, scene.ambient_pressure)?;
        let pressure = start_pressure(spec, &fill, scene.ambient_pressure);
        Some(Chamber {
            name: spec.name.clone(),
            walls: Arc::new(walls),
            bodies,
            outline,
            gamma: spec.gamma,
            amount: Chamber::amount_at(spec.gamma, pressure, volume),
            volume,
            fill,
        })
    }

    /// Where all bodies are at the start.
    fn here(&self) -> Configuration {
        let q = self.nodes.iter().map(|node| node.q).collect();
        Configuration::of(&self.coordinates, q)
    }

    /// Chains that go on across the periods of a cell, each as one chain with images of vertices. Chains that
    /// end elsewhere are left as they are.
    ///
    /// `None`, and a problem, if walls go on to their own image: the gas would not be enclosed.
    fn across(
        &mut self,
        cell: &mut Cell,
        chains: Vec<Chain>,
        thickness: f64,
        path: &str,
        at: &Configuration,
    ) -> Option<Vec<Chain>> {
        let (mut found, mut open): (Vec<Chain>, Vec<Chain>) =
            chains.into_iter().partition(Chain::is_closed);
        let start = |cell: &Cell, chain: &Chain| cell.copies[chain.ends()[0]];
        let end = |cell: &Cell, chain: &Chain, shift: Shift| {
            let copy = cell.copies[chain.ends()[1]];
            copy.shifted(shift)
        };

        while !open.is_empty() {
            let first = open.remove(0);
            let begins = start(cell, &first);
            let mut ends = end(cell, &first, [0; 2]);
            let mut parts = vec![(first, [0; 2])];

            // The next part begins at an image of the end.
            while ends != begins && ends.of != begins.of {
                let goes_on = |chain: &Chain| start(cell, chain).of == ends.of;
                let Some(next) = open.iter().position(goes_on) else {
                    break;
                };
                let next = open.remove(next);
                let shift = start(cell, &next).periods_to(ends);
                ends = end(cell, &next, shift);
                parts.push((next, shift));
            }

            if ends == begins {
                found.push(self.chain_of_parts(cell, &parts, thickness, at));
            } else if ends.of == begins.of {
                let message = "go on across the period to their own image, so that they enclose no gas: a \
                               chamber is closed within the pattern";
                let problem = Problem::error(format!("{path}.walls"), message);
                self.problems.push(problem.at(at.x[begins.of]));
                return None;
            } else {
                found.extend(parts.into_iter().map(|(chain, _)| chain));
            }
        }
        Some(found)
    }

    /// A closed chain of parts that are shifted by some periods.
    ///
    /// Images of their vertices are added where there are none yet.
    fn chain_of_parts(
        &mut self,
        cell: &mut Cell,
        parts: &[(Chain, Shift)],
        thickness: f64,
        at: &Configuration,
    ) -> Chain {
        let mut whole = Chain {
            body: parts[0].0.body,
            edges: Vec::new(),
            turns: parts[0].0.turns,
            sides: Vec::new(),
        };
        for (chain, shift) in parts {
            // Sides are found as drawn, where quadratic elements know theirs, and then shifted.
            let own: Vec<[usize; 2]> = chain.edges.iter().map(back).collect();
            for PressedEdge { ends, share, .. } in self.pressed_edges(chain.body, &own, &at.x) {
                let ends = back(&ends).map(|end| self.shifted(cell, end, *shift));
                whole.sides.push((ends, 0.5 * thickness * share));
            }
            for edge in &chain.edges {
                let edge = edge.map(|end| self.shifted(cell, end, *shift));
                whole.edges.push(edge);
            }
        }
        whole
    }

    /// Chains of edges of a wall; `None`, and a problem, if it has none.
    ///
    /// Outlines of bodies run with the material on their left, so that their edges are turned
    /// round: the gas is on the other side. A rod has gas on either side, and its direction is
    /// found later.
    fn chains(
        &mut self,
        scene: &Scene,
        wall: &schema::Wall,
        path: &str,
        at: &Configuration,
    ) -> Option<Vec<Chain>> {
        // The checks report the name of a body that does not exist.
        let body = self.body_named(&wall.body)?;
        let all: Vec<[usize; 2]> = self.edges_of(body).collect();
        if all.is_empty() {
            return None;
        }

        // An edge is selected if both of its ends are.
        let selected: Vec<[usize; 2]> = match &wall.on {
            Some(selection) => {
                let own = (body, wall.body.as_str());
                let chosen = self.chosen_of(own, scene, at, selection, &format!("{path}.on"));
                let chosen: BTreeSet<usize> = chosen.into_iter().collect();
                let edges = all.iter().copied();
                edges
                    .filter(|edge| edge.iter().all(|end| chosen.contains(end)))
                    .collect()
            }
            None => all,
        };
        if selected.is_empty() {
            let message = format!(
                "has no edge of the outline of \"{}\"; select more",
                wall.body
            );
            self.problems.push(Problem::error(path, message));
            return None;
        }

        // Edges in chains: a chain ends where the next edge begins elsewhere.
        let turns = !self.filled[body];
        let mut chains: Vec<Chain> = Vec::new();
        for edge in in_chains(&selected) {
            match chains.last_mut() {
                Some(chain) if chain.ends()[1] == edge[0] && !chain.is_closed() => {
                    chain.edges.push(edge);
                }
                _ => chains.push(Chain {
                    body,
                    edges: vec![edge],
                    turns,
                    sides: Vec::new(),
                }),
            }
        }

        // Gas is where the body is not; without a selection it is in the holes.
        if !turns {
            chains.iter_mut().for_each(Chain::reverse);
            if wall.on.is_none() && chains.iter().any(|chain| chain.is_hole(&at.x)) {
                chains.retain(|chain| chain.is_hole(&at.x));
            }
        }
        Some(chains)
    }

    /// The outline with the gas on the left, which rods leave open.
    ///
    /// An outline of rods only has no material to say where the gas is: the side with a positive
    /// volume is taken.
    fn outward(
        &self,
        scene: &Scene,
        mut chains: Vec<Chain>,
        mut bridges: Vec<Bridge>,
        x: &[Vec2],
    ) -> (Vec<Chain>, Vec<Bridge>) {
        let turns = chains.iter().all(|chain| chain.turns);
        if turns && self.walls(scene, &chains, &bridges, x).volume(x) < 0.0 {
            chains.iter_mut().for_each(Chain::reverse);
            chains.reverse();
            for bridge in &mut bridges {
                bridge.ends.reverse();
            }
        }
        (chains, bridges)
    }

    /// Sides of an outline.
    ///
    /// In the plane each side has half of the thickness of the scene as its factor.
    fn walls(&self, scene: &Scene, chains: &[Chain], bridges: &[Bridge], x: &[Vec2]) -> Walls {
        let mut walls = Walls::default();

        let half = 0.5 * scene.thickness;
        let revolved = is_revolved(scene);
        for chain in chains {
            if !chain.sides.is_empty() {
                walls.edges.extend(&chain.sides);
                continue;
            }

            // Sides of quadratic triangles are known by the direction of the body's outline.
            let own: Vec<[usize; 2]> = chain.edges.iter().map(back).collect();
            if revolved {
                for (mut nodes, _) in self.pressed_rings(chain.body, &own, x) {
                    nodes.reverse();
                    match nodes[..] {
                        [a, b] => walls.rings.push([a, b]),
                        [a, middle, b] => walls.curved.push([a, middle, b]),
                        _ => {}
                    }
                }
            } else {
                let pressed = self.pressed_edges(chain.body, &own, x).into_iter();
                walls.edges.extend(
                    pressed.map(|PressedEdge { ends, share, .. }| (back(&ends), half * share)),
                );
            }
        }

        // Straight sides across gaps.
        for Bridge { ends } in bridges {
            if revolved {
                walls.rings.push(*ends);
            } else {
                walls.edges.push((*ends, half));
            }
        }
        walls
    }

    /// Warns of gaps that are wide for a chamber.
    ///
    /// A gap is wide if it is longer than [`WIDE_GAP`] of the largest body of the walls.
    fn warn_of_gaps(&mut self, spec: &schema::Chamber, path: &str, bridges: &[Bridge], x: &[Vec2]) {
        // Only the widest gap is named.
        let size = self.size_of_walls(spec);
        let bridges = bridges.iter();
        let widest = bridges.max_by(|a, b| a.length(x).total_cmp(&b.length(x)));
        if let Some(widest) = widest.filter(|widest| widest.length(x) > WIDE_GAP * size) {
            let message = format!(
                "of \"{}\" leave a gap of {:.3e} m, which a straight side bridges: the gas does not leak, and \
                 pushes at the ends of the gap; select walls that meet, if they do",
                spec.name,
                widest.length(x)
            );
            let place = x[widest.ends[0]];
            let problem = Problem::warning(format!("{path}.walls"), message);
            self.problems.push(problem.at(place));
        }
    }

    /// Size of the largest wall (m): of the box of its body.
    fn size_of_walls(&self, spec: &schema::Chamber) -> f64 {
        let sizes = spec.walls.iter().filter_map(|wall| {
            let body = self.body_named(&wall.body)?;
            let own = self.vertices[self.bodies[body].vertices.clone()].iter();
            let least = own
                .clone()
                .fold(Vec2::repeat(f64::INFINITY), |a, b| a.inf(&b.rest));
            let most = own.fold(Vec2::repeat(f64::NEG_INFINITY), |a, b| a.sup(&b.rest));
            Some((most - least).max())
        });
        sizes.fold(0.0, f64::max)
    }
}

/// Reason why walls with a volume (m^3) of a chamber with this name enclose no gas: they lie outside of it,
/// or a bridge between these vertices is a crossing.
fn refusal(name: &str, volume: f64, crossing: Option<[usize; 2]>, x: &[Vec2]) -> Option<String> {
    if volume.is_nan() || volume <= 0.0 {
        return Some(format!(
            "of \"{name}\" enclose {volume:.3e} m^3, so that the gas would be outside: bodies have their \
             inside on the other side of each wall, and walls must close to a ring around the gas"
        ));
    }
    let [from, to] = crossing?.map(|i| x[i]);
    Some(format!(
        "of \"{name}\" do not close: the straight side across the gap from ({:.4}, {:.4}) to ({:.4}, {:.4}) \
         m crosses a wall; select the walls up to the place where they meet",
        from.x, from.y, to.x, to.y
    ))
}

/// Area (m^2) inside of a closed chain of edges.
///
/// It is negative for a chain that runs clockwise. Areas count from the first vertex, so that
/// rounding does not grow with the distance from the origin.
fn area(edges: &[[usize; 2]], x: &[Vec2]) -> f64 {
    let Some(first) = edges.first() else {
        return 0.0;
    };

    let origin = x[first[0]];
    let parts = edges
        .iter()
        .map(|[a, b]| cross(x[*a] - origin, x[*b] - origin));
    0.5 * parts.sum::<f64>()
}

/// Chains in the order of the outline, and what bridges their gaps; chains of rods may be turned. Where
/// the plane is `revolved`, an end on the axis needs no bridge: the axis and a plane across it close the gap.
///
/// The search is greedy: from the end of a chain it continues with the chain that begins nearest.
fn joined(chains: Vec<Chain>, x: &[Vec2], revolved: bool) -> (Vec<Chain>, Vec<Bridge>) {
    let (mut outline, mut open): (Vec<Chain>, Vec<Chain>) =
        chains.into_iter().partition(Chain::is_closed);
    // A chain whose side of the gas is known comes first.
    sort_by_key(&mut open, |chain| chain.turns);
    if open.is_empty() {
        return (outline, Vec::new());
    }

    let mut bridges = Vec::new();
    let mut chain = open.remove(0);

    // From the end of one chain to the nearest begin of another.
    let [first, mut last] = chain.ends();
    loop {
        outline.push(chain);

        let Some(next) = nearest(&open, x[last], x) else {
            break;
        };
        chain = open.remove(next.number);
        if next.turned {
            chain.reverse();
        }
        let [begins, ends] = chain.ends();
        bridges.push(Bridge {
            ends: [last, begins],
        });
        last = ends;
    }
    bridges.push(Bridge {
        ends: [last, first],
    });

    // Ends that meet need no bridge, and neither do ends on the axis.
    let size = outline
        .iter()
        .flat_map(|chain| &chain.edges)
        .map(|edge| x[edge[0]].amax())
        .fold(0.0, f64::max);
    bridges.retain(|Bridge { ends }| {
        let on_axis = revolved && ends.iter().any(|&end| x[end].x <= ON_AXIS * size);
        ends[0] != ends[1] && !on_axis
    });
    (outline, bridges)
}

/// A chain that goes on from a place.
struct Next {
    /// Its number.
    number: usize,
    /// True if its last end is nearer.
    turned: bool,
}

/// The chain with the end that is nearest to a place: its first one, or either of a rod.
///
/// Of equally near ones the first counts.
fn nearest(chains: &[Chain], place: Vec2, x: &[Vec2]) -> Option<Next> {
    let mut found: Option<(f64, Next)> = None;
    for (number, chain) in chains.iter().enumerate() {
        let [first, last] = chain.ends();
        let mut ends = vec![(first, false)];
        if chain.turns {
            ends.push((last, true));
        }
        for (end, turned) in ends {
            let distance = (x[end] - place).norm();
            if found.as_ref().is_none_or(|(least, _)| distance < *least) {
                found = Some((distance, Next { number, turned }));
            }
        }
    }
    found.map(|(_, next)| next)
}

/// Ends of a bridge that crosses a wall or another bridge.
///
/// Bridges are few, so that each is compared with all sides.
fn crossing(chains: &[Chain], bridges: &[Bridge], x: &[Vec2]) -> Option<[usize; 2]> {
    let sides: Vec<[usize; 2]> = chains
        .iter()
        .flat_map(|chain| chain.edges.iter().copied())
        .chain(bridges.iter().map(|bridge| bridge.ends))
        .collect();
    let mut bridges = bridges.iter().map(|bridge| bridge.ends);
    bridges.find(|&bridge| sides.iter().any(|&side| cross_each_other(bridge, side, x)))
}

/// True if two sides without a common end cross.
fn cross_each_other([a, b]: [usize; 2], [c, d]: [usize; 2], x: &[Vec2]) -> bool {
    let apart = a != c && a != d && b != c && b != d;
    let [a, b, c, d] = [a, b, c, d].map(|i| x[i]);
    apart && is_left(a, b, c) != is_left(a, b, d) && is_left(c, d, a) != is_left(c, d, b)
}

/// True if the place `c` is on the left of the line from `a` to `b`.
fn is_left(a: Vec2, b: Vec2, c: Vec2) -> bool {
    cross(b - a, c - a) > 0.0
}

/// A window of time; without a first time it has always begun.
fn window([from, until]: [Option<f64>; 2]) -> Window {
    Window {
        from: from.unwrap_or(f64::NEG_INFINITY),
        until: until.unwrap_or(f64::INFINITY),
    }
}

/// Filling of a chamber; `None` if a formula cannot be read, which the checks report.
///
/// Without a filling the amount stays. A gauge pressure counts from the ambient one, an absolute
/// one from 0.
fn filling(spec: &schema::Chamber, ambient: f64) -> Option<Fill> {
    let Some(fill) = &spec.fill else {
        return Some(Fill::Amount(Varying::Constant(0.0)));
    };
    if let Some(amount) = &fill.amount {
        return amount.read().ok().map(Fill::Amount);
    }
    let (pressure, over) = match &fill.absolute {
        Some(absolute) => (absolute, 0.0),
        None => (fill.gauge.as_ref()?, ambient),
    };
    Some(Fill::Held {
        pressure: pressure.read().ok()?,
        over,
        window: window([fill.from, fill.until]),
    })
}

/// Absolute pressure at the start (Pa): the given one, the one that is held, or the ambient one.
fn start_pressure(spec: &schema::Chamber, fill: &Fill, ambient: f64) -> f64 {
    let given = spec.pressure.as_ref();
    let absolute = given.and_then(|own| own.absolute.or(own.gauge.map(|gauge| gauge + ambient)));

    // A regulator that holds a pressure from the start on.
    let held = match fill {
        Fill::Held {
            pressure,
            over,
            window,
        } if window.from < 0.0 => Some(pressure.at(Vec2::zeros(), 0.0) + over),
        _ => None,
    };
    absolute.or(held).unwrap_or(ambient).max(0.0)
}
