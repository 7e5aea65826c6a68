import type { AccountId } from '#shared/bridge/account'
import type { CallName, EventName, EventPayload, Handlers, StreamName, Streams } from '#shared/bridge/index'
import type { Subscribe } from '#shared/emitter'
import type { StreamHandlers } from './serve-stream'

/** How to subscribe to each event of the bridge contract. */
export type EventSources = { readonly [Name in EventName]: Subscribe<EventPayload<Name>> }

/** The events of some rows of the contract, as HandlersOf is for its calls. */
export type EventsOf<Rows> = Pick<EventSources, Extract<keyof Rows, EventName>>

/** What the main process must provide for some streams of the contract. */
export type StreamHandlersOf<Names extends StreamName> = Pick<StreamHandlers<Streams>, Names>

/**
 * What a module does when an account is removed from this computer: removes what it keeps of the account; or why there
 * is nothing to do. `keeps-nothing`: it holds no data of an account. `follows-accounts`: it drops them when
 * the account leaves the list of accounts.
 */
type ForgetAccount = ((account: AccountId) => void | Promise<void>) | 'keeps-nothing' | 'follows-accounts'

/** A module of the main process, as `joinModules` registers it. */
export interface Module {
  /** Thin adapters over the module's own methods. Other modules use the methods. */
  readonly handlers: Partial<Handlers>
  /** What is pushed to the window. */
  readonly events: Partial<EventSources>
  /** Streams that the window may open. */
  readonly streams?: Partial<StreamHandlers<Streams>>
  readonly forgetAccount: ForgetAccount
  /** A window was opened, or the last one closed. */
  windowChanged?(open: boolean): void
  /** The computer went to sleep, or woke up. */
  wakeChanged?(awake: boolean): void
  /** Runs once every module is built and the window is there, in the order of registration, each after the last. */
  start?(): void | Promise<void>
  /** Nothing is written, and no timer runs, once it has resolved. */
  close?(): void | Promise<void>
}

/** A module with its own methods besides; names whatever it lacks of the contract. */
export const defineModule = <Defined extends Module>(module: Defined): Defined => module

type RequiredKeys<Rows> = {
  [Key in keyof Rows]-?: Record<never, never> extends Pick<Rows, Key> ? never : Key
}[keyof Rows]

type Provided<Modules, Field extends 'handlers' | 'events' | 'streams'> = {
  [Name in keyof Modules]: Modules[Name] extends Readonly<Record<Field, infer Rows>>
    ? RequiredKeys<Rows>
    : never
}[keyof Modules]

/** The calls, events and streams of the contract that none of the modules provides. */
export type Missing<Modules> =
  | Exclude<CallName, Provided<Modules, 'handlers'>>
  | Exclude<EventName, Provided<Modules, 'events'>>
  | Exclude<StreamName, Provided<Modules, 'streams'>>

/** Accepts modules that provide every row of the contract; else the compiler names the rows under `missing`. */
export type Complete<Modules> = [Missing<Modules>] extends [never]
  ? unknown
  : { readonly missing: Missing<Modules> }
