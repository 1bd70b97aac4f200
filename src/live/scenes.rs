//! Scenes that every live page has.

use serde::Serialize;
use std::borrow::Cow;

/// A scene in the list of the page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Entry {
    /// Group in the list.
    pub(super) group: Cow<'static, str>,
    /// Name in the list.
    pub(super) title: Cow<'static, str>,
    /// Text of the scene.
    pub(super) text: Cow<'static, str>,
    /// Lesson in Markdown, in place of the description of the scene.
    pub(super) lesson: Option<&'static str>,
}

/// Lessons of the book's chapters, in their order.
const LESSONS: [&str; 9] = [
    include_str!("lessons/1.md"),
    include_str!("lessons/2.md"),
    include_str!("lessons/3.md"),
    include_str!("lessons/4.md"),
    include_str!("lessons/5.md"),
    include_str!("lessons/6.md"),
    include_str!("lessons/7.md"),
    include_str!("lessons/8.md"),
    include_str!("lessons/9.md"),
];

/// Scenes of a group: title and text.
macro_rules! group {
    ($group:literal: $($title:literal = $path:literal),* $(,)?) => {
        [$(Entry {
            group: Cow::Borrowed($group),
            title: Cow::Borrowed($title),
            text: Cow::Borrowed(include_str!($path)),
            lesson: None,
        }),*]
    };
}

/// All scenes, in the order of the list.
pub(super) fn all() -> Vec<Entry> {
    let play = group!("Play":
        "Soft things" = "scenes/soft_things.json",
        "Make anything pass" = "scenes/dare.json",
    );
    let machines = group!("Machines":
        "Gripper" = "../../scenes/showcase/gripper.json",
        "Car" = "../../scenes/showcase/car.json",
        "Walker" = "../../scenes/showcase/walker.json",
        "Clock" = "../../scenes/showcase/clock.json",
        "Linkage" = "../../scenes/showcase/linkage.json",
        "Gears" = "../../scenes/showcase/gears.json",
        "Planetary gear" = "../../scenes/showcase/planetary.json",
        "Excavator" = "../../scenes/showcase/excavator.json",
        "Catapult" = "../../scenes/showcase/catapult.json",
        "Lift" = "../../scenes/showcase/lift.json",
    );
    let contact = group!("Contact":
        "House of cards" = "../../scenes/showcase/house_of_cards.json",
        "Dominoes" = "../../scenes/showcase/dominoes.json",
        "Mixer" = "../../scenes/showcase/mixer.json",
        "Tyre" = "../../scenes/showcase/tyre.json",
        "Snap fit" = "../../scenes/showcase/snap_fit.json",
        "Compliant gripper" = "../../scenes/showcase/compliant_gripper.json",
        "Chain" = "../../scenes/showcase/chain.json",
        "Arches" = "../../scenes/showcase/arches.json",
        "Tensegrity" = "../../scenes/showcase/tensegrity.json",
        "Suspension bridge" = "../../scenes/showcase/suspension_bridge.json",
    );
    let book = group!("The book":
        "1 Mass-spring" = "../../scenes/book/01_mass_spring.json",
        "2 Dirichlet" = "../../scenes/book/02_dirichlet.json",
        "3 Contact" = "../../scenes/book/03_contact.json",
        "4 Friction" = "../../scenes/book/04_friction.json",
        "5 Moving boundary" = "../../scenes/book/05_moving_dirichlet.json",
        "6 Inversion-free" = "../../scenes/book/06_inversion_free.json",
        "7 Two squares" = "../../scenes/book/07_two_squares.json",
        "8 With friction" = "../../scenes/book/08_two_squares_friction.json",
        "9 Reduced" = "../../scenes/book/09_reduced.json",
    );
    let book = book.into_iter().zip(LESSONS);
    let book = book.map(|(entry, lesson)| Entry {
        lesson: Some(lesson),
        ..entry
    });
    let before = play.into_iter().chain(machines).chain(contact);
    before.chain(book).collect()
}
