import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { outputs } from '../../src/main/command-line/output'
import { commandAddressFile } from '../../src/shared/bridge/command-line'
import { expect, test } from './fixtures'
import { agentClient } from './support/command-line'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openPage } from './support/window'

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

  await agent.getByRole('checkbox', { name: 'Block' }).click()
  await expect.poll(async () => JSON.stringify(await call('list_machines'))).toContain('blocked')
  await client.close()
})
