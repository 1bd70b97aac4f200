//! Pictures of a simulation between its steps, for programs: the frames that a run would write.

use super::super::CommandError;
use super::super::fields::pressures;
use super::args::PictureArgs;
use super::arrows::{Arrows, ForceLook, ForceShow};
use super::camera::Camera;
use super::painter::{Painter, Shown};
use super::sketch::Sketch;
use super::style;
use super::values::{self, Choice, ColorBy, Values, mean_values, scale};
use crate::scene_view::scene_view;
use clap::Parser;
use ipcsim::fields::Subject;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::simulation::Simulation;
use ipcsim_pictures::png::encode;
use ipcsim_store::mesh_file::MeshFile;
use std::ops::Range;
use tiny_skia::Pixmap;

/// A picture as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Number of columns (pixels).
    pub width: u32,
    /// Number of rows (pixels).
    pub height: u32,
    /// Red, green and blue of each pixel, `[height][width][3]`, from the upper left corner.
    pub rgb: Vec<u8>,
}

/// Choices for a picture.
#[derive(Clone, Debug)]
pub struct Look {
    /// Options of `ipcsim render`.
    options: PictureArgs,
    /// Part of the world that the picture shows (m), unless an option says another.
    usual: Aabb,
}

/// Options alone, as a command has them.
#[derive(clap::Parser)]
#[command(no_binary_name = true)]
struct Words {
    /// The options.
    #[command(flatten)]
    options: PictureArgs,
}

impl Look {
    /// Look with options of `ipcsim render`, such as `["--color-by", "stress"]`, at the part `usual` of the
    /// world (m). Options of animations and of many frames have no effect.
    ///
    /// # Errors
    /// What is wrong with an option, in words.
    pub fn read(options: &[String], usual: Aabb) -> Result<Self, String> {
        let Words { options } = Words::try_parse_from(options).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        })?;
        Ok(Self { options, usual })
    }

    /// Part of the world that a picture of a simulation shows (m).
    ///
    /// # Errors
    /// If nothing has the name of the body to follow.
    fn view(&self, simulation: &Simulation) -> Result<Aabb, CommandError> {
        let view = self.options.view.unwrap_or(self.usual);
        let Some(name) = &self.options.follow else {
            return Ok(view);
        };
        let vertices = body_named(simulation, name)?.1;
        let camera = Camera::Follows {
            vertices,
            size: view.extent(),
        };
        Ok(camera.at(simulation.time(), &simulation.state().x))
    }
}

/// Number and vertices of the body or obstacle of this name.
///
/// # Errors
/// If there is none.
fn body_named(simulation: &Simulation, name: &str) -> Result<(usize, Range<usize>), CommandError> {
    let bodies = &simulation.world().bodies;
    let found = bodies.iter().position(|body| body.name == name);
    let index = found.ok_or_else(|| CommandError::NoSuchBody(name.to_owned()))?;
    Ok((index, bodies[index].vertices.clone()))
}

/// View of the frames that a run of a simulation would write (m), from its present state: the
/// scene's view, or a box around everything and every place that prescribed motion leads to.
pub fn frame_view(simulation: &Simulation) -> Aabb {
    scene_view(
        simulation.scene(),
        simulation.world(),
        &simulation.state().x,
    )
}

/// Picture of the present state of a simulation. Scales of colours span this state alone.
///
/// # Errors
/// If a picture of this size cannot be made.
pub fn picture(simulation: &Simulation, look: &Look) -> Result<Picture, CommandError> {
    let drawn = painted(simulation, look)?;

    // Frames are opaque, so that colours need no division by opacity.
    let pixels = drawn.pixels().iter();
    Ok(Picture {
        width: drawn.width(),
        height: drawn.height(),
        rgb: pixels
            .flat_map(|p| [p.red(), p.green(), p.blue()])
            .collect(),
    })
}

/// The bytes of a PNG file with the [`picture`].
///
/// # Errors
/// If a picture of this size cannot be made.
pub fn picture_png(simulation: &Simulation, look: &Look) -> Result<Vec<u8>, CommandError> {
    Ok(encode(&painted(simulation, look)?)?)
}

/// The painting of the present state of a simulation.
///
/// # Errors
/// If a picture of this size cannot be made, or an option names a body that does not exist.
fn painted(simulation: &Simulation, look: &Look) -> Result<Pixmap, CommandError> {
    let scene = simulation.scene();
    let world = simulation.world();
    let state = simulation.state();
    let options = &look.options;

    // Values of the elements, one scale for all of them.
    let color = options.color_by.unwrap_or_default();
    let values = values(simulation, color).map(|values| {
        if options.smooth {
            values.smoothed(world)
        } else {
            values
        }
    });
    let choice = Choice {
        range: options.range.unwrap_or(values::Range::Whole),
        ..options.choice(scene)
    };
    let scale = scale(color, values.as_slice(), choice);
    let coloring = values
        .as_ref()
        .zip(scale)
        .map(|(values, scale)| values.coloring(scale));

    // Painter with the looks of bodies.
    let size = (scene.output.width, scene.output.height);
    let (width, height) = options.size.unwrap_or(size);
    let mut style = style(scene, width, height);
    style.labels = style.labels && !options.no_labels;
    let title = scene.name.as_deref().unwrap_or_default();
    let view = look.view(simulation)?;
    let moves = |vertex| world.moves(vertex);
    let mut painter = Painter::new(&MeshFile::of(world), moves, view, style, title);
    if options.force_show() == Some(ForceShow::Network) {
        painter = painter.greyed();
    }
    for (name, color) in &options.body_color {
        painter = painter.colored(body_named(simulation, name)?.0, *color);
    }

    // Forces and symbols over them.
    let mut arrows = None;
    if let Some(show) = options.force_show() {
        let look = ForceLook {
            show,
            factor: options.arrow_scale.unwrap_or(1.0),
            pixels_per_metre: painter.scale(),
            unit: painter.unit(),
        };
        let mut found = Arrows::of(simulation, &look)?;
        found.set_corner(painter.free_corner(&[(state.x.clone(), view)]));
        arrows = Some(found);
    }
    let is_diagram = options.diagram || scene.output.diagram;
    let sketch = is_diagram.then(|| Sketch::at_places(scene, world, &state.x));
    let drawn = painter.drawn(&state.x);
    let diagram = sketch.map(|sketch| sketch.at(&drawn, Some(state.time)));
    let shown = Shown {
        coloring,
        diagram: diagram.as_ref(),
        forces: arrows.as_ref().and_then(|arrows| arrows.at(state.step)),
        ..Shown::default()
    };
    Ok(painter.paint(&state.x, state.time, state.step, shown)?)
}

/// Values of the present state of a simulation by which colours are chosen; none if they show bodies.
fn values(simulation: &Simulation, color: ColorBy) -> Option<Values> {
    let scene = simulation.scene();
    let world = simulation.world();
    let state = simulation.state();
    match color {
        ColorBy::Body => None,
        ColorBy::Stress => Some(Values::stress(world, simulation.stress())),
        ColorBy::Hoop => Some(Values::stress(world, simulation.hoop_stress())),
        ColorBy::Speed => {
            let speeds: Vec<f64> = state.v.iter().map(Vec2::norm).collect();
            Some(mean_values(world, &speeds))
        }
        ColorBy::Pressure => {
            // Pressure asks for no material by its number.
            let materials = vec![None; world.bodies.len()];
            let subject = Subject::new(world, scene.plane, scene.thickness, materials);
            let contacts = world.contacts_at(&state.x, &state.memory.options.stiffening.adapted);
            let pressures = pressures(&subject, &contacts, &state.x);
            Some(Values::pressure(world, pressures))
        }
    }
}
