//! Scenes of rigid rectangles and disks over half-planes, as `benches/crowds.py` writes them.

use serde_json::Value;
use std::error::Error;
use std::f64::consts::PI;

/// Shape of a body, around its centre.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A disk of this radius (m), also where the scene has a polygon.
    Disk(f64),
    /// A rectangle of these half sizes (m).
    Box([f64; 2]),
}

/// A body as it starts.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub shape: Shape,
    /// Mass per area (kg/m^2).
    pub density: f64,
    pub start: Pose,
    /// Velocity of the centre (m/s).
    pub velocity: [f64; 2],
}

/// Place of a body.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Centre (m).
    pub centre: [f64; 2],
    /// Angle (rad).
    pub angle: f64,
}

/// A half-plane of solid below a line.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    pub normal: [f64; 2],
    pub origin: [f64; 2],
}

/// A scene, with gravity of 9.81 m/s^2 downwards.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Time step (s).
    pub step: f64,
    /// Number of steps.
    pub steps: usize,
    /// Coefficient of friction of all pairs.
    pub friction: f64,
    pub bodies: Vec<Body>,
    pub planes: Vec<Plane>,
}

impl Scene {
    /// Reads a scene from the text of its file.
    ///
    /// # Errors
    /// An entry that is missing, or that peers do not have.
    pub fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        let file: Value = serde_json::from_str(text)?;
        let steps = file["time"]["steps"]
            .as_u64()
            .ok_or("time.steps is no count")?;
        let bodies = list(&file, "bodies")?;
        let obstacles = list(&file, "obstacles")?;

        Ok(Self {
            step: number(&file["time"]["step"], "time.step")?,
            steps: usize::try_from(steps)?,
            friction: number(
                &file["contact"]["friction"]["default"],
                "contact.friction.default",
            )?,
            bodies: bodies
                .iter()
                .map(|entry| body(entry, &file))
                .collect::<Result<_, _>>()?,
            planes: obstacles.iter().map(plane).collect::<Result<_, _>>()?,
        })
    }
}

fn body(entry: &Value, file: &Value) -> Result<Body, String> {
    if entry["kind"] != "rigid" {
        return Err(format!("{} is not rigid", entry["name"]));
    }
    let shape = &entry["shape"];
    let shape = if let Some(disk) = shape.get("disk").or_else(|| shape.get("circle")) {
        Shape::Disk(number(&disk["radius"], "radius")?)
    } else if let Some(rectangle) = shape.get("rectangle") {
        Shape::Box(pair(&rectangle["size"], "size")?.map(|size| size / 2.0))
    } else {
        return Err(format!(
            "{} is neither a disk nor a rectangle",
            entry["name"]
        ));
    };
    let material = entry["material"].as_str().unwrap_or_default();
    let turned = entry
        .get("rotation_deg")
        .map_or(Ok(0.0), |turn| number(turn, "rotation_deg"))?;

    Ok(Body {
        shape,
        density: number(&file["materials"][material]["density"], "density")?,
        start: Pose {
            centre: pair(&entry["position"], "position")?,
            angle: turned * PI / 180.0,
        },
        velocity: entry
            .get("velocity")
            .map_or(Ok([0.0; 2]), |v| pair(v, "velocity"))?,
    })
}

fn plane(entry: &Value) -> Result<Plane, String> {
    let shape = &entry["shape"]["half_plane"];
    Ok(Plane {
        normal: pair(&shape["normal"], "half_plane.normal")?,
        origin: pair(&shape["origin"], "half_plane.origin")?,
    })
}

fn list<'a>(file: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    file[key]
        .as_array()
        .ok_or_else(|| format!("{key} is no list"))
}

fn number(value: &Value, name: &str) -> Result<f64, String> {
    value
        .as_f64()
        .ok_or_else(|| format!("{name} is no number: {value}"))
}

fn pair(value: &Value, name: &str) -> Result<[f64; 2], String> {
    Ok([number(&value[0], name)?, number(&value[1], name)?])
}
