import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runSandbox } from '../../../test/fixtures/account-harness'
import { openShell } from '../../../test/fixtures/command-line'
import { publicKey } from '../../../test/fixtures/creation-order'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { answerCall } from '../desktop/answer-call'
import { readingCommands } from './run-in-application'
import { outputRows, type Output, type OutputName } from './output'

/** A shell with every module of the application and an account of the sandbox. */
async function open() {
  const sandbox = await runSandbox()
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-cli-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const now = Date.now() / 1000
  const { calls } = startModules({ folder, secrets: memorySecrets(), clock: fakeClock(now), fetch })
  const { baseUrl, apiToken } = sandbox
  const credential = { kind: 'api-token', token: apiToken } as const
  await calls['accounts.connect']({ baseUrl, credential, staySignedIn: false })
  mkdirSync(join(folder, '.ssh'))
  writeFileSync(join(folder, '.ssh/id_ed25519.pub'), publicKey)
  const shell = await openShell({ now, answer: (name, input) => answerCall(calls, name, input) })
  /** Runs a command with --json; the output has the shape of the command. */
  async function json<Name extends OutputName>(
    name: Name,
    ...words: readonly string[]
  ): Promise<Output<Name>> {
    const code = await shell.run(name, ...words, '--json')
    const output = shell.output.splice(0).join('\n')
    expect(code, output + shell.errors.join('\n')).toBe(0)
    return outputRows[name].parse(JSON.parse(output))
  }
  return { ...shell, json, apiToken }
}

it('commands that read have the same output in the application', async () => {
  const { run, runInside, output, errors, json } = await open()
  const [machine] = (await json('ls')).machines
  // The clock does not advance, so waste is never read.
  for (const name of [...readingCommands].filter((each) => each !== 'waste'))
    for (const options of [[], ['--json']]) {
      const words = [name, ...(name === 'show' ? [machine?.id ?? ''] : []), ...options]
      expect(await run(...words), errors.join()).toBe(0)
      const printed = `${output.splice(0).join('\n')}\n`
      const env = { LANG: 'en_US.UTF-8', TZ: process.env['TZ'] }
      expect(await runInside(words, env), words.join(' ')).toEqual({ code: 0, printed })
    }
})

it('every command that reads has an answer of the service, without a secret', async () => {
  const { json, apiToken } = await open()
  const listed = await json('ls')
  expect(listed.machines.length).toBeGreaterThan(3)
  expect(listed.machines.some(({ perHour }) => perHour !== null)).toBe(true)
  const [{ name, id } = { name: '', id: '' }] = listed.machines
  const shown = await json('show', name)
  expect(shown.machine).toMatchObject({ id, name })
  const spending = await json('cost')
  expect(spending.currencies[0]?.perHour).toBeGreaterThan(0)
  const budget = await json('budget')
  expect(budget).toMatchObject({ budget: null })
  const gpus = await json('gpus')
  expect(gpus.machines).toEqual([])
  const page = await json('open', 'machines', name)
  expect(page).toEqual({ version: 1, page: 'machines' })
  const all = JSON.stringify([listed, shown, spending, budget, gpus, page])
  expect(all).not.toContain(apiToken)
  expect(all).not.toMatch(/password/i)
})

it('an automatic end is armed, shown and cancelled, and a budget is set', async () => {
  const { json, run } = await open()
  const [{ name, id } = { name: '', id: '' }] = (await json('ls')).machines
  expect(await json('end', name)).toMatchObject({ machine: { id, name }, end: null })
  const armed = await json('end', name, '--after', '2h', '--delete', name)
  expect(armed.end).toMatchObject({ action: 'delete', state: 'armed', idle: null })
  expect(await json('end', name)).toEqual(armed)
  expect((await json('show', name)).machine.end).toEqual(armed.end)
  expect(await json('end', name, '--idle', '30m')).toMatchObject({ end: { action: 'stop', idle: 1_800 } })
  expect(await json('end', name, '--budget', '100000')).toMatchObject({
    end: { budget: { millionths: 100_000_000_000 } },
  })
  expect(await run('end', name, '--budget', '0.01')).toBe(2)
  expect(await json('end', name, '--cancel')).toMatchObject({ end: null })
  expect(await json('end', name)).toMatchObject({ end: null })

  expect(await json('budget', '500')).toMatchObject({ budget: { currency: 'USD', millionths: 500_000_000 } })
  expect(await json('budget')).toMatchObject({ budget: { millionths: 500_000_000 } })
  expect(await run('budget', '-1')).toBe(2)
  expect(await json('budget', 'none')).toMatchObject({ budget: null })
})

it('machines are created at the price of the catalog, and a flavor in stock is reported at once', async () => {
  const { json, run, errors } = await open()
  const [image, key] = [
    ['--image', 'Debian 12'],
    ['--key', 'id_ed25519'],
  ]
  const flavor = ['--flavor', 'h100-80g.1x', '--region', 'Oslo']
  expect(await json('watch', 'h100-80g.1x', '--region', 'oslo')).toMatchObject({ regions: ['Oslo'] })
  expect(await run('create', 'train', ...flavor, ...image, ...key)).toBe(7)
  expect(errors.at(-1)).toContain('--yes')
  expect(await run('create', 'train', ...flavor, ...image, ...key, '--yes', '--max-per-hour', '0.10')).toBe(9)
  errors.splice(0)
  const created = await json('create', 'train', ...flavor, ...image, ...key, '--yes', '--count', '2')
  expect(errors[0]).toMatch(/^2 × h100-80g\.1x in Oslo: .+ USD$/)
  expect(created.machines).toMatchObject([
    { name: 'train-1', state: 'created' },
    { name: 'train-2', state: 'created' },
  ])
  expect(created.perHour?.millionths).toBeGreaterThan(0)
  expect(await run('create', 'x', '--flavor', 'nothing', ...image, ...key, '--yes')).toBe(5)
  expect(await run('create', 'x', ...flavor, '--image', 'nothing', ...key, '--yes')).toBe(5)
  expect(await run('create', 'x', ...flavor, ...image, '--key', 'nothing', '--yes')).toBe(5)
  expect(await run('create', 'x', ...flavor, ...image, '--yes')).toBe(2)
})

it('a machine is stopped, started and deleted', async () => {
  const { json, run, errors } = await open()
  const { machines } = await json('ls')
  const find = (state: RegExp) =>
    machines.find(({ status }) => state.test(status ?? '')) ?? { id: '', name: '' }
  const { id, name } = find(/^(active|running)$/i)
  const stopped = find(/^(shutoff|stopped)$/i)
  // A running machine cannot be started: the text of the service is printed.
  expect(await run('start', id)).toBe(1)
  expect(errors.at(-1)).toMatch(/^The service refused the request\. .*\.$/)
  expect(await json('stop', id)).toMatchObject({ machine: { id, name }, outcome: 'done' })
  expect(await json('start', stopped.name)).toMatchObject({ machine: { id: stopped.id }, outcome: 'done' })
  const last = machines.at(-1) ?? { id: '', name: '' }
  expect(await json('delete', last.id, '--yes-delete', last.name)).toMatchObject({ outcome: 'done' })
  expect(await run('show', 'no-such-machine')).toBe(5)
})
