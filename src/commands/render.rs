//! `ipcsim render`: draws the frames of a stored run again, with another size, view or colour.
//!
//! Positions are those of the trajectory. Stress and speed are computed again from them, so that a
//! run can be coloured although it stored neither. The scale of the colours spans all states: a
//! colour means the same in every frame.

use super::pictures::arrows::Arrows;
use super::pictures::painter::{Coloring, Painter, Shown};
use super::pictures::sketch::Sketch;
use super::pictures::view::{extent, scene_view};
use super::pictures::{Pictures, style};
use super::{CommandError, Outcome, say, tell};
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::pictures::frame::ColorScale;
use crate::scene::{Setup, build, read};
use crate::store::error::failed;
use crate::store::folder::{FRAMES, RunFolder, SCENE};
use crate::store::mesh_file::MeshFile;
use crate::store::stored_run::{StoredError, StoredRun};
use crate::time::World;
use std::path::PathBuf;

/// Draw the frames of a stored run again, with another size, view or colour.
///
/// Positions are read from the folder of the run; nothing is simulated.
#[derive(Debug, clap::Args)]
pub(super) struct RenderArgs {
    /// Folder of the run; its frames and animation are replaced.
    dir: PathBuf,
    /// Size in pixels, for example 1920x1080 [default: that of the scene].
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    size: Option<(u32, u32)>,
    /// Quantity that the colours show.
    #[arg(long, value_enum, default_value_t = ColorBy::Body)]
    color: ColorBy,
    /// Draw arrows of the forces at contacts and supports.
    ///
    /// Contacts are those of contacts.npy or contacts.csv (output.contacts in the scene). Without
    /// these files normal forces are computed again from positions, and friction is left out.
    /// Reactions are those of forces.csv.
    #[arg(long)]
    arrows: bool,
    /// Draw the symbols of loads, supports and joints.
    #[arg(long)]
    diagram: bool,
    /// Fit the view to all positions of the bodies in the run, instead of using the view of the
    /// scene.
    #[arg(long)]
    fit: bool,
}

/// Quantity that the colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ColorBy {
    /// A colour for each body.
    Body,
    /// Von Mises stress of the in-plane Cauchy stress.
    Stress,
    /// Mean speed since the frame before.
    Speed,
}

/// Reads a size from the command line: width and height (pixels).
///
/// # Errors
/// If the text is not a size, or if a side is outside its range.
fn size(text: &str) -> Result<(u32, u32), String> {
    parsed_size(text).ok_or_else(|| {
        "expected, for example, 1920x1080; each side must be from 16 to 16384".to_owned()
    })
}

/// Width and height (pixels) in a text like `1920x1080`, each within its range.
fn parsed_size(text: &str) -> Option<(u32, u32)> {
    const ALLOWED: std::ops::RangeInclusive<u32> = 16..=16_384;
    let (width, height) = text.split_once('x')?;
    let width = width.parse().ok()?;
    let height = height.parse().ok()?;
    (ALLOWED.contains(&width) && ALLOWED.contains(&height)).then_some((width, height))
}

/// Runs `ipcsim render`: replaces the frames and the animation of a run.
///
/// # Errors
/// If the run cannot be read, does not fit its scene, or if pictures cannot be written.
pub(super) fn run(args: &RenderArgs) -> Result<Outcome, CommandError> {
    let drawing = Drawing::open(args)?;
    let painter = drawing.painter(args)?;
    let values = drawing.values(args.color)?;

    let arrows = if args.arrows {
        Some(drawing.arrows(&painter)?)
    } else {
        None
    };

    let is_diagram = args.diagram || drawing.setup.scene.output.diagram;
    let sketch = is_diagram.then(|| Sketch::of(&drawing.setup));

    // Old frames of other steps must not remain among the new ones.
    let frames = args.dir.join(FRAMES);
    if frames.exists() {
        std::fs::remove_dir_all(&frames).map_err(failed("remove", &frames))?;
    }
    let mut pictures = Pictures::create(&RunFolder::existing(&args.dir), painter.size())?;

    // State by state, with one scale for all.
    let scale = scale(args.color, &values);
    let mut trajectory = drawing.run.trajectory()?;
    let mut x = Vec::new();
    for (entry, moment) in drawing.run.moments.iter().enumerate() {
        trajectory.next(&mut x)?;
        let coloring = scale.map(|scale| Coloring {
            triangles: &values[entry].triangles,
            springs: &values[entry].springs,
            bodies: &values[entry].bodies,
            scale,
        });
        let forces = arrows.as_ref().and_then(|arrows| arrows.at(moment.step));
        let diagram = sketch
            .as_ref()
            .map(|sketch| sketch.at(&x, Some(moment.time)));
        let shown = Shown {
            coloring,
            diagram: diagram.as_ref(),
            forces,
        };
        let picture = painter.paint(&x, moment.time, moment.step, shown)?;
        pictures.add(&picture, moment.time, moment.step)?;
    }
    let count = pictures.finish()?;
    say(&format!("{}: {count} frames drawn", args.dir.display()));
    Ok(Outcome::Done)
}

/// Values of one state, by which colours are chosen (Pa, m/s).
struct Values {
    /// One value per triangle.
    triangles: Vec<f64>,
    /// One value per spring.
    springs: Vec<f64>,
    /// One value per body, for bodies without triangles and springs.
    bodies: Vec<f64>,
}

/// Scale from the smallest to the largest value of all states; `None` if colours show bodies.
fn scale(color: ColorBy, values: &[Values]) -> Option<ColorScale<'static>> {
    let mut min = f64::INFINITY;
    let mut max = f64::NEG_INFINITY;
    for state in values {
        for list in [&state.triangles, &state.springs, &state.bodies] {
            for &value in list.iter().filter(|value| value.is_finite()) {
                min = min.min(value);
                max = max.max(value);
            }
        }
    }
    // Where all bodies are rigid there is no stress.
    if min > max {
        min = 0.0;
        max = 0.0;
    }

    let (label, unit) = match color {
        ColorBy::Body => return None,
        ColorBy::Stress => ("von Mises stress", "Pa"),
        ColorBy::Speed => ("speed", "m/s"),
    };
    Some(ColorScale {
        label,
        unit,
        min,
        max,
    })
}

/// A stored run and the world of its scene, which together give pictures.
struct Drawing {
    /// Stored run, with its trajectory.
    run: StoredRun,
    /// Scene and world, built again from the scene in the folder.
    setup: Setup,
}

impl Drawing {
    /// Opens the run in a folder and builds its scene.
    ///
    /// # Errors
    /// If a file cannot be read, or if the run and the scene have different numbers of vertices.
    fn open(args: &RenderArgs) -> Result<Self, CommandError> {
        let run = StoredRun::open(&args.dir)?;
        let path = args.dir.join(SCENE);
        let setup = read(&path, &[])
            .and_then(build)
            .map_err(CommandError::scene(&path))?;

        // Scene and trajectory must belong together.
        let vertices = setup.world.rest.len();
        let stored = run.mesh.vertices_rest.len();
        if stored != vertices {
            let message = format!("has {vertices} vertices, but the trajectory has {stored}");
            return Err(StoredError::malformed(&path, message).into());
        }
        Ok(Self { run, setup })
    }

    /// Painter for the view and the size that the user asks for.
    ///
    /// # Errors
    /// If the trajectory cannot be read.
    fn painter(&self, args: &RenderArgs) -> Result<Painter, CommandError> {
        let Setup { scene, world, .. } = &self.setup;
        let view = if args.fit {
            self.whole_view()?
        } else {
            scene_view(&self.setup)
        };

        // The size of the scene, unless the user asks for another.
        let size = (scene.output.width, scene.output.height);
        let (width, height) = args.size.unwrap_or(size);
        let title = scene.name.clone().unwrap_or_default();
        Ok(Painter::new(
            &MeshFile::of(world),
            |vertex| world.moves(vertex),
            view,
            style(scene, width, height),
            &title,
        ))
    }

    /// Arrows of the forces of all states. Tells the user what of them the run does not know.
    ///
    /// # Errors
    /// If a file of the run cannot be read.
    fn arrows(&self, painter: &Painter) -> Result<Arrows, CommandError> {
        let arrows = Arrows::read(&self.run, &self.setup.world, painter.scale())?;
        if arrows.without_friction {
            tell(
                "note: arrows show no friction, since the run has no file of contacts; run the \
                 scene with --set output.contacts=npy",
            );
        }
        if arrows.without_reactions {
            tell(
                "note: arrows of reactions end where forces.csv does; run the scene with a larger \
                 output.force_rows",
            );
        }
        Ok(arrows)
    }

    /// Box (m) around all states of the bodies, with a margin of a twentieth of the diagonal.
    ///
    /// # Errors
    /// If the trajectory cannot be read.
    fn whole_view(&self) -> Result<Aabb, CommandError> {
        // Share of the diagonal that is added on every side.
        const MARGIN: f64 = 0.05;
        let mut trajectory = self.run.trajectory()?;
        let mut x = Vec::new();
        let mut view = Aabb::EMPTY;
        for _ in &self.run.moments {
            trajectory.next(&mut x)?;
            view = view.union(&extent(&self.setup.world, &x));
        }
        Ok(view.grown(MARGIN * view.extent().norm()))
    }

    /// Values of every state, by which colours are chosen; none if colours show bodies.
    ///
    /// All states are read before the first is drawn, since the scale of the colours spans all of
    /// them.
    ///
    /// # Errors
    /// If the trajectory cannot be read.
    fn values(&self, color: ColorBy) -> Result<Vec<Values>, CommandError> {
        let world = &self.setup.world;
        let mut values = Vec::new();
        if color == ColorBy::Body {
            return Ok(values);
        }

        // A speed needs the state before.
        let mut trajectory = self.run.trajectory()?;
        let mut x = Vec::new();
        let mut before: Option<State> = None;
        for moment in &self.run.moments {
            trajectory.next(&mut x)?;
            let state = State {
                time: moment.time,
                x: x.clone(),
            };
            values.push(match color {
                ColorBy::Speed => {
                    let speed = speeds(&state, before.as_ref(), &self.setup.state.v);
                    mean_values(world, &speed)
                }
                _ => Values {
                    triangles: world.von_mises(&x),
                    springs: vec![0.0; world.springs.len()],
                    bodies: Vec::new(),
                },
            });
            before = Some(state);
        }
        Ok(values)
    }
}

/// Stored state, by which speeds are computed.
struct State {
    /// Time of the state (s).
    time: f64,
    /// Positions of all vertices (m).
    x: Vec<Vec2>,
}

/// Speed (m/s) of each vertex since the state before. For the first state it is that of the scene,
/// from the velocities `v` (m/s).
fn speeds(state: &State, before: Option<&State>, v: &[Vec2]) -> Vec<f64> {
    match before {
        Some(before) if state.time > before.time => {
            let duration = state.time - before.time;
            let pairs = state.x.iter().zip(&before.x);
            pairs.map(|(x, y)| (x - y).norm() / duration).collect()
        }
        _ => v.iter().map(Vec2::norm).collect(),
    }
}

/// Means of `values`, one per vertex, over the vertices of each element and of each rigid or affine
/// body. Soft bodies and obstacles have no value of their own: NaN.
fn mean_values(world: &World, values: &[f64]) -> Values {
    let mut bodies = Vec::with_capacity(world.bodies.len());
    for body in &world.bodies {
        bodies.push(if body.kind.is_soft() || body.kind.is_obstacle() {
            f64::NAN
        } else {
            values[body.vertices.clone()].iter().sum::<f64>() / body.vertices.len() as f64
        });
    }

    let mean = |vertices: &[usize]| {
        vertices.iter().map(|&i| values[i]).sum::<f64>() / vertices.len() as f64
    };
    Values {
        triangles: world.triangles.iter().map(|t| mean(t)).collect(),
        springs: world.springs.iter().map(|s| mean(s)).collect(),
        bodies,
    }
}
