// What has to be true of the packages of a release before the first of them is published: what is
// published cannot be taken back, and a root without an addon fails where it is installed.

import { notesOf } from '../release-notes.mjs'

/**
 * All that is wrong with packages, `{ manifest, tarball }`, as sentences; none when they may go out.
 *
 * @param wanted the platforms that a release has, as scripts/platforms.mjs lists them
 * @param changelog the text of the CHANGELOG
 * @param tag the git tag of the release, where there is one
 */
export function complaintsOf({ root, platforms }, { wanted, changelog, tag }) {
  const names = wanted.map((each) => each.package)
  return [
    ...wanted.flatMap((each) => platformComplaints(each, root.manifest, platforms)),
    ...pinComplaints(root.manifest, names),
    ...platforms
      .filter(({ manifest }) => !names.includes(manifest.name))
      .map(({ manifest }) => `${manifest.name} is no platform of this release`),
    ...(root.tarball === undefined ? [`${root.manifest.name} has no tarball`] : []),
    ...versionComplaints(root.manifest, { changelog, tag }),
  ]
}

function platformComplaints({ package: name, os, cpu, libc }, { version }, platforms) {
  const found = platforms.find(({ manifest }) => manifest.name === name)
  if (found === undefined) return [`${name} is missing`]
  const { manifest, tarball } = found
  const complaints = []
  if (tarball === undefined) complaints.push(`${name} has no tarball: its addon was not built`)
  if (manifest.version !== version) {
    complaints.push(`${name} is of version ${manifest.version}, the root of ${version}`)
  }
  for (const [field, value] of Object.entries({ os, cpu, libc })) {
    const declared = manifest[field]?.join()
    if (declared !== value) complaints.push(`${name} has ${field} ${declared}, not ${value}`)
  }
  return complaints
}

/** A pin that is left out installs no addon there, and a range may install one of another version. */
function pinComplaints({ name, version, optionalDependencies = {} }, wanted) {
  const wrong = wanted
    .filter((pinned) => optionalDependencies[pinned] !== version)
    .map((pinned) => {
      const pin = optionalDependencies[pinned]
      const found = pin === undefined ? 'does not list' : `pins ${pin} of`
      return `${name} ${found} ${pinned}: ${version} is due`
    })
  const strangers = Object.keys(optionalDependencies)
    .filter((pinned) => !wanted.includes(pinned))
    .map((pinned) => `${name} lists ${pinned}, which is no platform of this release`)
  return [...wrong, ...strangers]
}

function versionComplaints({ version }, { changelog, tag }) {
  const complaints = []
  if (tag !== undefined && tag !== `v${version}`) {
    complaints.push(`the tag is ${tag}, and the version ${version}: v${version} is due`)
  }
  try {
    notesOf(changelog, version)
  } catch (error) {
    complaints.push(error.message)
  }
  return complaints
}
