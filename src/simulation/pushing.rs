//! Forces and gravity that a program sets between steps.
//!
//! They act from the next step on until others are set, beside the forces of the scene. Parameters
//! that the program derives from the scene, such as the reach and stiffness of contact, stay as
//! they are: they are made for the forces of the scene.

use super::{Error, Simulation};
use crate::body::BodyKind;
use crate::math::Vec2;

impl Simulation {
    /// Sets the force (N) that acts on a body from the next step on, in place of the one that was
    /// set before. It acts as a uniform acceleration `a = F / m` does, without a torque.
    ///
    /// Each node `n` gets `M_n L_n F / m`, with its masses `M_n`, the map `L_n` of a uniform motion
    /// to the node, and the mass `m` of the body.
    ///
    /// ```
    /// use ipcsim::math::Vec2;
    /// use ipcsim::prelude::*;
    ///
    /// let mut scene = Scene::new(Time::new(0.1, 10))
    ///     .with_material("steel", Material::rigid(100.0))
    ///     .with_body(Body::rigid("block", Square::new(1.0, 1), "steel"));
    /// scene.gravity = [0.0, 0.0];
    /// let mut simulation = Simulation::new(scene)?;
    ///
    /// // 50 N push 100 kg for 0.1 s.
    /// simulation.set_force("block", Vec2::new(50.0, 0.0))?;
    /// simulation.step()?;
    /// assert!((simulation.body("block")?.velocity().x - 0.05).abs() < 1e-12);
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchBody`] if nothing has this name; [`Error::Refused`] if the force is not
    /// finite, or if it cannot move the body: an obstacle, or a body with a reduced basis.
    pub fn set_force(&mut self, body: &str, force: Vec2) -> Result<(), Error> {
        let view = self.body(body)?;
        let refused = |reason: &str| Error::Refused(format!("\"{body}\" {reason}"));
        if !(force.x.is_finite() && force.y.is_finite()) {
            return Err(refused("gets a force that is not finite"));
        }
        if view.body().kind.is_obstacle() {
            return Err(refused("is an obstacle, which no force moves"));
        }
        if view.body().kind == BodyKind::Reduced {
            return Err(refused(
                "has a reduced basis, for which the scene gives the force",
            ));
        }

        // Shares of the nodes.
        let mass = view.mass();
        let nodes = view.body().nodes.clone();
        let model = &self.world.model;
        let count = model.coordinates.nodes();
        let pushes = &mut self.world.loading.pushes;
        pushes.resize(count, Vec2::zeros());
        for node in nodes {
            let lifted = model.coordinates.lift(node) * (force / mass);
            pushes[node] = model.mass[node].component_mul(&lifted);
        }

        // Without any force, records have no column for it.
        if pushes.iter().all(|push| *push == Vec2::zeros()) {
            pushes.clear();
        }
        Ok(())
    }

    /// Sets gravity (m/s^2) from the next step on.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is not finite.
    pub fn set_gravity(&mut self, gravity: Vec2) -> Result<(), Error> {
        if !(gravity.x.is_finite() && gravity.y.is_finite()) {
            return Err(Error::Refused("gravity is not finite".to_owned()));
        }
        self.world.loading.gravity = gravity;
        Ok(())
    }
}
