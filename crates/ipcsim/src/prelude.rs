//! Names that describe and run a simulation, for `use ipcsim::prelude::*`.
//!
//! The first group builds a [`Scene`]: bodies, shapes, materials, obstacles and their settings. The
//! second runs it: a [`Simulation`], views of its bodies, and the forces of its contacts. Other
//! items are imported by their path.

pub use crate::simulation::{
    BodyView, ContactForce, Error, JointForce, LoadForce, Reaction, Simulation, Snapshot,
};
pub use ipcsim_scene::schema::{
    Affine, Axis, Body, Bounds, Circle, Collide, Contact, Copies, Disk, Friction, FrictionPair,
    Gear, HalfPlane, InlineMesh, Joint, Keyframe, Kind, Law, Load, Material, Obstacle, Outline,
    Point, Polyline, Prescribed, Rectangle, RegularPolygon, RestOn, Restitution, RestitutionPair,
    Ring, Scene, Scheme, Script, Selection, Shape, Side, Square, Table, Time, Varying, Wire,
};
