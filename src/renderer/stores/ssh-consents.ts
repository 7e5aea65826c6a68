import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { SshAnswers, SshConsents } from '#shared/bridge/ssh'
import { bridge } from '../platform/bridge'
import { useAccountMap } from './per-account'

/** Consents to SSH, of the accounts that the window loaded. */
export const useSshConsents = defineStore('sshConsents', () => {
  const all = useAccountMap<SshConsents>()
  const keep = (consents: SshConsents): void => void all.set(consents.account, consents)
  bridge.on('ssh.consentsChanged', keep)

  const of = (account: AccountId): SshConsents | null => all.get(account) ?? null
  async function load(account: AccountId): Promise<void> {
    keep(await bridge.call('ssh.consents', { account }))
  }
  /** Sets the consents of a machine, or of every machine of the account if `machine` is null. */
  async function answer(account: AccountId, machine: string | null, answers: SshAnswers): Promise<void> {
    keep(await bridge.call('ssh.setConsents', { account, machine, answers }))
  }

  return { of, load, answer }
})
