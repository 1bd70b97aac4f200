//! What the system tells of this process; only Linux does.

/// Ticks of the processor time that Linux tells, a second.
const TICKS: f64 = 100.0;

/// Processor time of all threads in user mode so far (s).
pub(super) fn processor_seconds() -> Option<f64> {
    /// Its place in the line, counted from the process's name, which is in parentheses.
    const USER_TIME: usize = 12;
    let line = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, after) = line.rsplit_once(')')?;
    let ticks: f64 = after.split_whitespace().nth(USER_TIME - 1)?.parse().ok()?;
    Some(ticks / TICKS)
}

/// The most memory that was resident, since the last [`forget_peak_memory`] (bytes).
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Makes the peak of resident memory begin anew. Where that is not possible it stays that of the process.
pub(super) fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_and_processor_time_grow_with_what_is_done() {
        let (before, seconds) = (peak_memory().unwrap(), processor_seconds().unwrap());
        const SIZE: usize = 64 << 20;
        let filled = vec![1_u8; SIZE];
        let grown = peak_memory().unwrap() - before;
        assert!((SIZE as u64 / 2..).contains(&grown), "{grown}");
        let mut sum = 0_u64;
        while processor_seconds().unwrap() < seconds + 0.02 {
            sum = filled.iter().fold(sum, |sum, &byte| sum.wrapping_add(byte.into()));
        }
        assert!(sum > 0);
    }
}
