import { whyMissing } from '../fixtures/requirement-checks'
import { expect, test as base } from './fixtures'
import { type Application, launch } from './support/application'
import { lookAround, machineNames, openPage } from './support/window'

/** Without the keyring of the other tests: macOS and Windows use the system's own. */
const test = base.extend<{ application: Application }>({
  system: async ({ desktop: _ }, use, testInfo) => {
    const reason = process.env.WHEELHOUSE_NO_ELECTRON ?? whyMissing(['display'])
    testInfo.skip(reason !== undefined, reason)
    await use(undefined)
  },
  application: async ({ place }, use) => {
    const application = await launch(place)
    await use(application)
    await application.quit()
  },
})

test('on every system a window opens, and the sandbox lists its machines', async ({ application }) => {
  const { window } = application
  await lookAround(window)
  await openPage(window, 'Machines')
  expect(await machineNames(window)).toHaveLength(12)
})
