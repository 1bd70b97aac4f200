//! A plot as data: what was expected beside what was measured.

use serde::Serialize;

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// A line from point to point, for what is expected.
    Line,
    /// A mark at each point, for what is measured.
    Points,
}

/// Points with a label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Label in the legend.
    pub label: String,
    /// How the points are drawn.
    pub mark: Mark,
    /// Abscissa and ordinate of each point, in the units of the axes.
    pub points: Vec<[f64; 2]>,
}

/// Series over common axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plot {
    /// Label of the horizontal and of the vertical axis, with units.
    pub labels: [&'static str; 2],
    /// Whether an axis is logarithmic; points that are not positive are then left out.
    pub logarithmic: [bool; 2],
    /// Series, expected ones first.
    pub series: Vec<Series>,
}

impl Plot {
    /// An empty plot with labels of the horizontal and the vertical axis.
    pub fn new(x: &'static str, y: &'static str) -> Self {
        Self {
            labels: [x, y],
            logarithmic: [false; 2],
            series: Vec::new(),
        }
    }

    /// An empty plot whose axes are both logarithmic.
    pub fn logarithmic(x: &'static str, y: &'static str) -> Self {
        Self {
            logarithmic: [true; 2],
            ..Self::new(x, y)
        }
    }

    /// Adds an expected curve.
    pub fn line(&mut self, label: impl Into<String>, points: Vec<[f64; 2]>) {
        self.add(label.into(), Mark::Line, points);
    }

    /// Adds the curve of a function, sampled at 129 points from `from` to `to`.
    pub fn curve(
        &mut self,
        label: impl Into<String>,
        [from, to]: [f64; 2],
        f: impl Fn(f64) -> f64,
    ) {
        let at = |k: u32| from + (to - from) * f64::from(k) / 128.0;
        self.line(label, (0..=128).map(|k| [at(k), f(at(k))]).collect());
    }

    /// Adds measured points.
    pub fn points(&mut self, label: impl Into<String>, points: Vec<[f64; 2]>) {
        self.add(label.into(), Mark::Points, points);
    }

    /// Adds a series.
    fn add(&mut self, label: String, mark: Mark, points: Vec<[f64; 2]>) {
        self.series.push(Series {
            label,
            mark,
            points,
        });
    }
}
