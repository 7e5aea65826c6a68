import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { usd, wasteItem } from '../../../test/gallery/world'
import { openSettings } from '../store/settings'
import { createEndedWaste } from './ended-waste'

const account = 'a'
const day = 86_400
const ids = (...all: string[]): ReadonlySet<string> => new Set(all)
const none = ids()

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-ended-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clock = fakeClock(100 * day)
  const report = (action: string, error: unknown): never => expect.fail(`${action}: ${String(error)}`)
  const start = () => {
    const documents = openSettings(folder)
    onTestFinished(() => documents.close())
    return { ended: createEndedWaste({ documents, now: clock.now, report }), close: documents.close }
  }
  return { clock, start }
}
const [idle, volume] = [wasteItem('idle', { soFar: usd(40) }), wasteItem('volume', { soFar: usd(2) })]

it('the waste of an ended resource stays for 30 days, also after a restart', async () => {
  const { clock, start } = await open()
  const { ended, close } = start()
  expect(ended.follow(account, [idle, volume], { charged: ids('idle', 'volume'), leaving: none })).toEqual([])
  expect(ended.follow(account, [volume], { charged: ids('volume'), leaving: none })).toEqual([usd(40)])
  expect(ended.follow(account, [], { charged: none, leaving: none })).toEqual([usd(42)])
  await close()
  const again = start().ended
  clock.advance(30 * day - 1)
  expect(again.costs(account)).toEqual([usd(42)])
  clock.advance(1)
  expect(again.costs(account)).toEqual([])
})

it('a resource that left its list counts while it is still charged, and once when it is not', async () => {
  const { start } = await open()
  const { ended } = start()
  ended.follow(account, [idle], { charged: ids('idle'), leaving: none })
  const leaving = { charged: ids('idle'), leaving: ids('idle') }
  expect(ended.follow(account, [], leaving)).toEqual([usd(40)])
  expect(ended.follow(account, [], leaving)).toEqual([usd(40)])
  const gone = { charged: none, leaving: none }
  expect(ended.follow(account, [], gone)).toEqual([usd(40)])
  expect(ended.follow(account, [], gone)).toEqual([usd(40)])
  // A resource that is back counts by itself.
  expect(ended.follow(account, [idle], { charged: ids('idle'), leaving: none })).toEqual([])
})

it('a resource that is used again counts for ten minutes, and a forgotten account has no waste', async () => {
  const { clock, start } = await open()
  const { ended } = start()
  ended.follow(account, [idle, volume], { charged: ids('idle', 'volume'), leaving: none })
  // While a volume is deleted, it is charged and no waste.
  const charged = { charged: ids('idle'), leaving: none }
  expect(ended.follow(account, [], charged)).toEqual([usd(42)])
  clock.advance(599)
  expect(ended.follow(account, [], charged)).toEqual([usd(42)])
  clock.advance(1)
  expect(ended.follow(account, [], charged)).toEqual([usd(2)])
  expect(ended.follow(account, [], { charged: none, leaving: none })).toEqual([usd(2)])
  await ended.forgetAccount(account)
  expect(ended.costs(account)).toEqual([])
})

it('a resource that seems to have ended and is back counts once when it ends', async () => {
  const { clock, start } = await open()
  const { ended } = start()
  const gone = { charged: none, leaving: none }
  ended.follow(account, [volume], { charged: ids('volume'), leaving: none })
  expect(ended.follow(account, [], gone)).toEqual([usd(2)])
  clock.advance(3_600)
  const later = { ...volume, soFar: usd(3) }
  expect(ended.follow(account, [later], { charged: ids('volume'), leaving: none })).toEqual([])
  expect(ended.follow(account, [], gone)).toEqual([usd(3)])
})

it('a machine that was used again adds its new waste to its earlier waste', async () => {
  const { clock, start } = await open()
  const { ended } = start()
  const idleSince = (since: number, soFar: number) =>
    wasteItem('idle', { soFar: usd(soFar), reason: { kind: 'idle', since, held: null } })
  const charged = { charged: ids('idle'), leaving: none }
  const gone = { charged: none, leaving: none }
  ended.follow(account, [idleSince(clock.now() - 3_600, 40)], charged)
  expect(ended.follow(account, [], gone)).toEqual([usd(40)])
  clock.advance(7_200)
  expect(ended.follow(account, [idleSince(clock.now() - 3_600, 5)], charged)).toEqual([usd(40)])
  expect(ended.follow(account, [], gone)).toEqual([usd(45)])
})
