//! Names that describe and run a simulation, for `use ipcsim::prelude::*`.

pub use crate::scene::schema::{
    Affine, Body, Bounds, Circle, Contact, Copies, Disk, Friction, FrictionPair, Gear, HalfPlane,
    InlineMesh, Joint, Keyframe, Kind, Law, Material, Obstacle, Outline, Point, Polyline,
    Prescribed, Rectangle, RegularPolygon, Ring, Scene, Script, Selection, Shape, Square, Time,
    Wire,
};
pub use crate::simulation::{BodyView, ContactForce, Error, JointForce, Simulation};
