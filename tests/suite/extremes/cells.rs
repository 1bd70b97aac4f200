//! All scenes of the matrix of extremes, axis by axis.
//!
//! An axis drives one or two numbers to their limits while all others stay usual.

use super::scenes::{Base, Numbers, SIDE, bullet};
use crate::support::inline;
use ipcsim::scene::build;
use serde_json::{Value, json};

/// A scene of the matrix.
pub(crate) struct Cell {
    /// Name of the extreme quantity.
    pub(crate) axis: &'static str,
    pub(crate) name: String,
    pub(crate) scene: Value,
    /// True if the scene is impossible, so that it must end in a named failure.
    pub(crate) impossible: bool,
}

/// All kinds of scenes.
const BASES: [Base; 5] = [
    Base::Drop,
    Base::Pair,
    Base::Rigid,
    Base::Mixed,
    Base::Press,
];

/// All cells.
pub(crate) fn all() -> Vec<Cell> {
    let mut cells = Vec::new();
    time_steps(&mut cells);
    materials(&mut cells);
    mass_ratios(&mut cells);
    soft_barriers(&mut cells);
    walls(&mut cells);
    barriers(&mut cells);
    compression(&mut cells);
    places(&mut cells);
    tolerances(&mut cells);
    ceilings(&mut cells);
    substeps(&mut cells);
    kept_energy(&mut cells);
    changes(&mut cells);
    heat(&mut cells);
    joints(&mut cells);
    cells
}

/// Adds a scene to the matrix.
pub(crate) fn add(
    cells: &mut Vec<Cell>,
    axis: &'static str,
    value: &str,
    base: Base,
    numbers: &Numbers,
) {
    let name = format!("{value}, {}", format!("{base:?}").to_lowercase());
    cells.push(Cell {
        axis,
        name,
        scene: numbers.scene(base),
        impossible: false,
    });
}

/// Time steps, and time steps with stiffnesses.
fn time_steps(cells: &mut Vec<Cell>) {
    for h in [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0] {
        for base in BASES {
            let numbers = Numbers {
                h,
                gap: 2e-4,
                ..Numbers::default()
            };
            add(cells, "time step", &format!("h {h:e} s"), base, &numbers);
        }

        for young in [1e2, 1e9] {
            let numbers = Numbers {
                h,
                young,
                gap: 2e-4,
                ..Numbers::default()
            };
            let name = format!("h {h:e} s, E {young:e} Pa");
            add(
                cells,
                "time step and stiffness",
                &name,
                Base::Pair,
                &numbers,
            );
        }
    }
}

/// Stiffnesses and densities.
fn materials(cells: &mut Vec<Cell>) {
    for young in [1e2, 1e3, 1e4, 1e6, 1e8, 1e10, 1e12] {
        for base in BASES.into_iter().filter(|&base| base != Base::Rigid) {
            let numbers = Numbers {
                young,
                ..Numbers::default()
            };
            let name = format!("E {young:e} Pa");
            add(cells, "stiffness", &name, base, &numbers);
        }
    }

    for density in [1e-3, 0.1, 10.0, 1e4, 1e5] {
        for base in BASES {
            let numbers = Numbers {
                density: [density; 2],
                ..Numbers::default()
            };
            let name = format!("{density:e} kg/m^3");
            add(cells, "density", &name, base, &numbers);
        }

        for young in [1e2, 1e12] {
            let numbers = Numbers {
                density: [density; 2],
                young,
                ..Numbers::default()
            };
            let name = format!("{density:e} kg/m^3, E {young:e} Pa");
            add(cells, "density and stiffness", &name, Base::Pair, &numbers);
        }
    }
}

/// Heavy bodies on light ones and the reverse.
fn mass_ratios(cells: &mut Vec<Cell>) {
    for (name, density) in [
        ("heavy on light", [1e5, 0.1]),
        ("light on heavy", [0.1, 1e5]),
    ] {
        for base in [Base::Pair, Base::Rigid, Base::Mixed] {
            for young in [1e5, 1e9] {
                let numbers = Numbers {
                    young,
                    density,
                    ..Numbers::default()
                };
                let name = format!("{name}, E {young:e} Pa");
                add(cells, "mass ratio 1e6", &name, base, &numbers);
            }
        }
    }
}

/// Cells in which a barrier as soft as the soft bodies stops heavy and fast ones.
fn soft_barriers(cells: &mut Vec<Cell>) {
    for young in [1.0, 1e2, 1e4] {
        for speed in [1.0, 10.0, 100.0, 1e3] {
            for base in [Base::Mixed, Base::Rigid] {
                let density = [1e5, 10.0];
                let tolerance = 1e-3 * speed;
                let numbers = Numbers {
                    density,
                    young,
                    speed,
                    kappa: Some(young),
                    tolerance,
                    ..Numbers::default()
                };
                let name = format!("E and kappa {young:e} Pa, {speed:e} m/s");
                add(cells, "soft barrier", &name, base, &numbers);
            }
        }
    }
}

/// Bodies thrown at a wall of 1 mm.
fn walls(cells: &mut Vec<Cell>) {
    for shape in ["point", "disk", "needle", "square", "soft square"] {
        for wall in ["wire", "plate", "free plate", "soft sheet", "free sheet"] {
            for speed in [1.0, 100.0, 1e4] {
                let name = format!("{shape} at {speed:e} m/s, {wall}");
                cells.push(Cell {
                    axis: "wall of 1 mm",
                    name,
                    scene: bullet(shape, wall, speed),
                    impossible: false,
                });
            }
        }
    }
}

/// The stiffness of the barrier that is derived for the first two bodies of a scene.
pub(crate) fn derived(base: Base, numbers: &Numbers) -> f64 {
    build(inline(numbers.scene(base)))
        .unwrap()
        .world
        .barriers
        .kappa(0, 1)
}

/// Activation distances and stiffnesses of the barrier.
fn barriers(cells: &mut Vec<Cell>) {
    for share in [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1] {
        for base in BASES {
            let d_hat = share * SIDE;
            let numbers = Numbers {
                d_hat: Some(d_hat),
                gap: 2e-4_f64.max(d_hat),
                ..Numbers::default()
            };
            let name = format!("{share:e} of the size");
            add(cells, "d_hat", &name, base, &numbers);
        }
    }

    for factor in [1e-4, 1e-2, 1e2, 1e4] {
        for base in BASES {
            let numbers = Numbers::default();
            let kappa = Some(factor * derived(base, &numbers));
            add(
                cells,
                "kappa",
                &format!("{factor:e} of the derived"),
                base,
                &Numbers { kappa, ..numbers },
            );
        }

        for share in [1e-6, 0.1] {
            let d_hat = Some(share * SIDE);
            let numbers = Numbers {
                d_hat,
                gap: 2e-4_f64.max(share * SIDE),
                ..Numbers::default()
            };
            let kappa = Some(factor * derived(Base::Pair, &numbers));
            let name = format!("{factor:e} of the derived, d_hat {share:e} of the size");
            add(
                cells,
                "kappa and d_hat",
                &name,
                Base::Pair,
                &Numbers { kappa, ..numbers },
            );
        }
    }
}

/// Blocks under a ceiling that comes down, law by law.
fn compression(cells: &mut Vec<Cell>) {
    for law in [
        "neo_hookean",
        "fixed_corotated",
        "st_venant_kirchhoff",
        "linear",
    ] {
        for left in [0.5, 0.2, 0.1, 0.05, 0.02, 0.01] {
            let numbers = Numbers {
                law,
                left,
                speed: 0.5,
                steps: 50,
                ..Numbers::default()
            };
            let name = format!("{law}, to {left}");
            add(cells, "compression", &name, Base::Press, &numbers);
        }
    }
}

/// Sizes of the scene, and distances from the origin.
fn places(cells: &mut Vec<Cell>) {
    for base in BASES {
        for factor in [1e-6, 1e-3, 1e3, 1e6] {
            let numbers = Numbers {
                lengths: factor,
                rest: factor,
                ..Numbers::default()
            };
            let name = format!("everything times {factor:e}");
            add(cells, "scale", &name, base, &numbers);
            let numbers = Numbers {
                lengths: factor,
                ..Numbers::default()
            };
            let name = format!("lengths times {factor:e}");
            add(cells, "scale", &name, base, &numbers);
        }

        for offset in [[1e6, 0.0], [0.0, 1e6], [-1e6, 1e6]] {
            let numbers = Numbers {
                offset,
                ..Numbers::default()
            };
            add(cells, "offset", &format!("{offset:?} m"), base, &numbers);
        }
    }
}

/// Tolerances of the solver.
fn tolerances(cells: &mut Vec<Cell>) {
    for tolerance in [1e-5, 1e-8, 1e-11] {
        for base in BASES {
            let numbers = Numbers {
                tolerance,
                ..Numbers::default()
            };
            let name = format!("{tolerance:e} m/s");
            add(cells, "tolerance", &name, base, &numbers);
        }

        for (young, share) in [(1e12, 1e-3), (1e5, 1e-6), (1e12, 1e-6)] {
            let d_hat = Some(share * SIDE);
            let numbers = Numbers {
                young,
                d_hat,
                tolerance,
                ..Numbers::default()
            };
            let name = format!("{tolerance:e} m/s, E {young:e} Pa, d_hat {share:e} of the size");
            add(cells, "tolerance and barrier", &name, Base::Pair, &numbers);
        }
    }
}

/// Ceilings that are driven through the floor.
fn ceilings(cells: &mut Vec<Cell>) {
    for speed in [0.5, 5.0, 500.0] {
        for young in [1e3, 1e5, 1e9] {
            let numbers = Numbers {
                left: -1.0,
                speed,
                young,
                steps: 100,
                ..Numbers::default()
            };
            let name = format!("{speed} m/s, E {young:e} Pa");
            let scene = numbers.scene(Base::Press);
            cells.push(Cell {
                axis: "ceiling through the floor",
                name,
                scene,
                impossible: true,
            });
        }
    }
}

/// Adds a scene with usual numbers and other keys.
fn add_with(
    cells: &mut Vec<Cell>,
    axis: &'static str,
    value: &str,
    base: Base,
    change: impl Fn(&mut Value),
) {
    add(cells, axis, value, base, &Numbers::default());
    if let Some(cell) = cells.last_mut() {
        change(&mut cell.scene);
    }
}

/// Substeps whose lengths follow from their errors, by tolerances from far below `d_hat` to far above a
/// body.
fn substeps(cells: &mut Vec<Cell>) {
    for tolerance in [1e-6, 1e-3, 1.0] {
        for base in BASES {
            let value = format!("tolerance {tolerance:e} m");
            add_with(cells, "adaptive", &value, base, |scene| {
                scene["time"]["adaptive"] = json!({ "tolerance": tolerance, "smallest": 1e-4 });
            });
        }
    }
}

/// Energy that is kept, by each integrator; a press has prescribed motion, which is refused.
fn kept_energy(cells: &mut Vec<Cell>) {
    let moves_freely = |base: &Base| !matches!(base, Base::Press);
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        for base in BASES.into_iter().filter(moves_freely) {
            add_with(cells, "kept energy", integrator, base, |scene| {
                scene["time"]["integrator"] = json!(integrator);
                scene["time"]["energy"] = json!("kept");
            });
        }
    }
}

/// Gravity and friction that change between steps by factors of a hundred and a thousand.
fn changes(cells: &mut Vec<Cell>) {
    let pulls = [
        ("up", [0.0, 981.0]),
        ("down", [0.0, -981.0]),
        ("sideways", [981.0, -9.81]),
    ];
    for (name, gravity) in pulls {
        for base in BASES {
            let value = format!("gravity {name} for ten steps, friction times 1000");
            add_with(cells, "changes", &value, base, |scene| {
                let body = scene["bodies"][0]["name"].clone();
                let friction = json!({ "between": [body, "ground"], "coefficient": 300.0 });
                scene["changes"] = json!([
                    { "after": 10, "set": { "gravity": gravity } },
                    { "after": 20, "set": { "gravity": [0.0, -9.81] } },
                    { "after": 20, "set": { "friction": friction } }
                ]);
            });
        }
    }
}

/// Soft bodies that grow to double their size by heat, or shrink to a tenth, within a few steps.
fn heat(cells: &mut Vec<Cell>) {
    let curves = [
        ("double", "5 * t"),
        ("a tenth", "-4.5 * t"),
        ("back and forth", "0.5 * sin(60 * t)"),
    ];
    for (name, strain) in curves {
        for base in BASES.into_iter().filter(|&base| base != Base::Rigid) {
            add_with(
                cells,
                "temperature",
                &format!("size {name}"),
                base,
                |scene| {
                    for material in ["m0", "m1"] {
                        scene["materials"][material]["expansion"] = json!(1.0);
                    }
                    scene["time"]["steps"] = json!(20);
                    for body in scene["bodies"].as_array_mut().unwrap() {
                        if body["kind"] == "deformable" {
                            body["temperature"] = json!(strain);
                        }
                    }
                },
            );
        }
    }
}

/// A cylinder from a hook 2 m above a body to its middle: as stiff as steel, with a motor that would
/// move it by ten times its range in a step, and with a brake that never slips.
fn joints(cells: &mut Vec<Cell>) {
    let cylinders = [
        (
            "stiff spring",
            json!({ "spring": { "stiffness": 1e10, "damping": 1e5 } }),
        ),
        (
            "motor of 100 m/s between stops",
            json!({ "limits": [-0.05, 0.05], "motor": { "speed": "100*sin(30*t)", "force": 1e4 } }),
        ),
        ("brake of a meganewton", json!({ "brake": 1e6 })),
    ];
    for (name, acts) in cylinders {
        for base in BASES.into_iter().filter(|&base| base != Base::Press) {
            add_with(cells, "cylinder", name, base, |scene| {
                let body = &scene["bodies"][0];
                let [x, y] = [0, 1].map(|axis| body["position"][axis].as_f64().unwrap());
                let mut cylinder = acts.clone();
                cylinder["bodies"] = json!(["hook", body["name"]]);
                cylinder["ends"] = json!([[x, y + 2.0], [x, y]]);
                scene["joints"] = json!([{ "cylinder": cylinder }]);
                scene["obstacles"].as_array_mut().unwrap().push(json!({
                    "name": "hook", "position": [x, y + 2.0],
                    "shape": { "square": { "side": 0.1, "segments": 1 } }
                }));
            });
        }
    }
}
