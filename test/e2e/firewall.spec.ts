import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { callBridge, machineId, selectedAccount } from './support/bridge'
import { requestsTo } from '../fixtures/sandbox-control'
import { pictureInBothThemes } from './support/pictures'
import { chooseToConnect, connect, machineNames, openMachine, showTab } from './support/window'

const openFirewall = async (window: Page): Promise<Locator> => {
  const panel = await openMachine(window, 'train-llama-01')
  await showTab(panel, 'Firewall')
  return panel
}
const rulesOf = (panel: Locator): Locator =>
  panel.getByRole('list', { name: 'Firewall' }).getByRole('listitem')
const openForm = async (window: Page, panel: Locator): Promise<Locator> => {
  await panel.getByRole('button', { name: 'Add rule' }).click()
  return window.getByRole('dialog', { name: 'Add a firewall rule' })
}

test('rules are added by presets, with a warning first, and listed', async ({ start, service }) => {
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const panel = await openFirewall(window)
  const rules = rulesOf(panel)
  await expect(rules).toHaveCount(3)
  await expect(rules.filter({ hasText: 'TCP 22' })).toContainText('SSH is open to everyone')
  await pictureInBothThemes(electron, window, 'Firewall')

  const form = await openForm(window, panel)
  await expect(form.getByText('Rules can’t be removed')).toBeVisible()
  await form.getByRole('button', { name: 'SSH from my address' }).click()
  const own = form.getByLabel('Your public address')
  const addresses = form.getByLabel('Addresses')
  await own.fill('93.184.215')
  await expect(form.getByText('Enter an IP address.')).toBeVisible()
  await own.fill('93.184.215.14')
  await expect(addresses).toHaveValue('93.184.215.14/32')
  // Before: the existing rule cannot be removed.
  await expect(form.getByRole('note')).toContainText('TCP 22 from 0.0.0.0/0')
  await expect(form.getByRole('note')).toContainText('no way to remove it')
  await pictureInBothThemes(electron, window, 'Add a firewall rule')
  await addresses.fill('0.0.0.0/0')
  await expect(form.getByRole('alert')).toContainText('SSH is open to everyone')
  await pictureInBothThemes(electron, window, 'SSH open to the world')
  await addresses.fill('93.184.215.14/32')
  await expect(form.getByRole('alert')).toBeHidden()
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(form).toBeHidden()
  await expect(rules.filter({ hasText: '93.184.215.14/32' })).toContainText('TCP 22')
  // After: a note is shown at the rules.
  await expect(panel.getByRole('note')).toContainText('still lets everyone try to sign in over SSH')
  await pictureInBothThemes(electron, window, 'SSH still open beside its own rule')

  // The address is suggested again, with its age, and can be changed.
  const next = await openForm(window, panel)
  await next.getByRole('button', { name: 'Jupyter' }).click()
  await expect(next.getByLabel('Your public address')).toHaveValue('93.184.215.14')
  await expect(next.getByText(/You entered this .*Check that it’s still yours/)).toBeVisible()
  await expect(next.getByLabel('Addresses')).toHaveValue('93.184.215.14/32')
  await next.getByRole('button', { name: 'Add rule' }).click()
  await expect(rules.filter({ hasText: 'TCP 8888' })).toBeVisible()

  for (const [preset, shown] of [
    ['HTTP', 'TCP 80'],
    ['HTTPS', 'TCP 443'],
    ['ICMP (ping)', 'ICMP'],
  ] as const) {
    const dialog = await openForm(window, panel)
    await dialog.getByRole('button', { name: preset, exact: true }).click()
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await expect(dialog).toBeHidden()
    await expect(rules.filter({ hasText: shown }).first()).toBeVisible()
  }
  const range = await openForm(window, panel)
  await range.getByRole('button', { name: 'Port range' }).click()
  await range.getByLabel('Address family').selectOption('IPv6')
  await range.getByLabel('Addresses').fill('2001:db8::/32')
  await range.getByLabel('From port').fill('8000')
  await range.getByLabel('To port').fill('8100')
  await range.getByRole('button', { name: 'Add rule' }).click()
  await expect(rules.filter({ hasText: 'TCP 8000–8100' })).toContainText('2001:db8::/32')
  await expect(rules).toHaveCount(9)
})

test('many rules appear page by page, in the requested order @deep', async ({ start, service }) => {
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const account = await selectedAccount(window)
  const machine = await machineId(window, 'train-llama-01')
  for (let port = 9001; port <= 9030; port += 1) {
    const rule = {
      direction: 'inbound',
      protocol: 'udp',
      ethertype: 'IPv4',
      remote_ip_prefix: '10.0.0.0/8',
      port_range_min: port,
      port_range_max: port,
      description: `rule ${port}`,
    }
    expect(await callBridge(window, 'firewall.add', { account, machine, rule })).toMatchObject({ ok: true })
  }

  const panel = await openFirewall(window)
  await expect(panel.getByText('1–20 of 33')).toBeVisible()
  await panel.getByRole('combobox', { name: 'Sort by' }).selectOption('Port')
  await panel.getByRole('button', { name: 'Ascending; change to descending' }).click()
  await expect(rulesOf(panel).first()).toContainText('UDP 9030')
  await pictureInBothThemes(electron, window, 'Many firewall rules')
  await panel.getByRole('button', { name: 'Next page' }).click()
  await expect(panel.getByText('21–33 of 33')).toBeVisible()
  await expect(rulesOf(panel).first()).toContainText('UDP 9010')
  await expect(panel.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await panel.getByRole('button', { name: 'Previous page' }).click()
  await expect(rulesOf(panel).first()).toContainText('UDP 9030')
})

test('input that the specification forbids is refused while typing, and at the bridge @deep', async ({
  start,
  service,
}) => {
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const panel = await openFirewall(window)
  await expect(rulesOf(panel)).toHaveCount(3)
  const form = await openForm(window, panel)
  const addresses = form.getByLabel('Addresses')
  const invalid = (field: Locator) => expect(field).toHaveAttribute('aria-invalid', 'true')
  for (const wrong of ['203.0.113.7', '203.0.113.7/33', '300.1.1.1/8', '2001:db8::/32', 'anyone']) {
    await addresses.fill(wrong)
    await invalid(addresses)
  }
  await form.getByLabel('Address family').selectOption('IPv6')
  await addresses.fill('2001:db8::/32')
  await expect(addresses).not.toHaveAttribute('aria-invalid', 'true')
  await addresses.fill('10.0.0.0/8')
  await expect(form.getByText('Enter a range of IPv6 addresses, such as 2001:db8::7/128.')).toBeVisible()
  for (const wrong of ['0', '65536', '-1', '22.5', 'ssh']) {
    await form.getByLabel('From port').fill(wrong)
    await invalid(form.getByLabel('From port'))
  }
  await addresses.fill('2001:db8::/32')
  await form.getByLabel('From port').fill('100')
  await form.getByLabel('To port').fill('99')
  await expect(form.getByText('The last port can’t be lower than the first.')).toBeVisible()
  await pictureInBothThemes(electron, window, 'A firewall rule that cannot be')
  await form.getByRole('button', { name: 'Add rule' }).click()
  expect((await requestsTo(service)).filter((request) => /^POST .*firewall/.test(request))).toEqual([])
  await form.getByRole('button', { name: 'Cancel' }).click()

  const account = await selectedAccount(window)
  const machine = await machineId(window, 'train-llama-01')
  const good = {
    direction: 'inbound',
    protocol: 'tcp',
    ethertype: 'IPv4',
    remote_ip_prefix: '10.0.0.0/8',
    port_range_min: 22,
    port_range_max: 22,
  }
  for (const [field, changes] of [
    ['port_range_min', { port_range_min: 0 }],
    ['port_range_max', { port_range_max: 65_536 }],
    ['port_range_max', { port_range_min: 23 }],
    ['remote_ip_prefix', { remote_ip_prefix: '2001:db8::/32' }],
    ['remote_ip_prefix', { ethertype: 'IPv6' }],
    ['protocol', { protocol: 'any' }],
    ['direction', { direction: 'sideways' }],
    ['ethertype', { ethertype: 'IPX' }],
  ] as const) {
    expect(
      await callBridge(window, 'firewall.add', { account, machine, rule: { ...good, ...changes } }),
    ).toMatchObject({ ok: false, failure: { kind: 'invalid-input', field: `rule.${field}` } })
  }
  expect(await callBridge(window, 'firewall.add', { account, machine: 'nobody', rule: good })).toMatchObject({
    ok: false,
    failure: { kind: 'refused-by-service', status: 404 },
  })
})
