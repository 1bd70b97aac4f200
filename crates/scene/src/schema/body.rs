//! Bodies, which move by forces, with their kinds, shapes, materials and starts.
//!
//! One type has the keys of all kinds of bodies. Which of them a kind reads is not a matter of
//! types: the checks refuse a key that means nothing for a body, with the kinds that it is for.
//! Constructors fill in the default of every key that they do not ask for.

use super::copies::Copies;
use super::elements::{Dilatation, Elements};
use super::motion::{Axis, Script};
use super::pack::Pack;
use super::preload::Preload;
use super::prescribed::Prescribed;
use super::region::Region;
use super::rest_on::RestOn;
use super::rod::ElasticRod;
use super::selection::Selection;
use super::shape::{Polyline, Shape};
use super::{Varying, WholeDamping, examples, is_default};
use ipcsim_core::body::Lumping;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A body, which moves by forces and collides with other bodies and with obstacles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::body())]
pub struct Body {
    /// Name, by which friction refers to the body.
    pub name: String,
    /// Kind of motion and deformation.
    #[serde(default)]
    pub kind: Kind,
    /// Shape at rest.
    pub shape: Shape,
    /// Name of the material.
    pub material: String,
    /// Parts of a deformable or reduced body that are of other materials. Friction between
    /// materials and restitution use the body's own material.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
    /// Factors (1) of the elastic energy of each triangle of a deformable body, in the order of the triangles
    /// of its mesh: a field of moduli, or of densities in a search for a shape. Mass, damping and contact do
    /// not depend on them. If absent all are 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[key(above = 0)]
    pub relative_stiffness: Vec<f64>,
    /// Position of the shape's origin (m).
    #[serde(default)]
    pub position: [f64; 2],
    /// Rotation about the shape's origin, counter-clockwise (degrees).
    #[serde(default)]
    pub rotation_deg: f64,
    /// Obstacle or body that the body lies on at the start: it is turned with the surface and put down
    /// there, near its `position`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_on: Option<RestOn>,
    /// Factors (1) by which a deformable body is stretched along x and y at the start, about the
    /// shape's origin and before the rotation.
    #[serde(default = "no_stretch")]
    #[key(above = 0)]
    pub stretch: [f64; 2],
    /// Velocity at the start (m/s).
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Angular velocity at the start about the centre of mass, counter-clockwise (degrees/s). Rigid
    /// bodies keep it. Affine, polynomial and deformable bodies lose it by implicit Euler with the
    /// step `h`: of `w` (rad/s) about `w / sqrt(1 + 2 w^2 h t)` is left after the time `t`; they lose
    /// far less by another `time.integrator`. A modal body cannot spin, unless it has all modes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spin_deg: f64,
    /// Constant force on the whole body (N), distributed by mass as gravity is.
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(between_steps = "force")]
    pub force: [f64; 2],
    /// Constant torque about the centre of mass of a rigid body, counter-clockwise (N m).
    #[serde(default, skip_serializing_if = "is_default")]
    pub torque: f64,
    /// Coordinates of a rigid body that keep their values of the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<Axis>,
    /// Scripted motion of a rigid body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(between_steps = "target")]
    pub script: Option<Script>,
    /// Part of the shape that carries the mass of a rigid or affine body.
    #[serde(default)]
    pub mass_from: MassFrom,
    /// Mass of a rigid or affine body (kg); if absent it follows from `density`, area and `thickness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub mass: Option<f64>,
    /// Centre of mass of a rigid or affine body in its shape, before `rotation_deg` and `position` (m);
    /// if absent it follows from the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<[f64; 2]>,
    /// Moment of inertia of a rigid or affine body about its centre of mass (kg m^2); if absent it follows
    /// from the shape about the shape's centre, in proportion to the mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub moment: Option<f64>,
    /// Resistance of a rigid body against its motion, instead of `mass` in the damping of its material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<WholeDamping>,
    /// Group; bodies and obstacles of one group pass through each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Layer across the plane: bodies and obstacles of different layers pass through each other, as links
    /// behind each other do; if absent the body is in all layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 1)]
    pub layer: Option<u32>,
    /// Speed of the surface along the outline (m/s), as of a conveyor belt around the body. It is
    /// positive counter-clockwise around the body, with the inside on the left: the top of a box then
    /// moves to the left. Only friction feels it; the body does not move.
    #[serde(default, skip_serializing_if = "is_default")]
    pub belt: f64,
    /// Elements of a deformable body.
    #[serde(default, skip_serializing_if = "is_default")]
    pub elements: Elements,
    /// Volumes of a deformable body that resist a change, for materials that are nearly
    /// incompressible.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dilatation: Dilatation,
    /// Change of temperature (K) since the material was at rest without stress, by which it expands as
    /// its `expansion` says: a number, a table in time, or a formula of t and of the place at rest, x and
    /// y. Regions may have another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Varying>,
    /// Section at which a deformable body is tightened to a force, as a bolt is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preload: Option<Preload>,
    /// Distribution of a deformable body's mass to its vertices.
    #[serde(default)]
    pub lumping: Lumping,
    /// Vertices of a deformable body that are held or moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[key(between_steps = "target")]
    pub prescribed: Vec<Prescribed>,
    /// Selections of vertices by name, for `prescribed` and for loads, besides the names in the shape.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub selections: BTreeMap<String, Selection>,
    /// Rows of equal bodies instead of a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<Copies>,
    /// Many bodies in a region instead of a single one, without overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<Pack>,
}

impl Body {
    /// A body at rest at the scene's origin, with the default of every other key.
    ///
    /// `material` is the name under which the scene has the material. The shorter constructors
    /// [`Body::deformable`], [`Body::rigid`] and [`Body::affine`] name the kind.
    pub fn new(
        name: impl Into<String>,
        kind: Kind,
        shape: impl Into<Shape>,
        material: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            kind,
            shape: shape.into(),
            material: material.into(),
            regions: Vec::new(),
            relative_stiffness: Vec::new(),

            // At the origin, undeformed and at rest.
            position: [0.0; 2],
            rotation_deg: 0.0,
            rest_on: None,
            stretch: no_stretch(),
            velocity: [0.0; 2],
            spin_deg: 0.0,

            // Free to move.
            force: [0.0; 2],
            torque: 0.0,
            fixed: Vec::new(),
            script: None,
            mass_from: MassFrom::default(),
            mass: None,
            centre: None,
            moment: None,
            damping: None,
            group: None,
            layer: None,
            belt: 0.0,
            elements: Elements::default(),
            dilatation: Dilatation::default(),
            temperature: None,
            preload: None,
            lumping: Lumping::default(),
            prescribed: Vec::new(),
            selections: BTreeMap::new(),
            copies: None,
            pack: None,
        }
    }

    /// A deformable body of the material of this name, which must have a law.
    pub fn deformable(
        name: impl Into<String>,
        shape: impl Into<Shape>,
        material: impl Into<String>,
    ) -> Self {
        Self::new(name, Kind::Deformable, shape, material)
    }

    /// A rigid body of the material of this name, which needs only a density.
    pub fn rigid(
        name: impl Into<String>,
        shape: impl Into<Shape>,
        material: impl Into<String>,
    ) -> Self {
        Self::new(name, Kind::Rigid, shape, material)
    }

    /// An affine body of the material of this name, with the default stiffness.
    pub fn affine(
        name: impl Into<String>,
        shape: impl Into<Shape>,
        material: impl Into<String>,
    ) -> Self {
        Self::new(name, Kind::Affine(Affine::default()), shape, material)
    }

    /// A rod along a line, of the material of this name; only the density of the material counts.
    pub fn rod(
        name: impl Into<String>,
        rod: ElasticRod,
        line: Polyline,
        material: impl Into<String>,
    ) -> Self {
        Self::new(name, Kind::Rod(rod), line, material)
    }

    /// Puts the shape's origin at `position` (m).
    #[must_use]
    pub fn at(mut self, position: [f64; 2]) -> Self {
        self.position = position;
        self
    }

    /// Rotates the body about the shape's origin, counter-clockwise (degrees).
    #[must_use]
    pub fn rotated(mut self, degrees: f64) -> Self {
        self.rotation_deg = degrees;
        self
    }

    /// Sets the velocity of all vertices at the start (m/s).
    #[must_use]
    pub fn with_velocity(mut self, velocity: [f64; 2]) -> Self {
        self.velocity = velocity;
        self
    }

    /// Sets the angular velocity at the start about the centre of mass, counter-clockwise
    /// (degrees/s).
    #[must_use]
    pub fn with_spin(mut self, degrees_per_second: f64) -> Self {
        self.spin_deg = degrees_per_second;
        self
    }

    /// Sets the speed of the surface along the outline, counter-clockwise around the body (m/s).
    #[must_use]
    pub fn with_belt(mut self, speed: f64) -> Self {
        self.belt = speed;
        self
    }

    /// Sets the scripted motion of a rigid body, which forces do not change.
    #[must_use]
    pub fn with_script(mut self, script: Script) -> Self {
        self.script = Some(script);
        self
    }

    /// Makes the elements of a deformable body quadratic triangles.
    #[must_use]
    pub fn quadratic(mut self) -> Self {
        self.elements = Elements::Quadratic;
        self
    }

    /// Makes patches of a deformable body resist a change of their volumes as wholes.
    #[must_use]
    pub fn mean_dilatation(mut self) -> Self {
        self.dilatation = Dilatation::Mean;
        self
    }

    /// Sets the change of temperature (K) by which the body expands.
    #[must_use]
    pub fn heated(mut self, temperature: impl Into<Varying>) -> Self {
        self.temperature = Some(temperature.into());
        self
    }

    /// Sets the section at which the body is tightened to a force.
    #[must_use]
    pub fn tightened(mut self, preload: Preload) -> Self {
        self.preload = Some(preload);
        self
    }

    /// Makes a part of the body of another material.
    #[must_use]
    pub fn with_region(mut self, region: Region) -> Self {
        self.regions.push(region);
        self
    }

    /// Gives a selection of vertices a name.
    #[must_use]
    pub fn with_selection(mut self, name: impl Into<String>, selection: Selection) -> Self {
        self.selections.insert(name.into(), selection);
        self
    }

    /// Repeats the body in rows. Its own position is the position of the first copy.
    #[must_use]
    pub fn with_copies(mut self, copies: Copies) -> Self {
        self.copies = Some(copies);
        self
    }

    /// Packs bodies like this one into a region, which is relative to its position.
    #[must_use]
    pub fn packed(mut self, pack: Pack) -> Self {
        self.pack = Some(pack);
        self
    }

    /// Holds or moves vertices of a deformable body, besides the vertices that are prescribed
    /// already.
    #[must_use]
    pub fn with_prescribed(mut self, prescribed: Prescribed) -> Self {
        self.prescribed.push(prescribed);
        self
    }
}

impl Body {
    /// Names that select vertices: the names in `selections` and the names in the shape.
    ///
    /// The same name in both is an error.
    pub fn selection_names(&self) -> Vec<&str> {
        let own = self.selections.keys().map(String::as_str);
        own.chain(self.shape.names()).collect()
    }
}

/// Kind of motion and deformation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
#[key(example = examples::kind())]
pub enum Kind {
    /// Every vertex moves freely.
    #[default]
    Deformable,
    /// A centre of mass and an angle.
    Rigid,
    /// A centre of mass and a linear map, which a stiff energy keeps close to a rotation.
    Affine(Affine),
    /// Displacements that are polynomials of the rest position.
    Polynomial(Polynomial),
    /// Displacements that are sums of the softest modes of vibration.
    Modal(Modal),
    /// A line that resists stretch and bending: a rod, a rope, a cable.
    Rod(ElasticRod),
}

/// Parameters of an affine body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Affine {
    /// Stiffness of the energy that keeps the map close to a rotation (Pa); if absent 10,000 times
    /// the pressure of the body's weight, forces and speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub stiffness: Option<f64>,
}

/// Parameters of displacements that are polynomials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Polynomial {
    /// Order of the polynomials, from 1 (affine).
    #[key(at_least = 1, at_most = 8)]
    pub order: usize,
}

/// Parameters of displacements that are sums of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Modal {
    /// Number of modes, the three rigid ones included.
    #[key(at_least = 3)]
    pub modes: usize,
}

/// Part of a shape that carries the mass of a body without triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum MassFrom {
    /// The filled outline; the edges of a shape that has no inside.
    #[default]
    Outline,
    /// The ends of edges: each end has half of the edge's length, as if the edge were 1 m wide. The
    /// rigid-ipc project does so.
    Edges,
}

/// Default of the stretch (1): none.
fn no_stretch() -> [f64; 2] {
    [1.0, 1.0]
}
