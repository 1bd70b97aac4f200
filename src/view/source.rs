//! A run as the page shows it, from a folder with all files or from the journal of a run that has
//! not ended.
//!
//! The journal's entries are written to the same tables, in memory, that the end of the run would
//! write, and these are read as those of a finished run.

use crate::CommandError;
use crate::pictures::home_cell::HomeCell;
use ipcsim::material::Flow;
use ipcsim::math::Vec2;
use ipcsim::measures::Measure;
use ipcsim::scene::{Setup, build, read};
use ipcsim::time::{Record, StepReport};
use ipcsim_store::body_table::BodyNumbers;
use ipcsim_store::columns::Columns;
use ipcsim_store::contact_table::{self, StoredContact};
use ipcsim_store::flow::{FLOW, FlowReader};
use ipcsim_store::folder::{JOURNAL, RUN, SCENE};
use ipcsim_store::force_table::{self, StoredForce};
use ipcsim_store::journal::{Entry, JournalReader};
use ipcsim_store::measured::MEASURES;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::place::Layout;
use ipcsim_store::report::RunReport;
use ipcsim_store::run_files::{RunFiles, read_report};
use ipcsim_store::stored_bodies;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;
use ipcsim_store::table::{ENERGIES, Lines, Moment, Table};
use ipcsim_store::trajectory::{TRAJECTORY, TrajectoryReader};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The states of a run that the page shows, and everything that is known about them.
pub(super) struct Recorded {
    /// Folder of the run.
    pub(super) dir: PathBuf,
    /// Scene and world, built again from the scene in the folder.
    pub(super) setup: Setup,
    /// Mesh of the world.
    pub(super) mesh: MeshFile,
    /// Bodies of a scene that repeats, and where they are drawn.
    home: Option<HomeCell>,
    /// Energies and counts of the states shown, a row for each.
    pub(super) energies: Table,
    /// Step and time of the states shown.
    pub(super) moments: Vec<Moment>,
    /// Contacts of all states, if the run has stored them.
    pub(super) contacts: Option<Vec<StoredContact>>,
    /// Sums of forces of all steps, if the run has stored them.
    pub(super) forces: Option<Vec<StoredForce>>,
    /// Quantities of all bodies by step, as far as the run has stored them.
    pub(super) bodies: BTreeMap<usize, Vec<BodyNumbers>>,
    /// Values of the measures of the scene at all steps.
    pub(super) measures: Readings,
    /// How the run ended, or how far it is.
    pub(super) report: RunReport,
    /// For each stored state, whether it is shown.
    shown: Vec<bool>,
}

/// Values of the measures of a scene.
#[derive(Default)]
pub(super) struct Readings {
    /// Time of each row (s).
    pub(super) times: Vec<f64>,
    /// Values, `[rows][measures]`; NaN where one is undefined.
    pub(super) values: Vec<f64>,
}

impl Readings {
    /// Values in the table of a finished run, if it has one.
    ///
    /// # Errors
    /// If the table is damaged.
    fn read(files: &RunFiles, measures: &[Measure]) -> Result<Self, StoredError> {
        let mut all = Self::default();
        let Some(table) = Columns::read(files, MEASURES)? else {
            return Ok(all);
        };
        let time = table.column("time").unwrap_or_default();
        for row in 0..table.len() {
            all.times.push(table.number(row, time));
            for measure in measures {
                let column = table.column(&measure.name);
                all.values
                    .push(column.map_or(f64::NAN, |column| table.number(row, column)));
            }
        }
        Ok(all)
    }

    /// Adds the values of a step.
    fn add(&mut self, report: &StepReport) {
        self.times.push(report.record.time);
        let readings = report.measures.iter();
        self.values
            .extend(readings.map(|own| own.map_or(f64::NAN, |own| own.value)));
    }
}

impl Recorded {
    /// Positions (m) where the page draws vertices at `x` (m): bodies of a scene that repeats in the cell at
    /// home. Returns the displacements of bodies, too (m, `[bodies]`), or none where they stay.
    pub(super) fn drawn<'a>(&self, x: &'a [Vec2]) -> (Cow<'a, [Vec2]>, Vec<Vec2>) {
        self.home
            .as_ref()
            .map_or_else(|| (Cow::Borrowed(x), Vec::new()), |home| home.drawn(x))
    }

    /// Opens the run in the folder `dir`; every `every`th of its states is shown, and the last one.
    ///
    /// # Errors
    /// If the folder holds no run, a run without states, or a file that is damaged.
    pub(super) fn open(dir: &Path, every: usize) -> Result<Self, CommandError> {
        if !dir.join(RUN).exists() && !dir.join(SCENE).exists() {
            let message = "holds no run; give the folder that ipcsim run has written, for example \
                           output/two_squares";
            return Err(StoredError::malformed(dir, message).into());
        }
        let report = read_report(dir)?;
        let files = RunFiles::open(dir)?;
        let path = files.compared(SCENE)?;
        let setup = read(&path, &[])
            .and_then(build)
            .map_err(CommandError::scene(&path))?;

        let mut run = if report.is_unfinished() {
            Self::of_journal(&files, setup, report)?
        } else {
            Self::of_files(dir, setup, report)?
        };
        if run.moments.is_empty() {
            let message = "has no state to show; let the run make a step, or start it again";
            return Err(StoredError::malformed(dir, message).into());
        }
        run.thin_out(every);
        Ok(run)
    }

    /// The run of a folder with all files.
    ///
    /// # Errors
    /// If a file is damaged, or if the trajectory is not of the scene.
    fn of_files(dir: &Path, setup: Setup, report: RunReport) -> Result<Self, CommandError> {
        let stored = StoredRun::open(dir)?;
        stored.files.find(FLOW)?;
        let vertices = setup.world.rest.len();
        let found = stored.mesh.vertices_rest.len();
        // The scene may have been edited since the run.
        if found != vertices {
            let message = format!("has {vertices} vertices, but the trajectory has {found}");
            return Err(StoredError::malformed(&dir.join(SCENE), message).into());
        }

        let mesh = MeshFile::of(&setup.world);
        Ok(Self {
            dir: dir.to_path_buf(),
            home: HomeCell::of(&mesh),
            mesh,
            shown: vec![true; stored.moments.len()],
            contacts: contact_table::read(&stored.files)?,
            forces: force_table::read(&stored.files)?,
            bodies: stored_bodies::read(&stored.files)?,
            measures: Readings::read(&stored.files, &setup.measures.list)?,
            setup,
            moments: stored.moments,
            energies: stored.energies,
            report,
        })
    }

    /// The run of a folder with a journal, as far as that can be read.
    ///
    /// # Errors
    /// If the journal cannot be read, or is of another scene.
    fn of_journal(
        stored: &RunFiles,
        setup: Setup,
        mut report: RunReport,
    ) -> Result<Self, CommandError> {
        let mut tables = Tables::new(&setup);
        let mut bodies = BTreeMap::new();
        let mut measures = Readings::default();
        let dir = stored.dir();
        let path = stored.compared(JOURNAL)?;
        for entry in JournalReader::open(&path)? {
            let entry = entry?;
            if !tables.fits(&entry) {
                let message = "is not of the scene in the folder; run the scene again";
                return Err(StoredError::malformed(&path, message).into());
            }

            tables.add(&entry);
            measures.add(&entry.report);
            if let Some(numbers) = entry.bodies {
                bodies.insert(entry.report.record.step, numbers);
            }
            match entry.report.record.step {
                // The initial state belongs to no step.
                0 => report.count(&entry.report.record),
                _ => report.count_step(&entry.report, &setup.world.model.joints),
            }
        }

        // What the run has not written until now is missing as at its end.
        let energies =
            Table::parse(&tables.energies, &dir.join(ENERGIES)).map_err(StoredError::from)?;
        let files = setup.scene.output.contacts;
        let has_contacts = files.csv() || files.npy();
        let has_forces = tables.forces != force_table::HEADER;
        let contacts = contact_table::parse(&tables.contacts, &path)?;
        let forces = force_table::parse(&tables.forces, &path)?;
        let mesh = MeshFile::of(&setup.world);
        Ok(Self {
            dir: dir.to_path_buf(),
            home: HomeCell::of(&mesh),
            mesh,
            shown: vec![true; energies.rows.len()],
            moments: energies.moments(),
            energies,
            contacts: has_contacts.then_some(contacts),
            forces: has_forces.then_some(forces),
            bodies,
            measures,
            report,
            setup,
        })
    }

    /// Keeps every `every`th state, and the last one.
    fn thin_out(&mut self, every: usize) {
        let count = self.shown.len();
        for (k, shown) in self.shown.iter_mut().enumerate() {
            *shown = k % every == 0 || k + 1 == count;
        }
        let mut of_rows = self.shown.iter();
        self.energies
            .rows
            .retain(|_| *of_rows.next().unwrap_or(&true));
        let mut of_moments = self.shown.iter();
        self.moments.retain(|_| *of_moments.next().unwrap_or(&true));
    }

    /// Calls `visit` with the number, the positions (m) and the plastic flow of each state shown, in
    /// order.
    ///
    /// # Errors
    /// If the states cannot be read again, if a position is no finite number, or an error of
    /// `visit`.
    pub(super) fn each_state(
        &self,
        mut visit: impl FnMut(usize, &[Vec2], &[Flow]) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let mut states = States::open(self)?;
        let mut x = Vec::new();
        let mut flowed = Vec::new();
        let mut number = 0;
        for &shown in &self.shown {
            states.next(&mut x, &mut flowed)?;
            if !shown {
                continue;
            }

            // A damaged file may hold anything.
            if let Some(vertex) = x.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
                let message = format!(
                    "is damaged: {} has no finite position at step {}; run the scene again",
                    self.mesh.describe(vertex),
                    self.moments[number].step
                );
                return Err(StoredError::malformed(&states.path(&self.dir), message).into());
            }
            visit(number, &x, &flowed)?;
            number += 1;
        }
        Ok(())
    }
}

/// Reader of positions and plastic flow of all stored states.
enum States {
    /// Those of the files of a finished run.
    Trajectory(Box<(TrajectoryReader, FlowReader)>),
    /// Those of the journal.
    Journal(JournalReader),
}

impl States {
    /// Opens the file that the run keeps its positions in.
    ///
    /// # Errors
    /// If it cannot be opened.
    fn open(run: &Recorded) -> Result<Self, CommandError> {
        Ok(if run.report.is_unfinished() {
            Self::Journal(JournalReader::open(&run.dir.join(JOURNAL))?)
        } else {
            let points = run.setup.world.model.flowing();
            Self::Trajectory(Box::new((
                TrajectoryReader::open(&run.dir.join(TRAJECTORY), false)?,
                FlowReader::open(&run.dir, run.shown.len(), points)?,
            )))
        })
    }

    /// Path of the file in the folder `dir`.
    fn path(&self, dir: &Path) -> PathBuf {
        dir.join(match self {
            Self::Trajectory(..) => TRAJECTORY,
            Self::Journal(_) => JOURNAL,
        })
    }

    /// Reads the positions (m) and the plastic flow of the next state into `x` and `flowed`, whose
    /// contents are replaced.
    ///
    /// # Errors
    /// If the file cannot be read. A journal that has become shorter since it was read first leaves
    /// `x` as it is.
    fn next(&mut self, x: &mut Vec<Vec2>, flowed: &mut Vec<Flow>) -> Result<(), CommandError> {
        match self {
            Self::Trajectory(both) => {
                let (reader, flow) = &mut **both;
                reader.next(x)?;
                flow.next(flowed)?;
            }
            Self::Journal(reader) => {
                for entry in reader {
                    let entry = entry?;
                    // A step whose state is not written has an entry without positions.
                    if let Some(stored) = entry.x {
                        *x = stored;
                        *flowed = entry.flowed;
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Tables as text, as the end of a run writes them.
struct Tables {
    /// Names of all bodies, obstacles last, and of loads.
    names: force_table::Names,
    /// Numbers of vertices and turns that a state of the scene has.
    layout: Layout,
    /// Number of potentials.
    potentials: usize,
    /// Energies and counts.
    energies: String,
    /// Lines of energies that are being added.
    lines: Lines,
    /// Contacts.
    contacts: String,
    /// Sums of forces.
    forces: String,
}

impl Tables {
    /// Tables without rows.
    fn new(setup: &Setup) -> Self {
        let world = &setup.world;
        let columns = Record::columns(world);
        let lines = Lines::new(world);
        Self {
            names: force_table::Names::of(world),
            layout: Layout::of(&world.model.coordinates, &setup.state.q),
            potentials: columns.len(),
            energies: lines.header(&columns),
            lines,
            contacts: contact_table::header(),
            forces: force_table::HEADER.to_owned(),
        }
    }

    /// True if an entry can be of the scene.
    fn fits(&self, entry: &Entry) -> bool {
        entry.fits(&self.layout, self.potentials, self.names.bodies.len())
    }

    /// Adds the rows of an entry.
    fn add(&mut self, entry: &Entry) {
        let record = &entry.report.record;
        let (step, time) = (record.step, record.time);
        self.lines.enter(record);
        if entry.x.is_some() {
            self.energies += &self.lines.line(record);
        }
        for contact in &entry.contacts {
            self.contacts += &contact_table::line(step, time, contact, &self.names.bodies);
        }
        if let Some(sums) = &entry.forces {
            self.forces += &force_table::rows(step, time, sums, &self.names);
        }
    }
}
