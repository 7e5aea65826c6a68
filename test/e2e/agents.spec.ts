import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { outputs } from '../../src/main/command-line/output'
import { commandAddressFile } from '../../src/shared/command-address'
import { expect, test } from './fixtures'
import { agentClient } from './support/command-line'
import { publicKey } from './support/public-key'
import { narrow, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openPage, panelOf, showTab } from './support/window'

test('an agent reads, and acts once the user allowed it', async ({ start, place }) => {
  test.setTimeout(400_000)
  const { userData } = place
  const { electron, window } = await start()
  await lookAround(window)
  const names = await machineNames(window)
  await expect.poll(() => existsSync(join(userData, commandAddressFile)), { timeout: 60_000 }).toBe(true)

  const client = await agentClient(userData, 'coder')
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args }, { timeout: 120_000 })
  const listed = await call('list_machines')
  expect(outputs.ls.parse(listed.structuredContent).machines).toHaveLength(names.length)
  const stop = () => call('stop_machine', { machine: 'eval-nightly' })
  expect(JSON.stringify(await stop())).toContain('not-allowed')

  await openPage(window, 'Settings')
  await window
    .getByRole('navigation', { name: 'Settings sections' })
    .getByRole('link', { name: 'Coding agents' })
    .click()
  const agent = window.getByRole('listitem', { name: 'coder' })
  await expect(agent).toContainText('Stop eval-nightly')
  await expect(agent).toContainText('refused: it is not allowed to')
  await agent.getByRole('checkbox', { name: 'Start and stop machines' }).click()
  await expect(window.getByText('Permissions saved')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Coding agents')
  expect(await stop()).toMatchObject({ structuredContent: { outcome: 'done' } })
  await expect(agent.getByRole('listitem').first()).toContainText('done')

  // A command that it may not run is listed too.
  await agent.getByRole('checkbox', { name: 'Run commands on machines' }).click()
  const command = 'set -e\nHF_TOKEN=hf_abcdefghijklmnop torchrun --nproc-per-node 8 train.py --steps 100000'
  expect(JSON.stringify(await call('run_command', { machine: 'eval-nightly', command }))).toContain(
    'no-consent',
  )
  const ran = agent.getByRole('group', { name: 'Command' })
  await expect(ran).toContainText('HF_TOKEN=••• torchrun')
  await ran.getByRole('button', { name: 'Show the whole command' }).click()
  await expect(ran.getByRole('button', { name: 'Show the whole command' })).toHaveAttribute(
    'aria-expanded',
    'true',
  )

  // A creation above the limit waits for the user.
  await mkdir(join(place.home, '.ssh'), { recursive: true, mode: 0o700 })
  await writeFile(join(place.home, '.ssh/id_ed25519.pub'), `${publicKey}\n`)
  await agent.getByRole('checkbox', { name: 'Create machines' }).click()
  await agent.getByRole('textbox', { name: 'Cap per day' }).fill('1000')
  await agent.getByRole('textbox', { name: 'Ask me above, per hour' }).fill('0.10')
  await agent.getByRole('textbox', { name: 'Ask me above, per hour' }).press('Enter')
  await expect(agent.getByText('of 1,000.00 USD used')).toBeVisible()
  const order = {
    name: 'by-agent',
    flavor: 'h100-80g.1x',
    image: 'Debian 12',
    key: 'id_ed25519',
    region: 'Oslo',
  }
  const reports: unknown[] = []
  const creation = client.callTool(
    { name: 'create_machine', arguments: order },
    { timeout: 120_000, onprogress: (report) => reports.push(report) },
  )
  const question = window.getByRole('dialog', { name: 'coder wants to create a machine' })
  await expect(question).toContainText('by-agent')
  await pictureInBothThemes(electron, window, 'A question of a coding agent')
  await question.getByRole('button', { name: 'Create it' }).click()
  expect(await creation).toMatchObject({
    structuredContent: { outcome: 'done', machine: { name: 'by-agent' } },
  })
  expect(reports.length).toBeGreaterThan(0)
  const refused = client.callTool({ name: 'create_machine', arguments: { ...order, name: 'another' } })
  await expect(question).toContainText('another')
  await window.keyboard.press('Escape')
  expect(JSON.stringify(await refused)).toContain('denied')
  await expect(question).toBeHidden()

  // Its machine is listed with its cost, and leads to the machine, whose end it armed.
  expect(await call('set_end', { machine: 'by-agent', after: '2h' })).toMatchObject({
    structuredContent: { outcome: 'done' },
  })
  const machines = agent.getByRole('list', { name: 'Its machines' })
  await expect(machines).toContainText('by-agent')
  await expect(machines).toContainText('so far')
  await pictureInBothThemes(electron, window, 'Machines and commands of a coding agent')
  await resize(electron, narrow)
  await ran.scrollIntoViewIfNeeded()
  await pictureInBothThemes(electron, window, 'Machines and commands of a coding agent, narrow')
  await resize(electron, [1360, 860])
  await machines.getByRole('button', { name: 'by-agent' }).click()
  const panel = panelOf(window, 'by-agent')
  await showTab(panel, 'Cost')
  await expect(panel.getByText('Set by the agent coder')).toBeVisible()
  await pictureInBothThemes(electron, window, 'An automatic end that a coding agent set')

  // Without the agent nobody waits for the answer.
  const abandoned = call('create_machine', { ...order, name: 'abandoned' }).catch(() => null)
  await expect(question).toContainText('abandoned')
  await client.close()
  await expect(question).toBeHidden()
  expect(await abandoned).toBeNull()
  await window.goBack()
  await expect(agent.getByRole('listitem').filter({ hasText: 'Create abandoned' })).toContainText(
    'refused: the agent stopped waiting',
  )

  await agent.getByRole('checkbox', { name: 'Block' }).click()
  const blocked = await agentClient(userData, 'coder')
  const list = () => blocked.callTool({ name: 'list_machines', arguments: {} })
  await expect.poll(async () => JSON.stringify(await list())).toContain('the agent is blocked')
  await blocked.close()
})
