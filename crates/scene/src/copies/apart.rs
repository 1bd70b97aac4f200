//! Scenes with a body for each copy, for which [`Copies`](crate::schema::Copies) and
//! [`Pack`](crate::schema::Pack) stand.
//!
//! Selections by place and keyframes are places in the world, and move with their copy.

use super::places::{Placed, places};
use crate::problem::Problem;
use crate::schema::{Body, Change, FrictionPair, Interference, RestitutionPair, Scene, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// A scene with a body for each copy.
#[derive(Debug)]
pub struct Apart {
    /// The scene, without copies and packs.
    pub scene: Scene,
    /// Number of the entry that each body comes from, `[bodies]`.
    pub entries: Vec<usize>,
    /// An error for each pack whose bodies have no room; these are left out.
    pub problems: Vec<Problem>,
}

impl Scene {
    /// The scene with a body for each copy. Bodies keep the order of their entries, and copies the order
    /// of their numbers.
    pub fn with_copies_apart(mut self) -> Apart {
        self.spread_pairs();
        let (copies, problems) = places(&self);
        let mut entries = Vec::new();
        let mut bodies = Vec::new();
        for (entry, (body, copies)) in self.bodies.drain(..).zip(&copies).enumerate() {
            if body.is_many() {
                let all = copies.iter().enumerate();
                bodies.extend(all.map(|(k, copy)| body.copy(copy, k)));
            } else {
                bodies.push(body);
            }
            entries.resize(bodies.len(), entry);
        }
        Apart {
            scene: Self { bodies, ..self },
            entries,
            problems,
        }
    }

    /// Names that stand for all copies of a body in pairs: the body's own, unless something else has it.
    pub fn stems(&self) -> BTreeMap<String, Vec<String>> {
        let obstacles = self.obstacles.iter().map(|obstacle| &obstacle.name);
        let plain = self.bodies.iter().filter(|body| !body.is_many());
        let taken: BTreeSet<&String> = plain.map(|body| &body.name).chain(obstacles).collect();
        let copied = self.bodies.iter().filter(|body| body.is_many());
        copied
            .filter(|body| !taken.contains(&body.name))
            .map(|body| (body.name.clone(), body.names().collect()))
            .collect()
    }

    /// Replaces each pair that names copies together by a pair for each copy. A pair that names a
    /// single copy comes before.
    fn spread_pairs(&mut self) {
        let stems = self.stems();
        if stems.is_empty() {
            return;
        }

        let contact = &mut self.contact;
        let between: Vec<[String; 2]> = contact
            .friction
            .pairs
            .iter()
            .map(|pair| pair.between.clone())
            .collect();
        // A copy may touch itself, with friction.
        let spread = spread(&between, &stems, true);
        contact.friction.pairs = spread
            .into_iter()
            .map(|one| FrictionPair {
                between: one.names,
                ..contact.friction.pairs[one.entry].clone()
            })
            .collect();

        let between: Vec<[String; 2]> = contact
            .restitution
            .pairs
            .iter()
            .map(|pair| pair.between.clone())
            .collect();
        contact.restitution.pairs = spread_of(&between, &stems)
            .into_iter()
            .map(|one| RestitutionPair {
                between: one.names,
                ..contact.restitution.pairs[one.entry].clone()
            })
            .collect();

        let fits = contact.interference.iter();
        let between: Vec<[String; 2]> = fits.map(|pair| pair.between.clone()).collect();
        contact.interference = spread_of(&between, &stems)
            .into_iter()
            .map(|one| fit(&contact.interference[one.entry], one.names))
            .collect();

        let excluded = spread_of(&contact.exclude, &stems);
        contact.exclude = excluded.into_iter().map(|one| one.names).collect();
        self.spread_changes(&stems);
    }

    /// Replaces each change of something that names copies together by a change for each copy.
    fn spread_changes(&mut self, stems: &BTreeMap<String, Vec<String>>) {
        let names = |name| names_of(name, stems);
        let spread = self.changes.iter().flat_map(|Change { after, set }| {
            let settings = set.spread(names).into_iter();
            settings.map(|set| Change::new(*after, set))
        });
        self.changes = spread.collect();
    }
}

/// Names that a name stands for: the names of copies, or itself.
fn names_of<'a>(name: &'a String, stems: &'a BTreeMap<String, Vec<String>>) -> &'a [String] {
    let copies = stems.get(name).map(Vec::as_slice);
    copies.unwrap_or(std::slice::from_ref(name))
}

/// Pair of names that an entry of a list stands for.
struct Spread {
    /// Number of the entry.
    entry: usize,
    /// Two names.
    names: [String; 2],
}

/// Pairs of different names that entries stand for.
fn spread_of(entries: &[[String; 2]], stems: &BTreeMap<String, Vec<String>>) -> Vec<Spread> {
    spread(entries, stems, false)
}

/// Pairs that entries stand for, each once. A copy may be a pair `with_itself`.
fn spread(
    entries: &[[String; 2]],
    stems: &BTreeMap<String, Vec<String>>,
    with_itself: bool,
) -> Vec<Spread> {
    let sorted = |[a, b]: &[String; 2]| [a.min(b).clone(), a.max(b).clone()];
    let is_plain = |names: &[String; 2]| !names.iter().any(|name| stems.contains_key(name));
    // Pairs of single names are noted first, so that none that stands for many hides them.
    let mut seen: BTreeSet<[String; 2]> = entries
        .iter()
        .filter(|names| is_plain(names))
        .map(sorted)
        .collect();

    let mut all = Vec::new();
    for (entry, names) in entries.iter().enumerate() {
        if is_plain(names) {
            let names = names.clone();
            all.push(Spread { entry, names });
            continue;
        }
        let [own, others] = names.each_ref().map(|name| names_of(name, stems));
        for a in own {
            for b in others {
                let pair = [a.clone(), b.clone()];
                if (with_itself || a != b) && seen.insert(sorted(&pair)) {
                    all.push(Spread { entry, names: pair });
                }
            }
        }
    }
    all
}

/// The entry for two bodies instead of those that it names, in the same order.
fn fit(entry: &Interference, names: [String; 2]) -> Interference {
    let resize = entry.resize.as_ref().map(|name| {
        let second = *name == entry.between[1];
        names[usize::from(second)].clone()
    });
    Interference {
        between: names,
        resize,
        ..entry.clone()
    }
}

impl Body {
    /// Placed `k`, from 0, with its selections by place and its keyframes moved along.
    fn copy(&self, copy: &Placed, k: usize) -> Self {
        let [x, y]: [f64; 2] = copy.offset.into();
        let moved = |at: [f64; 2]| [at[0] + x, at[1] + y];
        let mut body = Self {
            name: self.name_of_copy(k),
            position: moved(self.position),
            rotation_deg: self.rotation_deg + copy.angle_deg,
            copies: None,
            pack: None,
            ..self.clone()
        };
        body.scale_by(copy.scale);
        // A radius that is drawn is exact.
        match (&mut body.shape, copy.radius) {
            (Shape::Circle(circle), Some(radius)) => circle.radius = radius,
            (Shape::Disk(disk), Some(radius)) => disk.radius = radius,
            _ => {}
        }

        // Places in the world that belong to the body.
        for prescribed in &mut body.prescribed {
            prescribed.vertices.move_by([x, y]);
            for keyframe in &mut prescribed.keyframes {
                keyframe.position = moved(keyframe.position);
            }
        }
        for selection in body.selections.values_mut() {
            selection.move_by([x, y]);
        }
        if let Some(script) = &mut body.script {
            for keyframe in &mut script.keyframes {
                keyframe.position = moved(keyframe.position);
                keyframe.rotation_deg += copy.angle_deg;
            }
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Bounds, Selection};
    use serde_json::{Value, json};

    /// Copies of a body, and a last body without copies.
    fn apart(body: &Value, copies: &Value) -> Vec<Body> {
        let mut body = body.clone();
        body["copies"] = copies.clone();
        // A body after the copies shows that entries count the bodies of the scene.
        let plain = json!({ "name": "last", "shape": { "point": {} }, "material": "stone" });
        let scene = json!({ "time": { "step": 0.01, "steps": 1 }, "bodies": [body, plain] });
        let Apart { scene, entries, .. } = serde_json::from_value::<Scene>(scene)
            .unwrap()
            .with_copies_apart();
        let count = scene.bodies.len() - 1;
        assert_eq!(entries, [vec![0; count], vec![1]].concat());
        assert!(scene.bodies.iter().all(|body| body.copies.is_none()));
        scene.bodies
    }

    #[test]
    fn copies_stand_in_rows_with_numbers_and_take_boxes_and_keyframes_with_them() {
        let body = json!({
            "name": "a",
            "shape": { "square": { "side": 1, "segments": 1 } },
            "material": "stone",
            "position": [5, 1],
            "prescribed": [{ "vertices": { "box": { "min": [4, 0], "max": [6, 2] } } }],
            "script": { "keyframes": [{ "time": 1, "position": [0, 3] }] }
        });
        let bodies = apart(&body, &json!({ "counts": [3, 2], "spacing": [2, 10] }));

        // Names and places, row by row.
        let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
        assert_eq!(names, ["a 1", "a 2", "a 3", "a 4", "a 5", "a 6", "last"]);
        for (row, y) in [(&bodies[..3], 1.0), (&bodies[3..6], 11.0)] {
            let places: Vec<[f64; 2]> = row.iter().map(|body| body.position).collect();
            assert_eq!(places, [[5.0, y], [7.0, y], [9.0, y]]);
        }

        // Box and keyframe of the fifth copy.
        let fifth = &bodies[4];
        let moved = Bounds::new([6.0, 10.0], [8.0, 12.0]);
        assert_eq!(fifth.prescribed[0].vertices, Selection::Box(moved));
        let keyframe = fifth.script.as_ref().unwrap().keyframes[0];
        assert_eq!(keyframe.position, [2.0, 13.0]);
    }

    #[test]
    fn jitter_moves_every_copy_elsewhere_by_no_more_than_it_says_and_always_the_same_way() {
        let body = json!({ "name": "a", "shape": { "point": {} }, "material": "stone" });
        let copies = json!({ "counts": [40, 1], "spacing": [0, 0], "jitter": [0.5, 0.25] });
        let bodies = apart(&body, &copies);
        let places: Vec<[f64; 2]> = bodies[..40].iter().map(|body| body.position).collect();

        // Within the jitter, and apart from each other.
        for (k, [x, y]) in places.iter().enumerate() {
            assert!(x.abs() <= 0.5 && y.abs() <= 0.25, "{x} {y}");
            for other in &places[..k] {
                assert!((other[0] - x).hypot(other[1] - y) > 0.01);
            }
        }

        // In all directions.
        for sign in [-1.0, 1.0] {
            assert!(places.iter().any(|[x, _]| sign * x > 0.4));
            assert!(places.iter().any(|[_, y]| sign * y > 0.2));
        }
        assert_eq!(apart(&body, &copies), bodies);
    }
}
