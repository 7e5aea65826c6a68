import { describe, expect, it } from 'vitest'
import { type Failure, FailureError } from '#shared/failure'
import type { Volume } from '#shared/service/volume'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createVolumeCreation } from './create'
import { openPendingCreations } from './pending-creations'
import { newView } from './views'

const account = 'abcdefghijkl'
const sit = (
  post: () => Promise<Volume> = () => Promise.resolve({ id: 'v1' }),
  failure: Failure | null = null,
) => {
  const settings = flakySettings()
  const pending = openPendingCreations(settings, fakeClock(1000))
  let posts = 0
  const { create } = createVolumeCreation({
    pending,
    now: () => 1000,
    report: () => undefined,
    post: () => {
      posts += 1
      return post()
    },
    read: () => Promise.resolve({ views: [], ids: [], isWhole: failure === null, failure }),
    keep: () => undefined,
  })
  const send = (request = 'r1', again: string[] = []) =>
    create({
      account,
      request,
      again,
      regionName: null,
      volume: { display_name: 'mine', region_id: 'r', type_id: 't', size: 10 },
    })
  return { settings, pending, send, posts: () => posts }
}

describe('the creation of a volume', () => {
  it('asks about an earlier creation of the same form or name, and sends nothing', async () => {
    let answer: (volume: Volume) => void = () => undefined
    const { send, pending, posts } = sit(() => new Promise((resolve) => (answer = resolve)))
    const question = { failure: { field: 'volume.display_name', reason: 'outcome-open' } }
    const first = send()
    expect(pending.list(account)).toMatchObject([{ request: 'r1', name: 'mine', state: 'sending' }])
    await expect(send()).rejects.toMatchObject(question)
    await expect(send('r2')).rejects.toMatchObject(question)
    await expect.poll(posts).toBe(1)
    answer({ id: 'v1' })
    expect(await first).toEqual({ kind: 'created', volume: 'v1' })
    expect(pending.list(account)).toEqual([])
    expect(posts()).toBe(1)
  })

  it('accepts one confirmation for one volume, however often it is pressed', async () => {
    const { send, pending, posts } = sit(() =>
      Promise.reject(new FailureError({ kind: 'timed-out', host: 'a', seconds: 9 })),
    )
    await send()
    const [{ id } = { id: '' }] = pending.list(account)
    const answers = await Promise.allSettled([send('r1', [id]), send('r1', [id]), send('r2', [id])])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(posts()).toBe(2)
  })
})

it('does not match a volume that could not be read before', async () => {
  const pending = openPendingCreations(flakySettings(), fakeClock(1000))
  const { create } = createVolumeCreation({
    pending,
    now: () => 1000,
    report: () => undefined,
    post: () => Promise.reject(new FailureError({ kind: 'timed-out', host: 'a', seconds: 9 })),
    read: () => Promise.resolve({ views: [], ids: ['odd'], isWhole: true, failure: null }),
    keep: () => undefined,
  })
  await create({
    account,
    request: 'r1',
    again: [],
    regionName: null,
    volume: { display_name: 'mine', region_id: 'r', type_id: 't', size: 10 },
  })
  await pending.compare(account, [{ ...newView('odd'), displayName: 'mine' }])
  expect(pending.list(account)).toMatchObject([{ name: 'mine', state: 'unknown' }])
})

describe('the creation of a volume when the disk refuses writes', () => {
  it('sends nothing and leaves no pending creation', async () => {
    const { settings, pending, send, posts } = sit()
    settings.fail(1)
    await expect(send()).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
    expect([posts(), pending.list(account)]).toEqual([0, []])
    expect(await send()).toEqual({ kind: 'created', volume: 'v1' })
  })

  it('is reported as created once the volume exists', async () => {
    const { settings, pending, send } = sit()
    settings.fail(2)
    expect(await send()).toEqual({ kind: 'created', volume: 'v1' })
    expect(pending.list(account)).toEqual([])
  })

  it('is reported as unanswered if no answer came', async () => {
    const { settings, send } = sit(() =>
      Promise.reject(new FailureError({ kind: 'timed-out', host: 'a', seconds: 9 })),
    )
    settings.fail(2)
    expect(await send()).toMatchObject({ kind: 'unknown', failure: { kind: 'timed-out' } })
  })
})

describe('the creation of a volume when the volumes cannot be read', () => {
  const created = () => Promise.resolve({ id: 'v1' })

  it.each<Failure>([
    { kind: 'refused-by-service', message: 'no', status: 404 },
    { kind: 'unexpected-answer', expected: 'a JSON answer', received: 'HTTP 404, text/html', status: 404 },
    { kind: 'forbidden' },
  ])('works: $kind', async (failure) => {
    expect(await sit(created, failure).send()).toEqual({ kind: 'created', volume: 'v1' })
  })

  it.each<Failure>([
    { kind: 'not-signed-in', reason: 'expired' },
    { kind: 'offline' },
    { kind: 'rate-limited', retryAfter: 9 },
  ])('sends nothing where the service would not answer either: $kind', async (failure) => {
    const { send, posts } = sit(created, failure)
    await expect(send()).rejects.toMatchObject({ failure })
    expect(posts()).toBe(0)
  })
})
