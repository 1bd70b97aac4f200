//! Rods: lines whose vertices are free, with stretch and bending.
//!
//! A rod is a polyline, open or closed. Its material gives the density alone; stiffnesses are
//! parameters of the rod, since a section is no part of a material. Contact sees a line with a
//! radius.

use super::rules::{Freedom, NewBody, Rules, ShapeClass};
use crate::assemble::builder::Builder;
use crate::check::report::Report;
use crate::schema::{ElasticRod, Law, Shape};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::predicates::folds_back;

impl Rules for ElasticRod {
    fn name(&self) -> &'static str {
        "rod"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["stretch", "prescribed"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Line
    }

    fn freedom(&self) -> Freedom {
        Freedom::Vertices
    }

    fn add(&self, builder: &mut Builder, body: &NewBody) {
        builder.add_rod(body, self);
    }

    fn check(&self, report: &mut Report, path: &str) {
        let path = format!("{path}.rod");
        let key = |key: &str| format!("{path}.{key}");
        for (name, value, unit) in [
            ("young", self.young, " Pa"),
            ("thickness", self.thickness, " m"),
            ("axial_stiffness", self.axial_stiffness, " N"),
            ("mass_per_length", self.mass_per_length, " kg/m"),
            ("exempt_length", self.exempt_length, " m"),
        ] {
            if let Some(value) = value {
                report.positive(&key(name), value, unit);
            }
        }
        for (name, value, unit) in [
            ("bending_stiffness", self.bending_stiffness, " N m^2"),
            ("radius", self.radius, " m"),
        ] {
            if let Some(value) = value {
                report.not_negative(&key(name), value, unit);
            }
        }
        self.check_whole(report, &path);
    }

    fn check_shape(&self, report: &mut Report, path: &str, shape: &Shape) {
        let Shape::Polyline(line) = shape else {
            let message = "is not a line; a rod is a polyline, with segments on each of its sides";
            return report.add(path, message);
        };

        // A rod that folds back has an infinite energy.
        let count = line.points.len();
        let inner = if line.closed { 0..count } else { 1..count - 1 };
        for k in inner {
            let corners = [k + count - 1, k, k + 1].map(|k| Vec2::from(line.points[k % count]));
            let [from, joint, to] = corners;
            if folds_back(from, joint, to) {
                let path = format!("{path}.polyline.points[{k}]");
                let message = "is where the rod folds back on itself; give it a bend";
                report.add(&path, message);
            }
        }
    }

    fn allows_strain_damping(&self) -> bool {
        false
    }

    fn needs_law(&self) -> bool {
        false
    }

    fn stiffness(&self, _law: Option<&Law>) -> Option<f64> {
        None
    }
}

impl ElasticRod {
    /// Checks that each stiffness and the mass are given once, and that neighbours are exempt as far
    /// as their radii reach.
    fn check_whole(&self, report: &mut Report, path: &str) {
        let by_material = self.young.is_some() && self.thickness.is_some();
        let stiffnesses = [
            (
                "axial_stiffness",
                self.axial_stiffness,
                "\"axial_stiffness\": 1e4",
            ),
            (
                "bending_stiffness",
                self.bending_stiffness,
                "\"bending_stiffness\": 0",
            ),
        ];
        for (name, given, example) in stiffnesses {
            if given.is_none() && !by_material {
                let message = format!("has no {name}; give young and thickness, or {example}");
                report.add(path, message);
            } else if given.is_some() && self.young.is_some() {
                let message = "is given beside young, from which it follows; remove one of them";
                report.add(&format!("{path}.{name}"), message);
            }
        }
        if self.mass_per_length.is_none() && self.thickness.is_none() {
            let message = "has no mass; give thickness, with which the density of the material counts, \
                           or mass_per_length (kg/m)";
            report.add(path, message);
        }

        let Some(exempt) = self.exempt_length else {
            return;
        };
        let least = 2.0 * self.contact_radius();
        if exempt <= least {
            let message = format!(
                "is {exempt} m, but parts of a straight rod of the radius {} m touch within {least} m; \
                 use more, or leave it out",
                self.contact_radius()
            );
            report.add(&format!("{path}.exempt_length"), message);
        }
    }
}
