// What cargo-deny does not ask of Cargo.lock: that a hash goes with everything that is downloaded,
// and that nothing lies in a folder beside the workspace.

/**
 * The complaints about the packages of a lock file.
 *
 * @param members the names of the workspace's own crates
 */
export function cargoLockComplaints(packages, members) {
  return packages.flatMap(({ name, version, source, checksum }) => {
    const id = `Cargo.lock: ${name} ${version}`
    if (source === undefined) {
      if (members.includes(name)) return []
      return [`${id} is a folder outside the workspace: depend on a published crate instead`]
    }
    if (/^[0-9a-f]{64}$/.test(checksum)) return []
    return [`${id}, of ${source}, has no checksum: depend on a published crate, then cargo fetch`]
  })
}
