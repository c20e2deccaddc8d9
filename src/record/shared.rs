//! Values that very many games have in common, each kept once.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer};

use super::identity::Identity;
use super::terms::Clock;
use super::verdict::Verdict;

/// Whoever reads journals without end keeps no more values than this of a kind. What is dropped here lives on in the games that have it.
const MOST: usize = 1 << 16;

/// What this thread has come across lately.
#[derive(Default)]
struct Pool {
    names: HashSet<Arc<str>>,
    identities: HashSet<Arc<Identity>>,
    clocks: HashSet<Arc<Clock>>,
    /// By a hash of what usually tells verdicts apart.
    verdicts: HashMap<u64, Arc<Verdict>>,
}

thread_local! {
    static POOL: RefCell<Pool> = RefCell::default();
}

/// The name of a bot, which very many games have.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<str>);

impl Name {
    /// Its letters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Name {
        Name(POOL.with_borrow_mut(|pool| one_of(&mut pool.names, name)))
    }
}

impl From<&Name> for Arc<str> {
    fn from(name: &Name) -> Arc<str> {
        name.0.clone()
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for Name {
    fn eq(&self, other: &T) -> bool {
        *self.0 == *other.as_ref()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name::from(name))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

/// An identity that others have too.
pub fn identity(identity: Identity) -> Arc<Identity> {
    POOL.with_borrow_mut(|pool| one_of(&mut pool.identities, identity))
}

/// A clock that others have too.
pub fn clock(clock: Clock) -> Arc<Clock> {
    POOL.with_borrow_mut(|pool| one_of(&mut pool.clocks, clock))
}

/// A verdict that others have too: most games that end on the board end like many others.
pub fn verdict(verdict: Verdict) -> Arc<Verdict> {
    let mut hasher = DefaultHasher::new();
    (verdict.winner.map(|seat| seat.0), &verdict.places, verdict.reason, &verdict.sentence).hash(&mut hasher);
    POOL.with_borrow_mut(|pool| {
        let known = &mut pool.verdicts;
        if known.len() >= MOST {
            known.clear();
        }
        let one = known.entry(hasher.finish()).or_insert_with(|| Arc::new(verdict.clone()));
        if **one == verdict { one.clone() } else { Arc::new(verdict) }
    })
}

/// The one of these values that equals this, which is put among them if there is none.
fn one_of<T, Q>(known: &mut HashSet<Arc<T>>, value: Q) -> Arc<T>
where
    T: Eq + Hash + ?Sized,
    Q: Borrow<T> + Into<Arc<T>>,
{
    if let Some(one) = known.get(value.borrow()) {
        return one.clone();
    }
    if known.len() >= MOST {
        known.clear();
    }
    let one: Arc<T> = value.into();
    known.insert(one.clone());
    one
}
