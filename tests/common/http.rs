//! A browser as far as servers can tell: requests, and streams of events.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// Longer than anything takes that is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server, as `127.0.0.1:8750`.
#[derive(Clone)]
pub struct Site(pub String);

/// An answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Site {
    /// The server of a link that was printed.
    pub fn of(link: &str) -> Site {
        Site(link.trim_start_matches("http://").split('/').next().unwrap().to_owned())
    }

    /// Sends a request with these headers; one for the host only if it is not among them.
    pub fn send(&self, request: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.0).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut text = format!("{request} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text += &format!("Host: {}\r\n", self.0);
        }
        headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        text += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// Sends a request and reads the whole answer.
    pub fn ask(&self, request: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let headers = [headers, &[("Connection", "close")]].concat();
        let mut text = String::new();
        self.send(request, &headers, body).read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    /// A stream of events.
    pub fn events(&self, path: &str) -> Events {
        let mut reader = BufReader::new(self.send(&format!("GET {path}"), &[], ""));
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.contains(" 200 "), "{line}");
        while line.trim() != "" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        Events { reader, text: String::new(), waiting: VecDeque::new() }
    }
}

/// A stream of events, one after the other; it ends when the server ends it.
pub struct Events {
    reader: BufReader<TcpStream>,
    text: String,
    waiting: VecDeque<(String, Value)>,
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        while self.waiting.is_empty() {
            // Pieces of the stream, each with its length before it.
            let mut size = String::new();
            self.reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok().filter(|&size| size > 0)?;
            let mut piece = vec![0; size + 2];
            self.reader.read_exact(&mut piece).ok()?;
            self.text += std::str::from_utf8(&piece[..size]).unwrap();
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                if let Some((name, data)) = event.split_once("\ndata: ") {
                    let name = name.strip_prefix("event: ").unwrap().to_owned();
                    self.waiting.push_back((name, serde_json::from_str(data).unwrap()));
                }
                self.text = rest.to_owned();
            }
        }
        self.waiting.pop_front()
    }
}
