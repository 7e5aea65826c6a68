import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { askBridge } from './support/bridge'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh'] })

test('a saved forward opens after the next start without any click @deep', async ({ start }) => {
  const first = await start()
  await lookAround(first.window)
  await openPage(first.window, 'Machines')
  await machineNames(first.window)
  const panel = await openMachine(first.window, 'train-llama-01')
  await panel.getByRole('tab', { name: 'Services' }).click()
  await panel.getByLabel('Port on the machine').fill('6006')
  await panel.getByRole('button', { name: 'Forward', exact: true }).click()
  const forwards = panel.getByRole('region', { name: 'Forwarded ports' })
  const address = await forwards.getByText(/^127\.0\.0\.1:\d+$/).innerText()
  await forwards.getByRole('checkbox', { name: 'Open again at each start' }).press('Space')
  await expect(forwards.getByRole('checkbox')).toBeChecked()
  expect(await violations(first.electron, first.window)).toEqual([])
  await pictureInBothThemes(first.electron, first.window, 'A saved forward in the panel')
  await first.quit()
  await expect(fetch(`http://${address}`)).rejects.toThrow('fetch failed')

  const again = await start()
  const page = async (): Promise<string> => (await fetch(`http://${address}`)).text()
  await expect(async () => expect(await page()).toContain('This page stands for TensorBoard')).toPass()
  await openPage(again.window, 'Terminals')
  const all = again.window.getByRole('region', { name: 'Forwarded ports' })
  await expect(all).toContainText('train-llama-01')
  await expect(all.getByRole('checkbox')).toBeChecked()
  await pictureInBothThemes(again.electron, again.window, 'A saved forward after a restart')
  await all.getByRole('button', { name: 'Stop forwarding TensorBoard' }).click()
  await expect(all).toBeHidden()
  await again.quit()

  const last = await start()
  await last.window.getByText('Updated just now').waitFor()
  expect(await askBridge(last.window, 'tunnel.forwards', {})).toEqual([])
})
