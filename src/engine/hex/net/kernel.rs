//! The ways to compute the network, one for each kind of processor.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;

#[cfg(target_arch = "x86_64")]
use super::amx;
use super::simd::Instructions;

/// How the network is computed, the quickest way first. All ways agree but for rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kernel {
    /// In the processor's matrix unit, with numbers of half the length
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// With the vectors of AVX-512
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// With the vectors of AVX2
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// With nothing that some processor lacks
    Plain,
}

impl Kernel {
    /// Whether this processor can compute so.
    pub fn available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx => amx::available(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => Instructions::Avx512.available(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Instructions::Avx2.available(),
            Kernel::Plain => Instructions::Plain.available(),
        }
    }

    /// All that this processor can do, the quickest first.
    pub fn all() -> Vec<Kernel> {
        Kernel::value_variants().iter().copied().filter(|kernel| kernel.available()).collect()
    }

    /// The quickest that this processor can do.
    pub fn best() -> Kernel {
        Kernel::all()[0]
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().expect("no kernel is hidden").get_name())
    }
}

impl FromStr for Kernel {
    type Err = String;

    /// Reads the name of a kernel that this processor can do.
    fn from_str(word: &str) -> Result<Kernel, String> {
        let all = Kernel::all();
        let found = all.iter().copied().find(|kernel| kernel.to_string() == word);
        found.ok_or_else(|| {
            let names: Vec<String> = all.iter().map(Kernel::to_string).collect();
            format!("this processor cannot compute with '{word}'; it can with: {}", names.join(", "))
        })
    }
}
