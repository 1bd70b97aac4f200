//! Numbers of a scene with units, turned into SI where the scene is read.
//!
//! The table of keys knows the unit of each number. A text such as `"20 mm"` in the place of a number
//! becomes the number in that unit, and plain numbers do so from the [`units`](crate::schema::Units) of the
//! scene. From then on all numbers are in SI, and so is everything that is stored. Decimal units shift the
//! decimal point only, so that a scene in millimetres and its twin in metres have the same bits.
//!
//! | value | key | becomes |
//! |---|---|---|
//! | `"20 mm"` | a number in m | 0.02 |
//! | `20` with `"units": { "length": "mm" }` | a number in m | 0.02 |
//! | `20` without `units` | any | 20 |
//! | `"20 mm"` | a number in Pa | an error with both units |
//! | `"5 mm * sin(t)"` | a number or a formula | a formula, which knows units itself |
//!
//! The unit of a number is the unit of its key, or of the nearest key around it that has one: a table in time
//! has the unit of the force that it stands for.

use super::schema::{Scene, Units};
use super::wrong::Wrong;
use ipcsim_keys::{Form, Key, Keys, Type};
use ipcsim_math::units::{Unit, split_number};
use serde_json::Value;
use serde_path_to_error::Segment;

/// Unit of keys that take the unit of the key around them.
const INHERITED: &str = "of the key";

/// Keys with conditions and formulas that are never plain numbers.
const FORMULAS: [&str; 2] = ["until", "positive"];

/// True if a scene may have units: it has the key, or a text that begins as a number does.
pub(super) fn may_be_in(text: &str) -> bool {
    let starts =
        |pair: &[u8]| pair[0] == b'"' && matches!(pair[1], b'0'..=b'9' | b'-' | b'+' | b'.' | b' ');
    text.contains("\"units\"") || text.as_bytes().windows(2).any(starts)
}

/// Turns all numbers of a scene into SI. True if something has changed.
///
/// # Errors
/// The first number or unit that is wrong.
pub(super) fn in_si(scene: &mut Value) -> Result<bool, Wrong> {
    let system = System::of(scene)?;
    let mut reader = Reader {
        system,
        place: Vec::new(),
        has_changed: false,
    };
    reader.has_changed = reader.system.is_some();
    reader.value(scene, Scene::form(), None)?;
    Ok(reader.has_changed)
}

/// Units of plain numbers.
struct System {
    /// Unit of lengths.
    length: Unit,
    /// Unit of masses.
    mass: Unit,
    /// Unit of times.
    time: Unit,
    /// Units of their own, by the unit of the key.
    own: Vec<(&'static str, Unit)>,
}

impl System {
    /// Units of a scene; `None` if it gives none.
    ///
    /// # Errors
    /// The first unit that is wrong.
    fn of(scene: &Value) -> Result<Option<Self>, Wrong> {
        let Some(given) = scene.get("units") else {
            return Ok(None);
        };
        // Wrong types are reported where the scene is read into types.
        let Ok(units) = serde_json::from_value::<Units>(given.clone()) else {
            return Ok(None);
        };
        let read = |key: &str, text: &Option<String>, si: &str| {
            let place = || vec![segment("units"), segment(key)];
            let si = Unit::read(si).unwrap_or(Unit::ONE);
            let Some(text) = text else {
                return Ok(si.in_si());
            };
            let unit = Unit::read(text).map_err(|error| wrong(place(), error.to_string()))?;
            if !unit.measures(&si) {
                let message = format!("\"{text}\" is not a unit of a {key}");
                return Err(wrong(place(), message));
            }
            Ok(unit)
        };
        let length = read("length", &units.length, "m")?;
        let time = read("time", &units.time, "s")?;
        let mut mass = read("mass", &units.mass, "kg")?;
        let force = read("force", &units.force, "N")?;

        // A force is mass times length over the square of time.
        if units.force.is_some() {
            if units.mass.is_some() {
                let message =
                    "is given besides \"mass\", from which it follows; leave one of them out";
                return Err(wrong(vec![segment("units"), segment("force")], message));
            }
            let made = time.power(2).and_then(|squared| force.times(&squared));
            let made = made.and_then(|made| made.times(&length.power(-1)?));
            mass = made.map_err(|error| wrong(vec![segment("units")], error.to_string()))?;
        }
        let mut own = Vec::new();
        for (key, text, si) in [
            ("pressure", &units.pressure, "Pa"),
            ("density", &units.density, "kg/m^3"),
        ] {
            if text.is_some() {
                own.push((si, read(key, text, si)?));
            }
        }
        Ok(Some(Self {
            length,
            mass,
            time,
            own,
        }))
    }

    /// Unit of plain numbers of a key whose unit in SI is this.
    fn unit(&self, si: &str, key: &Unit) -> Option<Unit> {
        if let Some((_, unit)) = self.own.iter().find(|(name, _)| *name == si) {
            return Some(*unit);
        }
        let [m, kg, s, ..] = key.dimension().0;
        let made = self.length.power(m).ok()?;
        let made = made.times(&self.mass.power(kg).ok()?).ok()?;
        made.times(&self.time.power(s).ok()?).ok()
    }
}

/// A scene whose numbers are turned into SI.
struct Reader {
    /// Units of plain numbers; SI if absent.
    system: Option<System>,
    /// Place of the value.
    place: Vec<Segment>,
    /// True if a number has changed.
    has_changed: bool,
}

impl Reader {
    /// Turns the numbers of a value into SI. `unit` is that of its key.
    fn value(
        &mut self,
        value: &mut Value,
        form: Form,
        unit: Option<&'static str>,
    ) -> Result<(), Wrong> {
        match (form, value) {
            (_, Value::Null) => Ok(()),
            (Form::Optional(of), value) => self.value(value, of(), unit),
            (Form::Number, value) => self.number(value, unit),
            (Form::List { of, .. }, Value::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.place.push(Segment::Seq { index });
                    self.value(item, of(), unit)?;
                    self.place.pop();
                }
                Ok(())
            }
            (Form::Named(of), Value::Object(entries)) => {
                for (name, entry) in entries.iter_mut() {
                    self.place.push(segment(name));
                    self.value(entry, of(), unit)?;
                    self.place.pop();
                }
                Ok(())
            }
            (Form::Type(own), value) => self.object(value, own, unit),
            (Form::Text, Value::String(text)) => {
                let key = self.place.last().map(ToString::to_string);
                match key {
                    Some(key) if FORMULAS.contains(&key.as_str()) => self.check_formula(text, unit),
                    _ => Ok(()),
                }
            }
            // Whole numbers, flags and words have no unit.
            _ => Ok(()),
        }
    }

    /// Turns the numbers of an object or a choice into SI.
    fn object(
        &mut self,
        value: &mut Value,
        own: &'static Type,
        unit: Option<&'static str>,
    ) -> Result<(), Wrong> {
        if let Value::Object(entries) = value {
            for (name, entry) in entries.iter_mut() {
                // Unknown keys are reported where the scene is read into types.
                let Some(key) = key_of(own, name) else {
                    continue;
                };
                self.place.push(segment(name));
                self.value(entry, (key.form)(), unit_of(key, unit))?;
                self.place.pop();
            }
            return Ok(());
        }

        // Values of a choice that stand for themselves.
        let plain = own.keys.iter().filter(|key| key.name.is_empty());
        let has_text = plain.clone().any(|key| matches!((key.form)(), Form::Text));
        for key in plain {
            let form = (key.form)();
            let is_fitting = match value {
                Value::Array(_) => matches!(form, Form::List { .. } | Form::Type(_)),
                Value::Number(_) => matches!(form, Form::Number | Form::Type(_)),
                Value::String(text) if has_text => {
                    matches!(form, Form::Number) && self.is_quantity(text, unit)?
                }
                Value::String(_) => matches!(form, Form::Number | Form::Type(_)),
                _ => false,
            };
            if is_fitting {
                return self.value(value, form, unit_of(key, unit));
            }
        }
        Ok(())
    }

    /// True if a text that may be a formula is a number with a unit.
    ///
    /// # Errors
    /// Of [`Self::check_formula`].
    fn is_quantity(&self, text: &str, unit: Option<&str>) -> Result<bool, Wrong> {
        let text = text.trim();
        if let Some((_, rest)) = split_number(text) {
            // The time `t` of a formula is not a tonne.
            let mut words = rest.split(|c: char| !c.is_alphabetic());
            let has_variable = words.any(|word| word == "t");
            let is_unit = !has_variable && !rest.trim().is_empty() && Unit::read(rest).is_ok();
            if is_unit {
                return Ok(true);
            }
        }
        self.check_formula(text, unit)?;
        Ok(false)
    }

    /// Refuses a formula or a condition in plain numbers in a scene with units of its own.
    ///
    /// # Errors
    /// If its numbers have no unit, and would be in SI beside others that are not.
    fn check_formula(&self, text: &str, unit: Option<&str>) -> Result<(), Wrong> {
        let is_plain = unit.is_some_and(|unit| unit == "1");
        let has_numbers = text.contains(|c: char| ('1'..='9').contains(&c));
        if self.system.is_none() || is_plain || !has_numbers || has_units(text) {
            return Ok(());
        }
        let message = "is in plain numbers, which formulas and conditions have in SI, in a scene with \"units\"; \
                       write the units of its numbers, as in \"5 mm * sin(2*pi*t)\" and \"t > 2 s\"";
        Err(wrong(self.place.clone(), message))
    }

    /// Turns a number into SI.
    fn number(&mut self, value: &mut Value, unit: Option<&'static str>) -> Result<(), Wrong> {
        match value {
            Value::String(text) => {
                // Other texts are reported where the scene is read into types.
                let Some((number, rest)) = split_number(text.trim()) else {
                    return Ok(());
                };
                if rest.trim().is_empty() {
                    return Ok(());
                }
                let found = self.quantity(number, rest, unit)?;
                *value = found.into();
                self.has_changed = true;
            }
            Value::Number(number) => {
                let (Some(system), Some(si)) = (&self.system, unit) else {
                    return Ok(());
                };
                if si.contains(" or ") {
                    let message = format!("is in {si}; write its unit, as in \"5 N\"");
                    return Err(wrong(self.place.clone(), message));
                }
                let Ok(key) = Unit::read(si) else {
                    return Ok(());
                };
                if let Some(own) = system.unit(si, &key).filter(|own| *own != own.in_si()) {
                    *value = own.convert(&number.to_string(), &own.in_si()).into();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Number of a text with a unit, for a key with this unit.
    fn quantity(&self, number: &str, rest: &str, unit: Option<&str>) -> Result<f64, Wrong> {
        let given = rest.trim();
        let Some(si) = unit else {
            let message = format!("\"{number} {given}\" has a unit, but this number has none");
            return Err(wrong(self.place.clone(), message));
        };
        let own =
            Unit::read(given).map_err(|error| wrong(self.place.clone(), error.to_string()))?;
        let mut keys = si.split(" or ").filter_map(|si| Unit::read(si).ok());
        let Some(key) = keys.find(|key| own.measures(key)) else {
            let si = if si == "1" { "a plain number" } else { si };
            let message = format!("\"{number} {given}\" is in {given}, but {si} is expected");
            return Err(wrong(self.place.clone(), message));
        };
        let found = own.convert(number, &key);
        if found.is_finite() {
            return Ok(found);
        }
        let message = format!("\"{number} {given}\" is too large");
        Err(wrong(self.place.clone(), message))
    }
}

/// True if a formula has a number with a unit.
fn has_units(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let starts = c.is_ascii_digit() && !is_word(before);
        before = c;
        let Some((_, rest)) = split_number(&text[at..]).filter(|_| starts) else {
            continue;
        };
        let rest = rest.trim_start();
        let end = rest
            .find(|c: char| !c.is_alphabetic() && c != '%')
            .unwrap_or(rest.len());
        let unit = &rest[..end];
        if Unit::is_name(unit) && !["t", "min"].contains(&unit) {
            return true;
        }
    }
    false
}

/// Key of a name in an object or a choice, also in a choice within the choice.
fn key_of(own: &'static Type, name: &str) -> Option<&'static Key> {
    let mut keys = own.keys.iter();
    let found = keys.find(|key| key.name == name || key.alias == Some(name));
    found.or_else(|| {
        let unnamed = own.keys.iter().filter(|key| key.name.is_empty());
        unnamed
            .into_iter()
            .find_map(|key| match (key.form)().inner() {
                Form::Type(own) => key_of(own, name),
                _ => None,
            })
    })
}

/// Unit of a key within a key with the unit `around`.
fn unit_of(key: &Key, around: Option<&'static str>) -> Option<&'static str> {
    key.unit.filter(|unit| *unit != INHERITED).or(around)
}

/// Segment of a key.
fn segment(key: &str) -> Segment {
    Segment::Map {
        key: key.to_owned(),
    }
}

/// Error of a value at a place.
fn wrong(place: Vec<Segment>, message: impl Into<String>) -> Wrong {
    let mut path = String::new();
    for segment in &place {
        match segment {
            Segment::Seq { index } => path.extend(["[", &index.to_string(), "]"]),
            _ if path.is_empty() => path += &segment.to_string(),
            _ => path.extend([".", &segment.to_string()]),
        }
    }
    Wrong {
        place,
        path,
        message: message.into(),
    }
}
