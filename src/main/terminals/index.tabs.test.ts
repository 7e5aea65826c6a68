import { expect, it } from 'vitest'
import { installation } from '../../../test/fixtures/private-documents'
import { facts, program, setUp } from '../../../test/fixtures/terminals-harness'

it('renaming a tab trims its title, and rejects a title that is too long', async () => {
  const harness = setUp()
  const session = await harness.open()
  const rename = (title: string | null) => harness.terminals.handlers['terminal.rename']({ session, title })
  expect(await rename('  Training ')).toMatchObject([{ title: 'Training' }])
  await expect(rename('x'.repeat(61))).rejects.toMatchObject({
    failure: { kind: 'invalid-input', field: 'title', reason: 'too-long' },
  })
  expect(await harness.terminals.handlers['terminal.sessions']({})).toMatchObject([{ title: 'Training' }])
  expect(await rename(' ')).toMatchObject([{ title: null }])
  expect(await rename('\u200B\u3164 \u00AD')).toMatchObject([{ title: null }])
})

it('closing a pane leaves the other pane of its tab running', async () => {
  const harness = setUp()
  const prepare = () => Promise.resolve(program)
  const first = await harness.open()
  const second = await harness.terminals.open({ ...facts, prepare, beside: { session: first, way: 'below' } })
  await harness.terminals.handlers['terminal.rename']({ session: first, title: 'Training' })
  const left = await harness.terminals.handlers['terminal.close']({ session: first })
  expect(left).toMatchObject([{ id: second, title: 'Training', beside: null, state: { kind: 'running' } }])
  expect(harness.programs.map(({ isKilled }) => isKilled)).toEqual([true, false])
  // The pane to split may be closed while the new one connects.
  await harness.terminals.open({ ...facts, prepare, beside: { session: first, way: 'right' } })
  const sessions = await harness.terminals.handlers['terminal.sessions']({})
  expect(sessions.map(({ beside }) => beside)).toEqual([null, null])
})

it('a kept session gets its title again once the titles are loaded', async () => {
  const { start, plainText } = installation()
  const kept = 'wheelhouse-0a1b2c3d'
  const first = start()
  await first.open()
  const before = setUp(undefined, first.documents)
  const { 'terminal.rename': rename } = before.terminals.handlers
  await rename({ session: await before.open(kept), title: 'Training' })
  await rename({ session: await before.open(), title: 'Passing' })
  await first.quit()
  expect(plainText()).not.toContain('Training')

  const second = start()
  const { terminals, open } = setUp(undefined, second.documents)
  await open(kept)
  await open()
  const titles = async () => (await terminals.handlers['terminal.sessions']({})).map(({ title }) => title)
  expect(await titles()).toEqual([null, null])
  await second.open()
  // The tab of the other session is restored, too.
  expect(await titles()).toEqual(['Passing', 'Training', null])
})
