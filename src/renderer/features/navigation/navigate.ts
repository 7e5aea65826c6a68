import type { RouteLocationRaw, Router } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { Destination } from '#shared/bridge/app'
import type { MachineKind } from '#shared/bridge/catalog'
import { assertNever } from '#shared/assert-never'
import { useAccounts } from '../../stores/accounts'
import { useTerminals } from '../../stores/terminals'
import type { PanelAsk } from './route-query'

async function showIn(router: Router, account: AccountId, to: RouteLocationRaw): Promise<void> {
  await useAccounts().select(account)
  await router.push(to)
}

/**
 * Shows a machine of any account, or all machines. `ask` opens a tab of its panel, or the dialog of an action. `asPage` opens
 * its page; otherwise a machine that is open as a page stays one.
 */
export function showMachine(
  router: Router,
  account: AccountId,
  machine?: string,
  ask: PanelAsk = {},
  asPage = false,
): Promise<void> {
  if (machine === undefined) return showIn(router, account, { name: 'machines' })
  const { name, params } = router.currentRoute.value
  const isPage = asPage || (name === 'machines' && params.machine === machine && params.view === 'page')
  return showIn(router, account, {
    name: 'machines',
    params: { machine, view: isPage ? 'page' : '' },
    query: { ...ask },
  })
}

export const showBareMetal = (
  router: Router,
  account: AccountId,
  instance?: string,
  ask: PanelAsk = {},
): Promise<void> =>
  showIn(
    router,
    account,
    instance === undefined
      ? { name: 'bare-metal' }
      : { name: 'bare-metal', params: { instance }, query: { ...ask } },
  )

export const showVolume = (
  router: Router,
  account: AccountId,
  volume: string,
  ask: PanelAsk = {},
): Promise<void> => showIn(router, account, { name: 'volumes', params: { volume }, query: { ...ask } })

/** Opens the form of a new machine or bare metal instance. */
export const showCreation = (router: Router, account: AccountId, kind: MachineKind): Promise<void> =>
  showIn(router, account, { name: kind === 'machine' ? 'new-machine' : 'new-bare-metal' })

export async function goTo(router: Router, destination: Destination): Promise<void> {
  switch (destination.page) {
    case 'overview':
      await showIn(router, destination.account, { name: 'overview' })
      return
    case 'machines':
      await showMachine(router, destination.account, destination.machine, {
        tab: destination.tab,
        act: destination.act,
      })
      return
    case 'billing':
      await showIn(router, destination.account, { name: 'billing' })
      return
    case 'bare-metal':
      await showBareMetal(router, destination.account, destination.instance)
      return
    case 'catalog': {
      const { kind, find } = destination
      await showIn(router, destination.account, { name: 'catalog', query: { kind, find } })
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
