//! The server of the live page: the page by HTTP, requests and replies over a WebSocket.
//!
//! One page at a time has the simulation. The server ends a moment after the page is closed, so that a
//! page that is loaded again finds it.

use super::gate::{Asked, Gate, LARGEST_HEAD, Refusal};
use crate::CommandError;
use ipcsim_live::Session;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket, handshake};

/// Largest size of a request (bytes): a scene with its meshes.
const LARGEST: usize = 64 << 20;
/// Time that a client has for the head of its request, and for taking a reply.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time after which the server ends without a page.
const ALONE: Duration = Duration::from_secs(4);
/// Largest number of connections at a time.
const CONNECTIONS: usize = 16;
/// Interval at which the server looks for new connections.
const PAUSE: Duration = Duration::from_millis(5);

/// A server that has its port.
#[derive(Debug)]
pub(super) struct Server {
    /// Socket that listens.
    listener: TcpListener,
    /// Who may come in.
    gate: Gate,
    /// The page.
    page: String,
    /// True while a page has the simulation.
    taken: Mutex<bool>,
    /// Time since which no page has had it.
    alone_since: Mutex<Instant>,
    /// True once a page has had it.
    was_taken: AtomicBool,
    /// Number of connections.
    connections: AtomicUsize,
}

impl Server {
    /// Takes a port of the loopback address.
    ///
    /// # Errors
    /// If it is taken.
    pub(super) fn bind(port: Option<u16>, page: String) -> Result<Self, CommandError> {
        let failed = |error: io::Error| {
            let port = port.map_or_else(|| "a port".to_owned(), |port| format!("port {port}"));
            CommandError::Live(format!(
                "{port} of this machine cannot be used: {error}; give another one by --port"
            ))
        };
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let gate = Gate::new(listener.local_addr().map_err(failed)?);
        Ok(Self {
            listener,
            gate,
            page,
            taken: Mutex::new(false),
            alone_since: Mutex::new(Instant::now()),
            was_taken: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
        })
    }

    /// Address of the page.
    pub(super) fn address(&self) -> String {
        self.gate.address()
    }

    /// Serves until the page is closed.
    pub(super) fn serve(&self) {
        std::thread::scope(|scope| {
            while !self.is_over() {
                let Ok((stream, _)) = self.listener.accept() else {
                    std::thread::sleep(PAUSE);
                    continue;
                };
                if self.connections.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS {
                    self.connections.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
                scope.spawn(move || {
                    // A client that fails is gone; there is nobody to tell.
                    let _ = self.answer(stream);
                    self.connections.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
    }

    /// True some time after the page was closed.
    fn is_over(&self) -> bool {
        let is_taken = *self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let since = *self
            .alone_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.was_taken.load(Ordering::SeqCst) && !is_taken && since.elapsed() > ALONE
    }

    /// Answers the request of a connection.
    ///
    /// # Errors
    /// If the client is gone.
    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let Some(head) = head(&mut stream)? else {
            return respond(
                &mut stream,
                "431 Request Header Fields Too Large",
                "text/plain",
                "",
            );
        };

        // Only the page, and its socket.
        match self.gate.asked(&head) {
            Ok(Asked::Page) => respond(
                &mut stream,
                "200 OK",
                "text/html; charset=utf-8",
                &self.page,
            ),
            Ok(Asked::Socket) => self.open(stream, &head),
            Err(Refusal(status)) => respond(&mut stream, status, "text/plain", status),
        }
    }

    /// Opens the socket of a page, if no other page has the simulation, and serves it.
    ///
    /// # Errors
    /// If the client is gone.
    fn open(&self, mut stream: TcpStream, head: &str) -> io::Result<()> {
        {
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            if *taken {
                return respond(
                    &mut stream,
                    "409 Conflict",
                    "text/plain",
                    "another page has the simulation",
                );
            }
            *taken = true;
        }
        self.was_taken.store(true, Ordering::SeqCst);

        // The simulation lives as long as the connection.
        let done = talk(stream, head);
        *self
            .alone_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Instant::now();
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        done
    }
}

/// Seconds since the program asked first.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Answers the requests of a page until it is closed.
///
/// # Errors
/// If the client is gone, or sends something else.
fn talk(mut stream: TcpStream, head: &str) -> io::Result<()> {
    let key = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim()
            .eq_ignore_ascii_case("sec-websocket-key")
            .then(|| value.trim())
    });

    // A request without a key is none for a socket.
    let Some(key) = key else {
        return respond(&mut stream, "426 Upgrade Required", "text/plain", "");
    };
    let accept = handshake::derive_accept_key(key.as_bytes());
    write!(
        stream,
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    )?;

    // A page may be silent for as long as it likes.
    stream.set_read_timeout(None)?;
    let limits = WebSocketConfig::default()
        .max_message_size(Some(LARGEST))
        .max_frame_size(Some(LARGEST));
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(limits));
    let mut session = Session::new(now);
    loop {
        match socket.read().map_err(io::Error::other)? {
            Message::Text(request) => {
                let reply = session.answer(request.as_str());
                socket
                    .send(Message::Binary(reply.into()))
                    .map_err(io::Error::other)?;
            }
            Message::Close(_) => {
                // The answer to it, if the client still listens.
                let _ = socket.flush();
                return Ok(());
            }
            _ => {}
        }
    }
}

/// The head of a request; `None` if it is too large.
///
/// # Errors
/// If the client sends nothing, or too slowly.
fn head(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let started = Instant::now();

    // Byte by byte, so that nothing of what follows is taken.
    let mut bytes = Vec::new();
    let mut next = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        if bytes.len() >= LARGEST_HEAD {
            return Ok(None);
        }
        if started.elapsed() > PATIENCE {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.read_exact(&mut next)?;
        bytes.extend(next);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Sends a response.
///
/// # Errors
/// If the client is gone.
fn respond(stream: &mut TcpStream, status: &str, kind: &str, body: &str) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()
}
