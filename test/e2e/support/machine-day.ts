import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test'
import { askBridge, selectedAccount } from './bridge'
import { control } from '../../fixtures/sandbox-control'
import type { Hand } from './hand'
import type { Sandbox } from './sandbox'
import { focus, press, type readableXterms, type, windows, windowShown } from './screen'
import { machineNames, machineRows, panelOf } from './window'

// The window shows the end of a transition a little later: lists are read every few seconds during one, less often if
// reading is slow.
const settling = { timeout: 60_000 }

export interface Day {
  readonly window: Page
  readonly electron: ElectronApplication
  readonly hand: Hand
  readonly service: Sandbox
  readonly machine: string
  readonly volume: string
}

const pass = (service: Sandbox, seconds: number) => control(service, 'POST', '/clock', { advance: seconds })
const button = (place: Page | Locator, name: string | RegExp): Locator =>
  place.getByRole('button', { name, exact: true })
const dialogOf = (window: Page, name: string): Locator => window.getByRole('dialog', { name })

/** From the first start to the list of machines. */
export const enter = async ({ window, hand, service }: Day): Promise<void> => {
  await hand.press(window.getByRole('button', { name: 'Connect to your service' }))
  await hand.write(window.getByLabel('Service address'), service.baseUrl)
  await hand.write(window.getByLabel('Username', { exact: true }), service.username)
  await hand.write(window.getByLabel('Password', { exact: true }), service.password)
  await hand.press(button(window, 'Connect'))
  await machineNames(window)
}

/** The sandbox's machines listen on another port; real ones on 22. */
export const prepareSsh = async ({ window, hand, service }: Day): Promise<void> => {
  await askBridge(window, 'ssh.configureAccount', {
    account: await selectedAccount(window),
    port: service.sshPort,
  })
  await hand.press(window.getByRole('link', { name: 'Settings' }))
  await hand.press(window.getByRole('radio', { name: /^xterm/ }))
  await hand.press(window.getByRole('link', { name: /^Machines/ }))
  await machineNames(window)
}

/** Orders a machine in Oslo, with a new key. Returns its panel. */
export const orderMachine = async ({
  window,
  hand,
  machine,
}: Pick<Day, 'window' | 'hand' | 'machine'>): Promise<Locator> => {
  await hand.press(button(window, 'New machine'))
  await hand.press(window.getByRole('radio', { name: /^H100/ }))
  await hand.press(window.getByRole('row').filter({ hasText: 'h100-80g.2x' }).getByRole('radio'))
  await hand.press(window.getByRole('radio', { name: /^Oslo/ }))
  await hand.choose(window.getByLabel('Image', { exact: true }), 'Debian 12')
  await hand.press(button(window, 'Generate a new key…'))
  const generating = dialogOf(window, 'Generate a key')
  await expect(generating.getByLabel('File name')).not.toHaveValue('')
  await hand.press(button(generating, 'Generate'))
  await expect(generating).toBeHidden()
  await hand.write(window.getByRole('textbox', { name: 'Name', exact: true }), machine)
  await hand.press(button(window, 'Create machine'))
  const panel = panelOf(window, machine)
  await expect(panel.getByText('Creating', { exact: true })).toBeVisible(settling)
  return panel
}

/** Creates a machine as `orderMachine` does, and waits until it runs. Returns its panel. */
export const createMachine = async (day: Day): Promise<Locator> => {
  const panel = await orderMachine(day)
  const { service } = day
  await pass(service, 120)
  await expect(panel.getByText('Running', { exact: true })).toBeVisible(settling)
  return panel
}

/** SSH in xterm, to the prompt of the machine and out again. */
export const lookInside = async (
  { hand, machine }: Day,
  panel: Locator,
  xterms: ReturnType<typeof readableXterms>,
): Promise<void> => {
  await hand.press(panel.getByRole('button', { name: /^Connect/ }))
  const xterm = await windowShown('--class', '^XTerm$')
  // A key pressed before the terminal listens is lost, so it is pressed again.
  await expect(async () => {
    expect(await xterms.screenOf(xterm)).toMatch(new RegExp(`^\\S+@${machine}:~[$#]`, 'm'))
  }).toPass({ timeout: 60_000 })
  // The application watches a window's first moments: a window that ends in them is opened again with the reason.
  await expect(panel.getByText(/^SHA256:/)).toBeVisible(settling)
  await expect(panel.getByRole('button', { name: /^Connect/ })).not.toHaveClass(/loading/, settling)
  await type('exit')
  await press('Return')
  await expect.poll(() => windows('--class', '^XTerm$')).toEqual([])
  await focus(await windowShown('--name', 'Wheelhouse'))
}

/** Shows a tab, which is in the row instead of the menu after some use. */
const pressTab = async (
  { window, hand }: Pick<Day, 'window' | 'hand'>,
  panel: Locator,
  name: string,
): Promise<void> => {
  await panel.getByRole('tab', { selected: true }).waitFor()
  const tab = panel.getByRole('tab', { name, exact: true })
  if (await tab.isVisible()) return hand.press(tab)
  await hand.press(button(panel, 'More tabs'))
  await hand.press(window.getByRole('menuitem', { name }))
}

export const openFirewallForHttps = async ({ window, hand }: Day, panel: Locator): Promise<void> => {
  await pressTab({ window, hand }, panel, 'Firewall')
  await hand.press(button(panel, 'Add rule'))
  const form = dialogOf(window, 'Add a firewall rule')
  await expect(form.getByText('Rules can’t be removed')).toBeVisible()
  await hand.press(button(form, 'HTTPS'))
  await hand.press(button(form, 'Add rule'))
  await expect(form).toBeHidden()
  await expect(
    panel.getByRole('list', { name: 'Firewall' }).getByRole('listitem').filter({ hasText: 'TCP 443' }),
  ).toBeVisible()
}

/** A volume in Oslo. `type`: its id, if the service lists no types. */
export const createVolume = async (
  { window, hand, service, volume }: Day,
  listed: { readonly type?: string } = {},
): Promise<void> => {
  await hand.press(window.getByRole('link', { name: /^Volumes/ }))
  await hand.press(button(window, 'Create volume'))
  const form = dialogOf(window, 'Create a volume')
  await hand.write(form.getByLabel('Name'), volume)
  await hand.choose(form.getByLabel('Region'), 'Oslo')
  await hand.write(form.getByLabel('Size in GB'), '64')
  if (listed.type === undefined) await expect(form.getByLabel('Type')).toHaveValue(/.+/)
  else await hand.write(form.getByLabel('Volume type ID'), listed.type)
  await hand.press(button(form, 'Create volume'))
  await expect(form).toBeHidden()
  await expect(window.getByRole('complementary', { name: `Volume ${volume}` })).toBeVisible()
  await pass(service, 10)
}

/** Back on the list, the machine's panel at its volumes. */
export const openVolumesOfMachine = async ({ window, hand, machine }: Day): Promise<Locator> => {
  await hand.press(window.getByRole('link', { name: /^Machines/ }))
  await machineNames(window)
  await hand.open(
    window.getByRole('grid', { name: 'Machines' }),
    machineRows(window).filter({ has: window.getByText(machine, { exact: true }) }),
  )
  const panel = panelOf(window, machine)
  await pressTab({ window, hand }, panel, 'Volumes')
  return panel
}

export const attachAndDetach = async (day: Day, panel: Locator): Promise<void> => {
  const { window, hand, service, machine, volume } = day
  await hand.press(button(panel, 'Attach volumes'))
  const attaching = dialogOf(window, `Attach volumes to ${machine}`)
  // Without a list of volumes, a new volume counts as being created for a minute.
  const choice = attaching.getByRole('checkbox', { name: new RegExp(`^${volume}`) })
  await expect(choice).toBeVisible({ timeout: 130_000 })
  await hand.press(choice)
  await hand.press(button(attaching, 'Attach 1 volume'))
  await expect(attaching).toBeHidden()
  const attached = panel.getByRole('region', { name: 'Attached volumes' }).getByRole('listitem')
  await expect(attached.filter({ hasText: volume })).toBeVisible()
  await pass(service, 10)

  const detach = button(panel, `Detach ${volume}?`)
  await expect(detach).toBeEnabled(settling)
  await hand.press(detach)
  const detaching = dialogOf(window, `Detach ${volume}?`)
  await expect(detaching).toContainText(`Unmount it on ${machine} first`)
  await hand.press(button(detaching, 'Detach'))
  await expect(detaching).toBeHidden()
  await expect(attached.filter({ hasText: volume })).toHaveCount(0, settling)
  await pass(service, 10)
}

/** Requests an action in the machine's menu. Returns the confirmation dialog. */
export const askFor = async (
  { window, hand, machine }: Day,
  panel: Locator,
  action: 'Stop' | 'Delete',
): Promise<Locator> => {
  await hand.press(button(panel, `Actions for ${machine}`))
  await hand.press(window.getByRole('menuitem', { name: `${action}…` }))
  return dialogOf(window, `${action} ${machine}?`)
}

export const stopAndDelete = async (day: Day, panel: Locator): Promise<void> => {
  const { window, hand, service, machine } = day
  const stopping = await askFor(day, panel, 'Stop')
  await expect(stopping).toContainText('You’re still billed while it’s stopped')
  await hand.press(button(stopping, 'Stop'))
  await expect(stopping).toBeHidden()
  await expect(panel.getByText('Stopping', { exact: true })).toBeVisible(settling)
  await pass(service, 20)
  await expect(panel.getByText('Stopped', { exact: true })).toBeVisible(settling)

  const deleting = await askFor(day, panel, 'Delete')
  await expect(button(deleting, 'Delete')).toBeDisabled()
  await hand.write(deleting.getByLabel(`Type ${machine}`), machine)
  await hand.press(button(deleting, 'Delete'))
  await expect(deleting).toBeHidden()
  await expect(panel).toBeHidden(settling)
  expect(await machineNames(window)).not.toContain(machine)
}
