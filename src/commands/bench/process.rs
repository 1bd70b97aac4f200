//! Processor time and memory of this process, which only Linux provides. Elsewhere they are `None`.

/// Processor time that all running threads have used so far (s). `None` if the system does not
/// provide it.
pub(super) fn processor_seconds() -> Option<f64> {
    let mut of_threads = Vec::new();
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        // The first number of the line is the time on a processor (ns).
        let line = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        let nanoseconds: f64 = line.split_whitespace().next()?.parse().ok()?;
        of_threads.push(nanoseconds);
    }
    Some(of_threads.into_iter().sum::<f64>() * 1e-9)
}

/// Peak of resident memory since the last [`forget_peak_memory`] (bytes). `None` if the system does
/// not provide it.
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Resets the peak of resident memory. If the system refuses, the peak remains that of the whole
/// process.
pub(super) fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_and_processor_time_grow_with_what_is_done() {
        const SIZE: usize = 64 << 20;
        let memory = peak_memory().unwrap();
        let seconds = processor_seconds().unwrap();

        let filled = vec![1_u8; SIZE];
        let sum = filled.iter().fold(0_u64, |sum, &byte| {
            sum.wrapping_mul(3).wrapping_add(byte.into())
        });
        let grown = peak_memory().unwrap() - memory;
        assert!(sum > 0 && grown > SIZE as u64 / 2, "{grown}");
        assert!(processor_seconds().unwrap() > seconds);
    }
}
