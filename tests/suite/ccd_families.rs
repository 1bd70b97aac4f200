//! Families of point-edge queries, many of them on the verge of an impact.

use ipcsim::contact::ccd::Query;
use ipcsim::math::{Vec2, perp};

/// A family's name and its generator.
pub(crate) type Family = (&'static str, fn(&mut Random) -> Query);

/// All families.
pub(crate) const ALL: [Family; 18] = [
    ("random", random),
    ("integer grid", grid),
    ("past an end", past_an_end),
    ("grazing a turning edge", tangent),
    ("touching at the end of the step", touching_at_the_end),
    ("touching at the start", touching_at_the_start),
    ("along one line", along_one_line),
    ("collapse of the edge", collapse),
    ("flip of the edge", flip),
    ("slivers", sliver),
    ("scaled as a whole", scaled),
    ("every coordinate of another size", mixed_scales),
    ("far from the origin", far),
    ("common motion", common_motion),
    ("slides", slide),
    ("bullets", bullet),
    ("two points", two_points),
    ("two points on a grid", two_grid_points),
];

/// A reproducible stream of numbers (Steele, Lea and Flood 2014, "`SplitMix`").
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 random bits.
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number between two others.
    pub(crate) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// A natural number less than `count`.
    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.bits() >> 32).unwrap() % count
    }

    /// A whole number between `-largest` and `largest`.
    fn integer(&mut self, largest: i32) -> f64 {
        self.within(-f64::from(largest), f64::from(largest) + 1.0)
            .floor()
    }

    /// A vector with components between -1 and 1.
    fn vector(&mut self) -> Vec2 {
        Vec2::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0))
    }

    /// A vector with whole components.
    fn grid_vector(&mut self, largest: i32) -> Vec2 {
        Vec2::new(self.integer(largest), self.integer(largest))
    }

    /// `10^-16` to `10^-1`, of either sign, or 0.
    fn gap(&mut self) -> f64 {
        let size = 10.0_f64.powf(self.within(-16.0, -1.0));
        [size, -size, size, -size, 0.0][self.below(5)]
    }
}

/// Three vectors.
fn three(mut f: impl FnMut() -> Vec2) -> [Vec2; 3] {
    [f(), f(), f()]
}

/// A query with vertices anywhere.
pub(crate) fn random(r: &mut Random) -> Query {
    Query {
        start: three(|| r.vector()),
        end: three(|| r.vector()),
    }
}

/// A query with vertices on a small grid, where ties are frequent.
fn grid(r: &mut Random) -> Query {
    let largest = [1, 2, 4, 100][r.below(4)];
    Query {
        start: three(|| r.grid_vector(largest)),
        end: three(|| r.grid_vector(largest)),
    }
}

/// At some time the point is on the edge's line, a gap before or past an end.
fn past_an_end(r: &mut Random) -> Query {
    let mut q = random(r);
    let t = r.within(0.0, 1.0) * [1.0, 10.0_f64.powf(r.within(-16.0, 0.0))][r.below(2)];
    let ends = [1, 2].map(|i| q.start[i] * (1.0 - t) + q.end[i] * t);
    let at = ends[0] + (ends[0] - ends[1]) * r.gap();
    let velocity = r.vector() * 2.0;
    (q.start[0], q.end[0]) = (at - velocity * t, at + velocity * (1.0 - t));
    q
}

/// The edge turns towards the point's path and away again: `cross = t^2 / 2 - (x / 2) t + y` has a
/// double root at `t = x / 2` for `y = x^2 / 8`, with `x` between 0 and 2.
fn tangent(r: &mut Random) -> Query {
    let x = 1.0 + r.integer(64) / 64.0;
    let y = x * x / 8.0 + r.gap() * r.gap().abs();
    let turn = perp(r.grid_vector(3));
    let vector = Vec2::new;
    let turned = |v: Vec2| turn * v.x + perp(turn) * v.y;
    let start = [vector(x, y), vector(-2.0, 0.0), vector(2.0, 0.0)];
    let end = [vector(x - 1.0, y), vector(-2.0, -1.0), vector(2.0, 1.0)];
    Query {
        start: start.map(turned),
        end: end.map(turned),
    }
}

fn on_the_edge(r: &mut Random, [_, a, b]: [Vec2; 3]) -> Vec2 {
    let u = r.integer(8) / 8.0 * 0.5 + 0.5;
    a + (b - a) * u
        + if r.bits().is_multiple_of(2) {
            Vec2::zeros()
        } else {
            r.vector() * r.gap()
        }
}

/// A point that is on the edge at the end of the motion.
fn touching_at_the_end(r: &mut Random) -> Query {
    let mut q = Query {
        start: three(|| r.vector()),
        end: three(|| r.grid_vector(4)),
    };
    q.end[0] = on_the_edge(r, q.end);
    q
}

/// A point that is on the edge at the start of the motion.
fn touching_at_the_start(r: &mut Random) -> Query {
    let mut q = Query {
        start: three(|| r.grid_vector(4)),
        end: three(|| r.vector()),
    };
    q.start[0] = on_the_edge(r, q.start);
    q
}

/// All three vertices on one line throughout.
fn along_one_line(r: &mut Random) -> Query {
    let origin = r.grid_vector(64);
    let direction = r.grid_vector(64);
    let mut place = || origin + direction * (r.integer(1 << 20) / 1024.0);
    let mut q = Query {
        start: three(&mut place),
        end: three(&mut place),
    };

    if r.bits().is_multiple_of(4) {
        q.end[0] += r.vector() * r.gap();
    }

    q
}

/// The edge is a point at a dyadic time, where the point arrives, perhaps a gap away.
fn collapse(r: &mut Random) -> Query {
    let t = [0.25, 0.5, 0.75, 1.0][r.below(4)];
    let at = r.grid_vector(8);
    let mut through = |target: Vec2| {
        let velocity = r.grid_vector(16) / 8.0;
        (target - velocity * t, target + velocity * (1.0 - t))
    };
    let [a, b, p] = [through(at), through(at), through(at)];
    let shift = if r.bits().is_multiple_of(2) {
        Vec2::zeros()
    } else {
        r.vector() * r.gap()
    };
    Query {
        start: [p.0, a.0, b.0],
        end: [p.1 + shift, a.1, b.1],
    }
}

fn flip(r: &mut Random) -> Query {
    let half = r.vector();
    let middle = r.vector() * 0.1;
    let shift = r.vector() * 0.1;
    let noise = r.gap();
    let mut near = |x: Vec2| x + r.vector() * noise;
    let end = [
        near(middle),
        near(middle + shift - half),
        near(middle + shift + half),
    ];
    Query {
        start: [near(Vec2::zeros()), middle + half, middle - half],
        end,
    }
}

fn sliver(r: &mut Random) -> Query {
    let at = r.vector();
    let length = r.gap();
    let mut near = |spread: f64| r.vector() * spread;
    let meeting = at + near(1.0) * 0.5;
    let [shift, turn, turned] = [near(length), near(length), near(length)];
    let velocity = near(1.0);
    let t = 0.375;
    let start = [meeting - velocity * t + shift, at, at + turn];
    let moved = (meeting - at) / t;
    Query {
        start,
        end: [
            meeting + velocity * (1.0 - t),
            at + moved,
            at + moved + turned,
        ],
    }
}

/// The query, scaled.
fn times(q: Query, scale: f64) -> Query {
    Query {
        start: q.start.map(|x| x * scale),
        end: q.end.map(|x| x * scale),
    }
}

fn any_of_the_first(r: &mut Random, count: usize) -> Query {
    let (_, family) = ALL[r.below(count)];
    family(r)
}

/// A query of another scale.
fn scaled(r: &mut Random) -> Query {
    let scale = [1e-200, 1e200, 1e-300, 1e300, 1e-12, 1e-315][r.below(6)];
    times(any_of_the_first(r, 10), scale)
}

fn mixed_scales(r: &mut Random) -> Query {
    let spread = [3.0, 30.0, 300.0][r.below(3)];
    let mut q = any_of_the_first(r, 10);
    for x in q.start.iter_mut().chain(&mut q.end) {
        *x = x.map(|c| c * 10.0_f64.powf(r.within(-spread, spread)));
    }
    q
}

fn far(r: &mut Random) -> Query {
    let offset = r.vector() * 1e6;
    let q = times(any_of_the_first(r, 10), 1e-3);
    Query {
        start: q.start.map(|x| x + offset),
        end: q.end.map(|x| x + offset),
    }
}

fn common_motion(r: &mut Random) -> Query {
    let motion = r.vector() * 1e8;
    let q = any_of_the_first(r, 10);
    Query {
        end: q.end.map(|x| x + motion),
        ..q
    }
}

/// Parallel to the edge at a gap, along it.
pub(crate) fn slide(r: &mut Random) -> Query {
    let along = r.vector();
    let lift = perp(along) * r.gap();
    let from = along * r.within(-2.0, 2.0);
    let to = along * r.within(-2.0, 2.0);
    Query {
        start: [from + lift, -along, along],
        end: [to + lift, -along, along],
    }
}

/// A point that moves far in one step.
fn bullet(r: &mut Random) -> Query {
    let mut q = random(r);
    let speed = 10.0_f64.powf(r.within(0.0, 200.0));
    q.end[0] = q.start[0]
        + (q.start[1] + (q.start[2] - q.start[1]) * r.within(-0.5, 1.5) - q.start[0]) * speed;
    q
}

/// Two points that arrive at one place, or nearly.
fn two_points(r: &mut Random) -> Query {
    let q = collapse(r);
    Query::point_point([q.start[0], q.start[1]], [q.end[0], q.end[1]])
}

fn two_grid_points(r: &mut Random) -> Query {
    let mut pair = || [r.grid_vector(3), r.grid_vector(3)];
    Query::point_point(pair(), pair())
}
