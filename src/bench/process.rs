//! Processor time and memory of this process, which only Linux provides. Elsewhere they are `None`.

use std::path::Path;

/// Processor time that all running threads have used so far (s). `None` if the system does not
/// provide it.
///
/// A thread may end between the list and the look at it; it then no longer counts.
pub(super) fn processor_seconds() -> Option<f64> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let of_threads: Vec<f64> = tasks
        .filter_map(|task| of_thread(&task.ok()?.path()))
        .collect();
    (!of_threads.is_empty()).then(|| of_threads.into_iter().sum())
}

/// Processor time that one thread has used so far (s), from its folder.
fn of_thread(folder: &Path) -> Option<f64> {
    // The first number of the line is the time on a processor (ns).
    let line = std::fs::read_to_string(folder.join("schedstat")).ok()?;
    let nanoseconds: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
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
        // That of all threads may fall: other tests end.
        let own = Path::new("/proc/thread-self");
        let seconds = of_thread(own).unwrap();
        assert!(processor_seconds().unwrap() >= seconds);

        let filled = vec![1_u8; SIZE];
        let sum = filled.iter().fold(0_u64, |sum, &byte| {
            sum.wrapping_mul(3).wrapping_add(byte.into())
        });
        let grown = peak_memory().unwrap() - memory;
        assert!(sum > 0 && grown > SIZE as u64 / 2, "{grown}");
        assert!(of_thread(own).unwrap() > seconds);
    }
}
