import type { Router } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { Destination } from '#shared/bridge/app'
import { assertNever } from '#shared/assert-never'
import { useAccounts } from '../../stores/accounts'
import { useTerminals } from '../../stores/terminals'
import type { PanelAsk } from './route-query'

/** Shows one machine, of whatever account; `ask` names a tab of its panel, or an action to ask for. */
export async function showMachine(
  router: Router,
  account: AccountId,
  machine?: string,
  ask: { readonly tab?: string; readonly act?: string } = {},
): Promise<void> {
  await useAccounts().select(account)
  await router.push(
    machine === undefined ? { name: 'machines' } : { name: 'machines', params: { machine }, query: ask },
  )
}

/** Shows one bare metal instance, of whatever account. */
export async function showBareMetal(
  router: Router,
  account: AccountId,
  instance?: string,
  ask: PanelAsk = {},
): Promise<void> {
  await useAccounts().select(account)
  await router.push(
    instance === undefined
      ? { name: 'bare-metal' }
      : { name: 'bare-metal', params: { instance }, query: { ...ask } },
  )
}

/** Shows one volume, of whatever account. */
export async function showVolume(
  router: Router,
  account: AccountId,
  volume: string,
  ask: PanelAsk = {},
): Promise<void> {
  await useAccounts().select(account)
  await router.push({ name: 'volumes', params: { volume }, query: { ...ask } })
}

/** Goes where the tray, a notification or the menu asked to. */
export async function goTo(router: Router, destination: Destination): Promise<void> {
  switch (destination.page) {
    case 'overview':
      await useAccounts().select(destination.account)
      await router.push({ name: 'overview' })
      return
    case 'machines':
      await showMachine(router, destination.account, destination.machine)
      return
    case 'bare-metal':
      await showBareMetal(router, destination.account, destination.instance)
      return
    case 'catalog': {
      await useAccounts().select(destination.account)
      const { kind, find } = destination
      await router.push({ name: 'catalog', query: { kind, find } })
      return
    }
    case 'terminals':
      useTerminals().show(destination.session)
      await router.push({ name: 'terminals' })
      return
    case 'settings': {
      const { section } = destination
      await router.push({ name: 'settings', query: section === undefined ? {} : { section } })
      return
    }
    case 'connect':
    case 'guide':
      await router.push({ name: destination.page })
      return
    default:
      assertNever(destination)
  }
}
