//! The live page's engine as a WebAssembly module: two calls with bytes in the module's memory.
//!
//! The page writes a request as JSON to the place that [`room`] returns, calls [`answer`], and reads the
//! reply, of as many bytes as that returns, at [`reply`]. The host has one function, `now`, which returns
//! the time in seconds. This is the only crate of the project with a word about memory that is not safe:
//! names that the host finds must not be mangled.

use ipcsim_live::Session;
use std::cell::RefCell;

/// Functions of the host.
#[cfg(target_family = "wasm")]
mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Time since any fixed moment (s).
        pub safe fn now() -> f64;
    }
}

/// A clock for the other targets, on which this crate is only checked.
#[cfg(not(target_family = "wasm"))]
mod host {
    /// No time passes.
    pub extern "C" fn now() -> f64 {
        0.0
    }
}

thread_local! {
    /// Request of the page.
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Reply to it.
    static REPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The simulation.
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Place for a request of this number of bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request; returns the number of bytes of the reply.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = REQUEST.take();
    let text = String::from_utf8_lossy(&request);
    let reply = SESSION.with_borrow_mut(|session| {
        let session = session.get_or_insert_with(|| {
            std::panic::set_hook(Box::new(|panic| REPLY.set(panic.to_string().into_bytes())));
            Session::new(|| host::now())
        });
        session.answer(&text)
    });
    let length = reply.len();
    REPLY.set(reply);
    length
}

/// Place of the reply. After a trap it is the message of the panic.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> *const u8 {
    REPLY.with_borrow(Vec::as_ptr)
}

/// Number of bytes of the reply, also after a trap.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    REPLY.with_borrow(Vec::len)
}
