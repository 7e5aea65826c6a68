import type { AccountId } from '#shared/bridge/account'
import {
  type CallName,
  calls,
  type EventName,
  type EventPayload,
  events,
  type Handlers,
  type Streams,
  streams,
} from '#shared/bridge/index'
import type { Complete, EventSources, Module } from './module'
import type { StreamHandlers } from './serve-stream'

export type Push = <Name extends EventName>(name: Name, payload: EventPayload<Name>) => void

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)
const isEvent = (name: string): name is EventName => Object.hasOwn(events, name)
const callNames = Object.keys(calls).filter(isCall)
const eventNames = Object.keys(events).filter(isEvent)

const hasEveryCall = (handlers: Partial<Handlers>): handlers is Handlers =>
  callNames.every((name) => handlers[name] !== undefined)

const hasEveryStream = (handlers: Partial<StreamHandlers<Streams>>): handlers is StreamHandlers<Streams> =>
  Object.keys(streams).every((name) => Object.hasOwn(handlers, name))

function forwardEvent<Name extends EventName>(name: Name, sources: Partial<EventSources>, push: Push): void {
  sources[name]?.((payload) => push(name, payload))
}

/**
 * Joins the handlers, streams and events of all modules. Lifecycle calls reach them in the given order. `close` runs
 * in reverse, so that no module closes before its dependents; it closes all modules and then fails with the first
 * failure.
 */
export function joinModules<Modules extends Readonly<Record<string, Module>>>(
  modules: Modules & Complete<Modules>,
) {
  const all: readonly (readonly [string, Module])[] = Object.entries<Module>(modules)
  const joined: Partial<Handlers> = {}
  for (const [name, { handlers }] of all) {
    const duplicate = Object.keys(handlers).find((call) => Object.hasOwn(joined, call))
    if (duplicate !== undefined)
      throw new Error(`the call ${duplicate} of ${name} is provided by another module too`)
    Object.assign(joined, handlers)
  }
  if (!hasEveryCall(joined)) throw new Error('a call of the contract has no handler')
  const joinedStreams: Partial<StreamHandlers<Streams>> = {}
  for (const [, module] of all) Object.assign(joinedStreams, module.streams)
  if (!hasEveryStream(joinedStreams)) throw new Error('a stream of the contract has no handler')

  return {
    handlers: joined,
    streams: joinedStreams,
    forwardEvents(push: Push): void {
      for (const [, module] of all) for (const name of eventNames) forwardEvent(name, module.events, push)
    },
    async forgetAccount(account: AccountId): Promise<void> {
      for (const [, { forgetAccount }] of all)
        if (typeof forgetAccount === 'function') await forgetAccount(account)
    },
    windowChanged: (open: boolean): void => all.forEach(([, module]) => module.windowChanged?.(open)),
    wakeChanged: (awake: boolean): void => all.forEach(([, module]) => module.wakeChanged?.(awake)),
    async start(): Promise<void> {
      for (const [, module] of all) await module.start?.()
    },
    async close(): Promise<void> {
      const failures: unknown[] = []
      for (const [, module] of all.toReversed()) {
        try {
          await module.close?.()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
