import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import {
  type CallName,
  calls,
  type EventName,
  events,
  type Handlers,
  type StreamName,
} from '#shared/bridge/index'
import { createEmitter } from '#shared/emitter'
import { joinModules } from './join-modules'
import type { Complete, EventSources, Missing, Module, StreamHandlersOf } from './module'

const unused = () => {
  throw new Error('not called here')
}
const isComplete = (handlers: Partial<Handlers>): handlers is Handlers =>
  Object.keys(calls).every((name) => name in handlers)
const handlers = (): Handlers => {
  const all: Partial<Handlers> = Object.fromEntries(Object.keys(calls).map((name) => [name, unused]))
  if (!isComplete(all)) throw new Error('every call has a handler')
  return all
}
const hasEvents = (sources: Partial<EventSources>): sources is EventSources =>
  Object.keys(events).every((name) => name in sources)
const sources = (): EventSources => {
  const all: Partial<EventSources> = Object.fromEntries(
    Object.keys(events).map((name) => [name, () => () => undefined]),
  )
  if (!hasEvents(all)) throw new Error('every event has a source')
  return all
}
const streams: StreamHandlersOf<StreamName> = { 'command.run': unused, 'terminal.screen': unused }
const quiet = { handlers: {}, events: {}, forgetAccount: 'keeps-nothing' } as const

describe('the types of modules', () => {
  interface NoteCalls {
    readonly handlers: Omit<Handlers, 'notes.list'>
    readonly events: EventSources
    readonly streams: typeof streams
  }
  interface NoteEvents {
    readonly handlers: Handlers
    readonly events: Omit<EventSources, 'notes.changed'>
    readonly streams: typeof streams
  }
  interface NoStreams {
    readonly handlers: Handlers
    readonly events: EventSources
  }

  it('name calls and streams without a handler and events without a source', () => {
    expectTypeOf<Missing<{ one: NoteCalls }>>().toEqualTypeOf<'notes.list'>()
    expectTypeOf<Missing<{ one: NoteEvents }>>().toEqualTypeOf<'notes.changed'>()
    expectTypeOf<Missing<{ one: NoStreams }>>().toEqualTypeOf<StreamName>()
    expectTypeOf<Missing<{ one: NoteCalls; other: NoteEvents }>>().toEqualTypeOf<never>()
    expectTypeOf<Complete<{ one: NoteCalls }>>().toEqualTypeOf<{ readonly missing: 'notes.list' }>()
  })

  it('leave out rows that a module provides optionally', () => {
    expectTypeOf<Missing<{ one: Module }>>().toEqualTypeOf<CallName | EventName | StreamName>()
  })

  it('require that a module defines how it forgets an account', () => {
    expectTypeOf<Omit<typeof quiet, 'forgetAccount'>>().not.toExtend<Module>()
    expectTypeOf<typeof quiet>().toExtend<Module>()
  })

  it('reject modules that leave out a row of the contract', () => {
    expectTypeOf(joinModules<{ one: NoteCalls & typeof quiet }>)
      .parameter(0)
      .toExtend<{ readonly missing: 'notes.list' }>()
  })
})

describe('joined modules', () => {
  it('forward their events under the names of the contract', () => {
    const removed = createEmitter<string>()
    const stored: Partial<EventSources> = {
      'store.changed': (listener) => removed.on((reason) => listener({ kind: 'failed', reason })),
    }
    const joined = joinModules({
      all: { handlers: handlers(), events: sources(), streams, forgetAccount: 'keeps-nothing' },
      store: { ...quiet, events: stored },
    })
    const push = vi.fn()
    joined.forwardEvents(push)
    removed.emit('no room')
    expect(push.mock.calls).toEqual([['store.changed', { kind: 'failed', reason: 'no room' }]])
  })

  it('forget accounts and start one after another in order, and close in reverse order', async () => {
    const done: string[] = []
    const noted = (name: string) => async () => {
      await Promise.resolve()
      done.push(name)
    }
    const joined = joinModules({
      all: {
        handlers: handlers(),
        events: sources(),
        streams,
        forgetAccount: noted('forget 1'),
        close: noted('close 1'),
      },
      next: { ...quiet, forgetAccount: noted('forget 2'), start: noted('start 2'), close: noted('close 2') },
      last: { ...quiet, start: noted('start 3') },
    })
    await joined.forgetAccount('abcdefghijkl')
    await joined.start()
    await joined.close()
    expect(done).toEqual(['forget 1', 'forget 2', 'start 2', 'start 3', 'close 2', 'close 1'])
  })

  it('all close if one fails, and report the failure', async () => {
    const done: string[] = []
    const all = { handlers: handlers(), events: sources(), streams, forgetAccount: 'keeps-nothing' } as const
    const joined = joinModules({
      all: { ...all, close: () => void done.push('first') },
      full: { ...quiet, close: () => Promise.reject(new Error('disk full')) },
      last: { ...quiet, close: () => void done.push('last') },
    })
    await expect(joined.close()).rejects.toThrow('disk full')
    expect(done).toEqual(['last', 'first'])
  })

  it('are rejected if two of them provide the same call', () => {
    const notes = { 'notes.list': () => ({}) }
    const all = { handlers: handlers(), events: sources(), streams, forgetAccount: 'keeps-nothing' } as const
    expect(() => joinModules({ all, notes: { ...quiet, handlers: notes } })).toThrow('notes.list')
  })
})
