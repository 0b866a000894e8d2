// Nest without TypeScript: decorators are functions, called on what they decorate.

import { Controller, Get, Inject, Injectable, Module, Param, Post } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { MintIdModule } from 'mintid/nest'

/** A module that imports others, and makes what `providers` say. */
export function moduleOf(metadata) {
  class Own {}
  Module(metadata)(Own)
  return Own
}

/** A provider whose constructor takes what tokens, or decorators of parameters, stand for. */
export function provider(type, ...parameters) {
  Injectable()(type)
  for (const [i, parameter] of parameters.entries()) {
    const decorator = typeof parameter === 'string' ? Inject(parameter) : parameter
    decorator(type, undefined, i)
  }
  return type
}

const METHODS = { GET: Get, POST: Post }

/** A controller of routes such as `{ 'GET /orders/:id': handler }`, whose `id` goes through `pipe`. */
export function controller(routes, pipe) {
  class Routes {}
  for (const [i, [route, handler]] of Object.entries(routes).entries()) {
    const [method, path] = route.split(' ')
    const name = `route${i}`
    Routes.prototype[name] = handler
    const descriptor = Object.getOwnPropertyDescriptor(Routes.prototype, name)
    METHODS[method](path)(Routes.prototype, name, descriptor)
    if (path.includes(':id')) Param('id', ...(pipe ? [pipe] : []))(Routes.prototype, name, 0)
  }
  Controller()(Routes)
  return Routes
}

/** An application of these modules, which is closed with the test; `settle` may override providers. */
export async function application(t, imports, settle) {
  const app = await started(imports, settle)
  t.after(() => app.close())
  return app
}

/** The same, to be closed by the test: Nest runs the hooks at every close. */
export async function started(imports, settle = (builder) => builder) {
  const builder = settle(Test.createTestingModule({ imports }))
  const app = await builder.setLogger(false).compile()
  return await app.init()
}

/** The same over HTTP; `adapter` is Express unless one is given. */
export async function service(t, metadata, adapter) {
  const testing = await Test.createTestingModule(metadata).setLogger(false).compile()
  const app = testing.createNestApplication(...(adapter ? [adapter] : []), { logger: false })
  await app.listen(0, '127.0.0.1')
  t.after(() => app.close())
  return await app.getUrl()
}

/** A store that counts in memory; its `end` says how it closes, its `isAway` whether it fails. */
export function ownStore(end) {
  let last = 0
  const store = {
    name: 'own',
    isAway: false,
    closed: 0,
    reserve: (_key, size, offset) => {
      if (store.isAway) throw new Error('away')
      const start = Math.max(last + 1, Number(offset))
      last = start + Number(size) - 1
      return { start, end: last + 1 }
    },
    close: () => {
      store.closed++
      return end?.()
    },
  }
  return store
}

export const inMemory = (options) => MintIdModule.forRoot({ store: 'memory:', ...options })
