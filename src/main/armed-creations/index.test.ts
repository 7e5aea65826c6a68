import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  connectWithToken,
  control,
  requestsTo,
  runSandbox,
  setUp,
} from '../../../test/fixtures/account-harness'
import {
  account,
  armedWorld,
  creationOf,
  flavorOf,
  ids,
  orderOf,
  usd,
} from '../../../test/fixtures/armed-world'
import { openCreation } from '../../../test/fixtures/creation-harness'
import { draft, orderFor } from '../../../test/fixtures/creation-order'
import { settled } from '../../../test/fixtures/end-rules-world'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { openSettings } from '../store/settings'
import { createCatalog } from '../catalog/index'
import { createPrices } from '../catalog/prices'
import { createFlavorWatches } from '../catalog/watches'
import { createArmedCreations } from './index'

const [id] = ids
const hour = 3_600

/** A world with one armed creation whose flavor is sold out. */
async function open() {
  const world = armedWorld()
  const armed = world.open()
  armed.start()
  const now = world.clock.now()
  const terms = { cap: usd(4_000_000), expiresAt: now + hour }
  await armed.handlers['armedCreations.arm']({ ...orderOf(id), ...terms })
  const states = async (module = armed) =>
    (await module.handlers['armedCreations.list']({ account })).map(({ state }) => state)
  /** Lets a minute pass, in which the catalog is read once. */
  const minute = async (): Promise<void> => {
    world.clock.advance(60)
    await settled()
  }
  return { ...world, armed, terms, states, minute }
}

describe('an armed creation', () => {
  it('is sent once when its flavor is back, announced, and dropped', async () => {
    const { sent, notices, states, minute, alter } = await open()
    await minute()
    expect(sent).toEqual([])
    alter.flavor({ inStock: true })
    await minute()
    await minute()
    expect(sent.map((request) => request.id)).toEqual([id])
    expect(notices).toEqual(['train-1 is being created'])
    expect(await states()).toEqual([])
  })

  it('stays armed above its cap, reports the price once, and is sent when the price falls', async () => {
    const { sent, notices, states, minute, alter } = await open()
    alter.flavor({ inStock: true, gpuCount: 8 })
    await minute()
    await minute()
    expect(await states()).toMatchObject([
      { kind: 'waiting', delay: { why: 'above-cap', price: usd(16_000_000) } },
    ])
    expect(notices).toEqual(['h100.8x is in stock, but not at your price'])
    alter.flavor({ price: usd(500_000) })
    await minute()
    expect(sent).toHaveLength(1)
  })

  it('reports a price once, after the full disk has room for it', async () => {
    const { notices, minute, alter } = await open()
    alter.flavor({ inStock: true, price: usd(5_000_000) })
    alter.disk(true)
    await minute()
    await minute()
    expect(notices).toEqual([])
    alter.disk(false)
    await minute()
    expect(notices).toHaveLength(1)
  })

  it('ignores the catalog of another region', async () => {
    const { readRegion, notices, states, minute, alter } = await open()
    alter.flavor({ inStock: true, price: usd(5_000_000) })
    await minute()
    readRegion('eu')
    await settled()
    expect(await states()).toMatchObject([{ delay: { why: 'above-cap' } }])
    await minute()
    expect(notices).toHaveLength(1)
    readRegion('us')
    await settled()
    expect(await states()).toMatchObject([{ delay: null }])
  })

  it('expires with a notice, also during sleep, and can be armed again', async () => {
    const { armed, clock, sent, notices, states, minute, alter, terms } = await open()
    clock.set(clock.now() + hour)
    alter.flavor({ inStock: true })
    armed.wakeChanged(true)
    await minute()
    expect(sent).toEqual([])
    expect(await states()).toMatchObject([{ kind: 'ended', why: 'expired' }])
    expect(notices).toEqual(['train-1 was not created'])
    const later = { ...terms, expiresAt: clock.now() + hour }
    await armed.handlers['armedCreations.change']({ account, armed: id, ...later })
    await minute()
    expect(sent).toHaveLength(1)
  })

  it('does not go out after its expiry with an answer to the proxy, and is never sent again', async () => {
    const { armed, clock, sent, withdrawn, states, minute, alter, terms } = await open()
    alter.slow('request')
    alter.hold(true)
    alter.flavor({ inStock: true })
    await armed.handlers['armedCreations.change']({ account, armed: id, ...terms })
    await minute()
    expect(sent).toHaveLength(1)
    await minute()
    expect(withdrawn).toEqual([])
    // The computer sleeps while the question is open.
    clock.set(clock.now() + hour)
    await minute()
    expect(withdrawn).toEqual([id])
    expect(await states()).toMatchObject([{ kind: 'ended', why: 'unknown' }])
    await minute()
    expect(sent).toHaveLength(1)
  })

  it('is not sent if it expires, or its price rises, while the list of machines is read', async () => {
    for (const change of ['expire', 'rise'] as const) {
      const { armed, sent, clock, states, minute, alter } = await open()
      alter.slow('list')
      alter.flavor({ inStock: true })
      await armed.handlers['armedCreations.change']({
        account,
        armed: id,
        cap: usd(4_000_000),
        expiresAt: clock.now() + 50,
      })
      await settled()
      expect(await states()).toEqual([{ kind: 'sending' }])
      if (change === 'expire') clock.set(clock.now() + 50)
      else {
        alter.flavor({ price: usd(5_000_000) })
        await armed.handlers['armedCreations.arm']({
          ...orderOf(ids[1]),
          cap: usd(1),
          expiresAt: clock.now() + hour,
        })
      }
      alter.slow('nothing')
      await settled()
      expect(sent).toEqual([])
      await minute()
      expect(sent).toEqual([])
    }
  })

  it('is disarmed with the reason after a refusal, and with a warning after a lost answer', async () => {
    for (const [answer, why, notice] of [
      ['refused', 'failed', 'train-1 was not created'],
      ['lost', 'unknown', 'Was train-1 created?'],
    ] as const) {
      const { armed, sent, notices, states, minute, alter, terms } = await open()
      alter.answer(answer)
      alter.flavor({ inStock: true })
      await minute()
      await minute()
      expect(sent).toHaveLength(1)
      expect(await states()).toMatchObject([{ kind: 'ended', why }])
      expect(notices).toEqual([notice])
      const again = armed.handlers['armedCreations.change']({ account, armed: id, ...terms })
      if (why === 'unknown')
        await expect(again).rejects.toMatchObject({ failure: { field: 'armed', reason: 'not-ready' } })
      else await again
    }
  })

  it('is not sent again after a crash during the request, and the user is notified', async () => {
    const { open: reopen, sent, notices, states, minute, alter } = await open()
    alter.slow('request')
    alter.flavor({ inStock: true })
    await minute()
    expect(sent).toHaveLength(1)
    const next = reopen()
    next.start()
    await minute()
    await minute()
    expect(sent).toHaveLength(1)
    expect(await states(next)).toMatchObject([{ kind: 'ended', why: 'unknown' }])
    expect(notices).toEqual(['Was train-1 created?'])
  })

  it('is not sent again after a power cut during the request', async () => {
    const { open: reopen, flush, sent, states, minute, alter } = await open()
    flush()
    alter.slow('request')
    alter.flavor({ inStock: true })
    await minute()
    alter.power()
    const next = reopen()
    next.start()
    await minute()
    expect(sent).toHaveLength(1)
    expect(await states(next)).toMatchObject([{ kind: 'ended', why: 'unknown' }])
  })

  it('is not sent if a creation of its draft exists', async () => {
    const { sent, notices, states, minute, alter } = await open()
    alter.creations([creationOf(id, { kind: 'looking', failure: null })])
    alter.flavor({ inStock: true })
    await minute()
    expect(sent).toEqual([])
    expect(await states()).toMatchObject([{ kind: 'ended', why: 'unknown' }])
    expect(notices).toEqual(['Was train-1 created?'])
  })

  it('is not sent if that cannot be stored first, and is tried again', async () => {
    const { sent, states, minute, alter } = await open()
    alter.flavor({ inStock: true })
    alter.disk(true)
    await minute()
    expect(sent).toEqual([])
    expect(await states()).toMatchObject([{ kind: 'waiting' }])
    alter.disk(false)
    await minute()
    expect(sent).toHaveLength(1)
  })

  it('keeps waiting, with the reason, if nothing could be sent', async () => {
    const { sent, states, minute, alter } = await open()
    alter.answer('unread')
    alter.flavor({ inStock: true })
    await minute()
    expect(sent).toEqual([])
    expect(await states()).toMatchObject([
      { kind: 'waiting', delay: { why: 'not-sent', failure: { kind: 'offline' } } },
    ])
    alter.answer('done')
    await minute()
    expect(sent).toHaveLength(1)
  })

  it('keeps waiting while an earlier creation with its name is still checked', async () => {
    const { sent, notices, states, minute, alter } = await open()
    alter.answer('open')
    alter.flavor({ inStock: true })
    await minute()
    expect(await states()).toMatchObject([{ kind: 'waiting', delay: { why: 'not-sent' } }])
    expect(notices).toEqual([])
    alter.answer('done')
    await minute()
    expect(sent).toHaveLength(1)
  })

  it('keeps waiting if its request did not leave the computer, or was refused only for now', async () => {
    for (const [failure, isUnsent] of [
      [{ kind: 'offline' }, true],
      [{ kind: 'not-signed-in', reason: 'expired' }, true],
      [{ kind: 'rate-limited', retryAfter: 30 }, false],
    ] as const) {
      const { sent, notices, states, minute, alter } = await open()
      alter.answer(failure, isUnsent)
      alter.flavor({ inStock: true })
      await minute()
      expect(await states()).toMatchObject([{ kind: 'waiting', delay: { why: 'not-sent', failure } }])
      expect(notices).toEqual([])
      alter.answer('done')
      await minute()
      expect(sent).toHaveLength(1)
    }
  })

  it('keeps waiting if its flavor is sold out again when the service refuses it', async () => {
    const { sent, notices, states, minute, alter } = await open()
    alter.answer('refused')
    alter.slow('request')
    alter.flavor({ inStock: true })
    await minute()
    alter.flavor({ inStock: false })
    alter.slow('nothing')
    await settled()
    expect(sent).toHaveLength(1)
    expect(await states()).toMatchObject([{ kind: 'waiting' }])
    expect(notices).toEqual([])
  })

  it('may have been created if its account is removed during the request', async () => {
    const { armed, notices, minute, alter } = await open()
    alter.slow('request')
    alter.answer({ kind: 'invalid-input', field: 'account', reason: 'unknown' })
    alter.flavor({ inStock: true })
    await minute()
    await armed.forgetAccount(account)
    alter.slow('nothing')
    await settled()
    expect(notices).toEqual(['Was train-1 created?'])
  })

  it('ends if the account may not create machines', async () => {
    const { states, minute, alter } = await open()
    alter.answer({ kind: 'forbidden' }, true)
    alter.flavor({ inStock: true })
    await minute()
    expect(await states()).toMatchObject([{ kind: 'ended', why: 'failed' }])
  })

  it('has the order and terms of the last press, even if its draft cannot be dropped', async () => {
    const { armed, alter, sent, minute, terms } = await open()
    alter.draft(true)
    const again = { ...terms, cap: usd(1_000_000) }
    await armed.handlers['armedCreations.arm']({ ...orderOf(id), ...again })
    expect(await armed.handlers['armedCreations.list']({ account })).toMatchObject([again])
    alter.slow('list')
    alter.flavor({ inStock: true, price: usd(1_000_000) })
    await minute()
    const late = armed.handlers['armedCreations.arm']({ ...orderOf(id), ...terms })
    await expect(late).rejects.toMatchObject({ failure: { field: 'armed', reason: 'not-ready' } })
    alter.slow('nothing')
    await settled()
    expect(sent).toHaveLength(1)
  })

  it('gives the form its input back when the user cancels it, and is not sent', async () => {
    const { armed, sent, drafts, states, minute, alter } = await open()
    await armed.handlers['armedCreations.cancel']({ account, armed: id, keepsDraft: true })
    alter.flavor({ inStock: true })
    await minute()
    expect(sent).toEqual([])
    expect(drafts).toEqual([id])
    expect(await states()).toEqual([])
  })

  it('stays until its input is stored, also when the user dismisses it', async () => {
    for (const keepsDraft of [true, false]) {
      const { armed, drafts, states, alter } = await open()
      const cancel = () => armed.handlers['armedCreations.cancel']({ account, armed: id, keepsDraft })
      alter.draft(true)
      await expect(cancel()).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
      expect(await states()).toHaveLength(1)
      alter.draft(false)
      await cancel()
      expect(drafts).toEqual([id])
      expect(await states()).toEqual([])
    }
  })

  it('is refused with an expiry in the past, a cap of 0, or a flavor that is not listed', async () => {
    const { armed, clock, terms } = await open()
    const order = { ...orderOf(ids[1]), ...terms }
    const arm = (changes: object) => armed.handlers['armedCreations.arm']({ ...order, ...changes })
    const refused = (field: string) => ({ failure: { kind: 'invalid-input', field } })
    await expect(arm({ expiresAt: clock.now() })).rejects.toMatchObject(refused('expiresAt'))
    await expect(arm({ cap: usd(0) })).rejects.toMatchObject(refused('cap'))
    await expect(arm({ region: { id: 'eu', name: 'Oslo' } })).rejects.toMatchObject(refused('flavor'))
  })

  it('shows the window neither its init script nor its key', async () => {
    const { armed, terms } = await open()
    const { order, ...rest } = orderOf(ids[1])
    const machine = { ...order.machine, init_script: '#!/bin/sh\nTOKEN=abc' }
    const view = await armed.handlers['armedCreations.arm']({
      ...rest,
      order: { ...order, machine },
      ...terms,
    })
    expect(JSON.stringify(view)).not.toMatch(/TOKEN|ssh-ed25519/)
  })
})

it('the sandbox sells a flavor out and back in, and one machine is created', async () => {
  const sandbox = await runSandbox()
  const harness = await setUp()
  const { accounts } = harness
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-armed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { id: own } = await connectWithToken(harness, sandbox)
  const service = accounts.service(own)
  const machine = orderFor(await service.flavors.list(), await service.images.list(), 'train-1')
  const stock = (in_stock: boolean) =>
    control(sandbox, 'PUT', `/flavors/${machine.flavor_id}/stock`, { in_stock })
  await stock(false)

  const clock = fakeClock(Date.now() / 1000)
  const notices: string[] = []
  const common = {
    accounts,
    clock,
    online: () => true,
    showNotification: (_kind: unknown, { title }: { readonly title: string }) => void notices.push(title),
    report: (_action: string, error: unknown) => {
      throw error
    },
  }
  const { harness: creation } = await openCreation({ accounts, clock })
  const catalog = createCatalog(common)
  const settings = openSettings(folder)
  const watches = createFlavorWatches({ ...common, catalog, settings })
  const prices = createPrices({
    catalog,
    currencyOf: () => ({ currency: 'USD', assumed: false }),
    onChange: () => undefined,
  })
  const armed = createArmedCreations({
    ...common,
    isHeld: () => false,
    documents: settings,
    flavors: prices.flavors,
    onFlavors: catalog.onFlavors,
    priced: prices.priced,
    alsoRead: watches.alsoRead,
    creations: creation.list,
    drafts: creation.drafts,
    flush: () => true,
    create: ({ id: request, order }, beforeSending) =>
      order.kind === 'machine'
        ? creation.createMachine(
            { request, account: own, again: [], identityFile: null, machine: order.machine },
            beforeSending,
          )
        : expect.fail('it is a virtual machine'),
  })
  const { items } = await prices.flavors({ account: own, kind: 'machine' })
  const flavor = items.find((one) => one.id === machine.flavor_id) ?? flavorOf()
  await creation.drafts.keep(own, 'machine', draft('train-1'))
  await armed.handlers['armedCreations.arm']({
    account: own,
    order: { kind: 'machine', machine },
    identityFile: null,
    draft: draft('train-1'),
    region: flavor.region,
    cap: usd(1_000_000_000),
    expiresAt: Math.floor(clock.now()) + hour,
  })
  expect(creation.drafts.read(own, 'machine')).toBeNull()
  const posts = async () =>
    (await requestsTo(sandbox)).filter((request) => request.startsWith('POST /virtual-machines'))
  clock.advance(60)
  await expect
    .poll(async () => (await requestsTo(sandbox)).filter((one) => one.includes('flavors')).length)
    .toBeGreaterThan(2)
  expect(await posts()).toEqual([])

  await stock(true)
  await catalog.flavors({ account: own, kind: 'machine', fresh: true })
  await expect.poll(() => notices).toEqual(['train-1 is being created'])
  clock.advance(600)
  expect(await posts()).toHaveLength(1)
  expect(await armed.handlers['armedCreations.list']({ account: own })).toEqual([])
  await armed.close()
  watches.close()
  catalog.close()
  await settings.close()
})
