//! Stress of fields against the forces on vertices, over the product of laws, planes, elements, states of
//! flow and heat.
//!
//! The force on a vertex is `sum_p v_p sigma_p grad N` over the points of quadrature, with their present
//! volumes `v_p`, whatever the law. So forces that are made of the stress of fields must be the
//! derivatives of the energies, and the resultant over a cut is a sum of them.

use crate::support::{inline, near, setup};
use ipcsim::energy::{Conditions, Energy};
use ipcsim::fields::{Known, Snapshot, Subject};
use ipcsim::material::{
    Distortable, Distortion, Flow, Hyperelastic, Law, LawVisitor, MassSpring, Plane, SPLIT_LAWS,
    SceneLaw,
};
use ipcsim::math::{Mat2, PlaneTensor, Vec2, cross, outer};
use ipcsim::mesh::Point;
use ipcsim::scene::Setup;
use serde_json::{Value, json};

/// Young's modulus (Pa).
const YOUNG: f64 = 1e5;
/// Thickness of the scene (m).
const THICKNESS: f64 = 0.7;
/// Time of the states (s).
const TIME: f64 = 0.3;
/// Yield stress and hardening (Pa).
const YIELD: [f64; 2] = [2e3, 1e4];
/// Largest error of a force, relative to the largest force.
const TOLERANCE: f64 = 1e-9;

/// Elements of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Elements {
    Linear,
    Quadratic,
    LinearMean,
    QuadraticMean,
}

/// History of a metal.
#[derive(Clone, Copy, Debug, PartialEq)]
enum History {
    /// It has never flowed.
    Elastic,
    /// It flows in the step that leads to the state.
    Flowing,
    /// It has flowed in a step before, and goes back without flow.
    Unloaded,
}

/// A temperature (K), and its value at the places of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Heat {
    Cold,
    Even,
    Varying,
}

/// A combination.
#[derive(Clone, Debug)]
struct Case {
    law: (&'static str, Value),
    plane: Plane,
    elements: Elements,
    history: History,
    heat: Heat,
}

/// All laws of triangles, by name.
fn laws() -> [(&'static str, Value); 9] {
    let elastic = json!({ "young": YOUNG, "poisson": 0.3 });
    let [first, hardening] = YIELD;
    [
        ("neo_hookean", elastic.clone()),
        ("fixed_corotated", elastic.clone()),
        ("st_venant_kirchhoff", elastic.clone()),
        ("linear", elastic.clone()),
        ("stable_neo_hookean", elastic),
        (
            "mooney_rivlin",
            json!({ "c10": 1.4e4, "c01": 5e3, "bulk": 8e4 }),
        ),
        (
            "yeoh",
            json!({ "c1": 2e4, "c2": -1e3, "c3": 200.0, "bulk": 8e4 }),
        ),
        (
            "orthotropic",
            json!({ "young": [YOUNG, 4e4, 6e4], "poisson": [0.3, 0.25, 0.2], "shear": 2e4,
            "angle_deg": 25 }),
        ),
        (
            "j2",
            json!({ "young": YOUNG, "poisson": 0.3, "yield_stress": first, "hardening": hardening }),
        ),
    ]
}

/// All combinations that scenes accept.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for law in laws() {
        for plane in [Plane::Strain, Plane::Stress] {
            for elements in [
                Elements::Linear,
                Elements::Quadratic,
                Elements::LinearMean,
                Elements::QuadraticMean,
            ] {
                for heat in [Heat::Cold, Heat::Even, Heat::Varying] {
                    let is_metal = law.0 == "j2";
                    let histories = [History::Elastic, History::Flowing, History::Unloaded];
                    for history in &histories[..if is_metal { 3 } else { 1 }] {
                        cases.push(Case {
                            law: law.clone(),
                            plane,
                            elements,
                            history: *history,
                            heat,
                        });
                    }
                }
            }
        }
    }
    cases.retain(Case::is_accepted);
    cases
}

impl Case {
    /// True unless scenes refuse the combination.
    fn is_accepted(&self) -> bool {
        let has_mean = !matches!(self.elements, Elements::Linear | Elements::Quadratic);
        let is_split = SPLIT_LAWS.split([',', ' ']).any(|name| name == self.law.0);
        !has_mean || (is_split && self.plane == Plane::Strain && self.heat == Heat::Cold)
    }

    /// A block of this kind.
    fn setup(&self) -> Setup {
        let mut law = serde_json::Map::new();
        law.insert(self.law.0.to_owned(), self.law.1.clone());
        let mut body = json!({ "name": "block", "material": "stuff", "position": [0.2, -0.1],
            "shape": { "rectangle": { "size": [1.0, 0.6], "segments": [4, 3] } } });
        if matches!(self.elements, Elements::Quadratic | Elements::QuadraticMean) {
            body["elements"] = json!("quadratic");
        }
        if matches!(
            self.elements,
            Elements::LinearMean | Elements::QuadraticMean
        ) {
            body["dilatation"] = json!("mean");
        }
        match self.heat {
            Heat::Cold => {}
            Heat::Even => body["temperature"] = json!(200.0),
            Heat::Varying => body["temperature"] = json!("500*t + 100*x"),
        }
        let plane = match self.plane {
            Plane::Strain | Plane::Axisymmetric => "strain",
            Plane::Stress => "stress",
        };
        setup(&inline(json!({
            "time": { "step": 0.01, "steps": 1 }, "plane": plane, "thickness": THICKNESS,
            "materials": { "stuff": { "density": 1000.0, "expansion": 3e-4, "law": law } }, "bodies": [body]
        })))
    }

    /// Stretch by heat at a place at rest (m).
    fn growth(&self, place: Vec2) -> f64 {
        1.0 + 3e-4
            * match self.heat {
                Heat::Cold => 0.0,
                Heat::Even => 200.0,
                Heat::Varying => 500.0 * TIME + 100.0 * place.x,
            }
    }

    /// Deformed place of a point at rest (m): a map of constant gradient, with a bend added.
    ///
    /// The law `linear` sees rotations, so that its Cauchy stress is symmetric only where there is none.
    fn moved(&self, x: Vec2, size: f64, bend: f64) -> Vec2 {
        let size = match self.history {
            History::Elastic if self.law.0 == "j2" => 0.02 * size,
            _ => size,
        };
        let g = self.growth(Vec2::zeros());
        let (a, b) = (1.0 + 0.13 * size, 1.0 - 0.09 * size);
        if self.law.0 == "linear" {
            let bent = Vec2::new(x.x * x.x, x.y * x.y) * (bend * size);
            return Vec2::new(a * x.x, b * x.y) * g + bent;
        }
        let (sin, cos) = 0.4_f64.sin_cos();
        let turn = Mat2::new(cos, -sin, sin, cos);
        let stretch = Mat2::new(a, 0.08 * size, 0.05 * size, b);
        let bent = Vec2::new(x.x * x.y - 0.3 * x.y * x.y, 0.5 * x.x * x.x) * (bend * size);
        turn * (stretch * x * g + bent) + Vec2::new(3.0, 1.0)
    }

    /// Positions (m) of all vertices.
    fn positions(&self, rest: &[Vec2], size: f64, bend: f64) -> Vec<Vec2> {
        let moved = rest.iter().map(|x| self.moved(*x, size, bend));
        moved.collect()
    }
}

/// Elastic stretch across the plane of a law at `f` with a distortion.
struct Thickness(Plane, Mat2, Distortion);

impl LawVisitor for Thickness {
    type Output = f64;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> f64 {
        let Self(plane, f, distortion) = self;
        let elastic = f * distortion.plane.try_inverse().unwrap();
        match plane {
            Plane::Strain | Plane::Axisymmetric => 1.0 / distortion.across,
            Plane::Stress => L::plane_stress(given)
                .distorted(&distortion)
                .thickness(&elastic),
        }
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> f64 {
        panic!("springs have no thickness")
    }
}

/// A point of quadrature in a state.
struct Site {
    /// Vertices of its element, and gradients of their shape functions in the present shape (1/m).
    gradients: Vec<(usize, Vec2)>,
    /// Present area (m^2).
    area: f64,
    /// Deformation gradient.
    f: Mat2,
    /// Distortion of the material.
    distortion: Distortion,
    /// Number of the triangle of the field that has the stress of the point.
    triangle: usize,
}

/// Gradients of the shape functions of a linear triangle with these corners (1/m), and its area (m^2).
fn linear(corners: [Vec2; 3]) -> ([Vec2; 3], f64) {
    let area = 0.5 * cross(corners[1] - corners[0], corners[2] - corners[0]);
    let gradients = [0, 1, 2].map(|i: usize| {
        let side = corners[(i + 2) % 3] - corners[(i + 1) % 3];
        Vec2::new(-side.y, side.x) / (2.0 * area)
    });
    (gradients, area)
}

/// All points of quadrature at positions `x` (m), of a material with these flows.
fn sites(case: &Case, setup: &Setup, x: &[Vec2], flowed: &[Flow]) -> Vec<Site> {
    let world = &setup.world;
    let rest = &world.rest;
    let mut sites = Vec::new();
    let mut add =
        |triangle: usize, nodes: &[usize], now: &[Vec2], then: &[Vec2], area: f64, place: Vec2| {
            let own = nodes.iter().zip(then);
            let f = own.map(|(&i, b)| outer(x[i] - x[nodes[0]], *b)).sum();
            let flow = flowed.get(sites.len()).copied().unwrap_or_default();
            sites.push(Site {
                gradients: nodes.iter().copied().zip(now.iter().copied()).collect(),
                area,
                f,
                distortion: flow.distortion().grown(case.growth(place)),
                triangle,
            });
        };

    // Facets at the corners of quadratic triangles have the stress of the points of quadrature.
    for curved in &world.curved {
        let (now, then) = (curved.at(x), curved.at(rest));
        let points = Point::of_gauss(&now)
            .into_iter()
            .zip(Point::of_gauss(&then));
        for (k, (now, then_point)) in points.enumerate() {
            let place = then.iter().zip(then_point.shapes).map(|(x, n)| x * n).sum();
            add(
                curved.first + k,
                &curved.nodes,
                &now.b,
                &then_point.b,
                now.area,
                place,
            );
        }
    }
    if world.curved.is_empty() {
        for (k, stencil) in world.triangles.iter().enumerate() {
            let (now, area) = linear(stencil.map(|i| x[i]));
            let then_corners = stencil.map(|i| rest[i]);
            let (then, _) = linear(then_corners);
            let place = then_corners.iter().sum::<Vec2>() / 3.0;
            add(k, stencil, &now, &then, area, place);
        }
    }
    sites
}

/// The tensor in the plane.
fn in_plane(stress: &PlaneTensor) -> Mat2 {
    Mat2::new(stress.xx, stress.xy, stress.xy, stress.yy)
}

/// A state of a case with its stress.
struct Found {
    setup: Setup,
    x: Vec<Vec2>,
    /// Flow at the end of the step.
    flowed: Vec<Flow>,
    /// Flow at its start.
    before: Vec<Flow>,
    law: Law,
}

impl Found {
    /// The state of a case with a bend.
    fn new(case: &Case, bend: f64) -> Self {
        let setup = case.setup();
        let rest = &setup.world.rest;
        let flow = |before: &[Flow], x: &[Vec2]| -> Vec<Flow> {
            let conditions = Conditions {
                time: TIME,
                flowed: before,
            };
            let energies = setup.world.model.energies.iter();
            energies
                .flat_map(|energy| energy.flow(conditions, x))
                .collect()
        };

        let (before, size) = match case.history {
            History::Unloaded => (flow(&[], &case.positions(rest, 1.0, bend)), 0.97),
            _ => (Vec::new(), 1.0),
        };
        let x = case.positions(rest, size, bend);
        let flowed = flow(&before, &x);
        let mut law = serde_json::Map::new();
        law.insert(case.law.0.to_owned(), case.law.1.clone());
        Self {
            law: serde_json::from_value(law.into()).unwrap(),
            setup,
            x,
            flowed,
            before,
        }
    }

    /// Forces on all vertices (N): derivatives of the energies with the flow at the start of the step.
    fn forces(&self) -> Vec<Vec2> {
        let mut gradient = vec![Vec2::zeros(); self.x.len()];
        let conditions = Conditions {
            time: TIME,
            flowed: &self.before,
        };
        for energy in &self.setup.world.model.energies {
            let made = energy.under(conditions);
            let own: &dyn Energy = made.as_deref().unwrap_or(energy.as_ref());
            own.add_gradient(&self.x, 1.0, &mut gradient);
        }
        gradient
    }
}

/// Present thickness at a site (m).
fn thickness(case: &Case, found: &Found, site: &Site) -> f64 {
    let elastic = found
        .law
        .visit(Thickness(case.plane, site.f, site.distortion));
    THICKNESS * elastic * site.distortion.across
}

/// Checks forces, and yield where metal flows, of one state.
fn check(case: &Case, bend: f64) {
    let found = Found::new(case, bend);
    let world = &found.setup.world;
    let subject = Subject::new(world, case.plane, THICKNESS, vec![Some(0)]);
    let conditions = Conditions {
        time: TIME,
        flowed: &found.flowed,
    };
    let snapshot = Snapshot::new(&subject, Known::positions(&found.x, conditions));
    let stress = snapshot.stress();
    let sites = sites(case, &found.setup, &found.x, &found.flowed);

    // Forces made of the stress are the derivatives of the energies.
    let mut left = found.forces();
    let largest = left.iter().map(Vec2::norm).fold(0.0, f64::max);
    for site in &sites {
        let volume = site.area * thickness(case, &found, site);
        for &(vertex, gradient) in &site.gradients {
            left[vertex] -= in_plane(&stress.triangles[site.triangle]) * gradient * volume;
        }
    }
    let error = left.iter().map(Vec2::norm).fold(0.0, f64::max) / largest;
    assert!(
        largest > 1.0 && error < TOLERANCE,
        "{case:?}, bend {bend}: {error}"
    );

    // Metal that flows is on its yield surface, by the Kirchhoff stress, and is inside elsewhere.
    let flows = found.flowed.iter().zip(&sites).enumerate();
    let mut flowing = 0;
    for (k, (flow, site)) in flows {
        let limit = YIELD[0] + YIELD[1] * flow.hardened;
        let volume = site.area_ratio() * thickness(case, &found, site) / THICKNESS;
        let ratio = volume / site.distortion.volume();
        let mises = stress.triangles[site.triangle].von_mises() * ratio;
        let before = found.before.get(k).map_or(0.0, |flow| flow.hardened);
        if flow.hardened > before {
            flowing += 1;
            near(mises / limit, 1.0, TOLERANCE);
        } else {
            assert!(
                mises < limit * (1.0 + TOLERANCE),
                "{case:?}: {mises} {limit}"
            );
        }
    }
    if case.history == History::Flowing {
        assert_eq!(flowing, sites.len(), "{case:?}");
    }
    if case.history == History::Unloaded {
        assert!(found.flowed == found.before, "{case:?}");
    }

    // Where strain is even, so is the stress, and a cut has the force of all vertices beyond it.
    if bend == 0.0 && case.heat != Heat::Varying {
        cut(
            case,
            &found,
            &sites[0],
            stress.triangles.iter().chain(&stress.vertices),
        );
    }
}

impl Site {
    /// Ratio of areas `det F` (1).
    fn area_ratio(&self) -> f64 {
        self.f.determinant()
    }
}

/// Compares the traction on the deformed right side of a block in an even state with the force there.
fn cut<'a>(case: &Case, found: &Found, site: &Site, all: impl Iterator<Item = &'a PlaneTensor>) {
    let rest = &found.setup.world.rest;
    let on_side: Vec<usize> = (0..rest.len())
        .filter(|&i| (rest[i].x - 0.7).abs() < 1e-9)
        .collect();
    let by_height = |a: &&usize, b: &&usize| rest[**a].y.total_cmp(&rest[**b].y);
    let low = *on_side.iter().min_by(by_height).unwrap();
    let high = *on_side.iter().max_by(by_height).unwrap();
    let along = found.x[high] - found.x[low];
    let normal = Vec2::new(along.y, -along.x);

    let forces = found.forces();
    let reaction: Vec2 = on_side.iter().map(|&i| forces[i]).sum();
    for stress in all {
        let traction = in_plane(stress) * normal * thickness(case, found, site);
        let error = (traction - reaction).norm() / reaction.norm();
        assert!(error < TOLERANCE, "{case:?}: {traction} {reaction}");
    }
}

#[test]
fn stress_integrated_over_a_cut_is_the_force_there_for_every_law_plane_element_flow_and_heat() {
    let cases = cases();
    for case in &cases {
        check(case, 0.0);
        check(case, 0.04);
    }

    // 8 laws by 2 planes, 2 elements and 3 temperatures, metal with 3 histories, and 5 laws with a mean
    // dilatation of 2 elements.
    assert_eq!(cases.len(), (8 + 3) * 2 * 2 * 3 + 5 * 2);
}
