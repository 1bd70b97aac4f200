//! Small scenes with everything that can be extreme as a parameter.

use serde_json::{Value, json};

/// Kinds of the bodies of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// A soft square is thrown on the ground.
    Drop,
    /// A soft square is thrown on another one that stands on the ground.
    Pair,
    /// The same with rigid squares.
    Rigid,
    /// A rigid square is thrown on a soft one.
    Mixed,
    /// A ceiling presses a soft square on the ground.
    Press,
}

/// The numbers of a scene.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub(crate) h: f64,
    pub(crate) steps: usize,
    pub(crate) young: f64,
    /// Density of the upper and the lower body (kg/m^3).
    pub(crate) density: [f64; 2],
    pub(crate) law: &'static str,
    /// Speed of the upper body, of the ceiling (m/s).
    pub(crate) speed: f64,
    /// Gap at the start (m).
    pub(crate) gap: f64,
    pub(crate) d_hat: Option<f64>,
    pub(crate) kappa: Option<f64>,
    pub(crate) tolerance: f64,
    pub(crate) friction: f64,
    /// Share of the height that the ceiling leaves.
    pub(crate) left: f64,
    /// Factor of all lengths.
    pub(crate) lengths: f64,
    /// Factor of all that is measured in lengths but lengths themselves: velocities, gravity, and,
    /// twice, stiffness.
    pub(crate) rest: f64,
    pub(crate) offset: [f64; 2],
}

/// Side of a square (m).
pub(crate) const SIDE: f64 = 0.2;

impl Default for Numbers {
    fn default() -> Self {
        Self {
            h: 0.01,
            steps: 40,
            young: 1e5,
            density: [1000.0; 2],
            law: "neo_hookean",
            speed: 1.0,
            gap: 1e-3,
            d_hat: None,
            kappa: None,
            tolerance: 1e-3,
            friction: 0.3,
            left: 0.5,
            lengths: 1.0,
            rest: 1.0,
            offset: [0.0; 2],
        }
    }
}

impl Numbers {
    /// The scene.
    pub(crate) fn scene(&self, base: Base) -> Value {
        let length = self.lengths;
        let speed = self.rest;
        let [x, y] = self.offset;
        let body = |name: &str, kind: &str, material: usize, at: [f64; 2], velocity: [f64; 2]| {
            json!({ "name": name, "kind": kind, "material": format!("m{material}"),
                "shape": { "square": { "side": SIDE * length, "segments": if kind == "rigid" { 1 } else { 2 } } },
                "position": [x + at[0] * length, y + at[1] * length],
                "velocity": [velocity[0] * speed, velocity[1] * speed] })
        };
        let low = 0.5 * SIDE + self.gap;
        let high = low + SIDE + self.gap;
        let thrown = [0.3 * self.speed, -self.speed];
        let pair = |kinds: [&str; 2]| {
            let upper = body("upper", kinds[0], 0, [0.03, high], thrown);
            vec![upper, body("lower", kinds[1], 1, [0.0, low], [0.0; 2])]
        };
        let bodies = match base {
            Base::Drop => vec![body("block", "deformable", 0, [0.0, low], thrown)],
            Base::Pair => pair(["deformable"; 2]),
            Base::Rigid => pair(["rigid"; 2]),
            Base::Mixed => pair(["rigid", "deformable"]),
            Base::Press => vec![body("block", "deformable", 0, [0.0, low], [0.0; 2])],
        };

        let law = json!({ self.law: { "young": self.young * speed * speed, "poisson": 0.4 } });
        let material = |density: f64| json!({ "density": density, "law": law });
        json!({
            "time": { "step": self.h, "steps": self.steps }, "gravity": [0.0, -9.81 * speed],
            "materials": { "m0": material(self.density[0]), "m1": material(self.density[1]) },
            "bodies": bodies, "obstacles": self.planes(base), "contact": self.contact(),
            "solver": { "tolerance": self.tolerance * speed }
        })
    }

    /// The ground, and for a press the ceiling that comes down.
    fn planes(&self, base: Base) -> Vec<Value> {
        let length = self.lengths;
        let speed = self.rest;
        let [x, y] = self.offset;
        let plane = |name: &str, normal: f64, height: f64| {
            let origin = [x, y + height * length];
            json!({ "name": name, "shape": { "half_plane": { "normal": [0.0, normal], "origin": origin } } })
        };

        let mut planes = vec![plane("ground", 1.0, 0.0)];
        if base == Base::Press {
            let height = SIDE + 2.0 * self.gap;
            let mut ceiling = plane("ceiling", -1.0, height);
            ceiling["velocity"] = json!([0.0, -self.speed * speed]);
            ceiling["travel"] = json!((height - SIDE * self.left) * length);
            planes.push(ceiling);
        }
        planes
    }

    /// Friction, and the barrier where it is given.
    fn contact(&self) -> Value {
        let speed = self.rest;
        let mut contact =
            json!({ "friction": { "default": self.friction, "eps_v": 1e-3 * speed } });
        if let Some(d_hat) = self.d_hat {
            contact["d_hat"] = json!(d_hat * self.lengths);
        }
        if let Some(kappa) = self.kappa {
            contact["kappa"] = json!(kappa * speed * speed);
        }
        contact
    }
}

/// What is thrown at a thin wall, from `distance` away.
pub(crate) fn bullet(shape: &str, wall: &str, speed: f64) -> Value {
    let wall_body = |kind: &str, shape: Value| json!({ "name": "wall", "kind": kind, "shape": shape, "material": "m" });
    let sheet = json!({ "rectangle": { "size": [0.001, 0.4], "segments": [1, 40] } });
    let mut bodies = Vec::new();
    let mut obstacles = Vec::new();

    match wall {
        "wire" => obstacles.push(
            json!({ "name": "wall", "shape": { "polyline": { "points": [[0.0, -50.0], [0.0, 0.0], [0.0, 50.0]] } } }),
        ),
        "plate" => obstacles.push(json!({ "name": "wall",
            "shape": { "rectangle": { "size": [0.001, 100.0], "segments": [1, 1] } } })),
        "free plate" => {
            bodies.push(wall_body("rigid", json!({ "rectangle": { "size": [0.001, 0.4], "segments": [1, 1] } })));
        }
        "soft sheet" => {
            let mut sheet = wall_body("deformable", sheet);
            let ends = |sign: f64| {
                let near = 0.195 * sign;
                let far = 0.205 * sign;
                json!({ "vertices": { "box": { "min": [-0.01, near.min(far)], "max": [0.01, near.max(far)] } } })
            };
            sheet["prescribed"] = json!([ends(1.0), ends(-1.0)]);
            bodies.push(sheet);
        }
        _ => bodies.push(wall_body("deformable", sheet)),
    }

    let shape_of = match shape {
        "point" => json!({ "point": { "mass": 0.1 } }),
        "disk" => json!({ "circle": { "radius": 0.02 } }),
        "needle" => json!({ "rectangle": { "size": [0.2, 0.001], "segments": [1, 1] } }),
        _ => json!({ "square": { "side": 0.04, "segments": 2 } }),
    };
    let kind = if shape == "soft square" {
        "deformable"
    } else {
        "rigid"
    };
    bodies.push(
        json!({ "name": "bullet", "kind": kind, "shape": shape_of, "material": "m",
        "position": [-0.15, 0.003], "velocity": [speed, 0.0] }),
    );
    json!({
        "time": { "step": 0.001, "steps": 30 }, "gravity": [0.0, 0.0],
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e7, "poisson": 0.3 } } } },
        "bodies": bodies, "obstacles": obstacles, "solver": { "tolerance": 1e-3 * speed }
    })
}
