//! The beginning and the end of a stream that may be endless.

/// Keeps the first and the last bytes of a stream, and forgets what lies between them.
pub struct HeadAndTail {
    head: Vec<u8>,
    head_limit: usize,
    tail: Vec<u8>,
    tail_limit: usize,
}

impl HeadAndTail {
    /// Keeps so many bytes of the beginning and of the end.
    pub fn new(head_limit: usize, tail_limit: usize) -> HeadAndTail {
        HeadAndTail { head: Vec::new(), head_limit, tail: Vec::new(), tail_limit }
    }

    /// Takes in what a read has brought.
    pub fn push(&mut self, bytes: &[u8]) {
        let room = bytes.len().min(self.head_limit - self.head.len());
        let (head, tail) = bytes.split_at(room);
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(tail);
        let surplus = self.tail.len().saturating_sub(self.tail_limit);
        self.tail.drain(..surplus);
    }

    /// Both parts, with a mark between them if the stream was longer than its beginning.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        if !self.tail.is_empty() {
            bytes.extend_from_slice(b"\n[...]\n");
            bytes.extend_from_slice(&self.tail);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_middle_of_a_long_stream_is_lost() {
        let mut short = HeadAndTail::new(4, 2);
        short.push(b"ab");
        short.push(b"cd");
        assert_eq!(short.to_bytes(), b"abcd");
        let mut long = HeadAndTail::new(4, 2);
        b"abcdefgh".chunks(3).for_each(|bytes| long.push(bytes));
        assert_eq!(long.to_bytes(), b"abcd\n[...]\ngh");
    }
}
