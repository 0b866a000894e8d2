// Holds npm's lock files against a policy. What they say of licences and install scripts is what the
// packages said when they were locked, so nothing has to be installed for it.

import { isAllowed } from '../licenses/expression.mjs'

/** The fields of package.json that bring packages to those who install it. */
const RUNTIME_FIELDS = ['dependencies', 'peerDependencies', 'optionalDependencies']
/** The fields of a policy whose entries are for packages that must be there. */
const EXCEPTIONS = ['licenseOf', 'installScripts', 'deprecated']

const POLICY_FILE = 'scripts/audit/npm-policy.mjs'

/**
 * The complaints about all lock files, each naming the file, the package and the way out.
 *
 * @param manifest that of the published package
 * @param locks lock files by their path
 * @param allowed licences that are allowed for whatever is published
 */
export function npmComplaints({ manifest, locks, policy, allowed }) {
  const used = new Set()
  const context = { policy, used, licenses: [...allowed, ...policy.toolLicenses] }
  return [
    ...runtimeComplaints(manifest, policy),
    ...Object.entries(locks).flatMap(([file, lock]) => lockComplaints(file, lock, context)),
    ...EXCEPTIONS.flatMap((field) => Object.keys(policy[field]).map((key) => `${field}: ${key}`))
      .filter((entry) => !used.has(entry))
      .map((entry) => `${POLICY_FILE} has ${entry}, which no lock file needs: take it out`),
  ]
}

function runtimeComplaints(manifest, { runtime }) {
  const { peerDependencies = {}, peerDependenciesMeta: about = {} } = manifest
  const fields = { ...manifest, peerDependencies: withoutOptional(peerDependencies, about) }
  const named = RUNTIME_FIELDS.flatMap((field) => Object.keys(fields[field] ?? {}))
  return [
    ...named
      .filter((name) => !runtime.includes(name))
      .map((name) => `package.json: ${name} would be installed with us: do without, or list it`),
    ...runtime
      .filter((name) => !named.includes(name))
      .map((name) => `package.json no longer needs ${name}: take it out of ${POLICY_FILE}`),
  ]
}

/** An optional peer is not installed with us: whoever uses it has it already. */
const withoutOptional = (peers, about) =>
  Object.fromEntries(Object.entries(peers).filter(([name]) => !about[name]?.optional))

function lockComplaints(file, { lockfileVersion, packages }, context) {
  // Older versions say nothing of licences.
  if (lockfileVersion !== 3) return [`${file} is of version ${lockfileVersion}: npm 9 writes 3`]
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, entry]) => {
      const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/')).slice(13)
      const each = { ...entry, name, id: `${name}@${entry.version}` }
      return packageComplaints(each, context).map((complaint) => `${file}: ${complaint}`)
    })
}

function packageComplaints({ id, name, ...entry }, { policy, used, licenses }) {
  const excepted = (field, key) => {
    used.add(`${field}: ${key}`)
    return policy[field][key]
  }
  const complaints = []
  if (!/^sha512-/.test(entry.integrity ?? '')) {
    complaints.push(`${id} has no integrity: depend on a published package`)
  }
  const { license = 'no licence' } = entry
  if (!mayBe(license, licenses) && !mayBe(excepted('licenseOf', id) ?? '', licenses)) {
    complaints.push(`${id} is under '${license}': do without, or allow it`)
  }
  if (entry.hasInstallScript && !excepted('installScripts', name)) {
    complaints.push(
      `${id} runs a script when it is installed: do without, or list it with a reason`,
    )
  }
  if (entry.deprecated && !excepted('deprecated', name)) {
    complaints.push(
      `${id} is deprecated (${entry.deprecated}): replace it, or list it with a reason`,
    )
  }
  return complaints
}

/** Whether it is allowed; what is no expression, such as `SEE LICENSE IN …`, is not. */
function mayBe(license, licenses) {
  try {
    return isAllowed(license, licenses)
  } catch {
    return false
  }
}
