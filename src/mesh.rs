//! `ipcsim mesh`: triangles of a shape, with a picture of their quality.
//!
//! The command is for finding sizes before a run: it meshes as a scene does, in the same lines of code, and
//! says what a run would not: the angles, the edges, the groups. What it writes can be the shape of a body,
//! or go to another program.
//!
//! The shape is that of a file, or of a body of a scene. Curves are meshed; a mesh is taken as it is. If
//! curves are wrong, the picture shows them with a circle around each fault instead.

mod picture;
mod written;

use super::{CommandError, Outcome, say, tell};
use ipcsim::files::read_bytes;
use ipcsim::math::number::{counted, length, short};
use ipcsim::mesh::{Fault, Mesh, Quality};
use ipcsim::scene::area::{Curves, Purpose, inline, meshed};
use ipcsim::scene::schema::{Area, InlineMesh, Meshing, Near, Scene, Shape, ShapeFile, Unit};
use ipcsim::scene::{Named, SHAPES, Source, shapes_of_file};
use ipcsim_store::file::write_whole;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Mesh the area within curves, and draw a picture of its quality.
///
/// FILE is an SVG picture, a DXF drawing, a mesh of Gmsh (.msh, 2.2 or 4.1), of Abaqus or `CalculiX`
/// (.inp), of Medit or MFEM (.mesh), an OBJ model, a VTK grid (.vtk, .vtu), or a scene (.json). A
/// drawing of several shapes becomes one mesh with a group for each. OUT is a shape for scenes (.json), a Gmsh mesh of version 2.2 (.msh), or an
/// OBJ model (.obj). Next to it a picture with the ending .png shows the least angle of each
/// triangle. If curves cross, or holes are outside, nothing is written but the picture, with a
/// circle at each fault.
#[derive(Debug, clap::Args)]
pub(super) struct MeshArgs {
    /// File with the shape, or a scene.
    file: PathBuf,
    /// File to write the mesh to; its ending is .json, .msh or .obj.
    #[arg(long, short, value_name = "OUT")]
    out: PathBuf,
    /// Picture of the mesh (PNG) [default: OUT with the ending .png].
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Length of a unit of FILE: m, cm, mm, um, inch, or own for the unit that a drawing states
    /// itself. A scene needs none.
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    unit: Option<Unit>,
    /// Name of the body of a scene, or of the group, layer, path or shape of a file, that is
    /// meshed.
    #[arg(long, value_name = "NAME")]
    part: Option<String>,
    /// Distance below which points are one, and ends of curves are joined (m).
    #[arg(long, value_name = "DISTANCE")]
    tolerance: Option<f64>,
    /// Largest length of an edge (m).
    #[arg(long, value_name = "SIZE")]
    size: Option<f64>,
    /// Length of edges (m) along the curve of a name. Can be repeated.
    #[arg(long, value_name = "NAME=SIZE", value_parser = along)]
    along: Vec<(String, f64)>,
    /// Length of edges (m) near a point (m). Can be repeated.
    #[arg(long, value_name = "X,Y=SIZE", value_parser = near, allow_hyphen_values = true)]
    near: Vec<Near>,
    /// Growth of lengths with the distance from such curves and points.
    #[arg(long, value_name = "SHARE")]
    grading: Option<f64>,
    /// Least angle of triangles (degrees), up to 30.
    #[arg(long, value_name = "DEGREES")]
    least_angle: Option<f64>,
    /// Largest distance of edges from curves (m).
    #[arg(long, value_name = "DISTANCE")]
    deviation: Option<f64>,
}

/// Runs `ipcsim mesh`.
///
/// # Errors
/// If the file cannot be read, its curves are wrong, or a file cannot be written.
pub(super) fn run(args: &MeshArgs) -> Result<Outcome, CommandError> {
    let writer = written::Kind::of(&args.out).map_err(|message| wrong(&args.out, message))?;
    let (shapes, notes) = read(args)?;
    for note in notes {
        tell(&format!("warning: {}: {note}", args.file.display()));
    }

    let picture = args
        .picture
        .clone()
        .unwrap_or_else(|| args.out.with_extension("png"));
    let mut meshes = Vec::new();
    let mut faulty = Vec::new();
    let mut count = 0;
    let known = known_names(&shapes);
    for Named { name, shape } in shapes {
        match one(args, shape, known.as_ref())? {
            Ok(mesh) => {
                // Each shape is bounded, and so are all together.
                count += mesh.triangles.len();
                if count > MOST_TRIANGLES {
                    return Err(too_many(args));
                }
                meshes.push((name, mesh));
            }
            Err(wrong) => faulty.push((name, wrong)),
        }
    }
    if meshes.is_empty()
        && let Some((_, Wrong { area, faults })) = faulty.first()
    {
        return Err(refuse(args, area, faults, &picture));
    }
    for (name, Wrong { faults, .. }) in faulty {
        tell_left(args, &name.unwrap_or_default(), &faults);
    }
    let mesh = together(meshes);
    write_whole(&args.out, |out| writer.write(&mesh, out))?;

    let plain = Mesh {
        vertices: mesh.vertices.iter().map(|&x| x.into()).collect(),
        triangles: mesh.triangles.clone(),
        ..Mesh::default()
    };
    let bytes = picture::of_mesh(&plain)?;
    write_whole(&picture, |out| out.write_all(&bytes))?;
    describe(args, &plain, &mesh, &picture)?;
    Ok(Outcome::Done)
}

/// Largest number of triangles of all shapes of a drawing.
const MOST_TRIANGLES: usize = 10_000_000;

/// The error of shapes with too many triangles in all.
fn too_many(args: &MeshArgs) -> CommandError {
    let message = format!(
        "its shapes have more than {MOST_TRIANGLES} triangles in all; choose one by --part, or a larger --size"
    );
    wrong(&args.file, message)
}

/// An area whose curves are wrong.
struct Wrong {
    area: Area,
    faults: Vec<Fault>,
}

/// Names of the curves of several shapes; `None` if there is but one.
fn known_names(shapes: &[Named]) -> Option<BTreeSet<String>> {
    let areas = shapes.iter().filter_map(|named| match &named.shape {
        Shape::Area(area) => Some(area),
        _ => None,
    });
    let names = areas.flat_map(|area| {
        area.names()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    (shapes.len() > 1).then(|| names.collect())
}

/// The mesh of a shape, or why its curves are wrong. A size along a curve of another shape, whose names are
/// `known`, is not for this one.
///
/// # Errors
/// If it is neither area nor mesh, or a number of the command line is wrong.
fn one(
    args: &MeshArgs,
    shape: Shape,
    known: Option<&BTreeSet<String>>,
) -> Result<Result<InlineMesh, Wrong>, CommandError> {
    match shape {
        Shape::Mesh(mesh) => {
            args.warn_of_sizes();
            Ok(Ok(mesh))
        }
        Shape::Area(mut area) => {
            args.apply(&mut area);
            if let Some(known) = known {
                let own: Vec<String> = area.names().into_iter().map(str::to_owned).collect();
                let along = &mut area.mesh.along;
                along.retain(|name, _| own.contains(name) || !known.contains(name));
            }
            check(args, &area)?;
            let meshed = match meshed(&area) {
                Ok(meshed) => meshed,
                Err(faults) => return Ok(Err(Wrong { area, faults })),
            };
            if meshed.is_incomplete {
                tell("warning: the refinement is incomplete; the worst angle is below");
            }
            Ok(Ok(inline(&meshed)))
        }
        _ => {
            let message = "its shape itself has neither curves nor triangles";
            Err(wrong(&args.file, message))
        }
    }
}

/// Says that one shape of several is left out, since its curves are wrong.
fn tell_left(args: &MeshArgs, name: &str, faults: &[Fault]) {
    let first = faults.first().map_or_else(String::new, |fault| {
        format!("{} {}", fault.label, fault.message)
    });
    tell(&format!(
        "warning: {}: {name} is left out: {first}; --part {name} shows where",
        args.file.display()
    ));
}

/// One mesh of the meshes of several shapes, with a group of triangles for each name.
fn together(meshes: Vec<(Option<String>, InlineMesh)>) -> InlineMesh {
    let is_quadratic = meshes.iter().all(|(_, mesh)| mesh.quadratic);
    let mut all = InlineMesh {
        vertices: Vec::new(),
        triangles: Vec::new(),
        quadratic: is_quadratic,
        groups: BTreeMap::new(),
    };
    for (name, mesh) in meshes {
        let [first, before] = [all.vertices.len(), all.triangles.len()];
        let count = mesh.triangles.len();
        all.vertices.extend(mesh.vertices);
        let triangles = mesh.triangles.into_iter();
        all.triangles
            .extend(triangles.map(|corners| corners.map(|i| i + first)));
        for (name, group) in mesh.groups {
            let own = all.groups.entry(name).or_default();
            own.vertices
                .extend(group.vertices.iter().map(|i| i + first));
            own.triangles
                .extend(group.triangles.iter().map(|k| k + before));
        }
        if let Some(name) = name {
            let own = all.groups.entry(name).or_default();
            own.triangles.extend(before..before + count);
        }
    }
    all
}

/// The shapes of the file, and what was changed or left out.
///
/// A scene reads its shapes itself, from its own folder. A file on the command line is read wherever it
/// is, since the user has named it.
///
/// # Errors
/// If it cannot be read.
fn read(args: &MeshArgs) -> Result<(Vec<Named>, Vec<String>), CommandError> {
    let file = &args.file;
    let in_scene = || CommandError::scene(file);
    if file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
    {
        let scene = Source::read(file, &[], SHAPES)
            .map_err(in_scene())?
            .scene()
            .map_err(in_scene())?;
        let shape = of_scene(args, &scene)?;
        return Ok((vec![Named { name: None, shape }], Vec::new()));
    }

    let Some(unit) = args.unit else {
        let message =
            "its unit is not known; add for example --unit mm, the length of 1 in the file";
        return Err(wrong(file, message));
    };

    let bytes =
        read_bytes(file).map_err(|error| wrong(file, format!("cannot be read: {error}")))?;
    let mut named = ShapeFile::new(file.to_string_lossy(), unit);
    named.part.clone_from(&args.part);
    named.deviation = args.deviation;
    named.tolerance = args.tolerance;
    shapes_of_file(&named, &bytes).map_err(|error| wrong(file, error.to_string()))
}

/// The shape of a body of a scene: the first with curves or triangles, or that of the name.
///
/// # Errors
/// If there is none.
fn of_scene(args: &MeshArgs, scene: &Scene) -> Result<Shape, CommandError> {
    let mut bodies = scene.bodies.iter();
    let body = match &args.part {
        Some(name) => bodies.find(|body| body.name == *name),
        None => bodies.find(|body| matches!(body.shape, Shape::Area(_) | Shape::Mesh(_))),
    };
    let body = body.ok_or_else(|| {
        let message = match &args.part {
            Some(name) => format!("it has no body \"{name}\""),
            None => "none of its bodies has an area or a mesh".to_owned(),
        };
        wrong(&args.file, message)
    })?;

    Ok(body.shape.clone())
}

impl MeshArgs {
    /// Warns of options that say how curves are meshed, where there are triangles already.
    fn warn_of_sizes(&self) {
        let options = [
            ("--size", self.size.is_some()),
            ("--along", !self.along.is_empty()),
            ("--near", !self.near.is_empty()),
            ("--grading", self.grading.is_some()),
            ("--least-angle", self.least_angle.is_some()),
            ("--deviation", self.deviation.is_some()),
        ];
        let given: Vec<&str> = options
            .iter()
            .filter(|(_, is_given)| *is_given)
            .map(|(option, _)| *option)
            .collect();
        if !given.is_empty() {
            tell(&format!(
                "warning: {}: has triangles already, and they stay as they are: {} changes nothing, since sizes \
                 are for curves; mesh the drawing, or refine in the program that made the mesh",
                self.file.display(),
                given.join(" and ")
            ));
        }
    }

    /// Puts the sizes of the command line into an area.
    ///
    /// What a scene says stays where the command line says nothing; sizes along curves and near points
    /// come in addition.
    fn apply(&self, area: &mut Area) {
        let Meshing {
            size,
            along,
            near,
            grading,
            least_angle_deg,
        } = &mut area.mesh;
        *size = self.size.or(*size);
        along.extend(self.along.iter().cloned());
        near.extend(&self.near);
        *grading = self.grading.unwrap_or(*grading);
        *least_angle_deg = self.least_angle.unwrap_or(*least_angle_deg);
        area.deviation = self.deviation.or(area.deviation);
        area.tolerance = self.tolerance.or(area.tolerance);
    }
}

/// Checks the numbers of an area as those of a scene; faults of its curves are left to the mesh.
///
/// # Errors
/// If a number is wrong, or a name is that of no curve.
fn check(args: &MeshArgs, area: &Area) -> Result<(), CommandError> {
    let problems = ipcsim::scene::check_meshing(area);
    if problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Err(wrong(&args.file, lines.join("\n")))
}

/// The error of an area whose curves are wrong, after its picture is drawn.
///
/// A picture that cannot be drawn is a warning: the faults themselves are more important.
fn refuse(args: &MeshArgs, area: &Area, faults: &[Fault], picture: &Path) -> CommandError {
    let curves = Curves::of(area, Purpose::Edges);
    let drawn = picture::of_faults(&curves.loops, faults)
        .map_err(CommandError::from)
        .and_then(|bytes| Ok(write_whole(picture, |out| out.write_all(&bytes))?));
    if let Err(error) = drawn {
        tell(&format!(
            "warning: {}: not drawn: {error}",
            picture.display()
        ));
    }

    let lines = faults.iter().zip(1..);
    let lines: Vec<String> = lines
        .map(|(fault, k)| format!("  {k}. {} {}", fault.label, fault.message))
        .collect();
    let message = format!(
        "its curves enclose no area; {} shows where\n{}",
        picture.display(),
        lines.join("\n")
    );
    wrong(&args.file, message)
}

/// An error of a file with a shape.
fn wrong(file: &Path, message: impl Into<String>) -> CommandError {
    CommandError::Shape {
        file: file.to_path_buf(),
        message: message.into(),
    }
}

/// Prints numbers of the mesh and its groups.
///
/// The least angle is the one that a run depends on most, and comes with its place.
///
/// # Errors
/// If standard output cannot be written.
fn describe(
    args: &MeshArgs,
    mesh: &Mesh,
    named: &InlineMesh,
    picture: &Path,
) -> Result<(), CommandError> {
    say(&format!(
        "{}: {}, {}; {} shows their quality",
        args.out.display(),
        counted(mesh.vertices.len(), "vertex"),
        counted(mesh.triangles.len(), "triangle"),
        picture.display()
    ))?;

    let Some(quality) = Quality::of(mesh) else {
        return Ok(());
    };
    say(&format!(
        "  smallest angle   {:.2} degrees, at ({}, {}) m; mean of the smallest {:.2} degrees",
        quality.least_angle.to_degrees(),
        short(quality.at.x),
        short(quality.at.y),
        quality.mean_angle.to_degrees()
    ))?;
    say(&format!(
        "  largest angle    {:.2} degrees",
        quality.largest_angle.to_degrees()
    ))?;
    say(&format!(
        "  edges            {} to {}",
        length(quality.shortest),
        length(quality.longest)
    ))?;

    for name in named.groups.keys() {
        let vertices = counted(named.vertices_of(name).len(), "vertex");
        let triangles = counted(named.groups[name].triangles.len(), "triangle");
        say(&format!("  group \"{name}\": {vertices}, {triangles}"))?;
    }
    Ok(())
}

/// Reads a unit of the command line, by its name in scenes.
///
/// # Errors
/// If it is none.
fn unit(text: &str) -> Result<Unit, String> {
    serde_json::from_value(serde_json::Value::from(text))
        .map_err(|_| "expected m, cm, mm, um, inch or own".to_owned())
}

/// Reads a name and a size (m). The name may have signs of equality itself.
///
/// # Errors
/// If there is no `=`, or no number behind it.
fn along(text: &str) -> Result<(String, f64), String> {
    let parts = text
        .rsplit_once('=')
        .and_then(|(name, size)| Some((name.to_owned(), size.parse().ok()?)));
    parts.ok_or_else(|| "expected NAME=SIZE, for example bore=0.001".to_owned())
}

/// Reads a point and a size (m), which holds at the point alone.
///
/// # Errors
/// If it is not of the form `X,Y=SIZE`.
fn near(text: &str) -> Result<Near, String> {
    let parts = text.split_once('=').and_then(|(at, size)| {
        let (x, y) = at.split_once(',')?;
        Some(Near {
            at: [x.trim().parse().ok()?, y.trim().parse().ok()?],
            size: size.trim().parse().ok()?,
            radius: 0.0,
        })
    });
    parts.ok_or_else(|| "expected X,Y=SIZE, for example 0,0.1=0.002".to_owned())
}
