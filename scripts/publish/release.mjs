// Publishes a release: checks everything first, then the platform packages, then, once the
// registry shows every one of them, the root. So whoever installs the root finds all that it names.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { StepFailed } from '../steps.mjs'
import { complaintsOf } from './checks.mjs'

/** Registries show what they took within seconds, and at times within minutes. */
const WAIT = { attempts: 60, pauseMs: 5_000 }

/**
 * Publishes packages, `{ manifest, tarball }`. What is published already with the same content is
 * left out, so that the same call finishes what an earlier one began. A failure says what is
 * published and what is not.
 *
 * @param registry what `npmRegistry` gives
 * @param checks what `complaintsOf` takes: `{ wanted, changelog, tag }`
 * @param dryRun checks and tells the plan, and publishes nothing
 * @param provenance whether to tell which workflow built this, which only a workflow can prove
 * @param wait how often to ask for what was published, and how long to pause in between
 * @param say takes each line of what is planned and done
 */
export async function release(
  { root, platforms },
  { registry, checks, dryRun = false, provenance = false, wait = WAIT, say },
) {
  const refused = complaintsOf({ root, platforms }, checks)
  if (refused.length > 0) throw nothingPublished(refused)
  const uploads = await uploadsOf([...platforms, root], registry)
  const changed = uploads.filter(({ isPublished, isSame }) => isPublished && !isSame)
  if (changed.length > 0) throw nothingPublished(changed.map(otherContent))

  const distTag = root.manifest.version.includes('-') ? 'next' : 'latest'
  say(planOf(uploads, distTag))
  if (dryRun) return say('dry run: nothing was published')
  const put = async (upload) => {
    if (upload.isPublished) return
    await registry.publish(upload.tarball, { distTag, provenance })
    upload.isPublished = true
    say(`published ${upload.id}`)
  }
  try {
    const pins = uploads.slice(0, -1)
    for (const upload of pins) await put(upload)
    await allSeen(pins, { registry, wait, say })
    await put(uploads.at(-1))
  } catch (error) {
    throw brokenOff(uploads, error)
  }
}

async function uploadsOf(packages, registry) {
  const uploads = []
  try {
    for (const each of packages) uploads.push(await asUpload(each, registry))
  } catch (error) {
    throw nothingPublished([error.message])
  }
  return uploads
}

async function asUpload({ manifest: { name, version }, tarball }, registry) {
  const id = `${name}@${version}`
  const digest = createHash('sha512').update(await readFile(tarball))
  const integrity = `sha512-${digest.digest('base64')}`
  const published = await registry.integrityOf(id)
  const [isPublished, isSame] = [published !== undefined, published === integrity]
  return { id, tarball, integrity, isPublished, isSame }
}

/** Asks until every package is shown as it was uploaded, or `attempts` times. */
async function allSeen(uploads, { registry, wait: { attempts, pauseMs }, say }) {
  let missing = uploads
  for (let attempt = 1; ; attempt++) {
    missing = await withoutSeen(missing, registry)
    if (missing.length === 0) return say(`the registry shows all ${uploads.length} pins`)
    const names = idsOf(missing).join(', ')
    if (attempt === attempts) {
      throw new StepFailed(`the registry did not show ${names}, asked ${attempts} times`)
    }
    say(`not shown yet (${attempt} of ${attempts}): ${names}`)
    await sleep(pauseMs)
  }
}

async function withoutSeen(uploads, registry) {
  const missing = []
  for (const upload of uploads) {
    if ((await registry.integrityOf(upload.id)) !== upload.integrity) missing.push(upload)
  }
  return missing
}

function planOf(uploads, distTag) {
  const lines = uploads.map(({ id, isPublished }) =>
    isPublished ? `leave out ${id}, which is published` : `publish ${id} as ${distTag}`,
  )
  lines.splice(-1, 0, 'wait until the registry shows all of them')
  return lines.map((line, i) => `${i + 1}. ${line}`).join('\n')
}

const otherContent = ({ id }) =>
  `${id} is published with other content: take the tarballs of that time, or raise the version`

const nothingPublished = (complaints) =>
  new StepFailed(['nothing was published:', ...complaints].join('\n  '))

function brokenOff(uploads, error) {
  const listed = (isWanted) => idsOf(uploads.filter(isWanted)).join(', ') || 'nothing'
  return new StepFailed(
    [
      error instanceof StepFailed ? error.message : error.stack,
      `published: ${listed(({ isPublished }) => isPublished)}`,
      `not published: ${listed(({ isPublished }) => !isPublished)}`,
      'to go on, run this again with the same tarballs: what is published is left out',
    ].join('\n'),
  )
}

const idsOf = (uploads) => uploads.map(({ id }) => id)
