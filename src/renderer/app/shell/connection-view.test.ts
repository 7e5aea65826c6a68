import { describe, expect, it } from 'vitest'
import type { AccountView } from '#shared/bridge/account'
import type { FleetStatus } from '#shared/bridge/fleet'
import { connectionView } from './connection-view'

const account: AccountView = {
  id: 'a1b2c3d4e5f6',
  label: 'research-lab',
  baseUrl: 'https://api.example.com/api/v1',
  credential: 'password',
  username: 'anna',
  sandbox: false,
  state: 'signed-in',
  staysSignedIn: true,
  heldUntil: null,
  failure: null,
}
const status: FleetStatus = { asOf: 1000, reading: false, total: 3, failure: null }
const timedOut = { kind: 'timed-out', host: 'api.example.com', seconds: 20 } as const

describe('connectionView', () => {
  it('is connected, with the time of the last reading', () => {
    expect(connectionView(account, status, null, true, 1010)).toMatchObject({
      tone: 'good',
      title: 'common.connection.connected',
      asOf: 1000,
    })
  })
  it('is overdue from the reported time on, unless a failure explains it', () => {
    const late = { ...status, overdueAt: 1045 }
    const at = (now: number, shown: FleetStatus = late) => connectionView(account, shown, null, true, now)
    expect(at(1044)).toMatchObject({ tone: 'good', title: 'common.connection.connected' })
    expect(at(1045)).toMatchObject({ tone: 'late', title: 'common.connection.overdue', asOf: 1000 })
    expect(at(1045, { ...late, failure: timedOut }).tone).toBe('bad')
    expect(at(9999, status).tone).toBe('good')
  })
  it('is reading until the first reading is complete', () => {
    expect(connectionView(account, null, null, true, 1010).title).toBe('common.connection.reading')
  })
  it('is stale after a failure, with the time of the last good reading', () => {
    expect(connectionView(account, { ...status, failure: timedOut }, null, true, 1010)).toEqual({
      tone: 'bad',
      title: 'common.connection.stale',
      asOf: 1000,
      failure: timedOut,
    })
  })
  it('is not connected if no reading succeeded', () => {
    expect(connectionView(account, null, timedOut, true, 1010).title).toBe('common.connection.failed')
  })
  it('is offline with the computer, except for the sandbox, which needs no network', () => {
    expect(connectionView(account, status, null, false, 1010).title).toBe('common.connection.offline')
    expect(connectionView({ ...account, sandbox: true }, status, null, false, 1010).tone).toBe('good')
  })
  it('is paused while the service requests a pause', () => {
    const paused = { kind: 'rate-limited', retryAfter: 40, until: 1060 } as const
    expect(
      connectionView({ ...account, heldUntil: 1060 }, { ...status, failure: paused }, null, true, 1010),
    ).toEqual({
      tone: 'moving',
      title: 'common.connection.paused',
      asOf: 1000,
      failure: null,
      until: 1060,
    })
  })
  it('reports a sign-out before any other state', () => {
    expect(connectionView({ ...account, state: 'signed-out' }, status, timedOut, false, 1010).title).toBe(
      'common.connection.signedOut',
    )
    expect(connectionView({ ...account, state: 'signing-in' }, null, null, true, 1010).tone).toBe('moving')
  })
})
