//! Reads formulas: a function for each level of the grammar.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = signed (("*" | "/") signed)*
//! signed  = ("+" | "-") signed | power
//! power   = operand ("^" signed)?
//! operand = number unit? | name | name "(" sum ("," sum)? ")" | "(" sum ")"
//! ```

use super::{FormulaError, Node, Variable};
use crate::elementary;
use crate::tuning::{FORMULA_MOST_DEPTH, FORMULA_MOST_OPERATIONS};
use crate::units::Unit;
use std::f64::consts::{E, PI};

/// A function of one number.
type OfOne = fn(f64) -> f64;
/// A function of two numbers.
type OfTwo = fn(f64, f64) -> f64;

/// Functions of one number.
const ONE: [(&str, OfOne); 18] = [
    ("sin", elementary::sin),
    ("cos", elementary::cos),
    ("tan", elementary::tan),
    ("asin", elementary::asin),
    ("acos", elementary::acos),
    ("atan", elementary::atan),
    ("sinh", elementary::sinh),
    ("cosh", elementary::cosh),
    ("tanh", elementary::tanh),
    ("exp", elementary::exp),
    ("ln", elementary::ln),
    ("log10", elementary::log10),
    ("sqrt", f64::sqrt),
    ("abs", f64::abs),
    ("sign", sign),
    ("step", step),
    ("floor", f64::floor),
    ("ceil", f64::ceil),
];

/// Functions of two numbers.
const TWO: [(&str, OfTwo); 3] = [
    ("min", f64::min),
    ("max", f64::max),
    ("atan2", elementary::atan2),
];

/// -1, 0 or 1, as the sign of `a` is.
fn sign(a: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a.signum() }
}

/// 0 below 0 and 1 from there on.
fn step(a: f64) -> f64 {
    if a < 0.0 { 0.0 } else { 1.0 }
}

/// Reads a whole text, in which `names` are quantities.
///
/// # Errors
/// [`FormulaError`] with the first character that does not belong to a formula.
pub(super) fn read(text: &str, names: &[String]) -> Result<Node, FormulaError> {
    let mut reader = Reader {
        text: text.chars().collect(),
        next: 0,
        depth: 0,
        names,
    };

    // Characters after the sum are a mistake; a missing operation is the common one.
    let root = reader.sum()?;
    match reader.peek() {
        None => Ok(root),
        Some(c) if c.is_alphanumeric() || c == '(' => Err(reader.wrong(format!(
            "found \"{c}\" after the end of the formula; put an operation such as * before it"
        ))),
        Some(c) => Err(reader.wrong(format!("found \"{c}\" after the end of the formula"))),
    }
}

/// Error at a character, by its number from 0.
fn wrong_at(at: usize, message: impl Into<String>) -> FormulaError {
    FormulaError {
        at: at + 1,
        message: message.into(),
    }
}

/// A text that is being read.
struct Reader<'a> {
    /// Its characters.
    text: Vec<char>,
    /// Number of the next character, from 0.
    next: usize,
    /// Number of parts that are open.
    depth: usize,
    /// Names of quantities.
    names: &'a [String],
}

impl Reader<'_> {
    /// Next character after spaces; `None` at the end.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.next).is_some_and(|c| c.is_whitespace()) {
            self.next += 1;
        }
        self.text.get(self.next).copied()
    }

    /// Takes the next character if it is one of `wanted`.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let found = self.peek().filter(|c| wanted.contains(c))?;
        self.next += 1;
        Some(found)
    }

    /// Error at the next character.
    fn wrong(&self, message: impl Into<String>) -> FormulaError {
        wrong_at(self.next, message)
    }

    /// Error of another thing than `wanted` at the next character.
    fn unexpected(&mut self, wanted: &str) -> FormulaError {
        let message = match self.peek() {
            None => format!("the formula ends where {wanted} should be"),
            Some(c) => format!("found \"{c}\" where {wanted} should be"),
        };
        self.wrong(message)
    }

    /// Sum of products.
    fn sum(&mut self) -> Result<Node, FormulaError> {
        let mut sum = self.product()?;
        let mut count = 0;
        while let Some(operation) = self.take(&['+', '-']) {
            let function: OfTwo = match operation {
                '+' => |a, b| a + b,
                _ => |a, b| a - b,
            };
            sum = Node::Two(function, Box::new([sum, self.product()?]));
            count += 1;
            self.check_length(count)?;
        }
        Ok(sum)
    }

    /// Product of parts with signs.
    fn product(&mut self) -> Result<Node, FormulaError> {
        let mut product = self.signed()?;
        let mut count = 0;
        while let Some(operation) = self.take(&['*', '/']) {
            let function: OfTwo = match operation {
                '*' => |a, b| a * b,
                _ => |a, b| a / b,
            };
            product = Node::Two(function, Box::new([product, self.signed()?]));
            count += 1;
            self.check_length(count)?;
        }
        Ok(product)
    }

    /// Refuses more operations after each other than a tree can hold.
    fn check_length(&self, count: usize) -> Result<(), FormulaError> {
        if count > FORMULA_MOST_OPERATIONS {
            return Err(self.wrong(format!(
                "more than {FORMULA_MOST_OPERATIONS} operations follow each other"
            )));
        }
        Ok(())
    }

    /// Part with a sign. A power binds stronger: `-t^2` is `-(t^2)`.
    fn signed(&mut self) -> Result<Node, FormulaError> {
        self.depth += 1;
        if self.depth > FORMULA_MOST_DEPTH {
            return Err(self.wrong(format!(
                "more than {FORMULA_MOST_DEPTH} parts are within each other"
            )));
        }

        let part = match self.take(&['+', '-']) {
            Some('-') => Node::One(|a| -a, Box::new(self.signed()?)),
            Some(_) => self.signed()?,
            None => self.power()?,
        };

        self.depth -= 1;
        Ok(part)
    }

    /// Operand, or a power of it.
    fn power(&mut self) -> Result<Node, FormulaError> {
        let base = self.operand()?;
        if self.take(&['^']).is_none() {
            return Ok(base);
        }
        // The exponent may have a sign or be a power: 2^-1, 2^3^2.
        Ok(Node::Two(
            elementary::powf,
            Box::new([base, self.signed()?]),
        ))
    }

    /// Number, name, function or parentheses.
    fn operand(&mut self) -> Result<Node, FormulaError> {
        match self.peek() {
            Some('(') => self.in_parentheses(),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            _ => Err(self.unexpected("a number, a variable or a function")),
        }
    }

    /// Sum within parentheses, which begin here.
    fn in_parentheses(&mut self) -> Result<Node, FormulaError> {
        let open = self.next;
        self.next += 1;
        let sum = self.sum()?;
        self.close(open)?;
        Ok(sum)
    }

    /// Takes the parenthesis that closes the one at the character `open`, from 0.
    fn close(&mut self, open: usize) -> Result<(), FormulaError> {
        if self.take(&[')']).is_some() {
            return Ok(());
        }
        let closes = format!("; it closes the one at character {}", open + 1);
        let mut error = self.unexpected("\")\"");
        error.message.push_str(&closes);
        Err(error)
    }

    /// A number, with an exponent if it has one.
    fn number(&mut self) -> Result<Node, FormulaError> {
        let start = self.next;
        while let Some(&c) = self.text.get(self.next) {
            let after_e = matches!(self.text[self.next.max(1) - 1], 'e' | 'E') && self.next > start;
            let is_part = c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E');
            // A sign is a part of the number after an e, and an operation anywhere else.
            let is_sign = after_e && matches!(c, '+' | '-');
            if !(is_part || is_sign) {
                break;
            }
            self.next += 1;
        }

        let text: String = self.text[start..self.next].iter().collect();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => self.with_unit(&text, number),
            Ok(_) => Err(wrong_at(start, format!("\"{text}\" is too large"))),
            Err(_) => Err(wrong_at(start, format!("\"{text}\" is no number"))),
        }
    }

    /// A number, in SI if a unit follows it.
    fn with_unit(&mut self, text: &str, number: f64) -> Result<Node, FormulaError> {
        self.peek();
        let start = self.next;
        let mut unit = String::new();
        let mut operation = None;
        while let Some((factor, end)) = self.factor_of_unit() {
            unit.extend(operation);
            unit += &factor;
            self.next = end;
            let after = self.next;
            operation = self.take(&['*', '/']);
            if operation.is_none() {
                break;
            }
            self.peek();
            if self.factor_of_unit().is_none() {
                self.next = after;
                break;
            }
        }
        if unit.is_empty() {
            return Ok(Node::Number(number));
        }

        let unit = Unit::read(&unit).map_err(|error| wrong_at(start, error.to_string()))?;
        if unit.dimension().0[4] != 0 {
            let message = "angles in formulas are plain numbers: of functions in radians, else as the key has \
                           them; leave the unit out";
            return Err(wrong_at(start, message));
        }
        Ok(Node::Number(unit.convert(text, &unit.in_si())))
    }

    /// Name of a unit that begins here, with its power, and the character after it. A name of formulas is
    /// not a unit: `5 m/t` is divided by the time.
    fn factor_of_unit(&self) -> Option<(String, usize)> {
        let rest = &self.text[self.next..];
        let count = rest.iter().take_while(|c| c.is_alphabetic() || **c == '%');
        let count = count.count();
        let name: String = rest[..count].iter().collect();
        let is_function = rest.get(count) == Some(&'(');
        let is_own = ["x", "y", "t", "e", "pi"].contains(&name.as_str());
        if is_function || is_own || self.names.contains(&name) || !Unit::is_name(&name) {
            return None;
        }

        // A power of the unit is a whole number.
        let mut end = count;
        if rest.get(end) == Some(&'^') {
            let sign = usize::from(rest.get(end + 1) == Some(&'-'));
            let digits = rest[end + 1 + sign..].iter();
            let digits = digits.take_while(|c| c.is_ascii_digit()).count();
            if digits > 0 {
                end += 1 + sign + digits;
            }
        }
        Some((rest[..end].iter().collect(), self.next + end))
    }

    /// A variable, a constant or a function of numbers in parentheses.
    fn name(&mut self) -> Result<Node, FormulaError> {
        let start = self.next;
        // Names of quantities may contain dots, the names of formulas do not.
        let dots = !self.names.is_empty();
        let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || dots && *c == '.';
        while self.text.get(self.next).is_some_and(is_part) {
            self.next += 1;
        }
        let name: String = self.text[start..self.next].iter().collect();

        // Quantities that have a name here, and functions.
        if let Some(k) = self.names.iter().position(|known| *known == name) {
            return Ok(Node::Variable(Variable::Named(k)));
        }
        if let Some((_, function)) = ONE.iter().find(|(known, _)| *known == name) {
            let open = self.open()?;
            let of = self.sum()?;
            self.close(open)?;
            return Ok(Node::One(*function, Box::new(of)));
        }
        if let Some((_, function)) = TWO.iter().find(|(known, _)| *known == name) {
            let open = self.open()?;
            let first = self.sum()?;
            if self.take(&[',']).is_none() {
                let mut error = self.unexpected("\",\"");
                let takes = format!("; {name} takes two numbers");
                error.message.push_str(&takes);
                return Err(error);
            }
            let second = self.sum()?;
            self.close(open)?;
            return Ok(Node::Two(*function, Box::new([first, second])));
        }

        // Variables and constants.
        match name.as_str() {
            "x" => Ok(Node::Variable(Variable::X)),
            "y" => Ok(Node::Variable(Variable::Y)),
            "t" => Ok(Node::Variable(Variable::T)),
            "pi" => Ok(Node::Number(PI)),
            "e" => Ok(Node::Number(E)),
            _ if self.peek() == Some('(') => {
                let known = ONE.iter().map(|(known, _)| *known);
                let known: Vec<&str> = known.chain(TWO.iter().map(|(known, _)| *known)).collect();
                let known = known.join(", ");
                let message = format!("unknown function \"{name}\"; functions are {known}");
                Err(wrong_at(start, message))
            }
            _ => {
                let variables = if self.names.is_empty() {
                    "x, y and t".to_owned()
                } else {
                    format!("t, {}", self.names.join(", "))
                };
                let message = format!(
                    "unknown name \"{name}\"; variables are {variables}, constants pi and e"
                );
                Err(wrong_at(start, message))
            }
        }
    }

    /// Takes the parenthesis after the name of a function; returns its number, from 0.
    fn open(&mut self) -> Result<usize, FormulaError> {
        if self.take(&['(']).is_none() {
            return Err(self.unexpected("\"(\""));
        }
        Ok(self.next - 1)
    }
}
