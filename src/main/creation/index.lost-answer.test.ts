import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openCreation } from '../../../test/fixtures/creation-harness'
import { orderFor } from '../../../test/fixtures/creation-order'
import { eagerClock } from '../../../test/fixtures/fake-clock'

it('requests a refused list less and less often, and writes the failure once', async () => {
  const sandbox = await runSandbox()
  const office = await setUp()
  const { id: account } = await connectWithToken(office, sandbox)
  const { flavors, images } = office.accounts.service(account)
  const machine = orderFor(await flavors.list(), await images.list(), 'train-1')
  let begin = (): void => undefined
  const isRefused = new Promise<void>((resolve) => (begin = resolve))
  let seen = (): void => undefined
  const isAskedSeldom = new Promise<void>((resolve) => (seen = resolve))
  const eager = eagerClock(undefined, () => isRefused)
  const pauses: number[] = []
  const clock = {
    ...eager,
    after: (seconds: number, task: () => void) => {
      pauses.push(seconds)
      if (pauses.filter((one) => one === 300).length > 1) seen()
      return eager.after(seconds, task)
    },
  }
  const { harness } = await openCreation({ accounts: office.accounts, clock })
  await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'before', method: 'POST' })
  const refused = { kind: 'status', status: 403, method: 'GET', path: '/virtual-machines', count: 10_000 }
  let changes = 0
  harness.onChange(() => (changes += 1))
  await harness.handlers['machine.create']({
    request: randomUUID(),
    account,
    again: [],
    identityFile: null,
    machine,
  })
  await control(sandbox, 'POST', '/faults', refused)
  begin()
  await isAskedSeldom
  expect(pauses.filter((seconds) => seconds === 10).length).toBeLessThanOrEqual(61)
  expect(harness.list(account)).toMatchObject([{ state: { kind: 'looking', failure: { status: 403 } } }])
  expect(changes).toBeLessThan(15)
  harness.close()
})
