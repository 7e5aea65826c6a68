import { expect, it } from 'vitest'
import { answers, openShell } from '../../../test/fixtures/command-line'

const env = { LANG: 'en_US.UTF-8', TZ: process.env['TZ'] }

it('commands that read run in the application', async () => {
  const shell = await openShell()
  expect(await shell.runInside(['ls'], env)).toMatchObject({ code: 0 })
  expect(await shell.runInside(['show', 'eval', '--json'], env)).toMatchObject({ code: 0 })
})

it.each<[string, readonly string[], NodeJS.ProcessEnv, boolean]>([
  ['acts', ['stop', 'eval'], env, true],
  ['fails', ['show', 'nobody'], env, true],
  ['has another language', ['ls'], { ...env, LC_ALL: 'de_DE.UTF-8' }, true],
  ['has other formats', ['ls'], { ...env, LANG: 'en_GB.UTF-8' }, true],
  ['is in another time zone', ['ls'], { ...env, TZ: 'Asia/Tokyo' }, true],
  ['finds no application', ['ls'], env, false],
])('a command that %s does not run in the application', async (_, words, environment, isRunning) => {
  const shell = await openShell({ isRunning })
  expect(await shell.runInside(words, environment)).toBeNull()
  expect(shell.calls.filter(([name]) => name.startsWith('machine.'))).toEqual([])
})

it('a list that must be read first is waited for by the command line, which shows that', async () => {
  const old = { asOf: null, reading: true, total: null, failure: null }
  const shell = await openShell({
    stubs: {
      ...answers,
      'fleet.snapshot': { account: 'abcdefghijkl', revision: 0, status: old, machines: [] },
    },
  })
  expect(await shell.runInside(['ls'], env)).toBeNull()
})
