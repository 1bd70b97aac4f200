//! Stretches of a thread in which no loop leaves it.
//!
//! A mark of the thread is enough: loops look at it before they hand work to a pool.

use std::cell::Cell;

thread_local! {
    /// True while [`serially`] runs a function on this thread.
    static SERIAL: Cell<bool> = const { Cell::new(false) };
}

/// True if loops must stay on this thread.
pub(super) fn is_serial() -> bool {
    SERIAL.get()
}

/// End of a serial stretch, also if the function panics: the thread is as it was before.
struct Restored(bool);

impl Drop for Restored {
    fn drop(&mut self) {
        SERIAL.set(self.0);
    }
}

/// Runs `f` with all its loops on the calling thread: no other thread is started or waited for.
///
/// Results have the same bits as on any pool. Within a task of a pool, `f` never works on another
/// task of it meanwhile.
pub fn serially<R>(f: impl FnOnce() -> R) -> R {
    let _restored = Restored(SERIAL.replace(true));
    f()
}
