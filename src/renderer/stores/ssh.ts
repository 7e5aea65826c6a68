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

export type ConnectAttempt = { readonly kind: 'connecting' } | Failed

export type ConnectChoices = Pick<CallInput<'ssh.connect'>, 'anyway' | 'inside' | 'keep' | 'beside'>

/** A machine whose host key differs from the recorded key. */
export interface ChangedHostKey {
  readonly account: AccountId
  readonly machine: string
  readonly failure: Extract<Failure, { kind: 'host-key-changed' }>
}

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
  /** Forgets the recorded key; the next contact records the new key. Requires the user's confirmation. */
  async function forgetHostKey({ account, machine, failure }: ChangedHostKey): Promise<void> {
    keep(account, await bridge.call('ssh.forgetHostKey', { account, machine, host: failure.host }))
    dismiss(account, machine)
  }

  const attempt = (account: AccountId, machine: string): ConnectAttempt | null =>
    attempts.get(resourceKey(account, machine)) ?? null

  /** Reports a changed key that a connection other than a terminal's encountered. */
  function reportChanged(
    account: AccountId,
    machine: string,
    { host, known, offered }: Omit<ChangedHostKey['failure'], 'kind'>,
  ): void {
    const failure = { kind: 'host-key-changed', host, known, offered } as const
    attempts.set(resourceKey(account, machine), { kind: 'failed', account, machine, failure })
  }

  const changedHostKey = computed<ChangedHostKey | null>(() => {
    for (const entry of attempts.values()) {
      if (entry.kind === 'failed' && entry.failure.kind === 'host-key-changed') {
        return { account: entry.account, machine: entry.machine, failure: entry.failure }
      }
    }
    return null
  })

  const unnamed = shallowRef<{
    readonly account: AccountId
    readonly machine: MachineView
    /** Options of the connection that waits for the answer. */
    readonly choices: ConnectChoices
  } | null>(null)
  const askUser = (account: AccountId, machine: MachineView, choices: ConnectChoices = {}) =>
    (unnamed.value = { account, machine, choices })
  const stopAsking = () => (unnamed.value = null)
  /** Returns false if a user name must be asked for. If the connection cannot be read, connecting reports the failure. */
  async function userKnown(account: AccountId, machine: string): Promise<boolean> {
    if (connection(account, machine) === null) await load(account, machine).catch(() => undefined)
    return connection(account, machine)?.user !== null
  }

  const reportedMissing = new Set<string>()
  /** Returns the chosen terminal if it is not installed, once per window. */
  function newlyMissing({ missing }: CallOutput<'ssh.connect'>): string | null {
    if (missing === null || reportedMissing.has(missing)) return null
    reportedMissing.add(missing)
    return missing
  }

  /** Opens a terminal. Returns null if that fails (see `attempt`) or is already under way. */
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
