//! Fields of a run as files, written while it is under way or later.
//!
//! A [`Sink`] gets states one by one and makes files of them: [`series`] those for `ParaView`,
//! [`tables`] those of probes and sections, [`arrays`] and [`rows`] all values for `NumPy` and as
//! text. The writers of a run hand it the entries of the journal, `ipcsim export` the states that a
//! folder has ([`stored`]). What the values are is known to [`ipcsim::fields`] alone.

pub(super) mod arrays;
pub(super) mod grid;
pub(super) mod rows;
pub(super) mod series;
pub(super) mod stored;
pub(super) mod tables;

use super::CommandError;
use ipcsim::contact::Contacts;
use ipcsim::energy::Conditions;
use ipcsim::fields::{ContactsOnVertices, FIELDS, Field, Known, Owner, Snapshot, Subject, by_key};
use ipcsim::math::Vec2;
use ipcsim::scene::Setup;
use ipcsim::scene::schema::Output;
use ipcsim_store::journal::Entry;

/// Files that are made state by state.
pub(super) trait Sink {
    /// Adds the state after `step` steps, at `time` (s).
    ///
    /// # Errors
    /// If a file cannot be written.
    fn add(&mut self, step: usize, time: f64, known: &Known) -> Result<(), CommandError>;

    /// Completes the files; returns the name and checksum of each that has one of its own.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, CommandError>;
}

/// A file that is complete.
pub(super) struct Written {
    /// Name in its folder.
    pub(super) name: String,
    /// Checksum (CRC-32, hexadecimal).
    pub(super) checksum: String,
}

/// What all states of a scene share, without spots.
pub(super) fn subject(setup: &Setup) -> Subject<'_> {
    let Setup { scene, world, .. } = setup;
    let names = material_names(setup);
    let of_bodies = scene.bodies.iter().map(|body| Some(body.material.as_str()));
    let of_obstacles = scene.obstacles.iter().map(|own| own.material.as_deref());
    let materials = of_bodies.chain(of_obstacles).map(|material| {
        let material = material?;
        names.iter().position(|name| *name == material)
    });
    let mut subject = Subject::new(world, scene.plane, scene.thickness, materials.collect());
    subject.of_triangles = of_triangles(setup, &subject);
    subject
}

/// Number of the material of each triangle, `[triangles]`; empty if no body has regions.
///
/// Triangles are those of the world, body by body, and within a body material by material.
fn of_triangles(setup: &Setup, subject: &Subject) -> Vec<Option<usize>> {
    let Setup { scene, regions, .. } = setup;
    if regions.iter().all(|&region| region == 0) {
        return Vec::new();
    }
    let names = material_names(setup);
    let owners = triangles(subject).into_iter();
    let materials = owners.zip(regions).map(|(owner, &region)| {
        let body = scene.bodies.get(owner.body)?;
        let region = region.checked_sub(1).and_then(|k| body.regions.get(k));
        let name = region.map_or(&body.material, |region| &region.material);
        names.iter().position(|known| known == name)
    });
    materials.collect()
}

/// Von Mises stress of each triangle at positions `x` (m) under these conditions (Pa).
pub(super) fn von_mises(subject: &Subject, x: &[Vec2], conditions: Conditions) -> Vec<f64> {
    Snapshot::new(subject, Known::positions(x, conditions)).von_mises()
}

/// Cauchy stress around the axis of each triangle (Pa), `[triangles]`, at positions `x` (m) under these
/// conditions.
pub(super) fn hoop(subject: &Subject, x: &[Vec2], conditions: Conditions) -> Vec<f64> {
    let snapshot = Snapshot::new(subject, Known::positions(x, conditions));
    let triangles = &snapshot.stress().triangles;
    triangles.iter().map(|stress| stress.zz).collect()
}

/// Contact pressure at the vertices of outlines at positions `x` (m) (Pa), `[vertices]`, by the normal
/// forces of the contacts `found` there; 0 inside of bodies.
pub(super) fn pressures(subject: &Subject, found: &Contacts, x: &[Vec2]) -> Vec<f64> {
    let contacts = ContactsOnVertices::normal(subject.world, found, x);
    let known = Known {
        contacts: Some(&contacts),
        ..Known::positions(x, Conditions::default())
    };

    let snapshot = Snapshot::new(subject, known);
    by_key("contact_pressure")
        .and_then(|field| field.at_points(&snapshot))
        .unwrap_or_else(|| vec![f64::NAN; x.len()])
}

/// Cells that are the triangles of the world, in its order.
fn triangles(subject: &Subject) -> Vec<Owner> {
    let body_of = subject.body_of_vertices();
    let all = subject.world.triangles.iter().enumerate();
    let owners = all.map(|(number, triangle)| Owner {
        body: body_of[triangle[0]],
        triangle: Some(number),
    });
    owners.collect()
}

/// Names of the materials, in the order of their numbers.
fn material_names(setup: &Setup) -> Vec<&str> {
    setup.scene.materials.keys().map(String::as_str).collect()
}

/// The fields of these keys in the order of all; all fields if there are no keys. Keys that name no
/// field are passed over.
pub(super) fn chosen(keys: &[String]) -> Vec<&'static Field> {
    const ALL: &[Field] = &FIELDS;
    let is_chosen = |field: &&Field| keys.is_empty() || keys.iter().any(|key| key == field.key);
    ALL.iter().filter(is_chosen).collect()
}

/// True if a run must store velocities for what its scene asks for.
pub(super) fn needs_velocities(output: &Output) -> bool {
    let is_sampled = !output.probes.is_empty() || !output.sections.is_empty();
    output.velocities || is_sampled || has_field(output, "velocity")
}

/// True if a run must store contact forces on vertices for what its scene asks for.
pub(super) fn needs_contacts(output: &Output) -> bool {
    ["contact_force", "friction_force", "contact_pressure"]
        .into_iter()
        .any(|key| has_field(output, key))
}

/// True if the files of fields that a scene asks for have this one.
fn has_field(output: &Output, key: &str) -> bool {
    let vtu = output.vtu.as_ref();
    vtu.is_some_and(|vtu| vtu.fields.is_empty() || vtu.fields.iter().any(|own| own == key))
}

/// Hands the state of an entry to a sink, if the run writes that state.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn add_entry(sink: &mut dyn Sink, entry: &Entry) -> Result<(), CommandError> {
    let Some(x) = &entry.x else {
        return Ok(());
    };
    let contacts = entry
        .on_vertices
        .as_ref()
        .map(|forces| ContactsOnVertices::of(forces, x.len()));
    let record = &entry.report.record;
    let conditions = Conditions {
        time: record.time,
        flowed: &entry.flowed,
    };
    let known = Known {
        velocities: entry.v.as_deref(),
        contacts: contacts.as_ref(),
        ..Known::positions(x, conditions)
    };
    sink.add(record.step, record.time, &known)
}
