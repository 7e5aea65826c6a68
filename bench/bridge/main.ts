// Runs both sides in one Electron, each with its own window. Prints the milliseconds of each round.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, BrowserWindow, ipcMain, protocol } from 'electron'
import { channels } from '../../src/shared/bridge/index'
import type { FleetStatus, MachineView } from '../../src/shared/bridge/fleet'
import { listRevisions } from '../../src/main/core/list-revisions'
import { hostCalls, trustedSender } from '../../src/main/desktop/bridge-host'
import { alternate, elapsed } from '../support/compare'
import { account, changedMachines, machinesOf } from './fleet'

const [count = 10_000, rounds = 60] = process.argv.filter((word) => /^\d+$/.test(word)).map(Number)
const origin = 'app://bench'
const status: FleetStatus = { asOf: 1_790_000_000, reading: false, total: count, failure: null }

async function open(page: string, preload: string): Promise<BrowserWindow> {
  const window = new BrowserWindow({
    webPreferences: { preload: join(__dirname, preload), sandbox: true, contextIsolation: true },
  })
  await window.loadURL(`${origin}/${page}`)
  return window
}

async function measure() {
  const ours = await open('page.js', 'preload.cjs')
  const bare = await open('bare-page.js', 'bare-preload.cjs')
  const answer = hostCalls(trustedSender((contents) => contents === ours.webContents, origin))
  let machines = machinesOf(count)
  const list = listRevisions<MachineView, FleetStatus>(account, status, (change) =>
    ours.webContents.send(channels.event, 'fleet.changed', change),
  )
  answer(() => Promise.resolve({ ok: true, value: { ...list.revision(), machines: list.views() } }))
  ipcMain.handle('list', () => [...machines.values()])
  list.replace(machines, status)

  const ask = async (window: BrowserWindow, code: string): Promise<unknown> => {
    const result: unknown = await window.webContents.executeJavaScript(code)
    return result
  }
  const read = (window: BrowserWindow) => () =>
    elapsed(async () => {
      if ((await ask(window, 'snapshot()')) !== count) throw new Error('not all machines came')
    })
  const snapshot = await alternate({ rounds: 10, ours: read(ours), yardstick: read(bare) })

  let round = 0
  /** Measures from the change in main to the page's message that its list has it. */
  const follow = async (window: BrowserWindow, send: (upserts: readonly MachineView[]) => void) => {
    const upserts = changedMachines(machines, (round += 1))
    machines = new Map([...machines, ...upserts.map((one) => [one.id, one] as const)])
    // The promise exists once this call has an answer; later requests come later.
    const arrived = ask(window, 'nextChange()')
    await ask(window, '0')
    const spent = await elapsed(async () => {
      send(upserts)
      await arrived
    })
    const [one] = upserts
    if ((await ask(window, `statusOf(${JSON.stringify(one?.id)})`)) !== one?.status)
      throw new Error('the list is not true')
    return spent
  }
  const toBare = () => follow(bare, (upserts) => bare.webContents.send('changed', upserts))
  let revision = list.revision().revision
  const changed = await alternate({
    rounds,
    warmUp: 5,
    ours: () =>
      follow(ours, (upserts) => {
        const change = { account, revision: (revision += 1), upserts: [...upserts], removes: [], status }
        ours.webContents.send(channels.event, 'fleet.changed', change)
      }),
    yardstick: toBare,
  })
  list.replace(machines, status)
  await ask(ours, 'snapshot()')
  const compared = await alternate({
    rounds,
    warmUp: 5,
    ours: () => follow(ours, () => list.replace(machines, status)),
    yardstick: toBare,
  })
  return { snapshot, changed, compared }
}

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
void app.whenReady().then(() => {
  protocol.handle('app', ({ url }) => {
    const script = readFileSync(join(__dirname, new URL(url).pathname), 'utf8')
    return new Response(`<!doctype html><script>${script}</script>`, {
      headers: { 'content-type': 'text/html' },
    })
  })
  measure()
    .then((measured) => process.stdout.write(`${JSON.stringify(measured)}\n`))
    .catch((error: unknown) => console.error(error))
    .finally(() => app.quit())
})
