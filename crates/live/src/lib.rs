//! A simulation that a page drives by messages.
//!
//! A [`Session`] answers requests, which are JSON, by replies, which are JSON and arrays of numbers
//! (`Reply`). It is the same in WebAssembly, where the page calls it in a worker, and in the native
//! program, where requests come over a WebSocket. Everything that the page shows of physics is computed
//! here: the page computes no mechanics.
//!
//! | file | question |
//! |---|---|
//! | `request.rs` | What can a page ask for? |
//! | `session.rs` | What does each request do? |
//! | `frame.rs` | What does a page get of a state? |
//! | `topology.rs`, `fill.rs` | What does it draw? |
//! | `grab.rs` | Which point of a body is at a place? |
//! | `history.rs` | Which states can one step back to? |
//! | `proofs.rs` | What has been proved so far? |
//! | `sliders.rs` | What can be set while it runs? |
//! | `pieces.rs` | How does a scene get another body or joint, or lose one, while it runs? |
//! | `carry.rs` | What goes on from the state before, and what begins anew? |
//! | `numbers.rs` | Which measures, sums and works does a page show? |
//! | `reply.rs` | How is a reply made of bytes? |

mod carry;
mod fill;
mod frame;
mod grab;
mod history;
mod numbers;
mod pieces;
mod proofs;
mod reply;
mod request;
mod session;
mod sliders;
mod topology;

pub use fill::triangles;
pub use request::{Request, Tie};
pub use session::Session;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
