import { z } from 'zod'
import { AccountId, OneMachine } from './account'
import { loginOutput, NotBegun, SlowLogin } from './command'
import { call, variant } from './define'
import { SshLink, SshStop } from './ssh-link'

const Port = z.int().min(1).max(65_535)

export const ServiceView = z.object({
  port: Port,
  /** Product recognised by process or port; null if none. */
  name: z.string().nullable(),
  /** Null if the machine does not report it, as for processes of other users. */
  process: z.string().nullable(),
  /** The only address that it listens on; absent if `localhost` reaches it. */
  host: z.string().optional(),
})
export type ServiceView = z.infer<typeof ServiceView>

export const ServicesReport = z.discriminatedUnion('kind', [
  /** Recognised services first. `more`: others were left out. */
  variant('services', { services: z.array(ServiceView), more: z.boolean() }),
  /** Neither `ss` nor /proc/net/tcp could be read. */
  variant('not-understood', { loginOutput }),
  variant('no-answer', { seconds: z.number() }),
  SlowLogin,
  NotBegun.extend({ kind: z.literal('not-begun') }),
])
export type ServicesReport = z.infer<typeof ServicesReport>

export const ServicesView = z.object({
  account: AccountId,
  machine: z.string(),
  link: SshLink,
  report: ServicesReport.nullable(),
})
export type ServicesView = z.infer<typeof ServicesView>

/** State of a forward. Its local port stays open in every state. */
export const ForwardState = z.discriminatedUnion('kind', [
  variant('connecting', {}),
  variant('open', {}),
  /** The port on the machine refuses connections. */
  variant('unanswered', {}),
  variant('prohibited', {}),
  /** The connection was lost; the next attempt is at `until` (epoch seconds). */
  variant('waiting', { until: z.number() }),
  variant('not-running', {}),
  variant('host-key-unknown', {}),
  /** Opened automatically, and cannot connect without a prompt. */
  variant('unasked', {}),
  variant('stopped', { stop: SshStop }),
])
export type ForwardState = z.infer<typeof ForwardState>

/** A local port of 127.0.0.1 that is forwarded to a port of a machine. */
export const ForwardView = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  machineName: z.string(),
  port: Port,
  name: z.string().nullable(),
  localPort: Port,
  /** Requested local port; differs from `localPort` if another program had it. */
  wishedPort: Port,
  /** Whether it is opened again at the next start. */
  saved: z.boolean(),
  state: ForwardState,
})
export type ForwardView = z.infer<typeof ForwardView>

const Forwards = z.array(ForwardView)
const OneForward = z.object({ forward: z.string() })

export const tunnelCalls = {
  /** Reads services every few seconds while `looking`, if SSH is allowed for them (`ssh.setConsents`). */
  'tunnel.look': call(OneMachine.extend({ looking: z.boolean() }), ServicesView),
  'tunnel.retry': call(OneMachine, z.null()),
  'tunnel.forwards': call(z.object({}), Forwards),
  /**
   * Forwards a port, on the same local port if that is free, and waits for the result. `browse`: then opens it in the
   * browser. Fails with invalid-input (machine, port) and local-fault.
   */
  'tunnel.open': call(OneMachine.extend({ port: z.number(), browse: z.boolean() }), ForwardView),
  /** Sets whether it is opened again at the next start. Fails with disk-full and local-fault. */
  'tunnel.save': call(OneForward.extend({ saved: z.boolean() }), Forwards),
  /** Stops a forward and does not open it again. */
  'tunnel.stop': call(OneForward, Forwards),
} as const

export const tunnelEvents = {
  'tunnel.services': ServicesView,
  'tunnel.changed': Forwards,
} as const
