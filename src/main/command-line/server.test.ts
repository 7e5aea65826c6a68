import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CommandAddress, commandLineCalls } from '#shared/bridge/command-line'
import { commandAddressFile } from '#shared/command-address'
import { calls } from '#shared/bridge/index'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { answerCommand, serveCommandLine } from './server'

const answerNothing = () => Promise.resolve({ ok: true as const, value: undefined })

it('the address and its token are in a file that only this user can read, until the end', async () => {
  const folder = temporaryFolder()
  const close = await serveCommandLine({
    folder,
    platform: 'linux',
    version: '1',
    now: () => 0,
    answer: answerNothing,
  })
  const file = join(folder, commandAddressFile)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { path, token } = CommandAddress.parse(JSON.parse(readFileSync(file, 'utf8')))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  await close()
  expect(existsSync(file)).toBe(false)
  expect(existsSync(path)).toBe(false)
})

it.each(['secret.reveal', 'accounts.connect', 'accounts.forget', 'app.quit', 'toString', '__proto__', ''])(
  'the call %j is not allowed',
  async (call) => {
    const answered: string[] = []
    const answer = (name: string) => {
      answered.push(name)
      return answerNothing()
    }
    expect(await answerCommand({ call, input: {} }, { answer, version: '1', now: () => 0 })).toEqual({
      ok: false,
      failure: { kind: 'invalid-input', field: 'call', reason: 'unknown' },
    })
    expect(answered).toEqual([])
  },
)

it.each([null, [], 'ls', {}, { call: 1 }])('the request %j is malformed', async (request) => {
  expect(await answerCommand(request, { answer: answerNothing, version: '1', now: () => 0 })).toEqual({
    ok: false,
    failure: { kind: 'invalid-input', field: 'request', reason: 'malformed' },
  })
})

it('an answer holds no field beyond its schema', async () => {
  const value = { accounts: [], selected: null, token: 'secret' }
  const answer = () => Promise.resolve({ ok: true as const, value })
  expect(
    await answerCommand({ call: 'accounts.list', input: {} }, { answer, version: '1', now: () => 0 }),
  ).toEqual({
    ok: true,
    value: { accounts: [], selected: null },
  })
})

it('every allowed call is a row of the contract', () => {
  const rows: Readonly<Record<string, unknown>> = calls
  for (const [name, row] of Object.entries(commandLineCalls)) expect(rows[name]).toBe(row)
})
