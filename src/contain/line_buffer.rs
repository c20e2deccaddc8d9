//! Cutting a stream of bytes into lines.

/// Collects the bytes of a stream and gives them out line by line.
#[derive(Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    // What has been given out already, to be dropped with the next push.
    taken: usize,
    // Up to here no newline has been found, so that a long line is searched only once.
    searched: usize,
}

impl LineBuffer {
    /// Takes in what a read has brought.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.taken > 0 {
            self.bytes.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole line, without its newline.
    pub fn next_line(&mut self) -> Option<&[u8]> {
        match self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') {
            Some(offset) => {
                let (start, end) = (self.taken, self.searched + offset);
                self.taken = end + 1;
                self.searched = self.taken;
                Some(&self.bytes[start..end])
            }
            None => {
                self.searched = self.bytes.len();
                None
            }
        }
    }

    /// Whether there is a whole line.
    pub fn has_line(&self) -> bool {
        self.bytes[self.searched..].contains(&b'\n')
    }

    /// Ends the line that has been begun, if there is one.
    pub fn end_line(&mut self) {
        if self.bytes.len() > self.taken && self.bytes.last() != Some(&b'\n') {
            self.push(b"\n");
        }
    }

    /// All that has not been given out.
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.taken = 0;
        self.searched = 0;
    }

    /// What has come since the last newline.
    pub fn rest(&self) -> &[u8] {
        let bytes = &self.bytes[self.taken..];
        let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        &bytes[start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_however_the_bytes_came_in() {
        let text = b"3 4\r\n\n  5 6\nhalf";
        for chunk in 1..text.len() {
            let mut buffer = LineBuffer::default();
            let mut lines = Vec::new();
            for bytes in text.chunks(chunk) {
                buffer.push(bytes);
                while let Some(line) = buffer.next_line() {
                    lines.push(String::from_utf8(line.to_vec()).unwrap());
                }
            }
            assert_eq!(lines, ["3 4\r", "", "  5 6"], "in pieces of {chunk}");
            assert_eq!(buffer.rest(), b"half");
            buffer.end_line();
            buffer.end_line();
            assert_eq!(buffer.next_line(), Some(&b"half"[..]));
            assert_eq!(buffer.next_line(), None);
        }
    }
}
