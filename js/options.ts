// Options and arguments, checked by the one table that the addon gives out.

import { optionTable } from './binding.js'
import { invalid } from './errors.js'
import { hint } from './nearest.js'

type Spec = ReturnType<typeof optionTable>[number]
type Scope = 'ids' | 'segment' | 'snowflake'
/** Scopes that are an option of another one. */
type Part = 'lease' | 'layout'

/** The rows of each scope. Asked for when something is first checked: a first id may need none. */
let rows: Map<string, Spec[]> | undefined

function rowsOf(scope: Scope | Part | 'call'): Spec[] {
  rows ??= byScope(optionTable())
  return rows.get(scope) ?? []
}

function byScope(table: Spec[]): Map<string, Spec[]> {
  const scopes = new Map<string, Spec[]>()
  for (const row of table) scopes.set(row.scope, [...(scopes.get(row.scope) ?? []), row])
  return scopes
}

/** What was checked where nothing was given. */
const NOTHING: Record<string, unknown> = Object.freeze({})
/** What every call takes that may wait. */
const WAITING = ['signal', 'timeoutMs']

/**
 * Checks the options of a scope: known names, right types, within bounds. Gives a new object for
 * the addon, ids as bigint and counts as number.
 */
export function checkOptions(scope: Scope, given: unknown): Record<string, unknown> {
  if (given === undefined) return NOTHING
  return checkAgainst(rowsOf(scope), given)
}

/** `part` is the option that these are a part of, if they are. */
function checkAgainst(specs: Spec[], given: unknown, part?: Part): Record<string, unknown> {
  if (!isPlainObject(given)) throw invalid(part ?? 'options', given, 'expected an object')
  const checked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const spec = specs.find((row) => row.name === name)
    if (spec === undefined) throw unknownOption(name, value, specs, part)
    if (value !== undefined) checked[name] = check(spec, value, part)
  }
  return checked
}

/** Checks one value against its row. */
function check(spec: Spec, value: unknown, part?: Part): unknown {
  if (!IS_VALID[spec.kind]?.(value, spec)) {
    throw invalid(pathOf(spec.name, part), value, spec.expected)
  }
  const convert = FOR_ADDON[spec.kind] ?? OBJECT_FOR_ADDON[spec.name]
  return convert === undefined ? value : convert(value, spec)
}

const pathOf = (name: string, part?: Part) => (part === undefined ? name : `${part}.${name}`)

/** What the values of each kind have to be. */
const IS_VALID: Record<string, (value: unknown, spec: Spec) => boolean> = {
  id: (value, spec) => (typeof value === 'bigint' || isInteger(value)) && isWithin(spec, value),
  count: (value, spec) => isInteger(value) && isWithin(spec, value),
  ms: (value, spec) => isInteger(value) && isWithin(spec, value),
  number: (value, spec) => isInteger(value) && isWithin(spec, value),
  span: (value, spec) => isSpan(value) && value.every((end) => isWithin(spec, end)),
  flag: (value) => typeof value === 'boolean',
  choice: (value, spec) => typeof value === 'string' && spec.words.includes(value),
  text: (value) => typeof value === 'string',
  durability: (value) => durabilityText(value) !== undefined,
  options: isPlainObject,
  layout: (value) => value === JS_SAFE || isPlainObject(value),
  object: (value, spec) => IS_OBJECT[spec.name]?.(value) ?? false,
}

/** A layout that has a name. */
const JS_SAFE = 'jsSafe'

/** What each option that is an object has to be. */
const IS_OBJECT: Record<string, (value: unknown) => boolean> = {
  logger: (value) => hasMethods(value, ['debug', 'info', 'warn', 'error']),
  signal: (value) => value instanceof AbortSignal,
  tls: (value) => isPlainObject(value) && Object.entries(value).every(isTlsEntry),
}

/** What the values of each kind become for the addon. */
const FOR_ADDON: Record<string, (value: unknown, spec: Spec) => unknown> = {
  id: (value) => BigInt(value as bigint | number),
  durability: durabilityText,
  options: partForAddon,
  layout: (value, spec) => (value === JS_SAFE ? { named: JS_SAFE } : partForAddon(value, spec)),
}

function partForAddon(value: unknown, spec: Spec): Record<string, unknown> {
  const part = spec.name as Part
  return checkAgainst(rowsOf(part), value, part)
}

/** What options that are objects become for the addon. */
const OBJECT_FOR_ADDON: Record<string, (value: unknown) => unknown> = { tls: tlsTexts }

const MOST_REPLICAS = 100
const TLS_PARTS = ['ca', 'cert', 'key', 'servername']

/** `'none'`, `'disk'` or `{ replicas: n }` in one word; nothing for anything else. */
function durabilityText(value: unknown): string | undefined {
  if (value === 'none' || value === 'disk') return value
  if (!isPlainObject(value) || Object.keys(value).join() !== 'replicas') return undefined
  const { replicas } = value
  const isCount = isInteger(replicas) && replicas >= 1 && replicas <= MOST_REPLICAS
  return isCount ? `replicas:${replicas}` : undefined
}

function isSpan(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === 2 && value.every(isInteger)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Certificates are given as Node takes them: as text, as bytes, or several in an array. */
function isTlsEntry([part, value]: [string, unknown]): boolean {
  if (!TLS_PARTS.includes(part)) return false
  if (value === undefined) return true
  if (part === 'servername') return typeof value === 'string'
  return [value].flat().every((pem) => typeof pem === 'string' || pem instanceof Uint8Array)
}

function tlsTexts(value: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [part, pem] of Object.entries(value as Record<string, unknown>)) {
    if (pem !== undefined) texts[part] = [pem].flat().map(pemText).join('\n')
  }
  return texts
}

function pemText(pem: unknown): string {
  return pem instanceof Uint8Array ? Buffer.from(pem).toString('latin1') : String(pem)
}

function hasMethods(value: unknown, names: string[]): boolean {
  const object = value as Record<string, unknown> | null | undefined
  return typeof object === 'object' && names.every((name) => typeof object?.[name] === 'function')
}

/** Options of a call that may wait, which all take `signal` and `timeoutMs`. */
export function checkCallOptions(
  given: unknown,
  others: string[] = [],
): { signal?: AbortSignal; timeoutMs?: number; count?: number } {
  if (given === undefined) return {}
  const specs = rowsOf('call').filter(
    (row) => WAITING.includes(row.name) || others.includes(row.name),
  )
  return checkAgainst(specs, given)
}

/** The rows of arguments that have been checked before: calls are many, and their arguments few. */
const ARGUMENTS = new Map<string, Spec>()

/** Checks a count that is given as an argument. */
export function checkCount(name: string, value: unknown): number {
  const spec = ARGUMENTS.get(name) ?? argument(name)
  return check(spec, value) as number
}

function argument(name: string): Spec {
  const spec = rowsOf('call').find((row) => row.name === name)
  if (spec === undefined) throw new TypeError(`no argument is called ${name}`)
  ARGUMENTS.set(name, spec)
  return spec
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** A number and a bigint are compared by their exact values. */
function isWithin({ least, most }: Spec, value: bigint | number): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most)
}

function unknownOption(name: string, value: unknown, specs: Spec[], part?: Part): Error {
  const names = specs.map((row) => row.name)
  return invalid(pathOf(name, part), value, `there is no such option: ${hint(name, names)}`)
}
