import { expect, it } from 'vitest'
import {
  account,
  machine,
  openDisk,
  other,
  publicKey,
  volume,
  writtenAt,
} from '../../../test/fixtures/disk-state'
import { ledgerBooks } from '../../../test/fixtures/ledger-harness'
import { openEntries } from '../creation/entries'
import { sampleTable } from '../gpu/telemetry/sample-table'
import { openMemory } from '../volumes/memory'

it('finds drafts and creations in every state', async () => {
  const { settings, calls } = await openDisk()
  expect(await calls['creation.draft']({ account, kind: 'machine' })).toEqual({
    request: expect.any(String),
    name: 'next',
    region: 'id:fra-1',
    flavor: 'flavor-1',
    boot: 'volume',
    image: null,
    volume: 'vol-generated',
    key: 'pasted',
    keyFile: null,
    pastedKey: `ssh-ed25519 ${publicKey} test`,
    initScript: '#!/bin/sh\necho ready\n',
  })
  expect(await calls['creation.draft']({ account: other, kind: 'bare-metal' })).toMatchObject({
    name: 'metal-next',
    image: 'image-1',
    keyFile: '/home/ada/.ssh/id_ed25519.pub',
  })
  const cause = { kind: 'timed-out', host: 'gpu.example.com', seconds: 30 }
  const creations = await calls['creation.list']({ account })
  expect(creations.map(({ name, kind, sentAt }) => [name, kind, sentAt - writtenAt])).toEqual([
    ['worker-sending', 'machine', -600],
    ['worker-looking', 'machine', -599],
    ['worker-created', 'machine', -598],
    ['worker-running', 'machine', -597],
    ['worker-failed', 'machine', -596],
    ['worker-unclear', 'machine', -595],
    ['worker-absent', 'machine', -594],
    ['worker-unknown', 'bare-metal', -593],
  ])
  expect(creations.map((creation) => creation.cause)).toEqual([
    null,
    cause,
    null,
    cause,
    null,
    cause,
    cause,
    cause,
  ])
  expect(creations.map(({ state }) => state)).toEqual([
    { kind: 'sending' },
    { kind: 'looking', failure: { kind: 'offline' } },
    { kind: 'created', machine: 'vm-created', found: false },
    { kind: 'running', machine: 'vm-running', found: true },
    { kind: 'failed', machine: 'vm-failed', found: false },
    {
      kind: 'unclear',
      candidates: [
        { id: 'vm-a', name: 'worker' },
        { id: 'vm-b', name: 'worker' },
      ],
    },
    { kind: 'absent', others: [{ id: 'vm-c', name: 'someone-else' }] },
    { kind: 'unknown' },
  ])
  const entries = openEntries(settings, () => undefined).of(account)
  expect(entries.map(({ before }) => before)).toEqual(Array.from({ length: 8 }, () => ['vm-before']))
  expect(entries.map(({ identityFile }) => identityFile !== null)).toEqual([
    ...[true, false, true, false],
    ...[true, false, true, false],
  ])
})

it('finds volumes, their open creations and bare metal', async () => {
  const { settings, calls } = await openDisk()
  const memory = openMemory(settings)
  expect(memory.volumes(account)).toMatchObject({
    [volume]: {
      displayName: 'datasets',
      name: 'vol-generated',
      size: 200,
      region: { id: 'eu-north-1', name: 'Frankfurt' },
      bootable: false,
      description: 'Shared',
      currency: 'EUR',
      createdAt: writtenAt - 86_400,
      attachment: { machine, at: writtenAt - 3_000 },
      reported: { status: 'in-use', at: writtenAt - 2_990 },
      billed: true,
    },
    'vol-detached': {
      displayName: 'scratch',
      attachment: { machine: null, at: writtenAt - 100 },
      reported: null,
    },
  })
  expect(memory.typeOf(account, 'eu-north-1')).toBe('ssd')
  expect(await calls['volumes.pendingCreations']({ account })).toEqual([
    {
      id: '10000000-0000-4000-8000-000000000000',
      request: null,
      account,
      name: 'being-sent',
      ...{ region: null, size: null },
      sentAt: writtenAt - 30,
      state: 'sending',
      cause: null,
    },
    {
      id: '10000000-0000-4000-8000-000000000001',
      request: null,
      account,
      name: 'no-answer',
      ...{ region: null, size: null },
      sentAt: writtenAt - 60,
      state: 'unknown',
      cause: { kind: 'timed-out', host: 'gpu.example.com', seconds: 30 },
    },
  ])
  const { instances } = await calls['bareMetal.snapshot']({ account })
  expect(instances.map(({ id, name, origin, knownSince }) => [id, name, origin, knownSince])).toEqual([
    ['bm-1', 'metal', 'created', writtenAt - 500],
    ['bm-2', 'old-metal', 'added', writtenAt - 400],
  ])
})

it('finds ledger, resources and GPU samples in the encrypted database', async () => {
  const { modules, calls } = await openDisk()
  await modules.store.open()
  expect(await calls['store.state']({})).toEqual({ kind: 'open', quarantined: null })
  expect(await calls['ledger.state']({ account })).toMatchObject({
    known: 4,
    total: 4,
    complete: true,
    lastSync: writtenAt,
  })
  const database = modules.store.database()
  if (database === undefined) throw new Error('the store is not open')
  const books = Object.values(ledgerBooks(database, account))
  expect(books.map(({ statements }) => statements)).toEqual([2, 2])
  expect(books.reduce((sum, { charged }) => sum + charged, 0)).toBe(60_336_000)
  expect(books.reduce((sum, { fee }) => sum + fee, 0)).toBe(60_336_000)
  expect(modules.costs.history.all(account)).toMatchObject([
    { id: machine, kind: 'machine', name: 'trainer', gpu: 'H100', gpuCount: 1, currency: 'EUR' },
    { id: 'bm-1', kind: 'bare-metal', name: 'metal', flavor: 'Metal 8x', gpu: 'H200', gpuCount: 8 },
    { id: volume, kind: 'volume', name: 'datasets', gpu: '', region: 'Frankfurt' },
  ])
  const samples = sampleTable(database).read(account, machine, 60, 0)
  const [first] = samples
  expect(samples.map(({ utilization }) => utilization)).toEqual([0, 10, 20, 30, 40])
  expect(first).toEqual({
    gpu: 'GPU-1',
    index: 0,
    time: Math.floor(writtenAt / 60) * 60 - 300,
    samples: 6,
    utilization: 0,
    utilizationMax: 5,
    memoryUsed: 1_000,
    memoryTotal: 81_559,
    temperatureMax: 60,
    power: null,
  })
})
