import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSqlLibrary, openDatabase } from '../../src/main/store/sql-library'
import { deep } from '../fixtures/counts'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { type Application, launch, root } from './support/application'
import { applicationWithout, canMount, mountDisk, protect } from './support/folders'
import { allKeyringEntries, clearKeyring } from './support/keyring'
import { pictureInBothThemes, pictureOfScreen } from './support/pictures'
import { focus, press, windowShown } from './support/screen'
import { chooseToConnect, connectWithToken, machineNames, openPage } from './support/window'

const settling = { timeout: 30_000 }
/** In the user-data folder. */
const database = 'wheelhouse.db'
const withoutDigest = (folder: string): void => rmSync(join(folder, `${database}.digest`), { force: true })

/** A problem with the user's data, and its text: in Settings, and with advice. */
interface Trouble {
  readonly name: string
  readonly short: string
  readonly says: string
  readonly button?: string
  /** Before the start. */
  bring?(userData: string): Promise<void> | void
  /** Another folder to start from, removed afterwards. */
  application?(): string
  /** Once it runs. */
  then?(userData: string): void
}

const fullDisk: Trouble = {
  name: 'the disk is full',
  short: 'Disk full',
  says: 'Disk full: nothing new is saved',
  then: (folder) => {
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize))
  },
}

const troubles: readonly Trouble[] = [
  {
    name: 'the key is lost',
    short: 'Key lost',
    says: 'its key is lost',
    button: 'Start a new file',
    bring: clearKeyring,
  },
  {
    name: 'the file is damaged',
    short: 'Encrypted',
    says: 'The file was moved to',
    bring: (folder) => writeFileSync(join(folder, database), 'not a database'),
  },
  {
    name: 'a newer version wrote it',
    short: 'From a newer version',
    says: 'The file has version 999',
    bring: async (folder) => {
      const key = allKeyringEntries().find(({ account }) => account.startsWith('store/'))?.secret ?? ''
      const file = { path: join(folder, database), key, onFault: () => undefined }
      const opened = openDatabase(await loadSqlLibrary(), file)
      opened.exec('PRAGMA user_version = 999')
      opened.close()
      withoutDigest(folder)
    },
  },
  {
    name: 'it cannot be opened',
    short: 'Can’t be opened',
    says: 'Couldn’t open local data',
    button: 'Try again',
    bring: (folder) => {
      rmSync(join(folder, database))
      withoutDigest(folder)
      mkdirSync(join(folder, database))
    },
  },
  {
    name: 'the database does not run here',
    short: 'Not supported on this computer',
    says: 'The local database doesn’t run here',
    application: () => applicationWithout('libsql'),
  },
  ...(canMount() ? [fullDisk] : []),
]

test('the application runs with any problem of its local data, and reports it with advice', async ({
  start,
  startService,
  place,
}) => {
  test.setTimeout(300_000)
  const service = await startService()
  const first = await start()
  await chooseToConnect(first.window)
  await connectWithToken(first.window, service)
  await machineNames(first.window)
  await openPage(first.window, 'Settings')
  const kept = ({ window }: Application) => window.getByRole('region', { name: 'Local data' })
  await expect(kept(first)).toContainText(/[\d,]+ statements, updated/, settling)
  await first.quit()
  const { userData } = place
  const pristine = `${userData}-pristine`
  cpSync(userData, pristine, { recursive: true })
  const entries = allKeyringEntries()
  expect(entries.some(({ account }) => account.startsWith('store/'))).toBe(true)

  // The key last, since it is not restored.
  for (const { name, short, says, button, bring, application, then } of troubles
    .slice(0, deep(2, troubles.length))
    .reverse()) {
    await test.step(name, async () => {
      rmSync(userData, { recursive: true })
      cpSync(pristine, userData, { recursive: true })
      const unmount = then ? mountDisk(userData, '96m') : undefined
      await bring?.(userData)
      const folder = application?.()
      const running = folder ? await launch({ ...place, folder }) : await start()
      try {
        then?.(userData)
        await openPage(running.window, 'Settings')
        await expect(kept(running)).toContainText(short, settling)
        await expect(running.window.getByText(says).first()).toBeVisible()
        if (button) await expect(running.window.getByRole('button', { name: button })).toBeVisible()
        expect(await violations(running.electron, running.window)).toEqual([])
        await kept(running).scrollIntoViewIfNeeded()
        await pictureInBothThemes(running.electron, running.window, `Local data: ${name}`)
        await openPage(running.window, 'Machines')
      } finally {
        await running.quit()
        unmount?.()
        if (folder) rmSync(folder, { recursive: true })
      }
    })
  }
})

test('a read-only folder is reported before the application ends @deep', async ({ place }) => {
  const unprotect = protect(place.userData)
  try {
    const program = process.env.ELECTRON_EXEC_PATH ?? ''
    const rootOnly = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const child = spawn(program, [root, `--user-data-dir=${place.userData}`, ...rootOnly], {
      stdio: 'ignore',
      env: { ...process.env, HOME: place.home },
    })
    const ended = once(child, 'exit')
    const dialog = await windowShown('--name', '^Error$')
    await pictureOfScreen('A folder that cannot be written to')
    await focus(dialog)
    await press('Return')
    await ended
    expect(child.exitCode).toBe(1)
  } finally {
    unprotect()
  }
})
