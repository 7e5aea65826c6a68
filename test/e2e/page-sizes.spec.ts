import { expect, test } from './fixtures'
import { beyondEdge, resize } from './support/narrow'
import { pictureInBothThemes } from './support/pictures'
import { lookAround, machineNames, openMachine, openPage, showTab } from './support/window'

/** Content size of the window in CSS pixels. */
const shapes = [
  { name: 'wide', size: [1360, 860] },
  { name: 'narrow', size: [1000, 700] },
  // The wide window with text at 125 %.
  { name: 'larger text', size: [1360 / 1.25, 860 / 1.25] },
] as const

for (const { name, size } of shapes)
  test(`every page and every tab of a machine fits: ${name}${name === 'narrow' ? '' : ' @deep'}`, async ({
    start,
  }) => {
    test.slow()
    const { electron, window } = await start()
    await resize(electron, size)
    await lookAround(window)
    await machineNames(window)

    const check = async (page: string): Promise<void> => {
      // Also the animations of pages and panels have ended then.
      await expect.poll(() => beyondEdge(window), page).toEqual([])
      await pictureInBothThemes(electron, window, `${name}, ${page}`)
    }

    const links = window.getByRole('navigation').first().getByRole('link')
    for (const link of await links.all()) {
      await link.click()
      await expect(window.getByRole('heading', { level: 1 })).toBeVisible()
      await check((await link.innerText()).split('\n')[0] ?? '')
    }

    await openPage(window, 'Machines')
    const panel = await openMachine(window, 'train-llama-01')
    for (const tab of [
      'Connection',
      'Services',
      'Files',
      'Metrics',
      'GPU',
      'Firewall',
      'Volumes',
      'Cost',
      'Notes',
    ]) {
      await showTab(panel, tab)
      await check(`machine, ${tab}`)
    }
  })
