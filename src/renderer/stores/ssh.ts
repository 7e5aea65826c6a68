import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import { failureOf, type Failure } from '#shared/failure'
import { bridge } from '../app/bridge'
import { useSignIn } from './sign-in'

/** Where an attempt to connect to a machine stands. */
export type ConnectState =
  { readonly phase: 'connecting' } | { readonly phase: 'failed'; readonly failure: Failure }

const keyOf = (account: AccountId, machine: string): string => `${account}/${machine}`

/** Attempts to open a terminal, from wherever they were asked for. */
export const useSsh = defineStore('ssh', () => {
  const signIn = useSignIn()
  const attempts = shallowReactive(new Map<string, ConnectState>())

  const attempt = (account: AccountId, machine: string): ConnectState | undefined =>
    attempts.get(keyOf(account, machine))
  const dismiss = (account: AccountId, machine: string): boolean => attempts.delete(keyOf(account, machine))

  /** The name of the terminal that was opened; null where it failed (see `attempt`) or one is being opened. */
  async function connect(account: AccountId, machine: string, anyway = false): Promise<string | null> {
    const key = keyOf(account, machine)
    if (attempts.get(key)?.phase === 'connecting') return null
    attempts.set(key, { phase: 'connecting' })
    try {
      const { terminal } = await signIn.attend(account, () =>
        bridge.call('ssh.connect', { account, machine, anyway }),
      )
      attempts.delete(key)
      return terminal
    } catch (error) {
      const failure = failureOf(error, 'ssh')
      if (failure.kind === 'cancelled') attempts.delete(key)
      else attempts.set(key, { phase: 'failed', failure })
      return null
    }
  }

  return { attempts, attempt, dismiss, connect }
})
