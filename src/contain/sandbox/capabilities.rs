//! The capabilities that a program could be given when it begins.

/// Drops all of them for whatever this process starts, for good; its own it keeps. Makes system calls only.
pub fn drop_bounding_set() {
    // The kernel refuses the first number that is none of its capabilities, and all of them to a process without privileges:
    // what that one starts cannot have them anyway.
    // SAFETY: plain system calls.
    (0..)
        .take_while(|&capability: &libc::c_ulong| unsafe {
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) == 0
        })
        .for_each(drop);
}
