import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import { packagedProgram, startFlags } from '../../bench/support/packaged'
import { openPackaged } from '../../bench/support/packaged-window'
import { provideNewNode } from '../../scripts/deep-steps.mjs'
import { openDesktop } from '../../scripts/desktop-session.mjs'
import { outputRows, outputs, type Output, type OutputName } from '../../src/main/command-line/output'
import { commandAddressFile } from '../../src/shared/command-address'
import { agentClientOf } from '../e2e/support/command-line'
import { clearKeyring, lockKeyring, unlockKeyring } from '../e2e/support/keyring'
import { lookAround, machineNames } from '../e2e/support/window'

// The packaged program, as scripts and agents use it, without a display of its own.

const { DISPLAY: _, WAYLAND_DISPLAY: __, ...withoutDisplay } = process.env
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-packaged-'))
const userData = join(folder, 'user-data')
type Application = Awaited<ReturnType<typeof openPackaged>>
let application: Application | undefined
let desktop: Awaited<ReturnType<typeof openDesktop>> | undefined

interface Ran {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

const runWith = (env: NodeJS.ProcessEnv, program: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    child.stdout.on('data', (data) => (output += String(data)))
    child.stderr.on('data', (data) => (errors += String(data)))
    child.on('error', reject)
    // Not `close`: a started application may hold its standard error.
    child.on('exit', (code) => setImmediate(() => resolve({ code, output, errors })))
  })
const wheelhouse = (...words: readonly string[]): Promise<Ran> =>
  runWith(withoutDisplay, packagedProgram, [...startFlags(userData), ...words])

/** Runs a command with --json and returns its output, checked with its schema. */
async function json<Name extends OutputName>(name: Name, ...words: readonly string[]): Promise<Output<Name>> {
  const ran = await wheelhouse(name, ...words, '--json')
  expect(ran.code, `${name}: ${ran.errors}${ran.output}`).toBe(0)
  return outputRows[name].parse(JSON.parse(ran.output))
}
async function failure(code: number, ...words: readonly string[]): Promise<string> {
  const ran = await wheelhouse(...words, '--json')
  const { error } = outputs.error.parse(JSON.parse(ran.output))
  expect([ran.code, error.code], `${words.join(' ')}: ${ran.errors}`).toEqual([code, code])
  return error.kind
}

async function startApplication(): Promise<Application> {
  application = await openPackaged(userData)
  await expect.poll(() => existsSync(join(userData, commandAddressFile))).toBe(true)
  return application
}

/** Installs a public package into a folder of its own and returns the path of a file in it. */
async function install(name: string, version: string, file: string): Promise<string> {
  const place = join(folder, name.replaceAll('/', '-'))
  await promisify(execFile)('npm', [
    'install',
    '--silent',
    '--ignore-scripts',
    '--prefix',
    place,
    `${name}@${version}`,
  ])
  return join(place, 'node_modules', name, file)
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  desktop = await openDesktop(process.env)
  Object.assign(process.env, desktop.env)
  await clearKeyring()
  mkdirSync(userData)
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ window: { page: '/machines' } }))
})
test.afterAll(async () => {
  if (application?.isRunning()) await application.quit()
  await desktop?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('help, version and completion need no application', async () => {
  expect((await wheelhouse('--help')).output).toContain('Usage: wheelhouse COMMAND')
  expect((await wheelhouse('--version')).output).toMatch(/^\d+\.\d+\.\d+\n$/)
  for (const [shell, check] of [
    ['bash', ['bash', '-n']],
    ['zsh', ['zsh', '-n']],
    ['fish', ['fish', '--no-execute']],
  ] as const) {
    const { code, output } = await wheelhouse('completion', shell)
    expect(code).toBe(0)
    const file = join(folder, `completion.${shell}`)
    writeFileSync(file, output)
    const [program, ...args] = check
    expect(await runWith(process.env, program, [...args, file])).toMatchObject({ code: 0, errors: '' })
  }
  expect(await failure(2, 'completion', 'powershell')).toBe('usage')
  expect((await wheelhouse('no-such-command')).code).toBe(2)
})

test('a closed application and one without an account have different exit codes', async () => {
  expect(await failure(3, 'ls')).toBe('notRunning')
  await startApplication()
  expect(await failure(4, 'ls')).toBe('noAccount')
})

test('every command answers with its documented JSON and exit code', async () => {
  if (!application) throw new Error('the application runs')
  const { window } = application
  await lookAround(window)
  const names = await machineNames(window)
  const listed = await json('ls')
  expect(listed.machines.map(({ name }) => name).toSorted()).toEqual([...names].toSorted())
  expect((await json('show', 'eval-nightly')).machine.name).toBe('eval-nightly')
  expect(await failure(5, 'show', 'nobody')).toBe('notFound')
  expect((await json('gpus')).machines).toEqual([])
  expect((await json('waste')).items.length).toBeGreaterThan(0)
  expect((await json('cost')).currencies.length).toBeGreaterThan(0)
  expect((await json('budget', '500')).budget).toMatchObject({ millionths: 500_000_000 })
  expect((await json('jobs')).jobs).toEqual([])
  expect(await failure(5, 'logs', 'nothing')).toBe('notFound')
  expect((await json('watch', 'h100-80g.1x')).flavor).toBe('h100-80g.1x')
  expect((await json('open', 'billing')).page).toBe('billing')
  expect((await json('end', 'eval-nightly', '--idle', '2h')).end).toMatchObject({ idle: 7_200 })
  expect((await json('end', 'eval-nightly', '--cancel')).end).toBeNull()
  expect((await wheelhouse('doctor')).output).toMatch(/^Application +ok/)

  expect(await wheelhouse('run', 'eval-nightly', '--', 'echo', 'over ssh')).toMatchObject({
    code: 0,
    output: 'over ssh\n',
  })
  expect((await wheelhouse('ssh', 'eval-nightly', '--', 'exit 7')).code).toBe(7)
  const file = join(folder, 'copied.txt')
  writeFileSync(file, 'a copy')
  expect((await wheelhouse('cp', file, 'eval-nightly:/tmp/')).code).toBe(0)
  expect((await wheelhouse('run', 'eval-nightly', '--', 'cat', '/tmp/copied.txt')).output).toBe('a copy')

  expect(await failure(7, 'delete', 'eval-nightly')).toBe('notConfirmed')
  expect((await json('stop', 'eval-nightly')).outcome).toBe('done')
  await expect
    .poll(async () => (await wheelhouse('start', 'eval-nightly')).code, { timeout: 200_000 })
    .toBe(0)
  expect((await json('delete', 'eval-nightly', '--yes-delete', 'eval-nightly')).outcome).toBe('done')
})

test('two agents and the command line at once, by the official client', async () => {
  const words = [...startFlags(userData), 'mcp']
  const clients = await Promise.all(
    ['first', 'second'].map((name) => agentClientOf(packagedProgram, words, name)),
  )
  const [[first, second], listed] = await Promise.all([
    Promise.all(clients.map((client) => client.callTool({ name: 'list_machines', arguments: {} }))),
    json('ls'),
  ])
  for (const answer of [first, second])
    expect(outputs.ls.parse(answer?.structuredContent).machines).toHaveLength(listed.machines.length)
  const refused = await clients[0]?.callTool({
    name: 'stop_machine',
    arguments: { machine: listed.machines[0]?.name },
  })
  expect(JSON.stringify(refused)).toContain('not-allowed')
  await Promise.all(clients.map((client) => client.close()))
})

test('the inspector of the Model Context Protocol lists, reads and calls', async () => {
  const node = await provideNewNode()
  const inspector = await install(
    '@modelcontextprotocol/inspector',
    '2.12.0',
    'clients/launcher/build/index.js',
  )
  const inspect = async (...words: readonly string[]): Promise<unknown> => {
    const target = [packagedProgram, ...startFlags(userData), 'mcp']
    const ran = await runWith({ ...withoutDisplay, HOME: folder }, node, [
      inspector,
      '--cli',
      ...words,
      '--',
      ...target,
    ])
    expect(ran.code, `${words.join(' ')}: ${ran.errors}${ran.output}`).toBe(0)
    return JSON.parse(ran.output)
  }
  const { tools } = z
    .object({ tools: z.array(z.object({ name: z.string() })) })
    .parse(await inspect('--method', 'tools/list', '--strict'))
  expect(tools.map(({ name }) => name)).toContain('create_machine')
  expect(JSON.stringify(await inspect('--method', 'resources/list'))).toContain('wheelhouse://machines')
  expect(
    JSON.stringify(await inspect('--method', 'resources/read', '--uri', 'wheelhouse://machines')),
  ).toContain('train-llama-01')
  expect(JSON.stringify(await inspect('--method', 'tools/call', '--tool-name', 'cost'))).toContain(
    'currencies',
  )
})

test('scenarios of the MCP conformance suite without own tools pass over a public bridge to HTTP', async () => {
  const node = await provideNewNode()
  const conformance = await install('@modelcontextprotocol/conformance', '0.1.16', 'dist/index.js')
  const bridge = await install('supergateway', '4.0.0', 'dist/index.js')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  await new Promise((resolve) => server.close(resolve))
  const command = [packagedProgram, ...startFlags(userData), 'mcp'].map((word) => `'${word}'`).join(' ')
  const bridging = spawn(
    node,
    [bridge, '--stdio', command, '--outputTransport', 'streamableHttp', '--stateful', '--port', port],
    { env: withoutDisplay, stdio: 'ignore' },
  )
  try {
    const url = `http://127.0.0.1:${port}/mcp`
    await expect
      .poll(() =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    for (const scenario of ['server-initialize', 'ping', 'tools-list', 'resources-list']) {
      const ran = await runWith(process.env, node, [
        conformance,
        'server',
        '--url',
        url,
        '--scenario',
        scenario,
      ])
      expect(ran.code, `${scenario}: ${ran.output}${ran.errors}`).toBe(0)
    }
  } finally {
    bridging.kill()
  }
})

test('with a locked keychain the window opens, and commands of the sandbox answer', async () => {
  await application?.quit()
  await lockKeyring()
  try {
    await startApplication()
    expect((await json('ls')).machines.length).toBeGreaterThan(3)
  } finally {
    await unlockKeyring()
  }
})
