//! Mutants: scenes with small random errors.

use serde_json::{Map, Value, json};

/// `SplitMix64` (Steele et al. 2014), so that a seed gives the same numbers everywhere.
pub(crate) struct Random(u64);

impl Random {
    /// Random numbers from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Random number below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count as u64).unwrap()
    }

    fn number(&mut self) -> &'static str {
        let numbers: Vec<&str> = NUMBERS.split_whitespace().collect();
        self.of(&numbers)
    }

    /// Any entry of a list.
    pub(crate) fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

/// Numbers at the limits of ranges.
const NUMBERS: &str = "0 -0.0 1 -1 2 3 7 45 90 255 0.5 1e-3 1e-6 1e-9 1e-15 1e-30 1e-160 1e-310 5e-324 1e3 1e6 1e9 1e15 \
                       1e30 1e154 1e200 1e308 1.7976931348623157e308 -1e308 20000000 4294967296 9007199254740993 \
                       18446744073709551615 -9223372036854775808";

/// Values that are neither a valid number nor a valid text.
const TOKENS: [&str; 14] = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-1e999",
    "null",
    "{}",
    "[]",
    "\"\"",
    "[[[[[[",
    "}}}}",
    "\\ud800",
    "\u{0}",
    ",",
];

/// Source of mutants: scenes, and keys with values to insert.
pub(crate) struct Pool {
    bases: Vec<Value>,
    entries: Vec<(String, Value)>,
}

impl Pool {
    /// Pool of mutants of `bases`. Inserted entries come from `donors` as well.
    pub(crate) fn new(bases: Vec<Value>, donors: &[Value]) -> Self {
        let mut entries = Vec::new();
        bases
            .iter()
            .chain(donors)
            .for_each(|scene| collect(scene, &mut entries));
        Self { bases, entries }
    }

    /// Text of the mutant of a seed.
    pub(crate) fn mutant(&self, seed: u64) -> String {
        let mut random = Random::new(seed);
        let mut scene = random.of(&self.bases);
        let changes = 1 + random.below(2) * random.below(3);

        for _ in 0..changes {
            self.change(&mut scene, &mut random);
        }

        let text = scene.to_string();
        if random.below(8) == 0 {
            garbled_text(text, &mut random)
        } else {
            text
        }
    }

    /// Changes one value of a scene.
    fn change(&self, scene: &mut Value, random: &mut Random) {
        let count = size(scene);
        let other = node(scene, &mut random.below(count)).map_or(Value::Null, |node| node.clone());
        let Some(place) = node(scene, &mut random.below(count)) else {
            return;
        };

        match (random.below(10), &mut *place) {
            (0..=3, Value::Number(number)) => {
                *place = self.number(number.as_f64().unwrap_or(0.0), random);
            }
            (0..=4, Value::Array(items)) if !items.is_empty() => rearrange(items, random),
            (0..=4, Value::Object(entries)) if !entries.is_empty() => {
                let key = entries
                    .keys()
                    .nth(random.below(entries.len()))
                    .unwrap()
                    .clone();
                self.change_entry(entries, key, random);
            }
            (0..=4, Value::String(text)) => {
                text.push_str(random.of(&["", "x", "\u{1F600}", "ground"]));
            }
            (5, _) => *place = other,
            (6, _) => *place = random.of(&self.entries).1,
            (7, _) => {
                let wrong = [
                    json!(null),
                    json!(true),
                    json!(""),
                    json!([]),
                    json!({}),
                    json!(0),
                    json!("all"),
                ];
                *place = random.of(&wrong);
            }
            (_, Value::Number(number)) => {
                let nearby = number.as_f64().unwrap_or(0.0)
                    * random.of(&[1.0 + 1e-15, 0.99, 1.01, 0.5, -1.0]);
                *place = json!(nearby);
            }
            _ => {}
        }
    }

    /// Removes the entry `key` of an object, adds another one, or gives it another value.
    fn change_entry(&self, entries: &mut Map<String, Value>, key: String, random: &mut Random) {
        match random.below(3) {
            0 => drop(entries.shift_remove(&key)),
            1 => {
                let (key, value) = random.of(&self.entries);
                entries.insert(key, value);
            }
            _ => {
                let same: Vec<_> = self
                    .entries
                    .iter()
                    .filter(|(name, _)| *name == key)
                    .collect();
                if !same.is_empty() {
                    entries.insert(key, random.of(&same).1.clone());
                }
            }
        }
    }

    /// Another number in place of `number`.
    fn number(&self, number: f64, random: &mut Random) -> Value {
        match random.below(4) {
            0 => json!(number * random.of(&[0.0, -1.0, 0.1, 10.0, 1e-8, 1e8])),
            1 => random.of(&self.entries).1,
            _ => serde_json::from_str(random.number()).unwrap(),
        }
    }
}

/// Every key with its value.
fn collect(value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(entries) => {
            for (key, value) in entries {
                found.push((key.clone(), value.clone()));
                collect(value, found);
            }
        }
        _ => {}
    }
}

/// Removes, repeats or exchanges entries of a list.
fn rearrange(items: &mut Vec<Value>, random: &mut Random) {
    let i = random.below(items.len());
    let j = random.below(items.len());
    match random.below(4) {
        0 => drop(items.remove(i)),
        1 => items.swap(i, j),
        2 => items.clear(),
        _ => {
            let mut twin = items[i].clone();
            if let Some(Value::String(name)) = twin.get_mut("name") {
                name.push_str(" twin");
            }
            items.insert(j, twin);
        }
    }
}

/// Number of values in a value, itself among them.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(entries) => 1 + entries.values().map(size).sum::<usize>(),
        _ => 1,
    }
}

/// Value with a given number, counted from the root.
fn node<'a>(value: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| node(item, number)),
        Value::Object(entries) => entries.values_mut().find_map(|entry| node(entry, number)),
        _ => None,
    }
}

/// Text that may not be JSON.
fn garbled_text(text: String, random: &mut Random) -> String {
    String::from_utf8_lossy(&garbled(text.into_bytes(), random)).into_owned()
}

/// File with some parts removed, repeated or replaced.
pub(crate) fn garbled(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(3) {
        let a = random.below(bytes.len() + 1);
        let b = random.below(bytes.len() + 1);
        let from = a.min(b);
        let to = a.max(b).min(a.min(b) + 40);

        match random.below(6) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let copy = bytes[from..to].to_vec();
                bytes.splice(from..from, copy);
            }
            2 if from < bytes.len() => bytes[from] ^= 1 << random.below(7),
            3 => bytes.truncate(from),
            _ => {
                let token = if random.below(2) == 0 {
                    random.of(&TOKENS)
                } else {
                    random.number()
                };
                let end = bytes.len().min(from + random.below(4));
                bytes.splice(from..end, token.bytes());
            }
        }
    }

    bytes
}

/// File with some numbers replaced, of the same length.
pub(crate) fn renumbered(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(3) {
        let text = if random.below(4) == 0 {
            random.of(&["NaN", "inf", "-inf"])
        } else {
            random.number()
        };
        let place = random.below(bytes.len());
        let number = text.parse::<f64>().unwrap();
        bytes[place..]
            .iter_mut()
            .zip(number.to_le_bytes())
            .for_each(|(byte, new)| *byte = new);
    }

    bytes
}
