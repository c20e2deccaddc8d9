//! Which version of a program it is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The identity of a program: the SHA-256 over all that it consists of, written in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Identity([u8; 32]);

impl Identity {
    /// The identity of what consists of these bytes alone.
    pub fn of(bytes: &[u8]) -> Identity {
        Identity(Sha256::digest(bytes).into())
    }

    /// The identity of all that was fed to this.
    pub fn from_hasher(hasher: Sha256) -> Identity {
        Identity(hasher.finalize().into())
    }

    /// How it begins: enough to tell the versions of a bot apart.
    pub fn short(&self) -> String {
        const LETTERS: usize = 8;
        self.to_string()[..LETTERS].to_owned()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A text that is no [`Identity`].
#[derive(Clone, Debug, Error)]
#[error("'{0}' is not the identity of a program, which has 64 hexadecimal digits")]
pub struct NotAnIdentity(String);

impl FromStr for Identity {
    type Err = NotAnIdentity;

    fn from_str(text: &str) -> Result<Identity, NotAnIdentity> {
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return Err(NotAnIdentity(text.to_owned()));
        }
        for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
            let value = digit(high).zip(digit(low)).ok_or_else(|| NotAnIdentity(text.to_owned()))?;
            *byte = 16 * value.0 + value.1;
        }
        Ok(Identity(bytes))
    }
}

impl TryFrom<String> for Identity {
    type Error = NotAnIdentity;

    fn try_from(text: String) -> Result<Identity, NotAnIdentity> {
        text.parse()
    }
}

impl From<Identity> for String {
    fn from(identity: Identity) -> String {
        identity.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_read_as_they_are_written() {
        let identity = Identity::of(b"abc");
        assert!(identity.to_string().starts_with("ba7816bf8f01cfea"));
        assert_eq!(identity.to_string().parse::<Identity>().unwrap(), identity);
        for wrong in ["", "00", &"0".repeat(63), &"0".repeat(66), &"g".repeat(64), &"é".repeat(32)] {
            assert!(wrong.parse::<Identity>().is_err(), "{wrong}");
        }
    }
}
