//! Whole numbers on the command line, and what is wrong with those that are none.

use std::ops::RangeInclusive;

/// Reads whole numbers in a range, for clap. Its own reader has words for programmers.
pub fn whole<N>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: TryFrom<u64>,
{
    move |text| {
        let number = parse(text, &range)?;
        // The range is one of numbers that fit.
        N::try_from(number).map_err(|_| format!("{text} is too large"))
    }
}

/// The number, or what to write instead.
fn parse(text: &str, range: &RangeInclusive<u64>) -> Result<u64, String> {
    let (least, most) = (range.start(), range.end());
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(text.strip_prefix('-').unwrap_or(text)) {
        return Err(match text.trim() {
            number if digits(number) => {
                format!("there are blanks around the number in '{text}'; write {number}")
            }
            "" => format!("a whole number is missing; give one from {least} to {most}"),
            _ => format!("'{text}' is not a whole number; give one from {least} to {most}"),
        });
    }
    let is_negative = text.starts_with('-');
    match text.parse::<u64>() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(number) if number < *least => Err(too("small", text, range)),
        _ => Err(too(if is_negative { "small" } else { "large" }, text, range)),
    }
}

fn too(what: &str, text: &str, range: &RangeInclusive<u64>) -> String {
    format!("{text} is too {what}; give a whole number from {} to {}", range.start(), range.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_others_explained() {
        let read = whole::<u16>(1..=512);
        assert_eq!((read("1"), read("512"), read("007")), (Ok(1), Ok(512), Ok(7)));
        for (text, words) in [
            ("abc", "'abc' is not a whole number; give one from 1 to 512"),
            ("1.5", "'1.5' is not a whole number; give one from 1 to 512"),
            ("+3", "'+3' is not a whole number; give one from 1 to 512"),
            ("７", "'７' is not a whole number; give one from 1 to 512"),
            ("", "a whole number is missing; give one from 1 to 512"),
            ("0", "0 is too small; give a whole number from 1 to 512"),
            ("-1", "-1 is too small; give a whole number from 1 to 512"),
            ("-", "'-' is not a whole number; give one from 1 to 512"),
            ("513", "513 is too large; give a whole number from 1 to 512"),
            (&"9".repeat(30), &format!("{} is too large; give a whole number from 1 to 512", "9".repeat(30))),
            (" 7", "there are blanks around the number in ' 7'; write 7"),
        ] {
            assert_eq!(read(text), Err(words.to_owned()), "{text}");
        }
    }
}
