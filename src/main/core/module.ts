import type { AccountId } from '#shared/bridge/account'
import type { CallName, EventName, EventPayload, Handlers, StreamName, Streams } from '#shared/bridge/index'
import type { Subscribe } from '#shared/emitter'
import type { StreamHandlers } from './serve-stream'

/** How to subscribe to each event of the bridge contract. */
export type EventSources = { readonly [Name in EventName]: Subscribe<EventPayload<Name>> }

/** Event sources of some rows of the contract, as HandlersOf for calls. */
export type EventsOf<Rows> = Pick<EventSources, Extract<keyof Rows, EventName>>

export type StreamHandlersOf<Names extends StreamName> = Pick<StreamHandlers<Streams>, Names>

/**
 * How a module forgets an account that is removed from this computer. `keeps-nothing`: it stores no data of accounts.
 * `follows-accounts`: it drops an account when it leaves the list of accounts.
 */
type ForgetAccount = ((account: AccountId) => void | Promise<void>) | 'keeps-nothing' | 'follows-accounts'

export interface Module {
  /** Thin adapters over the module's own methods. Other modules use the methods. */
  readonly handlers: Partial<Handlers>
  readonly events: Partial<EventSources>
  readonly streams?: Partial<StreamHandlers<Streams>>
  readonly forgetAccount: ForgetAccount
  windowChanged?(open: boolean): void
  wakeChanged?(awake: boolean): void
  /** Runs after every module is built and the window exists, one module after another. */
  start?(): void | Promise<void>
  /** Once it has resolved, the module writes nothing and runs no timer. */
  close?(): void | Promise<void>
}

/** Type-checks a module and keeps the types of its own methods. */
export const defineModule = <Defined extends Module>(module: Defined): Defined => module

type RequiredKeys<Rows> = {
  [Key in keyof Rows]-?: Record<never, never> extends Pick<Rows, Key> ? never : Key
}[keyof Rows]

type Provided<Modules, Field extends 'handlers' | 'events' | 'streams'> = {
  [Name in keyof Modules]: Modules[Name] extends Readonly<Record<Field, infer Rows>>
    ? RequiredKeys<Rows>
    : never
}[keyof Modules]

export type Missing<Modules> =
  | Exclude<CallName, Provided<Modules, 'handlers'>>
  | Exclude<EventName, Provided<Modules, 'events'>>
  | Exclude<StreamName, Provided<Modules, 'streams'>>

/** Accepts modules that provide every row of the contract. For others, the compiler lists the rows under `missing`. */
export type Complete<Modules> = [Missing<Modules>] extends [never]
  ? unknown
  : { readonly missing: Missing<Modules> }
