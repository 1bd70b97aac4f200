//! Values of the language: numbers, texts, lists and maps.

use crate::{Fault, Form, Key, Keys, Place};
use std::collections::BTreeMap;

/// Adds a fault of a number that is out of the range of its key.
fn check_number(value: f64, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
    if !key.range.contains(value) {
        faults.push(Fault {
            path: place.path(),
            message: key.range.message(value, key.unit),
        });
    }
}

impl Keys for f64 {
    fn form() -> Form {
        Form::Number
    }

    fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
        check_number(*self, key, place, faults);
    }

    /// A vector that must be finite is one value in the message.
    fn check_array(array: &[Self], key: &Key, place: &Place, faults: &mut Vec<Fault>) {
        if !key.range.is_any() {
            for value in array {
                value.check(key, place, faults);
            }
        } else if !array.iter().all(|value| value.is_finite()) {
            faults.push(Fault {
                path: place.path(),
                message: format!("is {array:?}, but must {}", key.range.words()),
            });
        }
    }
}

/// Implements keys for types of whole numbers.
macro_rules! whole {
    ($($whole:ty),*) => {
        $(impl Keys for $whole {
            fn form() -> Form {
                Form::Whole
            }

            #[allow(clippy::cast_lossless, reason = "one macro for all whole numbers")]
            fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
                check_number(*self as f64, key, place, faults);
            }

            fn check_array(array: &[Self], key: &Key, place: &Place, faults: &mut Vec<Fault>) {
                for value in array {
                    value.check(key, place, faults);
                }
            }
        })*
    };
}

whole!(u32, usize);

impl Keys for bool {
    fn form() -> Form {
        Form::Flag
    }

    fn check(&self, _: &Key, _: &Place, _: &mut Vec<Fault>) {}
}

impl Keys for String {
    fn form() -> Form {
        Form::Text
    }

    fn check(&self, _: &Key, _: &Place, _: &mut Vec<Fault>) {}
}

impl<T: Keys> Keys for Option<T> {
    fn form() -> Form {
        Form::Optional(T::form)
    }

    fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
        if let Some(value) = self {
            value.check(key, place, faults);
        }
    }
}

impl<T: Keys> Keys for Box<T> {
    fn form() -> Form {
        T::form()
    }

    fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
        (**self).check(key, place, faults);
    }
}

impl<T: Keys, const N: usize> Keys for [T; N] {
    fn form() -> Form {
        Form::List {
            of: T::form,
            length: Some(N),
        }
    }

    fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
        T::check_array(self, key, place, faults);
    }
}

impl<T: Keys> Keys for Vec<T> {
    fn form() -> Form {
        Form::List {
            of: T::form,
            length: None,
        }
    }

    fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
        for (number, entry) in self.iter().enumerate() {
            entry.check(key, &place.entry(number), faults);
        }
    }
}

impl<T: Keys> Keys for BTreeMap<String, T> {
    fn form() -> Form {
        Form::Named(T::form)
    }

    fn check(&self, key: &Key, place: &Place, faults: &mut Vec<Fault>) {
        for (name, entry) in self {
            entry.check(key, &place.key(name), faults);
        }
    }
}
