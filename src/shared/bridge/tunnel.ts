import { z } from 'zod'
import { AccountId } from './account'
import { loginOutput, NotBegun, SlowLogin } from './command'
import { call } from './define'
import { SshLink, SshStop } from './ssh-link'

const Port = z.int().min(1).max(65_535)

/** A TCP port of a machine on which a program listens. */
export const ServiceView = z.object({
  port: Port,
  /** The product that is recognised by its process or port; null: none. */
  name: z.string().nullable(),
  /** Null where the machine does not report it, as for processes of other users. */
  process: z.string().nullable(),
  /** The only address of the machine that it listens on; absent: its `localhost` leads there. */
  host: z.string().optional(),
})
export type ServiceView = z.infer<typeof ServiceView>

export const ServicesReport = z.discriminatedUnion('kind', [
  /** Recognised ones first. `more`: there are others, which are left out. */
  z.object({ kind: z.literal('services'), services: z.array(ServiceView), more: z.boolean() }),
  /** Neither `ss` nor /proc/net/tcp could be read. */
  z.object({ kind: z.literal('not-understood'), loginOutput }),
  z.object({ kind: z.literal('no-answer'), seconds: z.number() }),
  SlowLogin,
  NotBegun.extend({ kind: z.literal('not-begun') }),
])
export type ServicesReport = z.infer<typeof ServicesReport>

/** What is known of the services of one machine. */
export const ServicesView = z.object({
  account: AccountId,
  machine: z.string(),
  link: SshLink,
  report: ServicesReport.nullable(),
})
export type ServicesView = z.infer<typeof ServicesView>

/** Where a forward stands. Its local port stays open, whatever the machine does. */
export const ForwardState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connecting') }),
  z.object({ kind: z.literal('open') }),
  /** The port accepts no connections on the machine. */
  z.object({ kind: z.literal('unanswered') }),
  /** The machine's SSH server permits no forwarding. */
  z.object({ kind: z.literal('prohibited') }),
  /** The line was lost; the next attempt is made at `until` (epoch seconds). */
  z.object({ kind: z.literal('waiting'), until: z.number() }),
  z.object({ kind: z.literal('not-running') }),
  z.object({ kind: z.literal('host-key-unknown') }),
  /** It was opened by itself, and cannot connect without asking the person. */
  z.object({ kind: z.literal('unasked') }),
  z.object({ kind: z.literal('stopped'), stop: SshStop }),
])
export type ForwardState = z.infer<typeof ForwardState>

/** A port of 127.0.0.1 on this computer that leads to a port of a machine. */
export const ForwardView = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  /** The machine's name when the forward was made. */
  machineName: z.string(),
  port: Port,
  name: z.string().nullable(),
  localPort: Port,
  /** Another program had it where `localPort` is another one. */
  wishedPort: Port,
  /** It is opened again at the next start. */
  saved: z.boolean(),
  state: ForwardState,
})
export type ForwardView = z.infer<typeof ForwardView>

const Forwards = z.array(ForwardView)
const OneMachine = z.object({ account: AccountId, machine: z.string().min(1) })
const OneForward = z.object({ forward: z.string() })

export const tunnelCalls = {
  /**
   * The user looks at this machine's services: they are read every few seconds until `looking` is false, if the user allows
   * SSH for services (`ssh.setConsents`).
   */
  'tunnel.look': call(OneMachine.extend({ looking: z.boolean() }), ServicesView),
  /** Tries again now, whatever stopped it. */
  'tunnel.retry': call(OneMachine, z.null()),
  'tunnel.forwards': call(z.object({}), Forwards),
  /**
   * Forwards a port, on the same local port where that is free, and waits until it stands or is known not to. `browse`:
   * opens it in the browser once it stands. Fails with invalid-input (machine, port) and local-fault.
   */
  'tunnel.open': call(OneMachine.extend({ port: z.number(), browse: z.boolean() }), ForwardView),
  /** Whether it is opened again at the next start. Fails with disk-full and local-fault. */
  'tunnel.save': call(OneForward.extend({ saved: z.boolean() }), Forwards),
  /** A saved one is not opened again. */
  'tunnel.stop': call(OneForward, Forwards),
} as const

export const tunnelEvents = {
  'tunnel.services': ServicesView,
  /** All forwards, in the order in which they were made. */
  'tunnel.changed': Forwards,
} as const
