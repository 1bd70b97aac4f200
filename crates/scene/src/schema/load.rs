//! Loads: forces that a scene puts on bodies, as an engineer lists them.
//!
//! One type has the keys of all loads. A load is one of `force`, `traction`, `pressure`, `torque` and
//! `body_force`, on one body or obstacle. Checks refuse a load with none or several of them.

use super::{Selection, Varying, examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A load on a body or an obstacle: exactly one of `force`, `traction`, `pressure`, `torque` and
/// `body_force`. Each may be constant, a table in time, or a formula of time t and of the place at the
/// start, x and y.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::load())]
pub struct Load {
    /// Name in tables and pictures; if absent the kind of the load and its number, such as "traction
    /// 0".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name of the body or obstacle; a copy has its number, such as "disk 3".
    pub body: String,
    /// Vertices that the load acts on. Tractions and pressures act on edges of the outline with both
    /// ends among them. If absent all; a force is then spread by mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Selection>,
    /// Point of the body at the start (m) at which a force acts, anywhere in it; instead of `on`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
    /// Whole force (N) along x and y, in equal parts on the selected vertices. Its direction stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<[Varying; 2]>,
    /// Force per area at the start (Pa) along x and y, on edges. Its direction stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traction: Option<[Varying; 2]>,
    /// Pressure (Pa) on edges, towards the inside of the body where it is positive. It follows the
    /// edges as they move, turn and stretch. Where the selected edges are closed or their ends are
    /// held, and the pressure is the same everywhere, it has a potential; elsewhere the force at
    /// the ends is the force at the start of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Varying>,
    /// True for a pressure that keeps the directions and areas of the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dead: bool,
    /// Torque (N m), counter-clockwise: a couple, whose moment is the same about every point. It acts
    /// on the angle of a rigid body. Elsewhere it is spread over the selected vertices as forces across
    /// their arms, which turn with the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<Varying>,
    /// Force per volume at the start (N/m^3) along x and y, on the whole body. Its direction stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_force: Option<[Varying; 2]>,
}

impl Load {
    /// A load without any force, on all of the body of this name.
    fn new(body: impl Into<String>) -> Self {
        Self {
            name: None,
            body: body.into(),
            on: None,
            at: None,
            force: None,
            traction: None,
            pressure: None,
            dead: false,
            torque: None,
            body_force: None,
        }
    }

    /// A force (N) on a body, spread by mass unless [`Load::on`] or [`Load::at`] say where.
    pub fn force(body: impl Into<String>, [x, y]: [impl Into<Varying>; 2]) -> Self {
        let force = Some([x.into(), y.into()]);
        Self {
            force,
            ..Self::new(body)
        }
    }

    /// A force per area of the start (Pa), whose direction stays.
    pub fn traction(body: impl Into<String>, [x, y]: [impl Into<Varying>; 2]) -> Self {
        let traction = Some([x.into(), y.into()]);
        Self {
            traction,
            ..Self::new(body)
        }
    }

    /// A pressure (Pa) that follows the edges of the outline.
    pub fn pressure(body: impl Into<String>, pressure: impl Into<Varying>) -> Self {
        let pressure = Some(pressure.into());
        Self {
            pressure,
            ..Self::new(body)
        }
    }

    /// A torque (N m), counter-clockwise.
    pub fn torque(body: impl Into<String>, torque: impl Into<Varying>) -> Self {
        let torque = Some(torque.into());
        Self {
            torque,
            ..Self::new(body)
        }
    }

    /// A force per volume of the start (N/m^3).
    pub fn body_force(body: impl Into<String>, [x, y]: [impl Into<Varying>; 2]) -> Self {
        let body_force = Some([x.into(), y.into()]);
        Self {
            body_force,
            ..Self::new(body)
        }
    }

    /// Gives the load a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Lets the load act on the vertices of a selection, or on the edges between them.
    #[must_use]
    pub fn on(mut self, selection: Selection) -> Self {
        self.on = Some(selection);
        self
    }

    /// Lets a force act at a point of the body at the start (m).
    #[must_use]
    pub fn at(mut self, point: [f64; 2]) -> Self {
        self.at = Some(point);
        self
    }

    /// Keys of the forces that the load has; a load must have one.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("force", self.force.is_some()),
            ("traction", self.traction.is_some()),
            ("pressure", self.pressure.is_some()),
            ("torque", self.torque.is_some()),
            ("body_force", self.body_force.is_some()),
        ];
        given
            .into_iter()
            .filter(|(_, is_given)| *is_given)
            .map(|(key, _)| key)
    }

    /// Name in tables, of the load with this number in its scene.
    pub fn label(&self, number: usize) -> String {
        let kind = self.kinds().next().unwrap_or("load");
        self.name
            .clone()
            .unwrap_or_else(|| format!("{kind} {number}"))
    }
}
