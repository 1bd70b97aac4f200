//! A plan with all that it names, read into memory.
//!
//! [`Sources`] are texts alone: they can be sent to another machine, where the same [`Study`] is
//! made of them. Their checksum, with the version of the program, tells two studies apart.

use super::error::StudyError;
use super::plan::{Axis, Plan};
use super::points::Points;
use ipcsim::files::read_text;
use ipcsim::math::number::bytes as in_bytes;
use ipcsim::scene::{SHAPES, Scene, SceneError, Setting, Setup, Source, Template, build, located};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// Texts of a plan and of the files that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// Text of the plan.
    pub plan: String,
    /// Text of the scene.
    pub scene: String,
    /// Texts of the tables in `vary`, in order.
    pub tables: Vec<String>,
}

/// A plan, its points and its scene.
#[derive(Clone, Debug)]
pub struct Study {
    /// Plan as its file says.
    pub plan: Plan,
    /// Values of each run.
    pub points: Points,
    /// Scene with the values that all runs share.
    template: Template,
    /// Names of the measures of the first run, columns of the table.
    pub measures: Vec<String>,
    /// Checksum of the sources and of the program's version.
    pub identity: u32,
}

impl Sources {
    /// Reads a plan and the files that it names.
    ///
    /// # Errors
    /// [`StudyError::Read`] or [`StudyError::Text`].
    pub fn read(path: &Path) -> Result<Self, StudyError> {
        let plan = text(path)?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Self::of(plan, folder)
    }

    /// Sources of the text of a plan. The files that it names are relative to `folder`.
    ///
    /// # Errors
    /// [`StudyError::Read`] or [`StudyError::Text`].
    pub fn of(plan: String, folder: &Path) -> Result<Self, StudyError> {
        let read = Plan::parse(&plan).map_err(StudyError::Text)?;
        let mut tables = Vec::new();
        for axis in &read.vary {
            if let Axis::Table(file) = axis {
                let table = named(folder, file)?;
                let cells = table.matches([',', '\n']).count();
                if cells > MOST_CELLS {
                    return Err(StudyError::Plan(format!(
                        "{}: it has about {cells} fields, which take {} of memory, but a table has \
                         {MOST_CELLS} at most; give ranges, or divide it",
                        file.display(),
                        in_bytes(BYTES_PER_CELL * cells as f64)
                    )));
                }
                tables.push(table);
            }
        }
        Ok(Self {
            scene: named(folder, &read.scene)?,
            plan,
            tables,
        })
    }
}

/// Largest number of fields of a table of points, 0.3 GB.
const MOST_CELLS: usize = 3_000_000;

/// Bytes of a field of a table: its text, and its value.
const BYTES_PER_CELL: f64 = 100.0;

/// Text of a file that a plan in `folder` names.
///
/// # Errors
/// [`StudyError::Read`], also if the file is outside of the folder.
fn named(folder: &Path, name: &Path) -> Result<String, StudyError> {
    let path = located(folder, name, "plan").map_err(|message| StudyError::Read {
        path: folder.join(name),
        source: io::Error::other(message),
    })?;
    text(&path)
}

/// Text of a file.
///
/// # Errors
/// [`StudyError::Read`].
fn text(path: &Path) -> Result<String, StudyError> {
    read_text(path).map_err(|source| StudyError::Read {
        path: path.to_path_buf(),
        source,
    })
}

impl Study {
    /// Study of its sources. Keys and types of the values are tried with those of the first run.
    ///
    /// # Errors
    /// [`StudyError::Text`], [`StudyError::Plan`] or [`StudyError::Scene`].
    pub fn new(sources: &Sources) -> Result<Self, StudyError> {
        let plan = Plan::parse(&sources.plan).map_err(StudyError::Text)?;
        let points = Points::new(&plan.vary, &sources.tables)?;
        let source = Source {
            text: sources.scene.clone(),
            overrides: Vec::new(),
            name: plan
                .scene
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
            folder: plan.scene.parent().map(Path::to_path_buf),
            shapes: SHAPES,
        };

        let in_scene = |source| wrong(&plan.scene, source);
        let set = plan.set.iter().map(|(key, value)| Setting {
            key: key.clone(),
            value: value.clone(),
        });
        let set: Vec<Setting> = set.collect();
        let template = Template::new(&source)
            .and_then(|template| template.set(&set))
            .map_err(in_scene)?;
        let first = template.with(&points.settings(0)).map_err(in_scene)?;
        let measures = first.measure.iter().map(|own| own.name.clone()).collect();
        Self::find_bodies(&plan, first)?;

        Ok(Self {
            measures,
            identity: identity(&plan, sources),
            plan,
            points,
            template,
        })
    }

    /// Looks for the bodies that the plan names in the first run. A first run that cannot be built
    /// has none to look for.
    ///
    /// # Errors
    /// [`StudyError::Plan`] with the first name that does not exist.
    fn find_bodies(plan: &Plan, first: Scene) -> Result<(), StudyError> {
        if plan.bodies.is_empty() {
            return Ok(());
        }
        let Ok(setup) = build(first) else {
            return Ok(());
        };
        for name in &plan.bodies {
            let bodies = &setup.world.bodies;
            if !bodies.iter().any(|body| body.name == *name) {
                let known = bodies.iter().take(20).map(|body| body.name.as_str());
                let known: Vec<&str> = known.collect();
                return Err(StudyError::Plan(format!(
                    "bodies: no body or obstacle is named \"{name}\"; the names are {}",
                    known.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// Number of runs.
    pub fn count(&self) -> u64 {
        self.points.count()
    }

    /// Scene of a run.
    ///
    /// # Errors
    /// [`SceneError::Setting`] if a value has a wrong type.
    pub fn scene(&self, run: u64) -> Result<Scene, SceneError> {
        self.template.with(&self.points.settings(run))
    }

    /// World and state at the start of a run.
    ///
    /// # Errors
    /// If the scene has a problem.
    pub fn setup(&self, run: u64) -> Result<Setup, SceneError> {
        build(self.scene(run)?)
    }
}

/// Number of the layout of journals, which grows when entries change: journals of another layout are
/// refused.
const LAYOUT: u32 = 3;

/// Checksum of what decides the rows: the version of the program, the plan without the folders of
/// its files, and the texts of these.
fn identity(plan: &Plan, sources: &Sources) -> u32 {
    let mut plan = plan.clone();
    let name = |path: &Path| path.file_name().map_or_else(PathBuf::new, PathBuf::from);
    plan.scene = name(&plan.scene);
    for axis in &mut plan.vary {
        if let Axis::Table(file) = axis {
            *file = name(file);
        }
    }

    // A plan was read from JSON, so it can be written as JSON.
    let version = (env!("CARGO_PKG_VERSION"), LAYOUT);
    let decisive = (version, plan, &sources.scene, &sources.tables);
    crc32fast::hash(&serde_json::to_vec(&decisive).unwrap_or_default())
}

/// Error of a scene that a plan names.
fn wrong(path: &Path, source: SceneError) -> StudyError {
    StudyError::Scene {
        path: PathBuf::from(path),
        source,
    }
}
