import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { CallInput } from '#shared/bridge/index'
import type { SshKeysView } from '#shared/bridge/ssh-key'
import { bridge } from '../platform/bridge'

export const useSshKeys = defineStore('ssh-keys', () => {
  const view = shallowRef<SshKeysView | null>(null)
  async function load(): Promise<void> {
    view.value = await bridge.call('sshKeys.list', {})
  }
  async function generate(key: CallInput<'sshKeys.generate'>): Promise<void> {
    view.value = await bridge.call('sshKeys.generate', key)
  }
  return { view, load, generate }
})
