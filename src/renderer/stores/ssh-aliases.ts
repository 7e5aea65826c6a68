import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { SshAliasesView } from '#shared/bridge/ssh-alias'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'

/** Host aliases that every SSH tool on this computer can use. */
export const useSshAliases = defineStore('ssh-aliases', () => {
  const view = shallowRef<SshAliasesView | null>(null)
  const active = computed(() => {
    const { enabled, included, aliases } = view.value ?? { enabled: false, included: false, aliases: [] }
    return new Map(
      enabled && included
        ? aliases.map(({ account, machine, alias }) => [resourceKey(account, machine), alias])
        : [],
    )
  })
  const aliasOf = (account: AccountId, machine: string): string | null =>
    active.value.get(resourceKey(account, machine)) ?? null

  bridge.on('sshAliases.changed', (next) => (view.value = next))
  async function load(): Promise<void> {
    view.value = await bridge.call('sshAliases.read', {})
  }
  async function enable(enabled: boolean): Promise<void> {
    view.value = await bridge.call('sshAliases.enable', { enabled })
  }
  const preview = (): Promise<string> => bridge.call('sshAliases.preview', {})
  const showInFolder = (): Promise<void> => bridge.call('sshAliases.showInFolder', {})

  return { view, aliasOf, load, enable, preview, showInFolder }
})
