//! Words that the compiler's tokens do not have: names of variants in a file, paragraphs, units.

/// Units of numbers, as descriptions have them in brackets; 1 is for numbers without one.
const UNITS: [&str; 26] = [
    "m",
    "s",
    "m^3",
    "m/s",
    "m/s^2",
    "kg",
    "kg/m",
    "kg/m^3",
    "kg m^2",
    "N",
    "N m",
    "N m s",
    "N m^2",
    "N/m",
    "N s/m",
    "N/m^3",
    "Pa",
    "Pa s/m^3",
    "Pa s",
    "1/s",
    "1/K",
    "K",
    "degrees",
    "degrees/s",
    "pixels",
    "1",
];

/// First unit that a description has in brackets; `None` if it has none.
pub(crate) fn unit(about: &str) -> Option<&'static str> {
    UNITS
        .into_iter()
        .find(|unit| about.contains(&format!("({unit})")))
}

/// Description of a key from the lines of its documentation: one line for each paragraph.
pub(crate) fn about(lines: &[String]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    let paragraphs = lines.split(|line| line.is_empty());
    let paragraphs: Vec<String> = paragraphs.map(|lines| lines.join(" ")).collect();
    paragraphs.join("\n\n")
}

/// Name of a variant in a file, as serde writes it in `snake_case`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_description_is_its_text_in_brackets() {
        assert_eq!(unit("Velocity at the start (m/s)."), Some("m/s"));
        assert_eq!(unit("Number of steps."), None);
    }

    #[test]
    fn lines_become_paragraphs() {
        let lines = [" A line", " and another.", "", " The end."].map(str::to_owned);
        assert_eq!(about(&lines), "A line and another.\n\nThe end.");
    }

    #[test]
    fn names_of_variants_are_as_serde_has_them() {
        assert_eq!(snake_case("NeoHookean"), "neo_hookean");
        assert_eq!(snake_case("J2"), "j2");
    }
}
