//! Carriers of gears: the part that holds the axles of both.
//!
//! A pair of gears keeps the ratio of its angles against the part that holds both axles. Hinges say
//! which part that is: it meets each of the two bodies at an axle, directly or over other hinges at
//! the same place. Where it does not turn, angles count in the world. Where it turns, they count
//! against the line of centres, for which the places of the axles are enough.

use crate::schema::{Axis, Body, GearPair, Joint, Keyframe, Kind, Obstacle, Scene, Shape, WORLD};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::rotation;
use ipcsim_math::groups::Groups;
use std::collections::{BTreeMap, BTreeSet};

/// Distance (1), as a share of the largest coordinate of all hinges, within which two places are one.
const SAME: f64 = 1e-9;

/// Number of the part that never moves: obstacles without a motion and all that is welded to them.
const GROUND: usize = 0;

/// What the angles of a pair of gears count from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Frame {
    /// The world: nothing that holds the axles turns.
    World,
    /// The line of centres, as a carrier turns: axles of the two bodies at the start (m).
    Line([Vec2; 2]),
    /// The carrier, as both turn about one axle.
    Axle {
        /// Place of the axle at the start (m).
        at: Vec2,
        /// Name of a rigid body or an obstacle of the carrier.
        carrier: String,
    },
}

/// An axle of a body: a place, and the parts that meet there.
#[derive(Clone, Debug)]
struct Axle {
    /// Place at the start (m).
    at: Vec2,
    /// Parts that share the place, other than the body itself.
    holders: BTreeSet<usize>,
}

/// Parts of a scene, with the hinges between them.
struct Parts<'a> {
    /// Part of each body and obstacle.
    of: BTreeMap<String, usize>,
    /// A body or obstacle of each part, for messages.
    names: BTreeMap<usize, String>,
    /// Bodies and obstacles that keep their shape, except for half-planes.
    stiff: BTreeSet<String>,
    /// Origins of shapes (m) of bodies that are no copies, and of obstacles.
    origins: BTreeMap<&'a str, Vec2>,
    /// Parts that never turn.
    upright: BTreeSet<usize>,
    /// Places (m) and parts of all hinges, of axles of wheels, and of what turns about a held place.
    hinges: Vec<(Vec2, [usize; 2])>,
    /// Distance within which two places are one (m).
    same: f64,
}

/// Bodies and obstacles of a scene one by one, from number 1.
struct Members<'a> {
    /// Number of each.
    numbers: BTreeMap<String, usize>,
    /// Origins of shapes (m) of bodies that are no copies, and of obstacles.
    origins: BTreeMap<&'a str, Vec2>,
    /// Numbers of the ones that never move.
    grounded: Vec<usize>,
    /// Numbers of the ones that never turn.
    upright: Vec<usize>,
    /// Places (m) about which some of them turn by themselves.
    pivots: Vec<(Vec2, usize)>,
}

impl<'a> Members<'a> {
    /// Bodies and obstacles of a scene.
    fn of(scene: &'a Scene) -> Self {
        let mut members = Self {
            numbers: BTreeMap::new(),
            origins: BTreeMap::new(),
            grounded: Vec::new(),
            upright: vec![GROUND],
            pivots: Vec::new(),
        };
        for body in &scene.bodies {
            for name in body.names() {
                let number = members.number(name);
                members.add_body(body, number);
            }
            if !body.is_many() {
                members.origins.insert(&body.name, body.position.into());
            }
        }
        for obstacle in &scene.obstacles {
            let number = members.number(obstacle.name.clone());
            members.add_obstacle(obstacle, number);
            let origin = obstacle.position.into();
            members.origins.insert(&obstacle.name, origin);
        }
        if scene.has_world() {
            let number = members.number(WORLD.to_owned());
            members.grounded.push(number);
        }
        members
    }

    /// Number of a name, the next one if it is new.
    fn number(&mut self, name: String) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(name).or_insert(next)
    }

    /// Notes how a body can move.
    fn add_body(&mut self, body: &Body, number: usize) {
        let keeps_angle = body.fixed.contains(&Axis::Angle);
        let is_held = body.fixed.contains(&Axis::X) && body.fixed.contains(&Axis::Y);
        if is_held && keeps_angle {
            self.grounded.push(number);
        }
        if keeps_angle || scripted_upright(body) {
            self.upright.push(number);
        }
        self.pivots.extend(pivot(body).map(|at| (at, number)));
    }

    /// Notes how an obstacle moves.
    fn add_obstacle(&mut self, obstacle: &Obstacle, number: usize) {
        let origin = Vec2::from(obstacle.position);
        if stays(obstacle) {
            self.grounded.push(number);
        } else if keeps_place(obstacle.velocity, &obstacle.keyframes, origin) {
            self.pivots.push((origin, number));
        }
        if keeps_upright(obstacle) {
            self.upright.push(number);
        }
    }
}

/// Frame in which the angles of a pair of gears count.
///
/// # Errors
/// The end of a message, with the key of the joint that it belongs to: no part holds both axles, or
/// the given one does not.
pub(crate) fn frame(scene: &Scene, gear: &GearPair) -> Result<Frame, (&'static str, String)> {
    let parts = Parts::of(scene);
    let [first, second] = &gear.bodies;
    let (Some(&a), Some(&b)) = (parts.of.get(first), parts.of.get(second)) else {
        return Ok(Frame::World);
    };
    let axles = [parts.axles(first, a), parts.axles(second, b)];
    if let Some(carrier) = &gear.carrier {
        return parts.given(gear, carrier, &axles);
    }

    // A part that holds both, and preferably one that does not turn.
    let mut pairs = Vec::new();
    for first in &axles[0] {
        for second in &axles[1] {
            let both = first.holders.intersection(&second.holders);
            for &holder in both.filter(|&&holder| holder != a && holder != b) {
                if parts.upright.contains(&holder) {
                    return Ok(Frame::World);
                }
                pairs.push((holder, [first.at, second.at]));
            }
        }
    }

    if pairs.is_empty() {
        return parts.without_carrier(gear, [a, b], &axles);
    }
    parts.nearest(gear, &pairs)
}

impl<'a> Parts<'a> {
    /// Parts of a scene.
    fn of(scene: &'a Scene) -> Self {
        let members = Members::of(scene);
        let numbers = &members.numbers;

        // Welded bodies are one part.
        let mut groups = Groups::new(numbers.len() + 1);
        for number in members.grounded {
            groups.join(GROUND, number);
        }
        for joint in &scene.joints {
            if let (Joint::Weld(_), Some([a, b])) = (joint, pair(numbers, joint)) {
                groups.join(a, b);
            }
        }

        let mut parts = Self {
            of: BTreeMap::new(),
            names: BTreeMap::new(),
            stiff: stiff(scene),
            origins: members.origins,
            upright: members
                .upright
                .into_iter()
                .map(|i| groups.root(i))
                .collect(),
            hinges: Vec::new(),
            same: 0.0,
        };
        for (name, number) in numbers {
            let root = groups.root(*number);
            parts.of.insert(name.clone(), root);
            parts.names.entry(root).or_insert_with(|| name.clone());
        }
        for (at, number) in members.pivots {
            let part = groups.root(number);
            if part != GROUND {
                parts.hinges.push((at, [part, GROUND]));
            }
        }
        parts.note_joints(&scene.joints);
        parts
    }

    /// Notes hinges, and parts that guides keep from turning.
    fn note_joints(&mut self, joints: &[Joint]) {
        let mut guided = Vec::new();
        for joint in joints {
            let Some(pair) = pair(&self.of, joint) else {
                continue;
            };
            match joint {
                Joint::Hinge(hinge) => self.hinges.push((hinge.at.into(), pair)),
                Joint::Wheel(wheel) => self.hinges.push((wheel.at.into(), pair)),
                Joint::Slider(_) => guided.push(pair),
                _ => {}
            }
        }

        // Along chains of guides.
        let mut count = 0;
        while count < self.upright.len() {
            count = self.upright.len();
            for pair in &guided {
                if pair.iter().any(|part| self.upright.contains(part)) {
                    self.upright.extend(pair);
                }
            }
        }

        let coordinates = self.hinges.iter().map(|(at, _)| at.amax());
        self.same = SAME * coordinates.fold(0.0, f64::max);
    }

    /// True if two places are one.
    fn meet(&self, a: Vec2, b: Vec2) -> bool {
        (a - b).norm() <= self.same
    }

    /// Axles of a body, by its name and its part.
    fn axles(&self, name: &str, part: usize) -> Vec<Axle> {
        let own = self.hinges.iter().filter(|(_, pair)| pair.contains(&part));
        let mut places: Vec<Vec2> = Vec::new();
        for (at, _) in own {
            if !places.iter().any(|known| self.meet(*known, *at)) {
                places.push(*at);
            }
        }

        let mut axles = Vec::new();
        for at in places {
            axles.push(self.axle(at, &[part], part));
        }

        // A body that nothing hinges turns about its origin.
        if let (Some(&at), true, true) = (self.origins.get(name), axles.is_empty(), part != GROUND)
        {
            let here = self
                .hinges
                .iter()
                .filter(|(place, _)| self.meet(*place, at));
            let mut seeds = vec![part];
            seeds.extend(here.flat_map(|(_, pair)| pair));
            axles.push(self.axle(at, &seeds, part));
        }
        axles
    }

    /// Axle of a part at a place: all parts that hinges at this place connect with some of them.
    fn axle(&self, at: Vec2, seeds: &[usize], part: usize) -> Axle {
        let mut holders: BTreeSet<usize> = seeds.iter().copied().collect();
        let here = self
            .hinges
            .iter()
            .filter(|(place, _)| self.meet(*place, at));
        let here: Vec<&[usize; 2]> = here.map(|(_, pair)| pair).collect();
        let mut count = 0;
        while count < holders.len() {
            count = holders.len();
            for pair in &here {
                if pair.iter().any(|part| holders.contains(part)) {
                    holders.extend(*pair);
                }
            }
        }
        holders.remove(&part);
        Axle { at, holders }
    }

    /// Frame of gears on the carrier that the scene names.
    fn given(
        &self,
        gear: &GearPair,
        carrier: &str,
        axles: &[Vec<Axle>; 2],
    ) -> Result<Frame, (&'static str, String)> {
        // A name that does not exist is reported elsewhere.
        let Some(&part) = self.of.get(carrier) else {
            return Ok(Frame::World);
        };
        if self.upright.contains(&part) {
            return Ok(Frame::World);
        }

        let mut at = [Vec2::zeros(); 2];
        for side in 0..2 {
            let name = &gear.bodies[side];
            let own = axles[side]
                .iter()
                .filter(|axle| axle.holders.contains(&part));
            let Some(nearest) = own.min_by(|a, b| {
                let far = |axle: &Axle| self.off_centre(name, axle.at);
                far(a).total_cmp(&far(b))
            }) else {
                let message = format!(
                    "\"{carrier}\" does not hold \"{name}\": no hinge joins both; add one at the axle, or name \
                     the part that holds it"
                );
                return Err(("carrier", message));
            };
            at[side] = nearest.at;
        }
        self.nearest(gear, &[(part, at)])
    }

    /// Distance (m) of a place from the origin of a body; 0 where that is not known.
    fn off_centre(&self, name: &str, at: Vec2) -> f64 {
        self.origins
            .get(name)
            .map_or(0.0, |origin| (at - origin).norm())
    }

    /// Frame of gears without a part that holds both axles.
    fn without_carrier(
        &self,
        gear: &GearPair,
        [a, b]: [usize; 2],
        axles: &[Vec<Axle>; 2],
    ) -> Result<Frame, (&'static str, String)> {
        let holder = |side: usize| {
            let all = axles[side].iter().flat_map(|axle| &axle.holders);
            let mut others = all.copied().filter(|&part| part != a && part != b);
            others.next()
        };
        let (Some(first), Some(second)) = (holder(0), holder(1)) else {
            return Ok(Frame::World);
        };
        if [first, second]
            .iter()
            .all(|part| self.upright.contains(part))
        {
            return Ok(Frame::World);
        }

        let [of_first, of_second] = [first, second].map(|part| self.name(part));
        let message = format!(
            "have axles on different parts: \"{}\" is held by {of_first} and \"{}\" by {of_second}, which move \
             against each other, so that teeth would not stay in mesh; hold both axles by one body",
            gear.bodies[0], gear.bodies[1]
        );
        Err(("bodies", message))
    }

    /// How messages name a part.
    fn name(&self, part: usize) -> String {
        let name = self.names.get(&part);
        name.map_or_else(|| "the ground".to_owned(), |name| format!("\"{name}\""))
    }

    /// Frame of the pair of axles, among axles that carriers hold, that are nearest to the origins of
    /// the two bodies.
    fn nearest(
        &self,
        gear: &GearPair,
        pairs: &[(usize, [Vec2; 2])],
    ) -> Result<Frame, (&'static str, String)> {
        let far = |at: &[Vec2; 2]| -> f64 {
            let both = gear.bodies.iter().zip(at);
            both.map(|(name, at)| self.off_centre(name, *at)).sum()
        };
        let apart = pairs.iter().filter(|(_, [a, b])| !self.meet(*a, *b));
        let best = apart.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b)));
        if let Some((_, at)) = best {
            return Ok(Frame::Line(*at));
        }

        // Both turn about one axle: the carrier itself tells the angle.
        let (part, [at, _]) = pairs[0];

        // Two of its points turn with it only if it keeps its shape.
        let members = self.of.iter().filter(|(_, own)| **own == part);
        let mut stiff = members.filter(|(name, _)| self.stiff.contains(*name));
        let are_stiff = gear.bodies.iter().all(|name| self.stiff.contains(name));
        if let (Some((name, _)), true) = (stiff.next(), are_stiff) {
            return Ok(Frame::Axle {
                at,
                carrier: name.clone(),
            });
        }
        let carrier = self.name(part);
        let message = format!(
            "turn about one axle of {carrier}, which turns itself, so that no line of centres tells its angle; \
             make both gears and {carrier} rigid, or add the planet gear that meshes with both, on an axle of \
             {carrier}"
        );
        Err(("bodies", message))
    }
}

/// Names of rigid bodies, and of obstacles other than half-planes.
fn stiff(scene: &Scene) -> BTreeSet<String> {
    let bodies = scene.bodies.iter().filter(|body| body.kind == Kind::Rigid);
    let obstacles = scene.obstacles.iter();
    let obstacles = obstacles.filter(|own| !matches!(own.shape, Shape::HalfPlane(_)));
    // Each copy of a body has its own name.
    let names = bodies.flat_map(Body::names);
    names.chain(obstacles.map(|own| own.name.clone())).collect()
}

/// Numbers of the two parts of a joint; `None` if one does not exist.
fn pair(of: &BTreeMap<String, usize>, joint: &Joint) -> Option<[usize; 2]> {
    let [first, second] = joint.bodies();
    Some([*of.get(first)?, *of.get(second)?])
}

/// True if an obstacle never moves.
fn stays(obstacle: &Obstacle) -> bool {
    let is_still = Vec2::from(obstacle.velocity) == Vec2::zeros() && obstacle.spin_deg == 0.0;
    is_still && obstacle.keyframes.is_empty()
}

/// True if a motion with this velocity and these keyframes leaves an origin where it is (m).
fn keeps_place(velocity: [f64; 2], keyframes: &[Keyframe], origin: Vec2) -> bool {
    let mut places = keyframes.iter().map(|frame| Vec2::from(frame.position));
    Vec2::from(velocity) == Vec2::zeros() && places.all(|place| place == origin)
}

/// Place (m) about which a body turns by itself: held at its centre of mass, or by its script;
/// `None` if there is none, or the centre is not known from the scene.
fn pivot(body: &Body) -> Option<Vec2> {
    if body.is_many() {
        return None;
    }
    let origin = Vec2::from(body.position);
    if let Some(script) = &body.script {
        let stays = keeps_place(script.velocity, &script.keyframes, origin);
        return stays.then_some(origin);
    }
    let is_held = body.fixed.contains(&Axis::X) && body.fixed.contains(&Axis::Y);
    let has_centre = matches!(
        body.shape,
        Shape::Circle(_)
            | Shape::Gear(_)
            | Shape::Rectangle(_)
            | Shape::Square(_)
            | Shape::Disk(_)
            | Shape::Ring(_)
            | Shape::RegularPolygon(_)
    );
    if let (true, Some(centre)) = (is_held, body.centre) {
        let turn = rotation(body.rotation_deg.to_radians());
        return Some(origin + turn * Vec2::from(centre));
    }
    (is_held && has_centre).then_some(origin)
}

/// True if an obstacle never turns.
fn keeps_upright(obstacle: &Obstacle) -> bool {
    let same = |angle: f64| angle.total_cmp(&obstacle.rotation_deg).is_eq();
    let keyframes = &obstacle.keyframes;
    let is_plane = matches!(obstacle.shape, Shape::HalfPlane(_));
    is_plane || obstacle.spin_deg == 0.0 && keyframes.iter().all(|frame| same(frame.rotation_deg))
}

/// True if a body has a script for the whole run that never turns it.
fn scripted_upright(body: &Body) -> bool {
    body.script.as_ref().is_some_and(|script| {
        let same = |angle: f64| angle.total_cmp(&body.rotation_deg).is_eq();
        let mut turns = script.keyframes.iter().map(|frame| frame.rotation_deg);
        script.until.is_none() && script.spin_deg == 0.0 && turns.all(same)
    })
}
