import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { launch, root } from './support/application'
import { askBridge } from './support/bridge'
import { lookAround, machineNames, openPage } from './support/window'

test('two profiles at once keep a file of SSH aliases each, and neither disturbs the other’s', async ({
  start,
  place,
}, testInfo) => {
  const folder = join(place.home, '.ssh')
  mkdirSync(folder, { mode: 0o700 })
  const config = (): string => readFileSync(join(folder, 'config'), 'utf8')
  const ours = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('wheelhouse'))
  writeFileSync(join(folder, 'config'), 'Host mine\n')

  const one = await start()
  const other = await launch({ userData: testInfo.outputPath('other-user-data'), home: place.home })
  try {
    for (const { window } of [one, other]) {
      await lookAround(window)
      await openPage(window, 'Machines')
      await machineNames(window)
    }
    await askBridge(one.window, 'sshAliases.enable', { enabled: true })
    const [first = ''] = ours()
    expect(first).toMatch(/^wheelhouse-[0-9a-f]{8}\.conf$/)
    const written = readFileSync(join(folder, first), 'utf8')
    expect(written).toContain('\nHost train-llama-01\n')

    await askBridge(other.window, 'sshAliases.enable', { enabled: true })
    const [second = ''] = ours().filter((name) => name !== first)
    expect(second).toMatch(/^wheelhouse-[0-9a-f]{8}\.conf$/)
    expect(config().split('\n').toSorted()).toEqual(
      ['', 'Host mine', `Include ${first}`, `Include ${second}`].toSorted(),
    )
    expect(readFileSync(join(folder, first), 'utf8')).toBe(written)

    await askBridge(other.window, 'sshAliases.enable', { enabled: false })
    expect(ours()).toEqual([first])
    expect(config()).toBe(`Include ${first}\nHost mine\n`)
    expect(readFileSync(join(folder, first), 'utf8')).toBe(written)
  } finally {
    await other.quit()
  }
  await askBridge(one.window, 'sshAliases.enable', { enabled: false })
  expect(config()).toBe('Host mine\n')
  expect(readdirSync(folder)).toEqual(['config'])
})

test('a profile that is started twice ends at once, and brings the first window forward', async ({
  start,
  place,
}) => {
  const { electron, window } = await start()
  const front = () =>
    electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((shown) => shown.isVisible() && shown.isFocused()),
    )
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  await expect.poll(front).toEqual([false])

  const again = spawn(
    process.env.ELECTRON_EXEC_PATH ?? '',
    [root, `--user-data-dir=${place.userData}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    { env: { ...process.env, HOME: place.home }, stdio: 'ignore' },
  )
  expect(await once(again, 'exit')).toEqual([0, null])
  await expect.poll(front).toEqual([true])
  expect(await window.evaluate('document.visibilityState')).toBe('visible')
})
