import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { installation, type Start } from '../../../test/fixtures/private-documents'
import { createActivity } from './index'

const account = 'abcdefghijkl'
const never = () => () => undefined
const open = ({ documents, reports }: Start) =>
  createActivity({
    accounts: { view: () => ({ accounts: [], selected: null }), onChange: never },
    fleet: { onChange: never },
    volumes: { onChange: never },
    documents,
    clock: fakeClock(1_000_000),
    report: (action) => expect.fail(`${action}: ${reports.join()}`),
  })
const added = (name: string) => ({ kind: 'machine-new', machine: name, name, status: null }) as const
const namesOf = async ({ handlers }: ReturnType<typeof open>) =>
  (await handlers['activity.list']({ account })).map(({ event }) => 'name' in event && event.name)

it('activities are listed after a restart, after newer ones, until the account is forgotten', async () => {
  const { start } = installation()
  const first = start()
  const before = open(first)
  await first.open()
  before.add(account, added('first'))
  before.add(account, added('second'))
  expect(await namesOf(before)).toEqual(['second', 'first'])
  await first.quit()

  const second = start()
  const after = open(second)
  after.add(account, added('third'))
  const listed = namesOf(after)
  await second.open()
  expect(await listed).toEqual(['third', 'second', 'first'])
  await after.forgetAccount(account)
  expect(await namesOf(after)).toEqual([])
})
