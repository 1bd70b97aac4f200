//! Gears and racks as rows between two bodies.

use super::builder::Builder;
use super::tying::Place;
use crate::carrier::{self, Frame};
use crate::schema::{GearPair, RackPair, Scene};
use ipcsim_core::constraint::{
    ConstraintAction, ConstraintRow, Epicyclic, Gear, JointFrame, Rack, Rule,
};
use ipcsim_math::Vec2;

impl Builder {
    /// The row of gears: about the middles of both bodies where angles count in the world, about
    /// their axles where a carrier turns.
    pub(super) fn gear(
        &self,
        gear: &GearPair,
        scene: &Scene,
        place: &Place,
        x: &[Vec2],
    ) -> Vec<ConstraintRow> {
        let (arm, ratio) = (place.arm(), gear.ratio);

        // The checks have refused gears without a frame.
        let frame = carrier::frame(scene, gear);
        if let Ok(Frame::Axle { at, carrier }) = &frame {
            return self.on_one_axle(gear, place, (*at, carrier), x);
        }
        let (rule, centres, axis) = if let Ok(Frame::Line(axles)) = frame {
            let line = (axles[0] - axles[1]).normalize();
            (Rule::Epicyclic(Epicyclic { arm, ratio }), axles, line)
        } else {
            let middles = place.bodies.map(|body| self.middle(body, x));
            (Rule::Gear(Gear { arm, ratio }), middles, Vec2::x())
        };

        let frames = [0, 1].map(|side| {
            let body = place.bodies[side];
            let frame = self.frame_near(body, [centres[side], axis], x);
            // A body of springs has vertices only.
            frame.unwrap_or_else(|| JointFrame::vertex(self.bodies[body].vertices.start))
        });
        vec![self.row(place, rule, ConstraintAction::Closed, &frames)]
    }

    /// The row of two gears about one axle (m) of a carrier that turns, by its name.
    fn on_one_axle(
        &self,
        gear: &GearPair,
        place: &Place,
        (at, carrier): (Vec2, &str),
        x: &[Vec2],
    ) -> Vec<ConstraintRow> {
        let names = self.names().into_iter();
        let mut named = names.filter(|(name, _)| *name == carrier);
        let Some((_, carrier)) = named.next() else {
            return Vec::new();
        };

        // Two vertices of the carrier take the places of the centres.
        let ends = self.ends(carrier, x);
        let axis = (x[ends[0]] - x[ends[1]]).normalize();
        let frames = [0, 1].map(|side| {
            let frame = self.frame_near(place.bodies[side], [at, axis], x);
            frame.map(|frame| frame.carried_by(ends[side]))
        });
        let [Some(first), Some(second)] = frames else {
            return Vec::new();
        };
        let rule = Rule::Epicyclic(Epicyclic {
            arm: place.arm(),
            ratio: gear.ratio,
        });
        vec![self.row(place, rule, ConstraintAction::Closed, &[first, second])]
    }

    /// The row of a rack and a pinion.
    pub(super) fn rack(
        &mut self,
        rack: &RackPair,
        place: &Place,
        x: &[Vec2],
    ) -> Vec<ConstraintRow> {
        // The checks have refused an axis without a length.
        let Some(axis) = Vec2::from(rack.axis).try_normalize(0.0) else {
            return Vec::new();
        };
        let held = self.frame_near(place.bodies[0], [rack.at.into(), axis], x);
        let turning = self.framed(place, 1, [rack.at.into(), axis], x);
        let (Some(held), Some(turning)) = (held, turning) else {
            return Vec::new();
        };
        let rule = Rule::Rack(Rack {
            radius: rack.radius,
        });
        vec![self.row(place, rule, ConstraintAction::Closed, &[held, turning])]
    }
}
