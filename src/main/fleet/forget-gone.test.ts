import { expect, it, onTestFinished } from 'vitest'
import { connect, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createFleet } from './index'
import { forgetGone } from './forget-gone'

const metal = 'metal-that-is-not-listed'

it('deletes the data of a machine that was deleted while the application was closed, and of no other', async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const account = (await connect(harness, sandbox)).id
  const service = harness.accounts.service(account)
  const clock = fakeClock(1_795_269_600)
  const fleet = createFleet({ accounts: harness.accounts, clock, online: () => true })
  onTestFinished(() => fleet.close())
  const listed = (await service.machines.list({ limit: 1 })).items.map(({ id }) => id)
  const remembered = new Set(['deleted-1', metal, ...listed])
  let onForgotten = (_ids: readonly string[]): void => undefined
  const forgotten = new Promise<readonly string[]>((resolve) => (onForgotten = resolve))
  onTestFinished(
    forgetGone({
      fleet,
      onGone: fleet.onGone,
      remembered: () => [...remembered],
      isListed: (_account, id) => fleet.view(account, id) !== undefined,
      details: [
        (_account, id) => service.machines.get(id),
        (_account, id) => (id === metal ? Promise.resolve({}) : service.bareMetal.get(id)),
      ],
      forget: (_account, ids) => {
        ids.forEach((id) => remembered.delete(id))
        onForgotten(ids)
        return Promise.resolve()
      },
      report: (error) => expect.fail(String(error)),
    }),
  )
  const read = async (): Promise<void> => {
    clock.advance(60)
    await fleet.refresh(account)
  }
  const asked = async (id: string): Promise<number> =>
    (await requestsTo(sandbox)).filter((one) => one.includes(`/virtual-machines/${id}`)).length

  await read()
  expect(await asked('deleted-1')).toBe(0)
  await read()
  expect(await forgotten).toEqual(['deleted-1'])
  expect([...remembered]).toEqual([metal, ...listed])

  // An id of unknown kind is requested once, not at each reading.
  await read()
  await read()
  expect(await asked(metal)).toBe(1)
})
