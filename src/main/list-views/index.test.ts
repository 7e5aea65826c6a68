import { expect, it } from 'vitest'
import { installation, type Start } from '../../../test/fixtures/private-documents'
import { createListViews } from './index'

const account = 'abcdefghijkl'
const other = 'bcdefghijklm'
const view = { filter: 'finetune-canary', selected: ['m1'], sorting: { key: 'name', descending: true } }

const open = ({ documents }: Start, ids: readonly string[] = [account, other]) =>
  createListViews({
    accounts: { view: () => ({ accounts: ids.map((id) => ({ id })) }) },
    documents,
  })

it('views survive a restart by account and list, encrypted', async () => {
  const { start, plainText } = installation()
  const first = start()
  await first.open()
  const { handlers } = open(first)
  await handlers['listViews.change']({ account, list: 'machines', view })
  await handlers['listViews.change']({ account, list: 'machines', view: { filter: 'canary-two' } })
  await handlers['listViews.change']({ account, list: 'volumes', view: { tab: 'cost' } })
  await first.quit()
  expect(plainText()).not.toContain('canary')

  const second = start()
  await second.open()
  const again = open(second)
  expect(again.handlers['listViews.read']({ account })).toEqual({
    machines: { ...view, filter: 'canary-two' },
    volumes: { tab: 'cost' },
  })
  expect(again.handlers['listViews.read']({ account: other })).toEqual({})
})

it('views that become readable later are pushed, under the changes since the start', async () => {
  const { start } = installation()
  const first = start()
  await first.open()
  await open(first).handlers['listViews.change']({ account, list: 'machines', view })
  await first.quit()

  const second = start()
  const late = open(second)
  const pushed: unknown[] = []
  late.events['listViews.loaded']((payload) => pushed.push(payload))
  await late.handlers['listViews.change']({ account, list: 'machines', view: { filter: '' } })
  expect(pushed).toEqual([])
  await second.open()
  expect(pushed).toEqual([{ account, views: { machines: { ...view, filter: '' } } }])
})

it('a removed account has no views, even if the window sends one more', async () => {
  const start = installation().start()
  await start.open()
  const views = open(start, [account])
  await views.handlers['listViews.change']({ account, list: 'machines', view })
  await views.forgetAccount(account)
  await views.handlers['listViews.change']({ account: other, list: 'machines', view })
  expect(views.handlers['listViews.read']({ account })).toEqual({})
  expect(views.handlers['listViews.read']({ account: other })).toEqual({})
})
