// From 43,200 points in each of six series, in the main process, to drawn charts; and a zoom step. In the
// application's own window. Yardstick: uPlot with all the points in the same window and run.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { _electron } from '@playwright/test'
import { build } from 'vite'
import { z } from 'zod'
import { root } from '../test/e2e/support/application'
import { startSandbox } from '../test/e2e/support/sandbox'
import { chooseToConnect, connect } from '../test/e2e/support/window'
import { runHere } from '../scripts/processes.mjs'
import { clientWith } from '../test/fixtures/service-client'
import { apiTokenHeaders } from '../src/main/service/login'
import { Metrics } from '../src/shared/service/metrics'
import { compare, finish } from './support/compare'

const goals = { draw: 0.8, zoom: 1.5 }
const rounds = Number(process.argv[2] ?? 30)

/** The unchanged application with one more page. */
async function buildApplication(folder: string): Promise<void> {
  const electronVite = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const out = join(folder, 'out')
  const arguments_ = [electronVite, 'build', '--outDir', out, '--logLevel', 'warn']
  if ((await runHere(process.execPath, arguments_, { cwd: root })) !== 0) throw new Error('the build failed')
  await build({
    root: join(root, 'bench/chart'),
    configFile: false,
    base: './',
    logLevel: 'warn',
    plugins: [vue()],
    html: { cspNonce: '__CSP_NONCE__' },
    build: { outDir: join(out, 'renderer/bench'), target: 'chrome130', minify: true, assetsInlineLimit: 0 },
  })
  cpSync(join(root, 'build'), join(folder, 'build'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const manifest = { name: 'wheelhouse-bench', version: '0.0.0', type: 'module', main: 'out/main/index.cjs' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
}

const Measured = z.object({ ours: z.array(z.number()), theirs: z.array(z.number()) })
const Result = z.object({ draw: Measured, again: Measured, zoom: Measured })
const Accounts = z.object({ ok: z.literal(true), value: z.object({ selected: z.string() }) })

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const service = await startSandbox()
try {
  await buildApplication(folder)
  const client = clientWith(service.baseUrl, apiTokenHeaders(service.apiToken)).service
  const { items } = await client.machines.list({ limit: 100 })
  const machine = items.find(({ name }) => name === 'serve-embeddings')?.id ?? ''
  const { cpu, memory, disk, network } = Metrics.parse(await client.machines.metrics(machine, '30d'))
  const numbers = (values: readonly (number | null | undefined)[]) => values.map((value) => value ?? 0)
  const raw = {
    times: cpu.data.map(({ time }) => time),
    cpu: numbers(cpu.data.map(({ value }) => value)),
    memory: numbers(memory.data.map(({ value }) => value)),
    diskRead: numbers(disk.data.map(({ read }) => read)),
    diskWrite: numbers(disk.data.map(({ write }) => write)),
    networkIn: numbers(network.data.map((entry) => entry.in)),
    networkOut: numbers(network.data.map(({ out }) => out)),
  }

  mkdirSync(join(folder, 'user-data'))
  const electron = await _electron.launch({
    executablePath: process.env.ELECTRON_EXEC_PATH ?? 'electron',
    args: [folder, `--user-data-dir=${join(folder, 'user-data')}`],
    chromiumSandbox: process.getuid?.() !== 0,
    colorScheme: null,
  })
  try {
    const window = await electron.firstWindow()
    await chooseToConnect(window)
    await connect(window, service)
    // The account's content decides which page comes first.
    await window.getByRole('link', { name: /^Machines/ }).waitFor()
    const accounts: unknown = await window.evaluate(`window.wheelhouse.call('accounts.list', {})`)
    const account = Accounts.parse(accounts).value.selected
    await electron.evaluate(async ({ BrowserWindow }) => {
      await BrowserWindow.getAllWindows()[0]?.loadURL('app://wheelhouse/bench/index.html')
    })
    const setup = { account, machine, raw, rounds }
    const answer: unknown = await window.evaluate(`measure(${JSON.stringify(setup)})`)
    const { draw, again, zoom } = Result.parse(answer)
    console.log(`${String(raw.times.length)} points in each of six series`)
    const of = (what: string, { ours, theirs }: z.infer<typeof Measured>, goal?: number): number =>
      compare(what, 'ms', { ours, yardstick: theirs }, goal)
    const standing = of('into charts that stand', again)
    const zoomed = of('a step of the zoom', zoom, goals.zoom)
    const ratio = of('new charts', draw, goals.draw)
    finish({ bench: 'chart', ratio, unit: 'ms', runs: rounds, goal: goals.draw, standing, zoom: zoomed })
  } finally {
    await electron.close()
  }
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}
