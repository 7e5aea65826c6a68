import { expect, it } from 'vitest'
import type { TerminalSession } from '#shared/bridge/terminal'
import { FailureError } from '#shared/failure'
import { installation } from '../../../test/fixtures/private-documents'
import { facts, program, setUp } from '../../../test/fixtures/terminals-harness'

const kept = 'wheelhouse-0a1b2c3d'
const restored = { kind: 'restored' } as const

/** Runs the application several times with the same folder. */
function runs() {
  const installed = installation()
  return {
    ...installed,
    /** `opensStore`: false: the tabs of the earlier run are not loaded yet. */
    async run(opensStore = true) {
      const start = installed.start()
      if (opensStore) await start.open()
      const all = setUp(undefined, start.documents)
      const call = all.terminals.handlers
      const sessions = async (): Promise<TerminalSession[]> => call['terminal.sessions']({})
      return {
        ...all,
        start,
        call,
        sessions,
        async quit() {
          all.terminals.close()
          await start.quit()
        },
      }
    },
  }
}
const shapeOf = (sessions: readonly TerminalSession[]) =>
  sessions.map(({ id, title, beside, kept: name }) => ({ id, title, beside, kept: name }))

it('dividers between panes keep their positions over a restart', async () => {
  const { run } = runs()
  const first = await run()
  const prepare = () => Promise.resolve(program)
  const tab = await first.open()
  const pane = await first.terminals.open({ ...facts, prepare, beside: { session: tab, way: 'right' } })
  await first.call['terminal.moveDivider']({ session: pane, share: 0.3 })
  await first.quit()
  const second = await run()
  expect((await second.sessions())[1]?.beside).toEqual({ session: tab, way: 'right', share: 0.3 })
  await second.quit()
})

it('tabs are restored after a restart with their titles and panes, without programs', async () => {
  const { run, plainText } = runs()
  const first = await run()
  const prepare = () => Promise.resolve(program)
  const tab = await first.open()
  await first.terminals.open({ ...facts, prepare, beside: { session: tab, way: 'below' } })
  await first.open(kept)
  await first.call['terminal.rename']({ session: tab, title: 'Training' })
  first.last().listener.output(Buffer.from('printed-secret'))
  const before = shapeOf(await first.sessions())
  await first.quit()
  for (const text of ['Training', facts.destination, 'printed-secret'])
    expect(plainText()).not.toContain(text)

  const second = await run()
  const after = await second.sessions()
  expect(shapeOf(after)).toEqual(before)
  expect(after).toMatchObject([
    { ...facts, title: 'Training', state: restored },
    { beside: { session: tab, way: 'below' }, state: restored },
    { kept, state: restored },
  ])
  expect(second.programs).toEqual([])
  expect(second.terminals.unfinished()).toEqual([])
})

it('a tab of the earlier run is reconnected with the program of its machine and kept session', async () => {
  const { run } = runs()
  const first = await run()
  const [plain, attached] = [await first.open(), await first.open(kept)]
  await first.quit()

  const second = await run()
  const requested: unknown[] = []
  second.terminals.runIn((tab) => {
    requested.push([tab.account, tab.machine, tab.kept])
    return () => Promise.resolve(program)
  })
  const states = async () => (await second.sessions()).map(({ state }) => state.kind)
  await second.call['terminal.reconnect']({ session: plain })
  expect(await states()).toEqual(['running', 'restored'])
  await second.call['terminal.reconnect']({ session: attached })
  expect(await states()).toEqual(['running', 'running'])
  expect(requested).toEqual([
    [facts.account, facts.machine, null],
    [facts.account, facts.machine, kept],
  ])
})

it('opening a kept session attaches it in its tab of the earlier run', async () => {
  const { run } = runs()
  const first = await run()
  const tab = await first.open(kept)
  await first.quit()
  const second = await run()
  second.terminals.runIn(() => () => Promise.resolve(program))
  expect(await second.open(kept)).toBe(tab)
  await expect.poll(second.sessions).toMatchObject([{ id: tab, state: { kind: 'running' } }])
})

it('a tab that cannot be reconnected reports why and can be tried again', async () => {
  const { run } = runs()
  const first = await run()
  const tab = await first.open()
  await first.quit()
  const second = await run()
  const failure = { kind: 'invalid-input', field: 'machine', reason: 'unknown' } as const
  let isThere = false
  second.terminals.runIn(
    () => () => (isThere ? Promise.resolve(program) : Promise.reject(new FailureError(failure))),
  )
  await second.call['terminal.reconnect']({ session: tab })
  expect(await second.sessions()).toMatchObject([{ state: { kind: 'failed', failure } }])
  isThere = true
  await second.call['terminal.reconnect']({ session: tab })
  expect(await second.sessions()).toMatchObject([{ state: { kind: 'running' } }])
})

it('a closed tab is not restored, but its other pane and the tabs of other accounts are', async () => {
  const { run } = runs()
  const first = await run()
  const prepare = () => Promise.resolve(program)
  const tab = await first.open()
  const pane = await first.terminals.open({ ...facts, prepare, beside: { session: tab, way: 'right' } })
  const gone = await first.terminals.open({ ...facts, prepare, account: 'b1b2c3d4e5f6' })
  const other = await first.terminals.open({ ...facts, prepare, account: 'c1b2c3d4e5f6' })
  await first.call['terminal.close']({ session: tab })
  await first.terminals.forgetAccount('b1b2c3d4e5f6')
  await first.quit()

  const second = await run()
  expect(shapeOf(await second.sessions())).toMatchObject([{ id: pane, beside: null }, { id: other }])
  expect((await second.sessions()).map(({ id }) => id)).not.toContain(gone)
  await second.call['terminal.close']({ session: pane })
  await second.quit()
  const third = await run()
  expect((await third.sessions()).map(({ id }) => id)).toEqual([other])
})

it('tabs that load late come before the tabs that were opened meanwhile', async () => {
  const { run } = runs()
  const first = await run()
  const earlier = await first.open()
  await first.quit()
  const second = await run(false)
  const opened = await second.open()
  expect((await second.sessions()).map(({ id }) => id)).toEqual([opened])
  await second.start.open()
  await expect.poll(async () => (await second.sessions()).map(({ id }) => id)).toEqual([earlier, opened])
  await second.quit()
  const third = await run()
  expect((await third.sessions()).map(({ id }) => id)).toEqual([earlier, opened])
})
