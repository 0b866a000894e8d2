//! Which file systems belong to another machine.

/// The network file system that `magic`, the `f_type` of Linux's `statfs`, stands for.
///
/// FUSE is not among them: the number is the same for an encrypted folder, a container's shared
/// folder and sshfs, and the first two work. Cluster file systems are: WAL's shared memory never
/// spans hosts, which is what such a file is put there for.
#[cfg(any(target_os = "linux", target_os = "android", test))]
pub(super) fn network_name(magic: u32) -> Option<&'static str> {
    Some(match magic {
        0x0000_6969 => "NFS",
        0x0000_517B | 0xFF53_4D42 | 0xFE53_4D42 => "SMB",
        0x5346_414F | 0x6B41_4653 => "AFS",
        0x0102_1997 => "9P",
        0x786F_4256 => "VirtualBox shared folder",
        0x7375_7245 => "Coda",
        0x0000_564C => "NCP",
        0x00C3_6400 => "Ceph",
        0x0BD0_0BD0 => "Lustre",
        0x4750_4653 => "GPFS",
        0x1983_0326 => "BeeGFS",
        0x0116_1970 => "GFS2",
        0x7461_636F => "OCFS2",
        _ => return None,
    })
}

/// The network file system that `path` lies on, if it lies on one that is recognised.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn network_at(path: &std::path::Path) -> std::io::Result<Option<&'static str>> {
    // The width and sign of f_type differ between architectures; its magic numbers have 32 bits.
    Ok(network_name(rustix::fs::statfs(path)?.f_type as u32))
}

/// The network file system that `path` lies on, if it lies on one that is recognised.
#[cfg(target_vendor = "apple")]
pub(super) fn network_at(path: &std::path::Path) -> std::io::Result<Option<&'static str>> {
    /// `MNT_LOCAL` of `sys/mount.h`.
    const LOCAL: u32 = 0x1000;
    let is_local = rustix::fs::statfs(path)?.f_flags & LOCAL != 0;
    Ok((!is_local).then_some("network"))
}

/// Elsewhere nothing is recognised, and nothing refused.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn network_at(_: &std::path::Path) -> std::io::Result<Option<&'static str>> {
    Ok(None)
}
