//! `ipcsim render`.

use super::pictures::{Pictures, style};
use super::{CommandError, Outcome, say};
use crate::body::{Body, BodyKind};
use crate::commands::pictures::painter::{Coloring, Painter};
use crate::commands::pictures::view::{default_view, extent};
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::pictures::frame::ColorScale;
use crate::scene::{Setup, build, read};
use crate::store::folder::{ENERGIES, RunFolder, SCENE, TRAJECTORY};
use crate::store::mesh_file::MeshFile;
use crate::store::table::Table;
use crate::store::trajectory::TrajectoryReader;
use crate::time::World;
use std::path::PathBuf;

/// Draw the frames of a run again, from its folder.
#[derive(Debug, clap::Args)]
pub(super) struct RenderArgs {
    /// Folder of the run; its frames and animation are replaced.
    dir: PathBuf,
    /// Size in pixels, as 1920x1080 [default: the scene's].
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    size: Option<(u32, u32)>,
    /// What colours show.
    #[arg(long, value_enum, default_value_t = ColorBy::Body)]
    color: ColorBy,
    /// Fit the view to everything that the bodies do, instead of the scene's view.
    #[arg(long)]
    fit: bool,
}

/// What colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ColorBy {
    /// Which body it is.
    Body,
    /// Von Mises stress of the in-plane Cauchy stress.
    Stress,
    /// Speed.
    Speed,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text
        .split_once('x')
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let allowed = |side| (16..=16_384).contains(&side);
    let size = parts.filter(|&(width, height)| allowed(width) && allowed(height));
    size.ok_or_else(|| {
        "expected, for example, 1920x1080; each side must be from 16 to 16384".to_owned()
    })
}

pub(super) fn run(args: &RenderArgs) -> Result<Outcome, CommandError> {
    CommandError::refuse_unfinished(&args.dir)?;
    let run = StoredRun::open(args)?;
    let painter = run.painter(args)?;
    let values = run.values(args.color)?;
    let frames = args.dir.join(crate::store::folder::FRAMES);
    if frames.exists() {
        std::fs::remove_dir_all(&frames)
            .map_err(crate::store::folder::failed("remove", &frames))?;
    }
    let mut pictures = Pictures::create(&RunFolder::existing(&args.dir), painter.size())?;
    let range = values
        .iter()
        .flatten()
        .flatten()
        .filter(|v| v.is_finite())
        .copied();
    let (min, max) = range.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
        (a.min(v), b.max(v))
    });
    // Where all bodies are rigid there is no stress.
    let (min, max) = if min <= max { (min, max) } else { (0.0, 0.0) };
    let mut trajectory = TrajectoryReader::open(&args.dir.join(TRAJECTORY))?;
    let mut x = Vec::new();
    for (entry, &(step, time)) in run.moments.iter().enumerate() {
        trajectory.next(&mut x)?;
        let scale = match args.color {
            ColorBy::Body => None,
            ColorBy::Stress => Some(ColorScale {
                label: "von Mises stress",
                unit: "Pa",
                min,
                max,
            }),
            ColorBy::Speed => Some(ColorScale {
                label: "speed",
                unit: "m/s",
                min,
                max,
            }),
        };
        let coloring = scale.map(|scale| Coloring {
            triangles: &values[entry][0],
            springs: &values[entry][1],
            bodies: &values[entry][2],
            scale,
        });
        pictures.add(&painter.paint(&x, time, step, coloring)?, time, step)?;
    }
    let count = pictures.finish()?;
    say(&format!("{}: {count} frames drawn", args.dir.display()));
    Ok(Outcome::Done)
}

/// A run as its folder holds it.
struct StoredRun {
    setup: Setup,
    /// Step number and time (s) of each entry.
    moments: Vec<(usize, f64)>,
    path: PathBuf,
}

impl StoredRun {
    fn open(args: &RenderArgs) -> Result<Self, CommandError> {
        let path = args.dir.join(SCENE);
        let setup = read(&path, &[])
            .and_then(build)
            .map_err(CommandError::scene(&path))?;
        let table = Table::read(&args.dir.join(ENERGIES))?;
        // Step numbers are written as whole numbers.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, small and not negative"
        )]
        let moment = |row: &Vec<Option<f64>>| {
            (
                row[0].unwrap_or_default() as usize,
                row[1].unwrap_or_default(),
            )
        };
        let trajectory = TrajectoryReader::open(&args.dir.join(TRAJECTORY))?;
        let moments: Vec<(usize, f64)> = table
            .rows
            .iter()
            .map(moment)
            .take(trajectory.entries())
            .collect();
        if trajectory.vertices() != setup.world.rest.len() {
            let message = format!(
                "has {} vertices, but {SCENE} {}",
                trajectory.vertices(),
                setup.world.rest.len()
            );
            return Err(CommandError::Malformed {
                path: args.dir.join(TRAJECTORY),
                message,
            });
        }
        Ok(Self {
            setup,
            moments,
            path: args.dir.join(TRAJECTORY),
        })
    }

    fn painter(&self, args: &RenderArgs) -> Result<Painter, CommandError> {
        let Setup {
            scene,
            world,
            state,
            ..
        } = &self.setup;
        let end = scene.time.step * scene.time.steps as f64;
        let view = match scene.output.view {
            _ if args.fit => self.everything()?,
            Some(view) => Aabb {
                min: view.min.into(),
                max: view.max.into(),
            },
            None => default_view(world, &state.x, end),
        };
        let (width, height) = args
            .size
            .unwrap_or((scene.output.width, scene.output.height));
        let style = style(scene, width, height);
        let mesh = MeshFile::of(world);
        let title = scene.name.clone().unwrap_or_default();
        Ok(Painter::new(
            &mesh,
            |vertex| world.moves(vertex),
            view,
            style,
            &title,
        ))
    }

    /// The box around all that the bodies do.
    fn everything(&self) -> Result<Aabb, CommandError> {
        const MARGIN: f64 = 0.05;
        let mut trajectory = TrajectoryReader::open(&self.path)?;
        let mut x = Vec::new();
        let mut view = Aabb::EMPTY;
        for _ in &self.moments {
            trajectory.next(&mut x)?;
            view = view.union(&extent(&self.setup.world, &x));
        }
        Ok(view.grown(MARGIN * view.extent().norm()))
    }

    /// Values of the triangles, of the springs and of the bodies without either, for each entry; nothing if colours show
    /// bodies.
    fn values(&self, color: ColorBy) -> Result<Vec<[Vec<f64>; 3]>, CommandError> {
        let world = &self.setup.world;
        let mut trajectory = TrajectoryReader::open(&self.path)?;
        let mut values = Vec::new();
        let (mut x, mut before): (Vec<Vec2>, Option<(f64, Vec<Vec2>)>) = (Vec::new(), None);
        for &(_, time) in self.moments.iter().filter(|_| color != ColorBy::Body) {
            trajectory.next(&mut x)?;
            values.push(match color {
                ColorBy::Speed => speeds(world, &x, time, before.as_ref(), &self.setup.state.v),
                _ => [
                    world.von_mises(&x),
                    vec![0.0; world.springs.len()],
                    Vec::new(),
                ],
            });
            before = Some((time, x.clone()));
        }
        Ok(values)
    }
}

/// Mean speed of the vertices of each element, and of each rigid or affine body, since the entry before; at first that of
/// the scene.
fn speeds(
    world: &World,
    x: &[Vec2],
    time: f64,
    before: Option<&(f64, Vec<Vec2>)>,
    v: &[Vec2],
) -> [Vec<f64>; 3] {
    let speed = |i: usize| match before {
        Some((earlier, y)) if time > *earlier => (x[i] - y[i]).norm() / (time - earlier),
        _ => v[i].norm(),
    };
    let triangles = world
        .triangles
        .iter()
        .map(|t| t.iter().map(|&i| speed(i)).sum::<f64>() / 3.0)
        .collect();
    let springs = world
        .springs
        .iter()
        .map(|s| s.iter().map(|&i| speed(i)).sum::<f64>() / 2.0)
        .collect();
    let of_body = |body: &Body| match body.kind {
        BodyKind::Rigid | BodyKind::Affine => {
            body.vertices.clone().map(speed).sum::<f64>() / body.vertices.len() as f64
        }
        _ => f64::NAN,
    };
    [
        triangles,
        springs,
        world.bodies.iter().map(of_body).collect(),
    ]
}
