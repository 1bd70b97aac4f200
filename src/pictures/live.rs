//! Pictures of a simulation between its steps, for programs: the frames that a run would write.

use super::super::CommandError;
use super::super::fields::pressures;
use super::painter::{Painter, Shown};
use super::style;
use super::values::{Choice, ColorBy, Values, mean_values, scale};
use crate::scene_view::scene_view;
use ipcsim::fields::Subject;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::simulation::Simulation;
use ipcsim_pictures::png::encode;
use ipcsim_store::mesh_file::MeshFile;
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
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Width and height (pixels); those of the scene if `None`.
    pub size: Option<(u32, u32)>,
    /// Quantity that the colours show.
    pub color: ColorBy,
    /// Part of the world that the picture shows (m).
    pub view: Aabb,
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
/// If a picture of this size cannot be made.
fn painted(simulation: &Simulation, look: &Look) -> Result<Pixmap, CommandError> {
    let scene = simulation.scene();
    let world = simulation.world();
    let state = simulation.state();
    let (width, height) = look
        .size
        .unwrap_or((scene.output.width, scene.output.height));

    // Values of the elements, one scale for all of them.
    let values = match look.color {
        ColorBy::Body => None,
        ColorBy::Stress => Some(Values::stress(world, simulation.stress())),
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
    };
    let scale = scale(look.color, values.as_slice(), Choice::WHOLE);
    let coloring = values
        .as_ref()
        .zip(scale)
        .map(|(values, scale)| values.coloring(scale));

    let painter = Painter::new(
        &MeshFile::of(world),
        |vertex| world.moves(vertex),
        look.view,
        style(scene, width, height),
        scene.name.as_deref().unwrap_or_default(),
    );
    let shown = Shown {
        coloring,
        ..Shown::default()
    };
    Ok(painter.paint(&state.x, state.time, state.step, shown)?)
}
