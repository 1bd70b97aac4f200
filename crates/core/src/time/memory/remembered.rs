//! What the memory of every option can answer.

/// Memory of an option: what one step leaves to the next one.
///
/// The default is the memory before the first step, and in a world without the option.
pub(in crate::time) trait Remembered: Default {
    /// True if the memory can be of a world with this number of nodes: sizes fit, and all numbers are
    /// finite.
    fn fits(&self, nodes: usize) -> bool;

    /// Adds every bit to the 64-bit words of the hash of a state; none for the default.
    fn add_words(&self, words: &mut Vec<u64>);

    /// Forgets what no longer holds once something that acts on bodies has changed between two steps.
    fn after_change(&mut self) {}
}
