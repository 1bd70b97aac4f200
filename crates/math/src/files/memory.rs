//! Memory that is free on this machine, as Linux reports it.

use std::fs::read_to_string;

/// Memory available without swapping (bytes), or `None` where the system does not report it.
///
/// Inside a control group (a container) it is at most the rest of the group's limit.
pub fn available() -> Option<u64> {
    let meminfo = read_to_string("/proc/meminfo").ok()?;
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let bytes = 1024 * kilobytes;

    Some(left_in_group().map_or(bytes, |left| bytes.min(left)))
}

/// Memory left to the process's control group (bytes), if it has a limit.
fn left_in_group() -> Option<u64> {
    Some(group_number("memory.max")?.saturating_sub(group_number("memory.current")?))
}

/// Number in a file of the process's control group; `None` without a file or a number, as without a
/// limit.
fn group_number(file: &str) -> Option<u64> {
    let text = read_to_string(format!("/sys/fs/cgroup/{file}")).ok()?;
    text.trim().parse().ok()
}
