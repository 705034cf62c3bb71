//! How much memory a process may use.

use crate::base::error::Result;

/// From now on the process may use this many bytes more than it has: an allocation beyond ends it.
///
/// # Errors
/// Where the system does not say how much it has, or cannot limit it.
#[cfg(target_os = "linux")]
pub fn limit(bytes: u64) -> Result<()> {
    use crate::base::error::Error;
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::As).maximum;
    let wanted = used()?.saturating_add(bytes);
    let limit = Rlimit { current: Some(maximum.map_or(wanted, |most| wanted.min(most))), maximum };
    setrlimit(Resource::As, limit).map_err(|error| Error::system(format!("cannot limit the memory: {error}")))
}

/// The process may use this many bytes more than it was limited to.
///
/// # Errors
/// Where the system cannot limit it.
#[cfg(target_os = "linux")]
pub fn allow(bytes: u64) -> Result<()> {
    use crate::base::error::Error;
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::As);
    let Some(limit) = current else { return Ok(()) };
    let wanted = limit.saturating_add(bytes);
    let limit = Rlimit { current: Some(maximum.map_or(wanted, |most| wanted.min(most))), maximum };
    setrlimit(Resource::As, limit).map_err(|error| Error::system(format!("cannot limit the memory: {error}")))
}

/// Elsewhere than on Linux memory is not limited.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn allow(_: u64) -> Result<()> {
    Ok(())
}

/// Elsewhere than on Linux memory is not limited.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn limit(_: u64) -> Result<()> {
    Ok(())
}

/// The size of the address space in bytes.
#[cfg(target_os = "linux")]
fn used() -> Result<u64> {
    use crate::base::error::Error;
    let path = std::path::Path::new("/proc/self/status");
    let status = std::fs::read_to_string(path).map_err(|error| Error::io("read", path, &error))?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")?.trim().strip_suffix("kB"));
    let kibibytes: Option<u64> = size.and_then(|size| size.trim().parse().ok());
    kibibytes
        .map(|size| size << 10)
        .ok_or_else(|| Error::system("the system does not say the size of a process"))
}
