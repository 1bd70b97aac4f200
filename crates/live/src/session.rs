//! A session: one scene at a time, and the answers to requests.
//!
//! A session takes a request as text (JSON) and returns a reply as bytes. It has no clock, file
//! or socket of the host: the clock is a function that the host gives. An error is a reply, too,
//! and leaves the session usable.

use super::frame::{self, Shown};
use super::grab::grab;
use super::history::History;
use super::pieces::{self, Edit, Stroke};
use super::proofs::Proofs;
use super::reply::Reply;
use super::request::Request;
use super::sliders::sliders;
use super::topology;
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use ipcsim::scene::schema::Parameter;
use ipcsim::scene::{Scene, parse, typed};
use ipcsim::time::StepReport;
use serde_json::{Value, json};

/// Largest number of edits that can be undone.
const EDITS: usize = 50;

/// A simulation that a page drives.
///
/// A new scene replaces the one before.
#[derive(Debug)]
pub struct Session {
    /// Clock of the host (s).
    now: fn() -> f64,
    /// What comes with each state.
    shown: Shown,
    /// True if steps are proved.
    proves: bool,
    /// The scene that is open.
    running: Option<Running>,
}

/// A scene that is open.
///
/// All of it goes when another scene is opened.
#[derive(Debug)]
struct Running {
    /// The simulation.
    simulation: Simulation,
    /// Report of its last step.
    report: StepReport,
    /// States before.
    history: History,
    /// What has been proved.
    proofs: Proofs,
    /// Bodies that were added and removed.
    edits: Vec<Edit>,
    /// The scene as it was opened.
    opened: Scene,
}

impl Running {
    /// A simulation at its start.
    ///
    /// # Errors
    /// If it has no start, in words.
    fn begin(mut simulation: Simulation) -> Result<Self, String> {
        let report = simulation.begin().map_err(|error| error.to_string())?;

        // The start is a state that one can step back to.
        let mut history = History::default();
        history.add(simulation.snapshot());
        let opened = simulation.scene().clone();
        Ok(Self {
            simulation,
            report,
            history,
            proofs: Proofs::default(),
            edits: Vec::new(),
            opened,
        })
    }

    /// One step, which is proved if that is asked for.
    ///
    /// # Errors
    /// If the step fails, in words.
    fn step(&mut self, proves: bool) -> Result<(), String> {
        let failed = |error: ipcsim::Error| error.to_string();
        self.report = if proves {
            let (report, proof) = self.simulation.step_proved().map_err(failed)?;
            self.proofs.add(self.simulation.steps(), proof);
            report
        } else {
            self.simulation.step().map_err(failed)?
        };
        self.history.add(self.simulation.snapshot());
        Ok(())
    }

    /// The simulation after an edit takes the place of the one before.
    ///
    /// Proofs and edits continue; the history begins anew, since earlier states have other
    /// bodies.
    fn replace(&mut self, simulation: Simulation) -> Result<(), String> {
        let mut next = Self::begin(simulation)?;
        next.proofs = std::mem::take(&mut self.proofs);
        next.edits = std::mem::take(&mut self.edits);
        next.opened = self.opened.clone();
        *self = next;
        Ok(())
    }
}

impl Session {
    /// A session without a scene, with a clock that returns seconds.
    pub fn new(now: fn() -> f64) -> Self {
        Self {
            now,
            shown: Shown::default(),
            proves: true,
            running: None,
        }
    }

    /// The reply to a request. What cannot be done is said in the head of the reply as its `error`.
    ///
    /// A request that cannot be read is answered in the same form.
    pub fn answer(&mut self, request: &str) -> Vec<u8> {
        let request = serde_json::from_str(request).map_err(|error| error.to_string());
        let reply = request.and_then(|request| self.reply(request));
        reply
            .unwrap_or_else(|message| Reply::error(&message))
            .finish()
    }

    /// The reply to a request.
    ///
    /// # Errors
    /// What cannot be done, in words.
    fn reply(&mut self, request: Request) -> Result<Reply, String> {
        match request {
            Request::Open { scene } => self.open(&scene),
            Request::Restart {} => self.restart(),
            Request::Advance { steps, budget } => self.advance(steps, budget),
            Request::Back { step } => self.back(step),
            Request::Set { parameters } => self.set(&parameters),
            Request::Grab { at, within } => self.grab(at, within),
            Request::Look {} => self.look(),
            Request::Show {
                field,
                forces,
                pressure,
                proofs,
            } => {
                self.shown = Shown {
                    field,
                    forces,
                    pressure,
                };
                self.proves = proofs;
                self.look()
            }
            Request::Add {
                body,
                material,
                passing,
            } => self.edit(passing, |own| pieces::added(own, &body, material.as_ref())),
            Request::Duplicate { body, by } => {
                self.edit(false, |own| pieces::duplicated(own, &body, by.into()))
            }
            Request::Join {
                tie,
                from,
                to,
                within,
            } => {
                let [from, to] = [from, to].map(Vec2::from);
                let stroke = Stroke { from, to, within };
                self.edit(false, |own| pieces::joined(own, tie, stroke))
            }
            Request::Remove { body, passing } => {
                self.edit(passing, |own| pieces::removed(own, &body))
            }
            Request::Undo {} => self.undo(),
            Request::Keep {} => self.keep(),
            Request::Scene {} => self.scene(),
        }
    }

    /// The scene that is open.
    ///
    /// # Errors
    /// If none is.
    fn running(&mut self) -> Result<&mut Running, String> {
        self.running
            .as_mut()
            .ok_or_else(|| "no scene is open".to_owned())
    }

    /// Opens a scene.
    fn open(&mut self, text: &str) -> Result<Reply, String> {
        let scene = parse(text, &[]).map_err(|error| error.to_string())?;
        self.begin(scene)
    }

    /// Begins a scene.
    fn begin(&mut self, scene: Scene) -> Result<Reply, String> {
        let simulation = Simulation::new(scene).map_err(|error| error.to_string())?;
        self.running = Some(Running::begin(simulation)?);
        self.whole()
    }

    /// Begins the scene anew, with the bodies and joints that were added.
    ///
    /// Where these overlap others at the start, or joints would be open, it begins with the state of the last
    /// edit; if that cannot be, as it was opened.
    fn restart(&mut self) -> Result<Reply, String> {
        let running = self.running()?;
        let opened = running.opened.clone();
        let edits = std::mem::take(&mut running.edits);
        let recorded = running.simulation.scene().clone();

        // From the places of the scene, unless it was opened with a state.
        let anew = Scene {
            start: opened.start.clone(),
            changes: opened.changes.clone(),
            time: opened.time.clone(),
            ..recorded.clone()
        };
        let is_edited = anew != opened;
        let begun = self.begin(anew).or_else(|_| self.begin(recorded));
        if begun.is_err() {
            return self.begin(opened);
        }
        if is_edited {
            let running = self.running()?;
            running.opened = opened;
            running.edits = edits;
        }
        begun
    }

    /// Continues with another body or joint, or without one. An edit that is `passing` is not undone.
    fn edit(
        &mut self,
        passing: bool,
        change: impl FnOnce(&Simulation) -> Result<(Simulation, Edit), String>,
    ) -> Result<Reply, String> {
        let running = self.running()?;
        let (next, edit) = change(&running.simulation)?;
        running.replace(next)?;
        if !passing {
            running.edits.push(edit);
        }

        // Only the last edits can be undone.
        let too_many = running.edits.len().saturating_sub(EDITS);
        running.edits.drain(..too_many);
        self.whole()
    }

    /// Takes back the last edit.
    ///
    /// # Errors
    /// If there is none, or if it cannot be taken back now; then it can be tried again.
    fn undo(&mut self) -> Result<Reply, String> {
        let running = self.running()?;
        let edit = running.edits.last().ok_or("there is nothing to undo")?;
        let next = pieces::undone(&running.simulation, edit.clone())?;
        running.edits.pop();
        running.replace(next)?;
        self.whole()
    }

    /// Begins the record anew from the state as it lies, with the same bits as if it went on.
    fn keep(&mut self) -> Result<Reply, String> {
        let running = self.running()?;
        let scene = running.simulation.scene_from_here();
        let next = Simulation::new(scene).map_err(|error| error.to_string())?;
        running.replace(next)?;
        self.whole()
    }

    /// All that a page draws, with the state as it is.
    fn whole(&mut self) -> Result<Reply, String> {
        let mut reply = self.look()?;
        let running = self.running()?;
        let scene = running.simulation.scene();

        // What states do not change.
        topology::add(running.simulation.world(), &mut reply);
        reply.set("name", scene.name.clone());
        reply.set("description", scene.description.clone());
        reply.set("h", running.simulation.world().h);
        reply.set("gravity", json!(scene.gravity));
        let size = topology::size(running.simulation.world(), &running.simulation.state().x);
        reply.set("sliders", sliders(scene, size));
        let view = scene.output.view;
        reply.set("view", json!(view.map(|view| [view.min, view.max])));
        Ok(reply)
    }

    /// The state as it is.
    fn look(&mut self) -> Result<Reply, String> {
        let shown = self.shown.clone();
        let running = self.running()?;
        let mut reply = Reply::default();
        frame::add(&running.simulation, &running.report, &shown, &mut reply);

        // How far one can go back, and the proofs so far.
        reply.set("first", running.history.first());
        reply.set("proofs", running.proofs.shown());
        Ok(reply)
    }

    /// Makes steps.
    ///
    /// It stops after `budget` seconds of the host's clock, so that a page stays responsive; at
    /// least one step is made. A failed step ends it, and its reason is part of the reply.
    fn advance(&mut self, steps: usize, budget: f64) -> Result<Reply, String> {
        let now = self.now;
        let proves = self.proves;
        let start = now();
        let running = self.running()?;
        let mut done = 0;
        let mut failure = None;

        // Steps until the time is over or one fails.
        while done < steps && failure.is_none() {
            failure = running.step(proves).err();
            done += usize::from(failure.is_none());
            if now() - start >= budget {
                break;
            }
        }

        // The state after the last step that was made.
        let took = now() - start;
        let mut reply = self.look()?;
        reply.set("done", done);
        reply.set("took", took);
        reply.set("failure", failure);
        Ok(reply)
    }

    /// Steps back.
    ///
    /// To the state after a step, if the history still has it.
    ///
    /// # Errors
    /// If no such state is known.
    fn back(&mut self, step: usize) -> Result<Reply, String> {
        let running = self.running()?;
        let Running {
            simulation,
            history,
            report,
            ..
        } = running;
        let past = history.back_to(step).ok_or("no earlier state is known")?;

        // The report of that state comes from the simulation.
        *report = simulation.rewind(past).map_err(|error| error.to_string())?;
        self.look()
    }

    /// Sets parameters.
    ///
    /// They count from the next step on.
    fn set(&mut self, parameters: &[Value]) -> Result<Reply, String> {
        let running = self.running()?;
        for parameter in parameters {
            // By the reader of scenes: one for all.
            let parameter = typed::<Parameter>(&parameter.to_string());
            let parameter = parameter.map_err(|error| error.to_string())?;
            running
                .simulation
                .set(parameter)
                .map_err(|error| error.to_string())?;
        }
        Ok(Reply::default())
    }

    /// The point of a body at a place.
    ///
    /// Without a body within the distance the reply is empty.
    fn grab(&mut self, at: [f64; 2], within: f64) -> Result<Reply, String> {
        let running = self.running()?;
        let found = grab(&running.simulation, at.into(), within);
        let mut reply = Reply::default();
        if let Some(grabbed) = found {
            let world = running.simulation.world();
            let body = &world.bodies[grabbed.body];
            reply.set("number", grabbed.body);
            reply.set("body", body.name.clone());
            reply.set("mass", world.mass_of(body));
            reply.set("at", json!([grabbed.at.x, grabbed.at.y]));
            reply.set("point", json!([grabbed.point.x, grabbed.point.y]));
        }
        Ok(reply)
    }

    /// The scene with all that was set, as text.
    fn scene(&mut self) -> Result<Reply, String> {
        let running = self.running()?;
        let recorded = running.simulation.recorded();
        let mut reply = Reply::default();

        // After an edit the record begins with the state that the edit has left.
        let is_recorded = recorded.is_ok();
        let scene = recorded.unwrap_or_else(|_| running.simulation.scene().clone());
        reply.set("scene", scene.to_json());
        reply.set("recorded", is_recorded);
        Ok(reply)
    }
}
