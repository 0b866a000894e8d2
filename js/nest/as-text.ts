// Every bigint in a value becomes text. What holds none is passed on as it is, the same object.

import { StreamableFile } from '@nestjs/common'

type Container = Record<string, unknown>

const ORDINARY = { configurable: true, enumerable: true, writable: true }

/** A copy of what holds a bigint, however deep; cycles stay cycles. */
export function idsAsText(value: unknown): unknown {
  const copies = new Map<unknown, Container>()
  for (const holder of holdersOfIds(value)) copies.set(holder, emptyLike(holder))
  for (const [holder, copy] of copies) {
    for (const key of Object.keys(holder as Container)) {
      const held = (holder as Container)[key]
      put(copy, key, copies.get(held) ?? textOf(held))
    }
  }
  return copies.get(value) ?? textOf(value)
}

/** Assigned only where nothing lies in wait: a key may be that of a setter, or `__proto__`. */
function put(copy: Container, key: string, value: unknown): void {
  if (!(key in copy)) copy[key] = value
  else Object.defineProperty(copy, key, { ...ORDINARY, value })
}

function textOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (isBatch(value)) return Array.from(value, String)
  return value
}

const isBatch = (value: unknown): value is BigUint64Array | BigInt64Array =>
  value instanceof BigUint64Array || value instanceof BigInt64Array

/** All containers from which a bigint can be reached: found downwards, told upwards. */
function holdersOfIds(root: unknown): Set<Container> {
  const parents = new Map<Container, Container[]>()
  const holders = new Set<Container>()
  const open = isContainer(root) ? [root] : []
  for (const each of open) parents.set(each, [])
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    for (const held of Object.values(each)) {
      if (typeof held === 'bigint' || isBatch(held)) holders.add(each)
      else if (isContainer(held)) {
        const known = parents.get(held)
        if (known === undefined) {
          parents.set(held, [each])
          open.push(held)
        } else known.push(each)
      }
    }
  }
  // A set is walked to its end also while it grows.
  for (const holder of holders) for (const parent of parents.get(holder) ?? []) holders.add(parent)
  return holders
}

/** What JSON would look into. What says itself how it is written, and streams, are left alone. */
function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  const { toJSON, pipe } = value as Container
  return (
    typeof toJSON !== 'function' && typeof pipe !== 'function' && !(value instanceof StreamableFile)
  )
}

/** Of the same class: interceptors that come later may go by it. */
function emptyLike(holder: Container): Container {
  return Array.isArray(holder)
    ? ([] as unknown as Container)
    : Object.create(Object.getPrototypeOf(holder))
}
