//! Shapes and bodies of another size.

use crate::schema::{
    Area, Body, Circle, Curve, Disk, Gear, InlineMesh, Meshing, Near, Outline, Path, Polyline,
    Rectangle, RegularPolygon, Ring, RoundCurve, Shape, Square, Stop, Wire,
};

impl Body {
    /// The body with a shape that is larger by a factor. Mass and moment of inertia that are given grow
    /// with the area.
    pub(super) fn scale_by(&mut self, factor: f64) {
        if factor.total_cmp(&1.0).is_eq() {
            return;
        }
        self.shape = scaled(&self.shape, factor);
        self.mass = self.mass.map(|mass| mass * (factor * factor));
        let fourth = (factor * factor) * (factor * factor);
        self.moment = self.moment.map(|moment| moment * fourth);
        self.centre = self.centre.map(|centre| point(centre, factor));
    }
}

/// A shape that is larger by a factor about its origin.
pub(super) fn scaled(shape: &Shape, s: f64) -> Shape {
    match shape {
        Shape::Square(own) => Square::new(own.side * s, own.segments).into(),
        Shape::Rectangle(own) => Rectangle::new(point(own.size, s), own.segments).into(),
        Shape::Disk(own) => Disk::new(own.radius * s, own.segments).into(),
        Shape::RegularPolygon(own) => {
            RegularPolygon::new(own.radius * s, own.sides, own.segments).into()
        }
        Shape::Mesh(own) => Shape::Mesh(InlineMesh {
            vertices: points(&own.vertices, s),
            ..own.clone()
        }),
        Shape::Area(own) => area(own, s).into(),
        Shape::Circle(own) => Circle::new(own.radius * s).into(),
        Shape::Outline(own) => Shape::Outline(Outline {
            points: points(&own.points, s),
            holes: own.holes.iter().map(|hole| points(hole, s)).collect(),
        }),
        Shape::Ring(own) => Ring::new(own.radius * s, own.inner_radius * s, own.segments).into(),
        Shape::Gear(own) => Shape::Gear(Gear {
            pitch_radius: own.pitch_radius * s,
            addendum: own.addendum * s,
            bore: own.bore.map(|bore| bore * s),
            ..*own
        }),
        Shape::Polyline(own) => Shape::Polyline(Polyline {
            points: points(&own.points, s),
            ..*own
        }),
        Shape::Wire(own) => Shape::Wire(Wire {
            vertices: points(&own.vertices, s),
            edges: own.edges.clone(),
        }),
        // Points have no size. Files are read before, and half-planes are no bodies.
        Shape::Point(_) | Shape::HalfPlane(_) | Shape::File(_) => shape.clone(),
    }
}

/// A point of a larger shape (m).
fn point([x, y]: [f64; 2], s: f64) -> [f64; 2] {
    [x * s, y * s]
}

/// Points of a larger shape (m).
fn points(list: &[[f64; 2]], s: f64) -> Vec<[f64; 2]> {
    list.iter().map(|&at| point(at, s)).collect()
}

/// A larger area, with larger triangles.
fn area(own: &Area, s: f64) -> Area {
    let mesh = &own.mesh;
    let parts = own.parts.iter();
    Area {
        outline: curve(&own.outline, s),
        holes: own.holes.iter().map(|hole| curve(hole, s)).collect(),
        parts: parts
            .map(|(name, part)| (name.clone(), curve(part, s)))
            .collect(),
        deviation: own.deviation.map(|deviation| deviation * s),
        tolerance: own.tolerance.map(|tolerance| tolerance * s),
        mesh: Meshing {
            size: mesh.size.map(|size| size * s),
            along: mesh
                .along
                .iter()
                .map(|(name, size)| (name.clone(), size * s))
                .collect(),
            near: mesh.near.iter().map(|near| near_place(near, s)).collect(),
            ..mesh.clone()
        },
    }
}

/// A place with its size of triangles in a larger area.
fn near_place(own: &Near, s: f64) -> Near {
    Near {
        at: point(own.at, s),
        size: own.size * s,
        radius: own.radius * s,
    }
}

/// A larger curve.
fn curve(own: &Curve, s: f64) -> Curve {
    match own {
        Curve::Path(path) => Curve::Path(Path {
            points: path.points.iter().map(|stop| piece(stop, s)).collect(),
            name: path.name.clone(),
        }),
        Curve::Circle(circle) => Curve::Circle(RoundCurve {
            center: point(circle.center, s),
            radius: circle.radius * s,
            name: circle.name.clone(),
        }),
    }
}

/// A larger piece of a curve.
fn piece(stop: &Stop, s: f64) -> Stop {
    let mut stop = stop.clone();
    match &mut stop {
        Stop::Point(to) => *to = point(*to, s),
        Stop::Line(line) => line.to = point(line.to, s),
        Stop::Arc(arc) => {
            arc.through = point(arc.through, s);
            arc.to = point(arc.to, s);
        }
        Stop::Cubic(cubic) => {
            cubic.controls = cubic.controls.map(|at| point(at, s));
            cubic.to = point(cubic.to, s);
        }
        Stop::Spline(spline) => spline.through = points(&spline.through, s),
    }
    stop
}
