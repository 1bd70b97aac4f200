//! Who may come in: requests of pages of other sites are refused.
//!
//! Any page in a browser can send requests to this machine. The server therefore listens on the loopback
//! address only; its address has a secret, the token; the `Host` of a request must be that address, which
//! a name that another site has bound to it is not; and a socket must come from the page itself, by its
//! `Origin`.

use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;

/// Largest number of bytes of the head of a request.
pub(super) const LARGEST_HEAD: usize = 8192;

/// Address and secret of a server.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    /// Host and port, as requests name them.
    host: String,
    /// Secret in the path.
    token: String,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The page.
    Page,
    /// The socket of the page.
    Socket,
}

/// Why a request is refused: a status of HTTP with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) &'static str);

impl Gate {
    /// A gate with a new secret.
    pub(super) fn new(address: SocketAddr) -> Self {
        // Keys of the system's own random numbers.
        let part = || RandomState::new().hash_one(std::process::id());
        Self {
            host: address.to_string(),
            token: format!("{:016x}{:016x}", part(), part()),
        }
    }

    /// Address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// What the head of a request asks for.
    ///
    /// # Errors
    /// [`Refusal`] if it may not have that.
    pub(super) fn asked(&self, head: &str) -> Result<Asked, Refusal> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let [method, path] = [words.next(), words.next()].map(Option::unwrap_or_default);
        let headers: Vec<(&str, &str)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.trim(), value.trim()))
            .collect();
        let header = |name: &str| {
            let found = headers
                .iter()
                .find(|(own, _)| own.eq_ignore_ascii_case(name));
            found.map(|(_, value)| *value)
        };

        if method != "GET" {
            return Err(Refusal("405 Method Not Allowed"));
        }
        if header("host") != Some(&self.host) {
            return Err(Refusal("421 Misdirected Request"));
        }

        // Then the path, which begins with the token.
        let within = path
            .strip_prefix('/')
            .and_then(|path| path.strip_prefix(&self.token[..]));
        let origin = format!("http://{}", self.host);
        match within {
            Some("/") => Ok(Asked::Page),
            Some("/socket") if header("origin") == Some(&origin) => Ok(Asked::Socket),
            Some("/socket") => Err(Refusal("403 Forbidden")),
            _ => Err(Refusal("404 Not Found")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate() -> Gate {
        Gate::new("127.0.0.1:4000".parse().unwrap())
    }

    /// A request for something behind the token, with more headers.
    fn request(gate: &Gate, path: &str, host: &str, more: &str) -> Result<Asked, Refusal> {
        let token = &gate.token;
        gate.asked(&format!(
            "GET /{token}{path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n"
        ))
    }

    #[test]
    fn the_page_and_its_socket_come_in_and_nothing_else() {
        let gate = gate();
        let host = "127.0.0.1:4000";
        let own = "Origin: http://127.0.0.1:4000\r\n";
        assert_eq!(request(&gate, "/", host, ""), Ok(Asked::Page));
        assert_eq!(request(&gate, "/socket", host, own), Ok(Asked::Socket));

        let foreign = "Origin: https://example.org\r\n";
        assert_eq!(
            request(&gate, "/socket", host, foreign),
            Err(Refusal("403 Forbidden"))
        );
        assert_eq!(
            request(&gate, "/socket", host, ""),
            Err(Refusal("403 Forbidden"))
        );
        assert_eq!(
            request(&gate, "/", "example.org", own),
            Err(Refusal("421 Misdirected Request"))
        );
        assert_eq!(
            request(&gate, "/other", host, own),
            Err(Refusal("404 Not Found"))
        );
        let other = Gate::new("127.0.0.1:4000".parse().unwrap());
        assert_ne!(other.token, gate.token);
        assert_eq!(request(&other, "/", host, ""), Ok(Asked::Page));
        let head = format!("GET /{}/ HTTP/1.1\r\nHost: {host}\r\n\r\n", other.token);
        assert_eq!(gate.asked(&head), Err(Refusal("404 Not Found")));
        assert_eq!(
            gate.asked("POST / HTTP/1.1\r\n\r\n"),
            Err(Refusal("405 Method Not Allowed"))
        );
        assert_eq!(gate.asked(""), Err(Refusal("405 Method Not Allowed")));
    }
}
