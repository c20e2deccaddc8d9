//! A seccomp filter that finds the rules of a system call by binary search.
//!
//! The filters of the crate `seccompiler` compare a call with all numbers that they know, one after the other. When a filter is
//! installed, the kernel goes through it for every number there is, to learn which calls it need not ask about: of a long chain, that
//! takes longer than starting a process does.

use std::collections::BTreeMap;

use libc::{BPF_ABS, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W};
use seccompiler::{BpfProgram, SeccompRule, sock_filter};

/// Where a filter finds the number of a call, and the architecture whose number it is.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

#[cfg(target_arch = "x86_64")]
const OURS: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const OURS: u32 = 0xc000_00b7;
#[cfg(target_arch = "riscv64")]
const OURS: u32 = 0xc000_00f3;

/// When a call is refused, and how. On x86-64 every call has a second number as well, for programs of 32-bit pointers, that is above
/// all others.
pub struct Refusal {
    /// If any of these holds; always, if there are none.
    pub rules: Vec<SeccompRule>,
    /// With this error.
    pub error: i32,
}

/// A filter that refuses these calls, by number, and allows all others below `unknown`. Numbers from there on, second numbers among
/// them, are refused as if the kernel did not have them; a call by a number of another architecture ends the program.
pub fn filter(refusals: BTreeMap<u32, Vec<Refusal>>, unknown: u32) -> BpfProgram {
    let mut program = vec![
        step(BPF_LD | BPF_W | BPF_ABS, ARCHITECTURE),
        choice(BPF_JEQ, OURS, 1, 0),
        step(BPF_RET | BPF_K, libc::SECCOMP_RET_KILL_PROCESS),
        step(BPF_LD | BPF_W | BPF_ABS, NUMBER),
    ];
    program.extend(search(&ranges(refusals, unknown)));
    program
}

/// What is done with all calls from a number on, up to the next range.
struct Range {
    first: u32,
    verdict: BpfProgram,
}

/// All numbers there are. Neighbours for which the same is done are one range.
fn ranges(refusals: BTreeMap<u32, Vec<Refusal>>, unknown: u32) -> Vec<Range> {
    let mut ranges = vec![Range { first: 0, verdict: vec![allow()] }];
    let mut add = |first: u32, verdict: BpfProgram| match ranges.last_mut() {
        Some(last) if last.verdict == verdict => {}
        Some(last) if last.first == first => last.verdict = verdict,
        _ => ranges.push(Range { first, verdict }),
    };
    let mut refusals = refusals.into_iter().peekable();
    while let Some((call, refusal)) = refusals.next() {
        add(call, judge(refusal));
        if refusals.peek().is_none_or(|(next, _)| *next > call + 1) {
            add(call + 1, vec![allow()]);
        }
    }
    add(unknown, vec![refuse(libc::ENOSYS)]);
    ranges
}

/// Looks for the range that the number of the call is in.
fn search(ranges: &[Range]) -> BpfProgram {
    if let [only] = ranges {
        return only.verdict.clone();
    }
    let (lower, upper) = ranges.split_at(ranges.len() / 2);
    let pivot = upper[0].first;
    let lower = search(lower);
    let mut program = match u8::try_from(lower.len()) {
        Ok(length) => vec![choice(BPF_JGE, pivot, length, 0)],
        // That is further than a choice can skip.
        Err(_) => vec![choice(BPF_JGE, pivot, 0, 1), step(BPF_JMP | BPF_JA, lower.len() as u32)],
    };
    program.extend(lower);
    program.extend(search(upper));
    program
}

/// What is done with a call: the first refusal that holds counts.
fn judge(refusals: Vec<Refusal>) -> BpfProgram {
    let mut program = Vec::new();
    for Refusal { rules, error } in refusals {
        if rules.is_empty() {
            program.push(refuse(error));
            return program;
        }
        for rule in rules {
            // A rule that does not hold skips the step behind it.
            program.extend(BpfProgram::from(rule));
            program.push(refuse(error));
        }
    }
    program.push(allow());
    program
}

fn refuse(error: i32) -> sock_filter {
    step(BPF_RET | BPF_K, libc::SECCOMP_RET_ERRNO | error as u32)
}

fn allow() -> sock_filter {
    step(BPF_RET | BPF_K, libc::SECCOMP_RET_ALLOW)
}

fn step(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

/// Skips some steps if the comparison holds, and others if not.
fn choice(comparison: u32, k: u32, if_so: u8, if_not: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | comparison | BPF_K) as u16, jt: if_so, jf: if_not, k }
}

#[cfg(test)]
mod tests {
    use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition};

    use super::*;

    /// What a filter says of a call with this first argument. Knows only what filters of ours are made of.
    fn verdict(program: &[sock_filter], architecture: u32, number: u32, argument: u32) -> u32 {
        let (mut at, mut value) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            let skip = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
            match u32::from(step.code) {
                code if code == BPF_RET | BPF_K => return step.k,
                code if code == BPF_JMP | BPF_JA => at += step.k as usize,
                code if code == BPF_JMP | BPF_JEQ | BPF_K => at += skip(value == step.k),
                code if code == BPF_JMP | BPF_JGE | BPF_K => at += skip(value >= step.k),
                code if code == BPF_LD | BPF_W | BPF_ABS => {
                    value = match step.k {
                        NUMBER => number,
                        ARCHITECTURE => architecture,
                        16 => argument,
                        other => panic!("nothing is known of what is at {other}"),
                    }
                }
                other => panic!("nothing is known of {other:#x}"),
            }
        }
    }

    #[test]
    fn every_number_meets_its_own_rules_and_no_others() {
        let is_seven = || {
            let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, 7).unwrap();
            vec![SeccompRule::new(vec![condition]).unwrap()]
        };
        let refusal = |call: u32| match call % 3 {
            0 => Some(Refusal { rules: Vec::new(), error: libc::EPERM }),
            1 => Some(Refusal { rules: is_seven(), error: libc::ENOSYS }),
            _ => None,
        };
        let refusals = (3..400).filter_map(|call| Some((call, vec![refusal(call)?])));
        let program = filter(refusals.collect(), 600);
        let refused = |error: i32| libc::SECCOMP_RET_ERRNO | error as u32;
        for call in 0..500 {
            for argument in [7, 8] {
                let expected = match refusal(call) {
                    _ if !(3..400).contains(&call) => libc::SECCOMP_RET_ALLOW,
                    Some(Refusal { rules, error }) if rules.is_empty() || argument == 7 => refused(error),
                    _ => libc::SECCOMP_RET_ALLOW,
                };
                assert_eq!(verdict(&program, OURS, call, argument), expected, "{call} {argument}");
            }
        }
        for unknown in [600, 0x4000_0000, 0x4000_0001, u32::MAX] {
            assert_eq!(verdict(&program, OURS, unknown, 0), refused(libc::ENOSYS));
        }
        assert_eq!(verdict(&program, 0x4000_0003, 3, 0), libc::SECCOMP_RET_KILL_PROCESS);
    }
}
