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
    expect(connectionView(account, status, null, true)).toMatchObject({
      tone: 'good',
      title: 'common.connection.connected',
      asOf: 1000,
    })
  })
  it('is reading until the first reading is complete', () => {
    expect(connectionView(account, null, null, true).title).toBe('common.connection.reading')
  })
  it('is stale after a failure, with the time of the last good reading', () => {
    expect(connectionView(account, { ...status, failure: timedOut }, null, true)).toEqual({
      tone: 'bad',
      title: 'common.connection.stale',
      asOf: 1000,
      failure: timedOut,
    })
  })
  it('is not connected if no reading succeeded', () => {
    expect(connectionView(account, null, timedOut, true).title).toBe('common.connection.failed')
  })
  it('is offline with the computer, except for the sandbox, which needs no network', () => {
    expect(connectionView(account, status, null, false).title).toBe('common.connection.offline')
    expect(connectionView({ ...account, sandbox: true }, status, null, false).tone).toBe('good')
  })
  it('is paused while the service requests a pause', () => {
    const paused = { kind: 'rate-limited', retryAfter: 40, until: 1060 } as const
    expect(
      connectionView({ ...account, heldUntil: 1060 }, { ...status, failure: paused }, null, true),
    ).toEqual({
      tone: 'moving',
      title: 'common.connection.paused',
      asOf: 1000,
      failure: null,
      until: 1060,
    })
  })
  it('reports a sign-out before any other state', () => {
    expect(connectionView({ ...account, state: 'signed-out' }, status, timedOut, false).title).toBe(
      'common.connection.signedOut',
    )
    expect(connectionView({ ...account, state: 'signing-in' }, null, null, true).tone).toBe('moving')
  })
})
