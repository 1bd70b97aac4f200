//! Symbols of a scene's loads, supports, joints and gas, where they are in a state.
//!
//! Points of bodies move with vertices, by fixed shares, or with two vertices of a body with an
//! angle. Loads are drawn as shares of the largest value that they have in the run.

use super::carried::Carried;
use super::grounded::{ground, still_side};
use super::joined::joined;
use ipcsim::body::{Action, Applied, Grip, Hold, Prescribed, Role, Shown};
use ipcsim::geometry::Aabb;
use ipcsim::math::{Vec2, perp};
use ipcsim::scene::{Scene, Setup};
use ipcsim::time::{Chamber, World};
use ipcsim_pictures::diagram::{Diagram, Symbol, Tooth};

/// Number of times of a run at which loads are looked at for their largest values.
const LOOKS: usize = 400;

/// Share of the distance from the middle of a body by which a support above it is higher (1).
const ABOVE: f64 = 1e-6;
/// Number of arrows of a pressure on an edge, unless edges are so short that some are left out.
const TEETH: usize = 5;

/// Symbols of a scene, which follow its bodies.
pub(crate) struct Sketch {
    /// Loads.
    pub(crate) loads: Vec<DrawnLoad>,
    /// Supports.
    pub(crate) supports: Vec<DrawnSupport>,
    /// Symbols of joints.
    pub(crate) joints: Vec<Symbol<Carried>>,
    /// Gas in chambers.
    pub(crate) chambers: Vec<DrawnChamber>,
}

/// Gas in a chamber.
pub(crate) struct DrawnChamber {
    /// Name of the chamber.
    label: String,
    /// Ends of the sides of its walls, with the gas on the left.
    sides: Vec<[usize; 2]>,
}

/// A load, with its largest value.
pub(crate) struct DrawnLoad {
    /// The load.
    pub(crate) applied: Applied,
    /// Points at which it acts.
    pub(crate) points: Vec<Carried>,
    /// Vertices of the edges that it presses, with the inside on the left.
    pub(crate) edges: Vec<[usize; 2]>,
    /// Largest value in the run.
    pub(crate) peak: f64,
    /// Time of that value (s).
    time: f64,
    /// Vertices of the body.
    pub(crate) body: Vec<usize>,
}

/// What is held of a body by one entry of the scene.
pub(crate) struct DrawnSupport {
    /// Points that are held.
    pub(crate) points: Vec<Carried>,
    /// Direction away from the body (1), along an axis.
    pub(crate) outward: Vec2,
    /// Axes that are held.
    pub(crate) axes: [bool; 2],
    /// Window of time (s).
    pub(crate) window: [f64; 2],
}

impl Sketch {
    /// Symbols of a scene.
    pub(crate) fn of(setup: &Setup) -> Self {
        Self::at_places(&setup.scene, &setup.world, &setup.state.x)
    }

    /// Symbols of a scene in a state whose vertices are at `x` (m).
    pub(crate) fn at_places(scene: &Scene, world: &World, x: &[Vec2]) -> Self {
        let end = scene.time.step * scene.time.steps as f64;
        let applied = world.loading.applied.iter();
        Self {
            loads: applied
                .map(|one| DrawnLoad::of(one, world, x, end))
                .collect(),
            supports: supports(world, x),
            joints: joints(world, x),
            chambers: world
                .loading
                .gas
                .chambers
                .iter()
                .map(DrawnChamber::of)
                .collect(),
        }
    }

    /// Symbols where vertices are at `x` (m), with loads of the time `t` (s); without a time each
    /// load as it is when it is largest.
    pub(crate) fn at(&self, x: &[Vec2], t: Option<f64>) -> Diagram {
        let mut symbols = Vec::new();
        // Without a time supports are shown as they hold at the start.
        let time = t.unwrap_or(0.0);
        for support in &self.supports {
            let [from, until] = support.window;
            if from <= time && time <= until {
                symbols.push(Symbol::Support {
                    at: support.points.iter().map(|point| point.at(x)).collect(),
                    outward: support.outward,
                    axes: support.axes,
                });
            }
        }

        let joints = self.joints.iter();
        symbols.extend(joints.map(|symbol| symbol.map(|carried| carried.at(x))));
        for load in &self.loads {
            symbols.extend(load.symbol(x, t.unwrap_or(load.time)));
        }
        symbols.extend(self.chambers.iter().map(|chamber| chamber.symbol(x)));
        Diagram { symbols }
    }
}

impl DrawnChamber {
    /// A chamber of a world.
    fn of(chamber: &Chamber) -> Self {
        let walls = &chamber.walls;
        // Chords of parabolas, which count with a negative weight, are no sides.
        let flat = walls.edges.iter().filter(|(_, half)| *half > 0.0);
        let straight = flat
            .map(|(ends, _)| *ends)
            .chain(walls.rings.iter().copied());
        let curved = walls
            .curved
            .iter()
            .flat_map(|[a, b, c]| [[*a, *b], [*b, *c]]);
        Self {
            label: chamber.name.clone(),
            sides: straight.chain(curved).collect(),
        }
    }

    /// Arrows from the gas to the middles of all sides, where vertices are at `x` (m).
    fn symbol(&self, x: &[Vec2]) -> Symbol {
        let teeth = self.sides.iter().map(|&[a, b]| Tooth {
            at: (x[a] + x[b]) * 0.5,
            way: -perp(x[b] - x[a]).try_normalize(0.0).unwrap_or_default(),
            pushes: true,
        });
        Symbol::Comb {
            teeth: teeth.collect(),
            label: self.label.clone(),
        }
    }
}

impl DrawnLoad {
    /// A load of a world whose vertices start at `x` (m), in a run that ends at `end` (s).
    fn of(applied: &Applied, world: &World, x: &[Vec2], end: f64) -> Self {
        let body = &world.bodies[applied.body];
        let mut points = Vec::new();
        let mut edges = Vec::new();

        match &applied.action {
            Action::Spread(spread) => {
                for sample in &spread.samples {
                    points.push(match (&sample.hold, &spread.frame) {
                        (Hold::Vertices(shares), _) => Carried::shares(shares.iter().copied()),
                        (Hold::Arm(_), Some(frame)) => {
                            Carried::in_frame(frame.ends, x, sample.place)
                        }
                        (Hold::Arm(_), None) => Carried::shares([(body.vertices.start, 1.0)]),
                    });
                }
            }
            Action::Pressing(pressing) => {
                for edge in pressing.outline() {
                    let [a, b] = edge.ends;
                    for k in 0..TEETH {
                        let share = (k as f64 + 0.5) / TEETH as f64;
                        edges.push(edge.ends);
                        points.push(Carried::shares([(a, 1.0 - share), (b, share)]));
                    }
                }
            }
            Action::Turning(turning) => {
                let vertices: Vec<usize> = match &turning.grip {
                    Grip::Angle(_) => body.vertices.clone().collect(),
                    Grip::Vertices(arms) => arms.iter().map(|(vertex, _)| *vertex).collect(),
                };
                let share = 1.0 / vertices.len() as f64;
                let shares = vertices.into_iter().map(|vertex| (vertex, share));
                points.push(Carried::shares(shares));
            }
        }

        // A circle has its centre as its first vertex.
        if let (true, Action::Turning(_)) = (body.vertices.len() == 2, &applied.action) {
            points = vec![Carried::shares([(body.vertices.start, 1.0)])];
        }

        let mut load = Self {
            applied: applied.clone(),
            points,
            edges,
            peak: 0.0,
            time: 0.0,
            body: body.vertices.clone().collect(),
        };

        // A load is drawn relative to its largest value in the run.
        for k in 0..=LOOKS {
            let t = end * k as f64 / LOOKS as f64;
            let sizes = load.values(t).into_iter().map(|value| value.norm());
            let largest = sizes.fold(0.0, f64::max);
            if largest > load.peak {
                load.peak = largest;
                load.time = t;
            }
        }
        load
    }

    /// Value at each point at the time `t` (s): force per measure, pressure along x, torque along
    /// x. One value, the resultant, for a force with one arrow.
    pub(crate) fn values(&self, t: f64) -> Vec<Vec2> {
        match &self.applied.action {
            Action::Spread(spread) if self.is_single() => {
                vec![spread.forces(t).map(|(_, force)| force).sum()]
            }
            Action::Spread(spread) => {
                let samples = spread.samples.iter();
                samples
                    .map(|sample| spread.strength.at(sample, t))
                    .collect()
            }
            Action::Pressing(pressing) => {
                let edges = pressing.outline();
                let sizes = edges.map(|edge| pressing.pressure.at(edge.middle, t));
                sizes
                    .flat_map(|size| [Vec2::new(size, 0.0); TEETH])
                    .collect()
            }
            Action::Turning(turning) => {
                vec![Vec2::new(turning.torque.at(Vec2::zeros(), t), 0.0)]
            }
        }
    }

    /// True if the load is drawn as one arrow.
    pub(crate) fn is_single(&self) -> bool {
        matches!(&self.applied.action, Action::Spread(spread) if spread.shown == Shown::Arrow)
    }

    /// The symbol where vertices are at `x` (m), at the time `t` (s); `None` if the load is zero in
    /// the whole run.
    fn symbol(&self, x: &[Vec2], t: f64) -> Option<Symbol> {
        let label = self.applied.name.clone();
        if self.peak <= 0.0 {
            return None;
        }

        let values: Vec<Vec2> = self.values(t).into_iter().map(|v| v / self.peak).collect();
        let places: Vec<Vec2> = self.points.iter().map(|point| point.at(x)).collect();
        let middle = places.iter().sum::<Vec2>() / places.len() as f64;
        Some(match &self.applied.action {
            Action::Turning(_) => Symbol::Turn {
                at: middle,
                share: values[0].x,
                label,
            },
            Action::Spread(_) if self.is_single() => {
                // Away from the middle of the body it pulls, towards it it pushes.
                let body = self.body.iter().map(|&i| x[i]).sum::<Vec2>() / self.body.len() as f64;
                let outward = middle - body;
                let tooth = Tooth {
                    at: middle,
                    way: values[0],
                    pushes: outward.dot(&values[0]) < 0.0,
                };
                Symbol::Force { tooth, label }
            }
            Action::Spread(spread) => {
                let samples = spread.samples.iter().zip(places).zip(values);
                let teeth = samples.map(|((sample, at), way)| Tooth {
                    at,
                    way,
                    pushes: sample.normal.dot(&way) >= 0.0,
                });
                Symbol::Comb {
                    teeth: teeth.collect(),
                    label,
                }
            }
            Action::Pressing(_) => {
                let edges = self.edges.iter().zip(places).zip(values);
                let teeth = edges.map(|((&[a, b], at), value)| {
                    let inward = perp(x[b] - x[a]).try_normalize(0.0).unwrap_or_default();
                    Tooth {
                        at,
                        way: inward * value.x,
                        pushes: value.x >= 0.0,
                    }
                });
                Symbol::Comb {
                    teeth: teeth.collect(),
                    label,
                }
            }
        })
    }
}

/// Symbols of joints, each after the ground of a side that never moves, where vertices start at `x`
/// (m).
fn joints(world: &World, x: &[Vec2]) -> Vec<Symbol<Carried>> {
    let mut symbols = Vec::new();
    for joint in &world.model.joints {
        let still = still_side(joint, world);
        symbols.extend(still.and_then(|side| ground(joint, side, world, x)));
        symbols.extend(joined(joint, still == Some(0)));
    }
    symbols
}

/// Supports of bodies: prescribed vertices by entry, and the fixed coordinates of rigid bodies,
/// where vertices start at `x` (m). Obstacles are seen as such.
fn supports(world: &World, x: &[Vec2]) -> Vec<DrawnSupport> {
    let mut supports: Vec<DrawnSupport> = Vec::new();
    let mut last = None;
    for prescribed in &world.prescribed {
        let node = prescribed.node;
        let body = world.bodies.partition_point(|body| body.nodes.end <= node);
        let owner = &world.bodies[body];
        let is_held = owner.kind.is_soft() || prescribed.role == Role::Point;
        let is_angle = owner.kind.has_angle() && node != owner.nodes.start;
        if owner.kind.is_obstacle() || !is_held || is_angle {
            continue;
        }

        // A free vertex is its own node.
        let vertex = world.model.coordinates.vertex_of(node);
        let point = if owner.kind.is_soft() {
            Carried::shares([(vertex, 1.0)])
        } else {
            let far = owner.vertices.clone().max_by(|&i, &j| {
                let away = |k: usize| (x[k] - x[vertex]).norm_squared();
                away(i).total_cmp(&away(j))
            });
            Carried::in_frame([vertex, far.unwrap_or(vertex)], x, prescribed.start)
        };
        let key = (body, prescribed.selection);
        if let (true, Some(support)) = (last == Some(key), supports.last_mut()) {
            support.points.push(point);
            continue;
        }
        last = Some(key);
        supports.push(DrawnSupport {
            points: vec![point],
            outward: Vec2::new(0.0, -1.0),
            axes: prescribed.axes,
            window: [prescribed.from, prescribed.motion.until],
        });

        // The direction follows from all points of the entry.
        let vertices = owner.vertices.clone();
        let middle = vertices.clone().map(|i| x[i]).sum::<Vec2>() / vertices.len() as f64;
        let same =
            |p: &&Prescribed| owner.nodes.contains(&p.node) && p.selection == prescribed.selection;
        let mine = world.prescribed.iter().filter(same);
        let around = Aabb::around(mine.map(|p| p.start));
        if let Some(support) = supports.last_mut() {
            support.outward = outward(&around, middle, prescribed.axes);
        }
    }
    supports
}

/// Direction of a support along an axis, away from the `middle` of the body (m): along the axis
/// that is held, and where both are, across the line of points, whose box is given. Below where
/// nothing decides.
fn outward(around: &Aabb, middle: Vec2, axes: [bool; 2]) -> Vec2 {
    let from = around.center() - middle;
    let is_upright = around.extent().y > around.extent().x;
    let along_x = match axes {
        [true, false] => true,
        [false, true] => false,
        _ => is_upright,
    };

    if along_x {
        Vec2::new(if from.x > 0.0 { 1.0 } else { -1.0 }, 0.0)
    } else {
        let is_above = from.y > ABOVE * from.norm();
        Vec2::new(0.0, if is_above { 1.0 } else { -1.0 })
    }
}
