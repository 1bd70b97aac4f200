//! `ipcsim render`: draws the frames of a stored run again, with another size, view or colour.
//!
//! Positions are those of the trajectory. Stress and speed are computed again from them, so that a
//! run can be coloured although it stored neither. The scale of the colours spans all states: a
//! colour means the same in every frame.

use super::fields::{subject, von_mises};
use super::pictures::arrows::Arrows;
use super::pictures::painter::{Painter, Shown};
use super::pictures::sketch::Sketch;
use super::pictures::speeds::{Placed, speeds};
use super::pictures::values::{ColorBy, Values, mean_values, scale};
use super::pictures::view::{extent, scene_view};
use super::pictures::{Pictures, style};
use super::{CommandError, Outcome, say, tell};
use crate::geometry::Aabb;
use crate::scene::{Setup, build, read};
use crate::store::error::failed;
use crate::store::folder::{FRAMES, RunFolder, SCENE};
use crate::store::mesh_file::MeshFile;
use crate::store::stored_run::{StoredError, StoredRun};
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
    // A run under way draws its own.
    let folder = RunFolder::reopen(&args.dir)?;
    let frames = args.dir.join(FRAMES);
    if frames.exists() {
        std::fs::remove_dir_all(&frames).map_err(failed("remove", &frames))?;
    }
    let mut pictures = Pictures::create(&folder, painter.size())?;

    // State by state, with one scale for all.
    let scale = scale(args.color, &values);
    let mut trajectory = drawing.run.trajectory()?;
    let mut x = Vec::new();
    for (entry, moment) in drawing.run.moments.iter().enumerate() {
        trajectory.next(&mut x)?;
        let coloring = scale.map(|scale| values[entry].coloring(scale));
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
    say(&format!("{}: {count} frames drawn", args.dir.display()))?;
    Ok(Outcome::Done)
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
            scene_view(scene, world, &self.setup.state.x)
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
        let subject = subject(&self.setup);
        let mut trajectory = self.run.trajectory()?;
        let mut x = Vec::new();
        let mut before: Option<Placed> = None;
        for moment in &self.run.moments {
            trajectory.next(&mut x)?;
            let state = Placed {
                time: moment.time,
                x: x.clone(),
            };
            values.push(match color {
                ColorBy::Speed => {
                    let speed = speeds(&state, before.as_ref(), &self.setup.state.v);
                    mean_values(world, &speed)
                }
                _ => Values::stress(world, von_mises(&subject, &x)),
            });
            before = Some(state);
        }
        Ok(values)
    }
}
