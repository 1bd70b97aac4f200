//! `ipcsim render`: draws the frames of a stored run again, with another size, view or colour.
//!
//! Positions are those of the trajectory. Stress and speed are computed again from them, so that a
//! run can be coloured although it stored neither. The scale of the colours spans all states that are drawn: a
//! colour means the same in every frame, unless the user asks for a scale of each.
//!
//! 1. [`Drawing::open`] reads the run and builds its world.
//! 2. [`Plan::of`] chooses states, camera, colours, arrows, symbols and [`traced`] points, from all states where needed.
//! 3. [`draw`] paints the states on all cores, a batch at a time, and writes them in their order, so
//!    that files do not depend on the number of threads.

mod drawing;
mod traced;

use super::pictures::args::PictureArgs;
use super::pictures::arrows::Arrows;
use super::pictures::camera::Camera;
use super::pictures::painter::{Painter, Shown};
use super::pictures::sketch::Sketch;
use super::pictures::values::{Choice, ColorBy, Range, Values, scale};
use super::pictures::{ANIMATIONS_AND_SHEET, Drawn, Pictures, SHEET};
use super::terminal::Bar;
use super::{CommandError, Outcome, say};
use crate::scene_view::scene_view;
use drawing::Drawing;
use ipcsim::geometry::Aabb;
use ipcsim::math::number::counted;
use ipcsim::math::{Vec2, parallel};
use ipcsim::scene::Setup;
use ipcsim_pictures::canvas::Canvas;
use ipcsim_pictures::frame::{ColorScale, Trace};
use ipcsim_pictures::png;
use ipcsim_store::file::write_whole;
use ipcsim_store::folder::FRAMES;
use ipcsim_store::run_files::Renewal;
use ipcsim_store::table::Moment;
use std::path::{Path, PathBuf};
use tiny_skia::Pixmap;
use traced::Traced;

/// Draw the frames of a stored run again, with another size, view or colour.
///
/// Positions are read from the folder of the run; nothing is simulated.
#[derive(Debug, clap::Args)]
pub(super) struct RenderArgs {
    /// Folder of the run; its frames and animation are replaced.
    dir: PathBuf,
    /// Folder for the pictures; numbered frames and animations in it are replaced [default: the folder of
    /// the run]. A name that ends in .png is one picture: of the last state that is drawn, or the sheet.
    #[arg(long, short, value_name = "DIR|FILE.png")]
    out: Option<PathBuf>,
    /// Number of threads; pictures do not depend on it [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    pictures: PictureArgs,
}

/// Runs `ipcsim render`: replaces the frames and the animation of a run.
///
/// # Errors
/// If the run cannot be read, does not fit its scene, or if pictures cannot be written.
pub(super) fn run(args: &RenderArgs) -> Result<Outcome, CommandError> {
    let out = args.out.as_deref().unwrap_or(&args.dir);
    let threads = args.threads.map(usize::from);
    let drawn = parallel::with_threads(threads, || {
        if is_picture(out) {
            return single(&args.dir, out, &args.pictures);
        }
        pictures(&args.dir, out, &args.pictures, args.quiet)
    });
    let count = drawn.map_err(CommandError::Threads)??;

    if !args.quiet {
        say(&format!(
            "{}: {} drawn",
            out.display(),
            counted(count, "frame")
        ))?;
    }
    Ok(Outcome::Done)
}

/// True if a path is one picture, and not a folder.
fn is_picture(path: &Path) -> bool {
    let ending = path.extension().is_some_and(|ending| ending == "png");
    ending && !path.is_dir()
}

/// Draws one picture of the run in `dir` to a `file`, and returns the number of states in it.
///
/// # Errors
/// If the run cannot be read, does not fit its scene, or if the picture cannot be written.
fn single(dir: &Path, file: &Path, args: &PictureArgs) -> Result<usize, CommandError> {
    let drawing = Drawing::open(dir)?;
    let plan = Plan::of(&drawing, args)?;
    let (columns, rows) = args.sheet.unwrap_or((1, 1));
    sheet(&drawing, plan, columns, rows, file)
}

/// Draws the pictures of the run in `dir` to the folder `out`, and returns the number of frames.
///
/// # Errors
/// If the run cannot be read, does not fit its scene, or if pictures cannot be written.
pub(super) fn pictures(
    dir: &Path,
    out: &Path,
    args: &PictureArgs,
    quiet: bool,
) -> Result<usize, CommandError> {
    let drawing = Drawing::open(dir)?;
    let plan = Plan::of(&drawing, args)?;

    // A run under way draws its own frames.
    let renewal = Renewal::begin(dir, out, |name| {
        name.starts_with(FRAMES) || ANIMATIONS_AND_SHEET.contains(&name)
    })?;
    let moments: Vec<Moment> = plan.moments(&drawing).copied().collect();
    let of_run = (&drawing.setup.scene.time, &moments[..]);
    let begun = Pictures::create(out, plan.painter.size(), args, of_run);
    let mut files = match begun {
        Ok(files) => files,
        Err(error) => {
            renewal.undo()?;
            return Err(error);
        }
    };
    let bar = Bar::new("frame", plan.entries.len(), quiet);
    draw(&drawing, &plan, &mut files, &bar)?;
    let count = files.finish()?;
    if let Some((columns, rows)) = args.sheet {
        sheet(&drawing, plan, columns, rows, &out.join(SHEET))?;
    }
    renewal.finish(&ANIMATIONS_AND_SHEET)?;
    Ok(count)
}

/// True if the frames that a run has drawn do not show where its bodies went: some have left the view
/// that prescribed motion alone gives.
///
/// # Errors
/// If the run cannot be read.
pub(super) fn is_left(dir: &Path) -> Result<bool, CommandError> {
    let drawing = Drawing::open(dir)?;
    let Setup {
        scene,
        world,
        state,
        ..
    } = &drawing.setup;

    if scene.output.view.is_some() {
        return Ok(false);
    }
    let usual = scene_view(scene, world, &state.x);
    Ok(drawing.view(&PictureArgs::default())? != usual)
}

/// What is drawn, and how.
struct Plan {
    /// Entries of the states that are drawn, ascending.
    entries: Vec<usize>,
    /// Painter of the frames.
    painter: Painter,
    /// Part of the world that each frame shows.
    camera: Camera,
    /// Values of all states; none if colours show bodies.
    values: Vec<Values>,
    /// Quantity of the values.
    color: ColorBy,
    /// Range and colours of the values.
    choice: Choice,
    /// Scale of all states, unless each has its own.
    scale: Option<ColorScale<'static>>,
    /// Arrows of forces, if they are drawn.
    arrows: Option<Arrows>,
    /// Symbols of loads, supports and joints, if they are drawn.
    sketch: Option<Sketch>,
    /// Paths of points.
    traced: Vec<Traced>,
}

impl Plan {
    /// Plan of the pictures that the user asks for.
    ///
    /// # Errors
    /// If a file of the run cannot be read, or what the user asks for does not exist.
    fn of(drawing: &Drawing, args: &PictureArgs) -> Result<Self, CommandError> {
        let painter = drawing.painter(args)?;
        let values = drawing.values(args)?;
        let color = args.color_by.unwrap_or_default();
        let choice = args.choice(&drawing.setup.scene);

        let camera = drawing.camera(&painter, args)?;
        let entries = drawing.entries(args)?;
        let arrows = match args.force_show() {
            Some(show) => {
                let mut arrows = drawing.arrows(&painter, args, show)?;
                arrows.set_corner(painter.free_corner(&looks(drawing, &entries, &camera)?));
                Some(arrows)
            }
            None => None,
        };
        let is_diagram = args.diagram || drawing.setup.scene.output.diagram;
        Ok(Self {
            entries,
            camera,
            scale: scale(color, &values, choice),
            values,
            color,
            choice,
            arrows,
            sketch: is_diagram.then(|| Sketch::of(&drawing.setup)),
            traced: traced::read(drawing, &args.trace)?,
            painter,
        })
    }

    /// Moments of the states that are drawn.
    fn moments<'a>(&'a self, drawing: &'a Drawing) -> impl Iterator<Item = &'a Moment> {
        self.entries
            .iter()
            .map(|&entry| &drawing.run.moments[entry])
    }

    /// Picture of the state `entry` with vertices at `x` (m).
    ///
    /// # Errors
    /// [`CommandError::Picture`] if it cannot be drawn.
    fn paint(&self, entry: usize, moment: &Moment, x: &[Vec2]) -> Result<Pixmap, CommandError> {
        let own = match (self.choice.range, self.values.get(entry)) {
            (Range::Frame, Some(_)) => scale(self.color, &self.values[entry..=entry], self.choice),
            _ => self.scale,
        };

        let coloring = own.map(|scale| self.values[entry].coloring(scale));
        let sketch = self.sketch.as_ref();
        let drawn = self.painter.drawn(x);
        let diagram = sketch.map(|sketch| sketch.at(&drawn, Some(moment.time)));
        let begin = self.entries.first().copied().unwrap_or_default();
        let traces: Vec<Trace> = self
            .traced
            .iter()
            .map(|own| own.within(begin, entry))
            .collect();
        let shown = Shown {
            coloring,
            diagram: diagram.as_ref(),
            forces: self
                .arrows
                .as_ref()
                .and_then(|arrows| arrows.at(moment.step)),
            traces: &traces,
            view: Some(self.camera.at(moment.time, &drawn)),
        };
        Ok(self.painter.paint(x, moment.time, moment.step, shown)?)
    }
}

/// Positions (m) and views (m) of some of the states that are drawn.
///
/// # Errors
/// If the trajectory cannot be read.
fn looks(
    drawing: &Drawing,
    entries: &[usize],
    camera: &Camera,
) -> Result<Vec<(Vec<Vec2>, Aabb)>, CommandError> {
    // As many as tell where bodies are.
    const MOST: usize = 40;
    let stride = entries.len().div_ceil(MOST).max(1);
    let mut chosen = entries.iter().step_by(stride).copied().peekable();
    let mut trajectory = drawing.run.trajectory()?;
    let mut x = Vec::new();
    let mut looks = Vec::new();
    for (entry, moment) in drawing.run.moments.iter().enumerate() {
        trajectory.next(&mut x)?;
        if chosen.next_if_eq(&entry).is_some() {
            looks.push((x.clone(), camera.at(moment.time, &x)));
        }
    }
    Ok(looks)
}

/// A state that waits to be drawn, and then its picture.
struct Task {
    /// Entry of the state in the trajectory.
    entry: usize,
    /// Positions of all vertices (m).
    x: Vec<Vec2>,
    /// Picture, once it is drawn.
    drawn: Option<Result<Drawn, CommandError>>,
}

/// Number of states of a batch for each thread.
const PER_THREAD: usize = 2;

/// Draws the states of a plan, a batch of them at a time on all cores, and writes them in their order.
///
/// # Errors
/// If the trajectory cannot be read, or a picture cannot be drawn or written.
fn draw(
    drawing: &Drawing,
    plan: &Plan,
    files: &mut Pictures,
    bar: &Bar,
) -> Result<(), CommandError> {
    let moments = &drawing.run.moments;
    let mut trajectory = drawing.run.trajectory()?;
    let mut x = Vec::new();
    let mut chosen = plan.entries.iter().copied().peekable();
    let mut batch: Vec<Task> = Vec::new();
    let most = PER_THREAD * parallel::threads();

    for entry in 0..moments.len() {
        trajectory.next(&mut x)?;
        if chosen.next_if_eq(&entry).is_none() {
            continue;
        }

        batch.push(Task {
            entry,
            x: x.clone(),
            drawn: None,
        });
        // The size of a batch bounds the pictures that are in memory at once.
        if batch.len() < most && chosen.peek().is_some() {
            continue;
        }

        // Pictures are independent of each other; their files are in the order of the states.
        parallel::chunks(&mut batch, 1, |_, tasks| {
            for task in tasks {
                let picture = plan.paint(task.entry, &moments[task.entry], &task.x);
                task.drawn = Some(picture.and_then(|picture| Ok(Drawn::of(picture)?)));
            }
        });
        for task in batch.drain(..) {
            let Some(drawn) = task.drawn else { continue };
            let moment = &moments[task.entry];
            files.add(&drawn?, moment.time, moment.step)?;
            bar.advance();
        }
    }
    Ok(())
}

/// Writes one picture of many moments, which are the states of the plan at equal distances, the first
/// and the last among them, row by row; of one moment, the last. Returns the number of moments.
///
/// # Errors
/// If the trajectory cannot be read, or the picture cannot be drawn or written.
fn sheet(
    drawing: &Drawing,
    mut plan: Plan,
    columns: u32,
    rows: u32,
    path: &Path,
) -> Result<usize, CommandError> {
    let (width, height) = plan.painter.size();
    let [wide, high] = [(width / columns).max(1), (height / columns).max(1)];
    let cells = (columns * rows) as usize;
    let last = plan.entries.len() - 1;
    let mut chosen: Vec<usize> = match cells - 1 {
        0 => vec![plan.entries[last]],
        steps => (0..cells)
            .map(|cell| plan.entries[(cell * last + steps / 2) / steps])
            .collect(),
    };
    // A run with fewer states than cells leaves cells empty.
    chosen.dedup();

    // Each state at its place on the sheet.
    plan.painter = plan.painter.resized(wide, high);
    let mut canvas = Canvas::new(wide * columns, high * rows)?;
    let mut trajectory = drawing.run.trajectory()?;
    let mut x = Vec::new();
    let mut cell = 0;
    for (entry, moment) in drawing.run.moments.iter().enumerate() {
        trajectory.next(&mut x)?;
        if chosen.get(cell) != Some(&entry) {
            continue;
        }

        let number = u32::try_from(cell).unwrap_or(u32::MAX);
        let place = [wide * (number % columns), high * (number / columns)];
        let place = place.map(|pixels| i32::try_from(pixels).unwrap_or(i32::MAX));
        canvas.picture(&plan.paint(entry, moment, &x)?, (place[0], place[1]));
        cell += 1;
    }

    let bytes = png::encode(&canvas.finish())?;
    write_whole(path, |out| out.write_all(&bytes))?;
    Ok(chosen.len())
}
