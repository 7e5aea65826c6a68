import { expect, it } from 'vitest'
import type { LoginItem } from '#shared/bridge/app'
import { createLoginItem } from './index'

it('a change returns the state that the system reports afterwards', async () => {
  let state: LoginItem = { kind: 'off' }
  const { handlers } = createLoginItem({
    loginItem: { read: () => state, change: () => void (state = { kind: 'needs-approval' }) },
  })
  expect(await handlers['loginItem.read']()).toEqual({ kind: 'off' })
  expect(await handlers['loginItem.change']({ isOn: true })).toEqual({ kind: 'needs-approval' })
})

it('a refusal of the system is a failure of this computer', async () => {
  const { handlers } = createLoginItem({
    loginItem: { read: () => ({ kind: 'off' }), change: () => Promise.reject(new Error('EACCES')) },
  })
  await expect(handlers['loginItem.change']({ isOn: true })).rejects.toMatchObject({
    failure: { kind: 'local-fault', action: 'loginItem.change', reason: 'EACCES' },
  })
})
