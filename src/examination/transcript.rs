//! What was said between arbitro and a bot, byte by byte, and how people are shown it.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::record::text::is_visible;

/// Lines that are shown of a conversation: its end, where it went wrong.
const LINES_SHOWN: usize = 14;
/// Characters that are shown of a line.
const WIDTH: usize = 58;

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// It was sent to the bot's stdin.
    Arbitro,
    /// It came from the bot's stdout.
    Bot,
    /// Something happened: a start, an end.
    Event,
}

/// One line of a conversation, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Milliseconds since the bot was started; nothing where only the order is known.
    pub ms: Option<u64>,
    /// Who said it.
    pub voice: Voice,
    /// What, with all bytes made visible.
    pub text: String,
}

/// A conversation as it went.
pub struct Transcript {
    began: Instant,
    entries: Vec<(Duration, Voice, Vec<u8>)>,
    /// Whether the bot's last line still goes on.
    is_line_open: bool,
}

impl Transcript {
    /// Begins now.
    pub fn new() -> Transcript {
        Transcript { began: Instant::now(), entries: Vec::new(), is_line_open: false }
    }

    /// Takes down bytes as they went over the wire.
    pub fn add(&mut self, voice: Voice, bytes: &[u8]) {
        const KEPT: usize = 4096;
        let goes_on = std::mem::replace(
            &mut self.is_line_open,
            voice == Voice::Bot && bytes.last().is_some_and(|&byte| byte != b'\n'),
        );
        match self.entries.last_mut() {
            // Bytes that belong to one line are shown on one.
            Some((_, Voice::Bot, text)) if goes_on && voice == Voice::Bot => {
                let room = KEPT.saturating_sub(text.len());
                text.extend_from_slice(&bytes[..bytes.len().min(room)]);
            }
            _ => {
                let kept = &bytes[..bytes.len().min(KEPT)];
                self.entries.push((self.began.elapsed(), voice, kept.to_owned()));
            }
        }
    }

    /// Takes down something that happened.
    pub fn note(&mut self, text: &str) {
        self.add(Voice::Event, text.as_bytes());
    }

    /// The conversation for people: its beginning and its end.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (at, voice, bytes) in &self.entries {
            let ms = Some(at.as_millis() as u64);
            if *voice == Voice::Event {
                lines.push(Line { ms, voice: *voice, text: String::from_utf8_lossy(bytes).into_owned() });
                continue;
            }
            let each = bytes.split_inclusive(|&byte| byte == b'\n');
            lines.extend(each.map(|line| Line { ms, voice: *voice, text: shown(line) }));
        }
        shortened(lines)
    }
}

impl Default for Transcript {
    fn default() -> Transcript {
        Transcript::new()
    }
}

/// The first line and the last ones.
pub fn shortened(mut lines: Vec<Line>) -> Vec<Line> {
    if lines.len() > LINES_SHOWN {
        let left_out = lines.len() - LINES_SHOWN;
        let note =
            Line { ms: None, voice: Voice::Event, text: format!("… {left_out} lines are left out …") };
        lines.splice(1..=left_out, [note]);
    }
    lines
}

/// Bytes as people can see them: `3␠4\n`.
pub fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut count, mut rest) = (0, 0);
    let mut push = |piece: &str| {
        if count < WIDTH {
            text.push_str(piece);
        } else {
            rest += 1;
        }
        count += piece.chars().count();
    };
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                ' ' => push("␠"),
                '\n' => push("\\n"),
                '\r' => push("\\r"),
                '\t' => push("\\t"),
                character if (character as u32) < 0x80 && !is_visible(character) => {
                    push(&format!("\\x{:02x}", character as u32));
                }
                character if is_visible(character) => push(character.encode_utf8(&mut [0; 4])),
                character => push(&character.escape_unicode().to_string()),
            }
        }
        chunk.invalid().iter().for_each(|byte| push(&format!("\\x{byte:02x}")));
    }
    if rest > 0 { format!("{text}… ({rest} more)") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_can_be_seen() {
        assert_eq!(shown(b"3 4\n"), "3␠4\\n");
        assert_eq!(shown(b"\x1b[2J7\t7\r\n"), "\\x1b[2J7\\t7\\r\\n");
        assert_eq!(shown(b"\xff\0"), "\\xff\\x00");
        assert_eq!(shown("3\u{a0}4é".as_bytes()), "3\\u{a0}4é");
        assert_eq!(shown(&[b'x'; 100_000]), format!("{}… (99942 more)", "x".repeat(WIDTH)));
    }

    #[test]
    fn a_line_that_comes_in_pieces_is_shown_as_one_and_the_next_behind_it() {
        let mut transcript = Transcript::new();
        for piece in [&[b'z'; 5000][..], &[b'z'; 5000], b"z\n", b"3 ", b"4\n"] {
            transcript.add(Voice::Bot, piece);
        }
        let lines: Vec<String> = transcript.lines().into_iter().map(|line| line.text).collect();
        assert!(lines.len() == 2 && lines[0].starts_with("zzz") && lines[1] == "3␠4\\n", "{lines:?}");
    }

    #[test]
    fn of_a_long_conversation_the_beginning_and_the_end_are_shown() {
        let mut transcript = Transcript::new();
        transcript.note("started");
        (0..50).for_each(|number| transcript.add(Voice::Bot, format!("{number}\n").as_bytes()));
        let lines = transcript.lines();
        assert_eq!(lines.len(), LINES_SHOWN + 1);
        assert_eq!(
            (lines[0].text.as_str(), lines[1].text.as_str()),
            ("started", "… 37 lines are left out …")
        );
        assert_eq!(lines[2].text, "37\\n");
        assert_eq!(lines[LINES_SHOWN].text, "49\\n");
    }
}
