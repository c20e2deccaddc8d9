//! What the operating system says of an error, for people.

use std::io;

/// The words of the operating system about an error, without its number.
pub fn system_words(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error ") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_left_out() {
        assert_eq!(system_words(&io::Error::from_raw_os_error(28)), "no space left on device");
        assert_eq!(system_words(&io::Error::other("Odd")), "Odd");
    }
}
