import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { CallInput, CallOutput } from '#shared/bridge/index'
import type { MachineView } from '#shared/bridge/fleet'
import type { SshConnectionView } from '#shared/bridge/ssh'
import { failureOf, type Failure } from '#shared/failure'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { useResourceMap } from './per-account'
import { useSignIn } from './sign-in'

interface Failed {
  readonly kind: 'failed'
  readonly account: AccountId
  readonly machine: string
  readonly failure: Failure
}

/** Where an attempt to connect to a machine stands. */
export type ConnectAttempt = { readonly kind: 'connecting' } | Failed

/** `anyway`: although nothing answered. `inside`: in the application, whichever terminal is chosen. `keep`, `beside`: see ssh.connect. */
export type ConnectChoices = Pick<CallInput<'ssh.connect'>, 'anyway' | 'inside' | 'keep' | 'beside'>

/** A machine that offered another host key than the one recorded. */
export interface ChangedHostKey {
  readonly account: AccountId
  readonly machine: string
  readonly failure: Extract<Failure, { kind: 'host-key-changed' }>
}

/** How machines are reached, and attempts to open a terminal, from wherever they were asked for. */
export const useSsh = defineStore('ssh', () => {
  const signIn = useSignIn()
  const attempts = useResourceMap<ConnectAttempt>()
  const connections = useResourceMap<SshConnectionView>()

  const keep = (account: AccountId, connection: SshConnectionView): void => {
    connections.set(resourceKey(account, connection.machine), connection)
  }
  const connection = (account: AccountId, machine: string): SshConnectionView | null =>
    connections.get(resourceKey(account, machine)) ?? null

  async function load(account: AccountId, machine: string): Promise<void> {
    keep(account, await bridge.call('ssh.connection', { account, machine }))
  }
  bridge.on('ssh.changed', (change) => keep(change.account, change.connection))
  async function configure(input: CallInput<'ssh.configure'>): Promise<void> {
    keep(input.account, await bridge.call('ssh.configure', input))
  }
  async function chooseIdentity(account: AccountId, machine: string): Promise<void> {
    keep(account, await bridge.call('ssh.chooseIdentity', { account, machine }))
  }
  const dismiss = (account: AccountId, machine: string): boolean =>
    attempts.delete(resourceKey(account, machine))
  /** Only after the person confirmed it: the next contact records the key anew. */
  async function forgetHostKey({ account, machine, failure }: ChangedHostKey): Promise<void> {
    keep(account, await bridge.call('ssh.forgetHostKey', { account, machine, host: failure.host }))
    dismiss(account, machine)
  }

  const attempt = (account: AccountId, machine: string): ConnectAttempt | null =>
    attempts.get(resourceKey(account, machine)) ?? null

  /** A changed key that another connection than the terminal's has met: it is reviewed in the same way. */
  function reportChanged(
    account: AccountId,
    machine: string,
    { host, known, offered }: Omit<ChangedHostKey['failure'], 'kind'>,
  ): void {
    const failure = { kind: 'host-key-changed', host, known, offered } as const
    attempts.set(resourceKey(account, machine), { kind: 'failed', account, machine, failure })
  }

  const changedHostKey = computed<ChangedHostKey | null>(() => {
    for (const one of attempts.values()) {
      if (one.kind === 'failed' && one.failure.kind === 'host-key-changed') {
        return { account: one.account, machine: one.machine, failure: one.failure }
      }
    }
    return null
  })

  /** The machine whose user name the person is being asked for. */
  const unnamed = shallowRef<{ readonly account: AccountId; readonly machine: MachineView } | null>(null)
  const askUser = (account: AccountId, machine: MachineView) => (unnamed.value = { account, machine })
  const stopAsking = () => (unnamed.value = null)
  /** Where that cannot be read, connecting says why. */
  async function userKnown(account: AccountId, machine: string): Promise<boolean> {
    if (connection(account, machine) === null) await load(account, machine).catch(() => undefined)
    return connection(account, machine)?.user !== null
  }

  /** Terminals that the person chose and that are not installed, as far as that was said. */
  const missed = new Set<string>()
  /** Of which it is to be said that another was opened in its place: once in a window. */
  function newlyMissing({ missing }: CallOutput<'ssh.connect'>): string | null {
    if (missing === null || missed.has(missing)) return null
    missed.add(missing)
    return missing
  }

  /** The terminal that was opened; null where it failed (see `attempt`) or one is being opened. */
  async function connect(
    account: AccountId,
    machine: string,
    how: ConnectChoices = {},
  ): Promise<CallOutput<'ssh.connect'> | null> {
    const key = resourceKey(account, machine)
    if (attempts.get(key)?.kind === 'connecting') return null
    attempts.set(key, { kind: 'connecting' })
    try {
      const opened = await signIn.withReauthentication(account, () =>
        bridge.call('ssh.connect', { account, machine, ...how }),
      )
      attempts.delete(key)
      return opened
    } catch (error) {
      const failure = failureOf(error, 'ssh')
      if (failure.kind === 'cancelled') attempts.delete(key)
      else attempts.set(key, { kind: 'failed', account, machine, failure })
      return null
    }
  }

  return {
    connections,
    connection,
    load,
    configure,
    chooseIdentity,
    forgetHostKey,
    attempts,
    attempt,
    dismiss,
    reportChanged,
    changedHostKey,
    unnamed,
    askUser,
    stopAsking,
    userKnown,
    newlyMissing,
    connect,
  }
})
