//! Joints between the bodies of the world.
//!
//! A joint is made of rows: equations between the poses of its two bodies, and limits, motors and
//! springs. Each carries the inertia of its lighter side and the size of the larger body, by which
//! stiffness and opening are judged.

use super::builder::Builder;
use super::tying::{Place, rebounding};
use crate::problem::Problem;
use crate::schema::{self, Attach, Cylinder, Guide, Scene, Springy};
use ipcsim_core::body::Configuration;
use ipcsim_core::constraint::{
    Alike, Along, DistanceConstraint, Hinge, Rule, Slider, Slot, Spring, Turned,
};
use ipcsim_core::constraint::{ConstraintAction, ConstraintRow, Joint, JointFrame};
use ipcsim_math::Vec2;
use std::collections::HashMap;

impl Builder {
    /// Adds the joints of a scene. Those that name a body that does not exist are left out, which
    /// happens where only the sound part of a scene is built.
    pub(super) fn add_joints(&mut self, scene: &Scene) {
        if scene.joints.is_empty() {
            return;
        }
        let q = self.nodes.iter().map(|node| node.q).collect();
        let at = Configuration::of(&self.coordinates, q);

        // Names are copied, since rows are noted in the builder.
        let names = self.names().into_iter();
        let named: HashMap<String, usize> = names
            .map(|(name, number)| (name.to_owned(), number))
            .collect();
        for (number, joint) in scene.joints.iter().enumerate() {
            let common = joint.common();
            let path = format!("joints[{number}].{}", common.kind);
            let [first, second] = common.bodies;
            let (Some(&a), Some(&b)) = (named.get(first), named.get(second)) else {
                continue;
            };

            let rows = match joint {
                schema::Joint::Attach(attach) => self.glued(attach, [a, b], scene, &at, &path),
                _ => self.rows(joint, scene, [a, b], &at.x, &path),
            };
            let rows = if self.have_arrows(&rows, joint, &path) {
                rows
            } else {
                Vec::new()
            };

            self.joints.push(Joint {
                label: joint.label(),
                bodies: [a, b],
                rows,
                breaks_at: common.break_force.unwrap_or(f64::INFINITY),
                twists_at: common.break_torque.unwrap_or(f64::INFINITY),
            });
        }
    }

    /// True if bodies have the arrows that rows of a joint need; a problem if one has none.
    fn have_arrows(&mut self, rows: &[ConstraintRow], joint: &schema::Joint, path: &str) -> bool {
        let has_none = |row: &ConstraintRow, side: usize| {
            row.rule.needs_arrows()[side] && row.frames[side].has_no_arrow()
        };
        let lacking = rows
            .iter()
            .find_map(|row| (0..2).find(|&side| has_none(row, side)));

        if let Some(side) = lacking {
            let message = format!(
                "\"{}\" is made of springs, whose vertices do not turn; use a hinge without motor, \
                 spring and limits, a rod, a rope or attach",
                joint.bodies()[side]
            );
            let problem = Problem::error(format!("{path}.bodies"), message);
            self.problems.push(problem);
        }
        lacking.is_none()
    }

    /// Ties of a joint at places of two bodies; none, and problems, where a body has no such place.
    fn rows(
        &mut self,
        joint: &schema::Joint,
        scene: &Scene,
        bodies: [usize; 2],
        x: &[Vec2],
        path: &str,
    ) -> Vec<ConstraintRow> {
        let place = Place {
            bodies,
            sizes: bodies.map(|body| self.diameter(body, x)),
            path,
        };

        match joint {
            schema::Joint::Hinge(hinge) => self.hinge(hinge, &place, x),
            schema::Joint::Weld(weld) => {
                let Some(frames) = self.shared(&place, weld.at, Vec2::x(), x) else {
                    return Vec::new();
                };
                let point = Rule::Hinge(Hinge);
                let point = self.row(&place, point, ConstraintAction::Closed, &frames);
                let compliance = self.compliance(&place, weld.at, x);
                let turn = if compliance > 0.0 {
                    let spring = ConstraintAction::Sprung(Spring {
                        stiffness: 1.0 / compliance,
                        rest: 0.0,
                        damping: 0.0,
                    });
                    self.row(&place, Rule::Turned(Turned), spring, &frames)
                } else {
                    let alike = Rule::Alike(Alike { arm: place.arm() });
                    self.row(&place, alike, ConstraintAction::Closed, &frames)
                };
                vec![point, turn]
            }
            schema::Joint::Rod(rod) => {
                let length = distance(rod.ends);
                self.line(&place, rod.ends, x, length, vec![ConstraintAction::Closed])
            }
            schema::Joint::Rope(rope) => {
                let length = rope.length.unwrap_or_else(|| distance(rope.ends));
                self.line(&place, rope.ends, x, length, vec![ConstraintAction::Taut])
            }
            schema::Joint::Spring(spring) => {
                self.line(&place, spring.ends, x, 0.0, vec![sprung(spring)])
            }
            schema::Joint::Cylinder(cylinder) => self.cylinder(cylinder, &place, x),
            schema::Joint::Slider(guide) => {
                let rule = Rule::Slider(Slider { arm: place.arm() });
                self.guided(guide, rule, &place, x)
            }
            schema::Joint::Slot(guide) => self.guided(guide, Rule::Slot(Slot), &place, x),
            schema::Joint::Wheel(wheel) => self.wheel(wheel, &place, x),
            schema::Joint::Gear(gear) => self.gear(gear, scene, &place, x),
            schema::Joint::Rack(rack) => self.rack(rack, &place, x),
            // Glued vertices need the whole scene, for which the caller adds them.
            schema::Joint::Attach(_) => Vec::new(),
        }
    }

    /// Compliance (rad/(N m)) of the ends of rods that a joint at a place (m) holds.
    fn compliance(&self, place: &Place, at: [f64; 2], x: &[Vec2]) -> f64 {
        let bodies = place.bodies.into_iter();
        bodies
            .map(|body| self.end_compliance(body, at.into(), x))
            .sum()
    }

    /// Ties of a hinge: its point, and what acts on its angle.
    fn hinge(&mut self, hinge: &schema::Hinge, place: &Place, x: &[Vec2]) -> Vec<ConstraintRow> {
        let Some(frames) = self.shared(place, hinge.at, Vec2::x(), x) else {
            return Vec::new();
        };
        // Half a segment of a rod is a spring in series with that of the hinge.
        let compliance = self.compliance(place, hinge.at, x);
        let spring = hinge.spring.map(|spring| schema::Torsion {
            stiffness: spring.stiffness / (1.0 + spring.stiffness * compliance),
            ..spring
        });
        let actions =
            super::tying::turning(hinge.limits_deg, hinge.motor.as_ref(), hinge.brake, spring);
        let actions = rebounding(actions, hinge.limit_restitution);

        let mut rows = vec![self.row(place, Rule::Hinge(Hinge), ConstraintAction::Closed, &frames)];
        for action in actions {
            rows.push(self.row(place, Rule::Turned(Turned), action, &frames));
        }
        rows
    }

    /// Ties of a line of the first body along which the second one moves, by the rule that keeps it
    /// there, and what acts along it.
    fn guided(
        &mut self,
        guide: &Guide,
        rule: Rule,
        place: &Place,
        x: &[Vec2],
    ) -> Vec<ConstraintRow> {
        // The checks have refused an axis without a length.
        let Some(axis) = Vec2::from(guide.axis).try_normalize(0.0) else {
            return Vec::new();
        };
        let Some(frames) = self.shared(place, guide.at, axis, x) else {
            return Vec::new();
        };

        let actions = super::tying::moving(
            guide.limits,
            guide.motor.as_ref(),
            guide.brake,
            guide.spring,
            place.arm(),
        );
        let actions = rebounding(actions, guide.limit_restitution);

        let mut rows = vec![self.row(place, rule, ConstraintAction::Closed, &frames)];
        for action in actions {
            rows.push(self.row(place, Rule::Along(Along), action, &frames));
        }
        rows
    }

    /// Ties of a wheel: its suspension, and what acts on its angle.
    fn wheel(&mut self, wheel: &schema::Wheel, place: &Place, x: &[Vec2]) -> Vec<ConstraintRow> {
        let guide = Guide {
            bodies: wheel.bodies.clone(),
            at: wheel.at,
            axis: wheel.axis,
            limits: wheel.limits,
            limit_restitution: wheel.limit_restitution,
            spring: Some(wheel.spring),
            ..Guide::default()
        };
        let mut rows = self.guided(&guide, Rule::Slot(Slot), place, x);

        // Angles count from the direction of x.
        let Some(frames) = self.shared(place, wheel.at, Vec2::x(), x) else {
            return rows;
        };
        for action in super::tying::turning(None, wheel.motor.as_ref(), wheel.brake, None) {
            rows.push(self.row(place, Rule::Turned(Turned), action, &frames));
        }
        rows
    }

    /// Ties of a cylinder: what acts on its length.
    fn cylinder(&mut self, cylinder: &Cylinder, place: &Place, x: &[Vec2]) -> Vec<ConstraintRow> {
        let length = distance(cylinder.ends);
        let actions = super::tying::moving(
            cylinder.limits,
            cylinder.motor.as_ref(),
            cylinder.brake,
            cylinder.spring,
            length,
        );
        let actions = rebounding(actions, cylinder.limit_restitution);
        self.line(place, cylinder.ends, x, length, actions)
    }

    /// Ties of a line between two points (m), one for each thing that acts along it.
    fn line(
        &mut self,
        place: &Place,
        ends: [[f64; 2]; 2],
        x: &[Vec2],
        length: f64,
        actions: Vec<ConstraintAction>,
    ) -> Vec<ConstraintRow> {
        let frames = [0, 1].map(|side| {
            let at = Vec2::from(ends[side]);
            self.framed(place, side, [at, Vec2::x()], x)
        });
        let [Some(a), Some(b)] = frames else {
            return Vec::new();
        };

        let rule = Rule::Rod(DistanceConstraint { length });
        let rows = actions.into_iter();
        rows.map(|action| self.row(place, rule, action, &[a, b]))
            .collect()
    }

    /// Frames of both bodies at one place (m), with an arrow along `axis` (1).
    fn shared(
        &mut self,
        place: &Place,
        at: [f64; 2],
        axis: Vec2,
        x: &[Vec2],
    ) -> Option<[JointFrame; 2]> {
        let frames = [0, 1].map(|side| self.framed(place, side, [at.into(), axis], x));
        let [Some(a), Some(b)] = frames else {
            return None;
        };
        Some([a, b])
    }

    /// Ties of vertices of one body to another.
    fn glued(
        &mut self,
        attach: &Attach,
        [a, b]: [usize; 2],
        scene: &Scene,
        at: &Configuration,
        path: &str,
    ) -> Vec<ConstraintRow> {
        let name = &attach.bodies[0];
        let on = format!("{path}.on");
        let chosen = self.chosen_of((a, name), scene, at, &attach.on, &on);
        let x = &at.x;
        let place = Place {
            bodies: [a, b],
            sizes: [a, b].map(|body| self.diameter(body, x)),
            path,
        };

        let mut rows = Vec::with_capacity(chosen.len());
        for vertex in chosen {
            let Some(held) = self.frame_near(b, [x[vertex], Vec2::x()], x) else {
                let message = format!(
                    "\"{}\" is made of springs, which hold vertices only; name it first",
                    attach.bodies[1]
                );
                let bodies = format!("{path}.bodies");
                self.problems.push(Problem::error(bodies, message));
                return Vec::new();
            };
            let frames = [JointFrame::vertex(vertex), held];
            rows.push(self.row(
                &place,
                Rule::Hinge(Hinge),
                ConstraintAction::Closed,
                &frames,
            ));
        }
        rows
    }
}

/// Distance of two points (m).
fn distance([a, b]: [[f64; 2]; 2]) -> f64 {
    (Vec2::from(a) - Vec2::from(b)).norm()
}

/// Action of a spring between two points.
fn sprung(spring: &Springy) -> ConstraintAction {
    ConstraintAction::Sprung(ipcsim_core::constraint::Spring {
        stiffness: spring.stiffness,
        rest: spring.length.unwrap_or_else(|| distance(spring.ends)),
        damping: spring.damping,
    })
}
