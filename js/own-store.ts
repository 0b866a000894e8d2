// A store that the user wrote: its methods called for the addon, its answers brought back.

import type { RangeStore } from '../index.js'
import { type NativeIdsHandle, NativeStore } from './binding.js'
import { invalid, show } from './errors.js'

type Native = InstanceType<typeof NativeStore>
type Call = Parameters<ConstructorParameters<typeof NativeStore>[1]>[0]
type Answer = Parameters<Native['answer']>[1]

/** The native half of each store of this realm: its generators belong to the object. */
const natives = new WeakMap<RangeStore, Native>()

/** What only stores of ours read. */
const NOT_READ = ['allowCreate', 'allowNetworkFile']

export function idsOfStore(store: RangeStore, options: Record<string, unknown>): NativeIdsHandle {
  const unread = NOT_READ.find((name) => options[name] !== undefined)
  if (unread !== undefined) {
    throw invalid(unread, options[unread], 'a store of your own does not read it: leave it out')
  }
  const native = natives.get(store) ?? nativeStore(store)
  natives.set(store, native)
  return native.ids(options)
}

/** The native half of another client. */
export function nativeStore(store: RangeStore): Native {
  if (typeof store?.reserve !== 'function') {
    throw invalid('store', store, 'expected a method reserve(key, size, initialOffset)')
  }
  const name = typeof store.name === 'string' ? store.name : 'a store of your own'
  const has = (method: 'raise' | 'seal') => typeof store[method] === 'function'
  const call = (call: Call) => void respond(native, store, call)
  const native: Native = new NativeStore(name, call, has('raise'), has('seal'))
  return native
}

/** Whatever the store does, the addon gets an answer, unless the store never gives one. */
async function respond(native: Native, store: RangeStore, call: Call): Promise<void> {
  let answer: Answer
  try {
    answer = await ask(store, call)
  } catch (error) {
    answer = { thrown: reasonOf(error) }
  }
  native.answer(call.id, answer)
}

async function ask(store: RangeStore, { method, key, size, value }: Call): Promise<Answer> {
  switch (method) {
    case 'reserve':
      return readRange(await store.reserve(key, size, value))
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

/** A range exactly as it was answered, or what was answered in its place. */
function readRange(range: unknown): Answer {
  const bounds = range as Record<string, unknown> | null | undefined
  const start = readBound(bounds?.start)
  const end = readBound(bounds?.end)
  if (start !== undefined && end !== undefined) return { start, end }
  const answered =
    typeof range === 'object' && range !== null
      ? `{ start: ${show(bounds?.start)}, end: ${show(bounds?.end)} }`
      : show(range)
  const expected = '{ start, end }, both bigint or safe integers from 0'
  return { unreadable: `${answered}: expected ${expected}` }
}

function readBound(value: unknown): bigint | undefined {
  const bound = Number.isSafeInteger(value) ? BigInt(value as number) : value
  return typeof bound === 'bigint' && BigInt.asUintN(64, bound) === bound ? bound : undefined
}

/** What a thing that was thrown says of itself, whatever it is. */
export function reasonOf(thrown: unknown): { code?: string; message: string } {
  try {
    const { code, message } = Object(thrown) as Record<string, unknown>
    return {
      ...(typeof code === 'string' ? { code } : {}),
      message: typeof message === 'string' ? message : show(thrown),
    }
  } catch {
    return { message: 'something that cannot be looked at' }
  }
}
