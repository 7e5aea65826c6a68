import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { NetworkAccessView, ProxyChoice } from '#shared/bridge/network-access'
import { bridge } from '../platform/bridge'

export const useNetworkAccess = defineStore('network-access', () => {
  const view = shallowRef<NetworkAccessView | null>(null)

  async function start(): Promise<void> {
    bridge.on('networkAccess.changed', (next) => (view.value = next))
    view.value = await bridge.call('networkAccess.read', {})
  }

  const useProxy = async (proxy: ProxyChoice): Promise<void> =>
    void (view.value = await bridge.call('networkAccess.useProxy', { proxy }))
  const addAuthorities = async (): Promise<void> =>
    void (view.value = await bridge.call('networkAccess.addAuthorities', {}))
  const removeAuthorities = async (): Promise<void> =>
    void (view.value = await bridge.call('networkAccess.removeAuthorities', {}))
  const ask = (proxy: string) => bridge.call('networkAccess.ask', { proxy })
  const signOut = (proxy: string) => bridge.call('networkAccess.signOut', { proxy })
  const decline = (proxy: string) => bridge.call('networkAccess.decline', { proxy })
  const signIn = (proxy: string, username: string, password: string, remember: boolean) =>
    bridge.call('networkAccess.signIn', { proxy, username, password, remember })

  return { view, start, useProxy, addAuthorities, removeAuthorities, ask, signOut, decline, signIn }
})
