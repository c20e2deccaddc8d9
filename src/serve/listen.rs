//! Where a server listens, and what it may be called.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::str::FromStr;

/// The port where none is given; if it is taken, one of the next few.
const PORT: u16 = 8750;
const PORTS: u16 = 10;

/// Where to listen, as it is written: `HOST`, `PORT` or `HOST:PORT`, and after commas, further names of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    host: String,
    port: Option<u16>,
    names: Vec<String>,
}

impl Default for Listen {
    fn default() -> Listen {
        Listen { host: Ipv4Addr::LOCALHOST.to_string(), port: None, names: Vec::new() }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            // An IPv6 address has colons of its own.
            Some(port) if self.host.contains(':') => write!(f, "[{}]:{port}", self.host)?,
            Some(port) => write!(f, "{}:{port}", self.host)?,
            None => f.write_str(&self.host)?,
        }
        self.names.iter().try_for_each(|name| write!(f, ",{name}"))
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Listen, String> {
        let wrong = || {
            format!(
                "'{text}' is not an address; write for example 127.0.0.1:8750, 8751 or 0.0.0.0:8750,lab-pc"
            )
        };
        let mut parts = text.split(',').map(str::trim);
        let first = parts.next().unwrap_or_default();
        let is_name = |name: &str| {
            let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
            !name.is_empty() && name.chars().all(allowed)
        };
        let names: Vec<String> = parts.map(str::to_ascii_lowercase).collect();
        let local = || Ipv4Addr::LOCALHOST.to_string();
        let (host, port) = if first.is_empty() {
            (local(), None)
        } else if let Ok(port) = first.strip_prefix(':').unwrap_or(first).parse::<u16>() {
            (local(), Some(port))
        } else if let Ok(address) = first.trim_matches(['[', ']']).parse::<IpAddr>() {
            (address.to_string(), None)
        } else if let Ok(address) = first.parse::<SocketAddr>() {
            (address.ip().to_string(), Some(address.port()))
        } else {
            match first.split_once(':') {
                Some((name, port)) => (name.to_ascii_lowercase(), Some(port.parse().map_err(|_| wrong())?)),
                None => (first.to_ascii_lowercase(), None),
            }
        };
        if first.parse::<u64>().is_ok() && port.is_none() {
            return Err(format!("'{text}' is no port: ports go from 0 to 65535"));
        }
        let is_host = host.parse::<IpAddr>().is_ok() || is_name(&host);
        if is_host && names.iter().all(|name| is_name(name)) {
            Ok(Listen { host, port, names })
        } else {
            Err(wrong())
        }
    }
}

/// The names and addresses by which browsers may call a server. A page of somebody else whose name is made to point here
/// (DNS rebinding) calls it by another one.
#[derive(Clone, Debug)]
pub struct Hosts {
    bound: IpAddr,
    names: Vec<String>,
}

impl Listen {
    /// Listens there.
    ///
    /// # Errors
    /// If the address is not one of this machine, or the port is taken.
    pub fn bind(&self) -> io::Result<(TcpListener, Hosts)> {
        let ports = self.port.map_or(PORT..=PORT + PORTS - 1, |port| port..=port);
        let mut first_error = None;
        for port in ports {
            match self.bind_port(port) {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                    first_error.get_or_insert(error);
                }
                Err(error) => return Err(error),
                Ok(listener) => {
                    listener.set_nonblocking(true)?;
                    let hosts = self.hosts(listener.local_addr()?.ip());
                    return Ok((listener, hosts));
                }
            }
        }
        Err(first_error.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()))
    }

    fn bind_port(&self, port: u16) -> io::Result<TcpListener> {
        let addresses: Vec<SocketAddr> = (self.host.as_str(), port).to_socket_addrs()?.collect();
        TcpListener::bind(&addresses[..])
    }

    fn hosts(&self, bound: IpAddr) -> Hosts {
        let mut names = self.names.clone();
        names.push(self.host.clone());
        if bound.is_loopback() || bound.is_unspecified() {
            names.push("localhost".to_owned());
        }
        if bound.is_unspecified() {
            names.extend(own_name());
        }
        Hosts { bound, names }
    }
}

/// What this machine calls itself.
fn own_name() -> Option<String> {
    let name = rustix::system::uname().nodename().to_str().ok()?.to_ascii_lowercase();
    (!name.is_empty()).then_some(name)
}

impl Hosts {
    /// Whether a request with this `Host` header is meant for us. Its port says nothing: there may be a tunnel.
    pub fn allow(&self, header: &str) -> bool {
        let host = match header.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => header,
        };
        let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
        match host.parse::<IpAddr>() {
            // No name was looked up to get here, so that nobody can have lied about it.
            Ok(address) if self.bound.is_unspecified() => !address.is_unspecified(),
            Ok(address) => address == self.bound || address.is_loopback() && self.bound.is_loopback(),
            Err(_) => self.names.contains(&host),
        }
    }

    /// The address of the first page, for people on this machine, or on others if it can be reached from there.
    pub fn link(&self, address: SocketAddr) -> String {
        let host = match address.ip() {
            ip if ip.is_unspecified() => own_name().unwrap_or_else(|| "localhost".to_owned()),
            IpAddr::V6(ip) => format!("[{ip}]"),
            ip => ip.to_string(),
        };
        format!("http://{host}:{}/", address.port())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listen(text: &str) -> Listen {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_are_read() {
        let read = |text: &str| {
            let Listen { host, port, names } = listen(text);
            (host, port, names.join(" "))
        };
        let told = |host: &str, port, names: &str| (host.to_owned(), port, names.to_owned());
        assert_eq!(read(""), told("127.0.0.1", None, ""));
        assert_eq!(read("9000"), told("127.0.0.1", Some(9000), ""));
        assert_eq!(read(":9000"), told("127.0.0.1", Some(9000), ""));
        assert_eq!(read("0.0.0.0,Lab-PC"), told("0.0.0.0", None, "lab-pc"));
        assert_eq!(read("[::1]:80"), told("::1", Some(80), ""));
        assert_eq!(read("::1"), told("::1", None, ""));
        assert_eq!(read("Localhost:81"), told("localhost", Some(81), ""));
        for wrong in ["127.0.0.1:x", "a b", "localhost:70000", "0.0.0.0,", "http://x"] {
            assert!(wrong.parse::<Listen>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_own_names_are_allowed() {
        let allowed = |hosts: &Hosts, all: &[&str]| all.iter().filter(|host| hosts.allow(host)).count();
        let hosts = listen("127.0.0.1").hosts(Ipv4Addr::LOCALHOST.into());
        assert_eq!(allowed(&hosts, &["127.0.0.1:8750", "localhost", "LOCALHOST:1", "[::1]:8750"]), 4);
        let foreign = [
            "",
            "evil.example:8750",
            "10.0.0.7",
            "127.0.0.1.evil.example",
            "0.0.0.0:8750",
            "localhost.evil:1",
        ];
        assert_eq!(allowed(&hosts, &foreign), 0);
        let hosts = listen("0.0.0.0,lab-pc").hosts(Ipv4Addr::UNSPECIFIED.into());
        assert_eq!(allowed(&hosts, &["lab-pc:8750", "10.0.0.7:8750", "localhost"]), 3);
        assert_eq!(allowed(&hosts, &["evil.example:8750"]), 0);
    }

    #[test]
    fn a_port_that_is_taken_is_passed_over_unless_it_was_asked_for() {
        let (taken, _) = listen("0").bind().unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = listen(&port.to_string()).bind().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
        let servers: Vec<_> = (0..2).map(|_| Listen::default().bind().unwrap().0.local_addr()).collect();
        assert!(servers.iter().all(|address| address.is_ok()));
    }
}
