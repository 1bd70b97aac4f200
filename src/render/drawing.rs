//! A stored run with the world of its scene, and what pictures need of both.

use crate::fields::{hoop, pressures, subject, von_mises};
use crate::pictures::args::PictureArgs;
use crate::pictures::arrows::{Arrows, ForceLook, ForceShow};
use crate::pictures::camera::{Camera, around_all, covering};
use crate::pictures::painter::Painter;
use crate::pictures::speeds::{Placed, speeds};
use crate::pictures::style;
use crate::pictures::values::{ColorBy, Values, mean_values};
use crate::plot::body_of;
use crate::scene_view::scene_view;
use crate::{CommandError, tell};
use ipcsim::contact::AdaptedPair;
use ipcsim::energy::Conditions;
use ipcsim::geometry::Aabb;
use ipcsim::material::Flow;
use ipcsim::scene::{Setup, build, read};
use ipcsim_store::folder::SCENE;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A stored run and the world of its scene, which together give pictures.
pub(super) struct Drawing {
    /// Path of the scene, for messages.
    pub(super) path: PathBuf,
    /// Stored run, with its trajectory.
    pub(super) run: StoredRun,
    /// Scene and world, built again from the scene in the folder.
    pub(super) setup: Setup,
}

impl Drawing {
    /// Opens the run in a folder and builds its scene.
    ///
    /// # Errors
    /// If a file cannot be read, or if the run and the scene have different numbers of vertices.
    pub(super) fn open(dir: &Path) -> Result<Self, CommandError> {
        let run = StoredRun::open(dir)?;
        let path = dir.join(SCENE);
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
        Ok(Self { path, run, setup })
    }

    /// Part of the world that pictures show (m), unless the camera moves: the one that the user asks for,
    /// with `--fit` the positions of all states, or else that of the scene.
    ///
    /// # Errors
    /// If the trajectory cannot be read.
    pub(super) fn view(&self, args: &PictureArgs) -> Result<Aabb, CommandError> {
        // Share of the diagonal that is added on every side.
        const MARGIN: f64 = 0.05;
        let Setup {
            scene,
            world,
            state,
            ..
        } = &self.setup;
        if let Some(view) = args.view {
            return Ok(view);
        }
        if scene.output.view.is_some() && !args.fit {
            return Ok(scene_view(scene, world, &state.x));
        }

        let mut trajectory = self.run.trajectory()?;
        let states = around_all(world, self.run.moments.len(), |x| Ok(trajectory.next(x)?))?;
        Ok(if args.fit {
            states.grown(MARGIN * states.extent().norm())
        } else {
            covering(scene, world, &state.x, &states)
        })
    }

    /// Entries of the states that are drawn: every Nth within the steps that the user asks for, and the
    /// last of them.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn entries(&self, args: &PictureArgs) -> Result<Vec<usize>, CommandError> {
        let [first, last] = args.frames.unwrap_or([0, usize::MAX]);
        let moments = self.run.moments.iter().enumerate();
        let within = moments.filter(|(_, moment)| (first..=last).contains(&moment.step));
        let within: Vec<usize> = within.map(|(entry, _)| entry).collect();
        let Some(&end) = within.last() else {
            let message = format!(
                "the run has written no state of these steps; its last one is {}",
                self.run.last_step()
            );
            return Err(StoredError::malformed(&self.run.dir, message).into());
        };

        let of_scene = self.setup.scene.output.frames_every;
        let every = args.every.map_or(of_scene, |every| every as usize);
        let mut chosen: Vec<usize> = within.into_iter().step_by(every).collect();
        if chosen.last() != Some(&end) {
            chosen.push(end);
        }
        Ok(chosen)
    }

    /// Painter for the view, the size and the colours that the user asks for.
    ///
    /// # Errors
    /// If the trajectory cannot be read, or a body has no such name.
    pub(super) fn painter(&self, args: &PictureArgs) -> Result<Painter, CommandError> {
        let Setup { scene, world, .. } = &self.setup;

        // The size of the scene, unless the user asks for another.
        let size = (scene.output.width, scene.output.height);
        let (width, height) = args.size.unwrap_or(size);
        let mut style = style(scene, width, height);
        style.labels = style.labels && !args.no_labels;
        style.transparent = args.transparent;
        let title = scene.name.clone().unwrap_or_default();
        let mesh = MeshFile::of(world);
        let mut painter = Painter::new(
            &mesh,
            |vertex| world.moves(vertex),
            self.view(args)?,
            style,
            &title,
        );
        if let Some(repeat) = args.repeat {
            painter = painter.repeated(&mesh, repeat);
        }
        if args.force_show() == Some(ForceShow::Network) {
            painter = painter.greyed();
        }
        for (name, color) in &args.body_color {
            painter = painter.colored(body_of(&self.setup, name, &self.path)?, *color);
        }
        Ok(painter)
    }

    /// Camera of the frames of a painter.
    ///
    /// # Errors
    /// If no body has the name to follow.
    pub(super) fn camera(
        &self,
        painter: &Painter,
        args: &PictureArgs,
    ) -> Result<Camera, CommandError> {
        let (width, height) = painter.size();
        if !args.camera.is_empty() {
            return Ok(Camera::moving(
                &args.camera,
                f64::from(width) / f64::from(height),
            ));
        }

        let Some(name) = &args.follow else {
            return Ok(Camera::Fixed(painter.view()));
        };
        let body = body_of(&self.setup, name, &self.path)?;
        Ok(Camera::Follows {
            vertices: self.setup.world.bodies[body].vertices.clone(),
            size: painter.view().extent(),
        })
    }

    /// Arrows of the forces of the states that are drawn, or their network. Tells the user what of
    /// them the run does not know.
    ///
    /// # Errors
    /// If a file of the run cannot be read.
    pub(super) fn arrows(
        &self,
        painter: &Painter,
        args: &PictureArgs,
        show: ForceShow,
    ) -> Result<Arrows, CommandError> {
        let entries = self.entries(args)?;
        let drawn = entries.iter().map(|entry| self.run.moments[*entry].step);
        let look = ForceLook {
            show,
            factor: args.arrow_scale.unwrap_or(1.0),
            pixels_per_metre: painter.scale(),
            unit: painter.unit(),
        };
        let world = &self.setup.world;
        let arrows = Arrows::read(&self.run, world, &drawn.collect(), &look)?;
        if arrows.without_friction {
            tell(
                "note: arrows show no friction, since the run has no file of contacts; run the \
                 scene with --set output.contacts=npy",
            );
        }
        if arrows.without_reactions {
            tell(
                "note: forces.csv has not all steps, so that some pictures have no arrows of reactions; run \
                 the scene with a larger output.force_rows",
            );
        }
        Ok(arrows)
    }

    /// Values of a state after another one, with barriers that have become stiffer and plastic flow.
    fn found(
        &self,
        color: ColorBy,
        (state, before): (&Placed, Option<&Placed>),
        adapted: &[AdaptedPair],
        flowed: &[Flow],
    ) -> Values {
        let world = &self.setup.world;
        let subject = subject(&self.setup);
        let x = &state.x;
        let conditions = Conditions {
            time: state.time,
            flowed,
        };
        match color {
            ColorBy::Speed => {
                let speed = speeds(state, before, &self.setup.state.v);
                mean_values(world, &speed)
            }
            ColorBy::Pressure => {
                let contacts = world.contacts_at(x, adapted);
                Values::pressure(world, pressures(&subject, &contacts, x))
            }
            ColorBy::Hoop => Values::stress(world, hoop(&subject, x, conditions)),
            _ => Values::stress(world, von_mises(&subject, x, conditions)),
        }
    }

    /// Values of every state, by which colours are chosen; none if colours show bodies. States that
    /// are not drawn have an empty list.
    ///
    /// All states are read before the first is drawn, since the scale of the colours spans all that
    /// are drawn.
    ///
    /// # Errors
    /// If the trajectory cannot be read.
    pub(super) fn values(&self, args: &PictureArgs) -> Result<Vec<Values>, CommandError> {
        let world = &self.setup.world;
        let mut values = Vec::new();
        let color = args.color_by.unwrap_or_default();
        if color == ColorBy::Body {
            return Ok(values);
        }

        // A speed needs the state before, a pressure the barriers that have become stiffer.
        let stiffening = match color {
            ColorBy::Pressure => Some(self.run.report()?.stiffening),
            _ => None,
        };

        let mut trajectory = self.run.trajectory()?;
        let drawn: BTreeSet<usize> = self.entries(args)?.into_iter().collect();
        let flows = matches!(color, ColorBy::Stress | ColorBy::Hoop);
        let mut flow = self
            .run
            .flow(if flows { world.model.flowing() } else { 0 })?;
        let mut flowed = Vec::new();
        let mut x = Vec::new();
        let mut before: Option<Placed> = None;

        for (entry, moment) in self.run.moments.iter().enumerate() {
            trajectory.next(&mut x)?;
            flow.next(&mut flowed)?;
            let state = Placed {
                time: moment.time,
                x: x.clone(),
            };
            if !drawn.contains(&entry) {
                values.push(Values::default());
                before = Some(state);
                continue;
            }

            let stiffer = stiffening.as_ref();
            let adapted = stiffer.map(|stiffer| stiffer.at(moment.step));
            let adapted = adapted.unwrap_or_default();
            let found = self.found(color, (&state, before.as_ref()), &adapted, &flowed);
            let found = if args.smooth {
                found.smoothed(world)
            } else {
                found
            };
            values.push(found);
            before = Some(state);
        }
        Ok(values)
    }
}
