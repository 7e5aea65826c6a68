import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { launch } from './support/application'
import { askBridge } from './support/bridge'
import { lookAround, machineNames, openPage } from './support/window'

test('two profiles each keep their own file of SSH aliases at the same time @deep', async ({
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
