import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { openDesktop } from '../../scripts/desktop-session.mjs'
import { type Part, whyMissing } from '../fixtures/requirement-checks'
import { type Application, launch, type Place } from './support/application'
import { clearKeyring, lockKeyring, unlockKeyring } from './support/keyring'
import { saveScreen } from './support/pictures'
import { type Sandbox, type SandboxOptions, startSandbox } from './support/sandbox'
import {
  type Secret,
  secretsIn,
  secretsInKeyring,
  secretsInProcesses,
  secretsOf,
  secretsUnder,
} from './support/secrets'

export { expect } from '@playwright/test'

interface Fixtures {
  /** Parts of the system that a test needs besides a display and a keyring. */
  readonly needs: readonly Part[]
  /** Skips the test, with the reason, if the system lacks a part. */
  readonly system: undefined
  /** The test's own folders. */
  readonly place: Place
  /** Secrets that must be in no file or log after the test; a test adds the secrets that it reads. */
  readonly secrets: Secret[]
  /** Starts the application; the keyring is empty before the first start, and all are ended after the test. */
  readonly start: (
    env?: Readonly<Record<string, string>>,
    switches?: readonly string[],
  ) => Promise<Application>
  /** Starts a service; ended after the test. */
  readonly startService: (options?: SandboxOptions) => Promise<Sandbox>
  readonly service: Sandbox
  /** Locks the keyring; it is unlocked after the test. */
  readonly lockKeyring: () => Promise<void>
}

interface WorkerFixtures {
  /** A display, D-Bus session and keyring for each worker: the first uses the run's own. */
  readonly desktop: undefined
}

/**
 * Requirements of a test, and their ends, are fixtures. A hook after a test would also run after a skipped test, with
 * nothing to end, and a hook before all would run even if every test of the file is skipped.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  desktop: [
    async ({}, use, { parallelIndex }) => {
      if (parallelIndex === 0 || process.platform !== 'linux') return use(undefined)
      const desktop = await openDesktop()
      Object.assign(process.env, desktop.env)
      await use(undefined)
      await desktop.close()
    },
    { scope: 'worker', auto: true },
  ],

  needs: [[], { option: true }],

  system: [
    async ({ desktop: _, needs }, use, testInfo) => {
      const reason = process.env.WHEELHOUSE_NO_ELECTRON ?? whyMissing(['display', 'keyring', ...needs])
      testInfo.skip(reason !== undefined, reason)
      await use(undefined)
    },
    { auto: true },
  ],

  place: async ({ system: _ }, use, testInfo) => {
    const place = { userData: testInfo.outputPath('user-data'), home: testInfo.outputPath('home') }
    for (const folder of Object.values(place)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Tests start in the list of machines, like a user whose last page that was.
    writeFileSync(join(place.userData, 'settings.json'), JSON.stringify({ window: { page: '/machines' } }))
    await use(place)
  },

  secrets: async ({ system: _ }, use) => use([]),

  start: async ({ place, secrets }, use, testInfo) => {
    await clearKeyring()
    const applications: Application[] = []
    await use(async (env = {}, switches) => {
      const application = await launch({ ...place, env, ...(switches && { switches }) })
      applications.push(application)
      return application
    })
    if (testInfo.status !== testInfo.expectedStatus) await saveScreen(testInfo.outputPath('screen.png'))
    const kept = secretsInKeyring()
    const inProcesses = applications.flatMap(({ pid }) => secretsInProcesses(pid, [...secrets, ...kept]))
    for (const application of applications) await application.quit()
    const found = [
      ...inProcesses,
      ...secretsUnder(place.userData, [...secrets, ...kept]),
      ...applications.flatMap(({ said }) => secretsIn(Buffer.from(said()), [...secrets, ...kept])),
    ]
    if (found.length > 0) throw new Error(`Secrets were left behind:\n${found.join('\n')}`)
  },

  startService: async ({ secrets }, use) => {
    const services: Sandbox[] = []
    await use(async (options) => {
      const service = await startSandbox(options)
      services.push(service)
      secrets.push(...(await secretsOf({ ...service, baseUrl: service.plainUrl })))
      return service
    })
    for (const service of services) await service.close()
  },

  service: async ({ startService }, use) => use(await startService()),

  // Opened before `start` looks for secrets in it.
  lockKeyring: async ({ start: _ }, use) => {
    await use(lockKeyring)
    await unlockKeyring()
  },
})
