// A store that the user wrote: its methods called for the addon, its answers brought back.

import type { RangeStore } from '../index.js'
import { type NativeIdsHandle, NativeStore } from './binding.js'
import { invalid } from './errors.js'

type Native = InstanceType<typeof NativeStore>
type Call = Parameters<ConstructorParameters<typeof NativeStore>[1]>[0]
type Answer = Parameters<Native['answer']>[1]

/** The native half of each store of this realm: its generators belong to the object. */
const natives = new WeakMap<RangeStore, Native>()

export function idsOfStore(store: RangeStore, options: Record<string, unknown>): NativeIdsHandle {
  const known = natives.get(store)
  if (known !== undefined) return known.ids(options)
  const native = nativeStore(store, options)
  natives.set(store, native)
  return native.ids(options)
}

/** The native half of a store; `options` are in force for all who use it. */
export function nativeStore(store: RangeStore, options: Record<string, unknown>): Native {
  if (typeof store.reserve !== 'function') {
    throw invalid('store', store, 'expected a method reserve(key, size, initialOffset)')
  }
  const name = typeof store.name === 'string' ? store.name : 'a store of your own'
  const has = (method: 'raise' | 'seal') => typeof store[method] === 'function'
  const native: Native = new NativeStore(
    name,
    (call) => void respond(native, store, call),
    has('raise'),
    has('seal'),
    options,
  )
  return native
}

/** Whatever the store does, the addon gets an answer, unless the store never gives one. */
async function respond(native: Native, store: RangeStore, call: Call): Promise<void> {
  let answer: Answer
  try {
    answer = await ask(store, call)
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) }
  }
  native.answer(call.id, answer)
}

async function ask(store: RangeStore, { method, key, size, value }: Call): Promise<Answer> {
  switch (method) {
    case 'reserve': {
      const range: unknown = await store.reserve(key, size, value)
      return { start: bound(range, 'start'), end: bound(range, 'end') }
    }
    case 'raise':
      await store.raise?.(key, value)
      return {}
    case 'seal': {
      const sealed: unknown = await store.seal?.(key)
      return { sealed: sealed !== false }
    }
    default:
      await store.close?.()
      return {}
  }
}

/** A bound of a range, exactly as it was answered. */
function bound(range: unknown, name: 'start' | 'end'): bigint {
  const value = (range as Record<string, unknown> | null | undefined)?.[name]
  if (typeof value === 'bigint') return value
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw new TypeError(`reserve answered no ${name} that is a bigint or a safe integer`)
}
