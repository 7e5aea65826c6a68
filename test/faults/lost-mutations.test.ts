import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { NewFirewallRule } from '#shared/service/firewall-rule'
import { control, requestsTo, runSandbox } from '../fixtures/account-harness'
import { orderFor } from '../fixtures/creation-order'
import { fakeClock } from '../fixtures/fake-clock'
import { memorySecrets } from '../fixtures/memory-secrets'
import { startModules } from '../fixtures/modules-harness'
import { must } from '../fixtures/service-client'

/** The whole main process, signed in to a sandbox. */
async function begin() {
  const sandbox = await runSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-lost-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = fakeClock(Date.now() / 1000)
  const { calls, modules } = startModules({ folder, secrets: memorySecrets(), clock, fetch })
  const credential = { kind: 'api-token', token: sandbox.apiToken } as const
  const { id: account } = await calls['accounts.connect']({
    baseUrl: sandbox.baseUrl,
    credential,
    staySignedIn: false,
  })
  await modules.store.open()
  await Promise.all([calls['fleet.refresh']({ account }), calls['volumes.refresh']({ account })])
  const service = modules.accounts.service(account)
  const fleet = () => modules.fleet.snapshot(account)?.machines ?? []
  const machine = must(fleet().find(({ name }) => name === 'train-llama-01'))
  const volumes = () => modules.volumes.snapshot(account).volumes
  const volume = must(volumes().find(({ displayName }) => displayName === 'scratch-space'))
  const token = must(
    (await calls['apiTokens.list']({ account })).items.find(({ name }) => name === 'grafana'),
  )
  const order = orderFor(await service.flavors.list(), await service.images.list(), 'lost')
  const ofMetal = orderFor(await service.bareMetal.flavors(), await service.bareMetal.images(), 'lost')
  const metal = { ...ofMetal, image_id: ofMetal.image_id ?? '' }
  const types = await calls['volumes.types']({ account, region: 'us-east-1' })
  const sent = { account, request: randomUUID(), again: [], identityFile: null }
  return {
    sandbox,
    calls,
    clock,
    account,
    fleet,
    machine,
    volumes,
    volume,
    token,
    order,
    metal,
    sent,
    type: must(types.items[0]).id,
  }
}
type Begun = Awaited<ReturnType<typeof begin>>

const rule: NewFirewallRule = {
  direction: 'inbound',
  protocol: 'tcp',
  ethertype: 'IPv4',
  remote_ip_prefix: '10.0.0.0/8',
  port_range_min: 9,
  port_range_max: 9,
}
const change = { name: 'renamed', description: 'again' }
const inDataVolume = { display_name: 'lost', region_id: 'us-east-1', size: 10 }

interface Mutation {
  /** Path as in src/main/service. */
  readonly wire: string
  /** The request that loses its answer. */
  readonly lost: { readonly method: string; readonly path?: string }
  /** The user's action, and its immediate result. */
  act(begun: Begun): unknown
  readonly outcome: unknown
  /** How the outcome is found, and its result if the service acted. */
  lookUp(begun: Begun): unknown
  readonly found: unknown
}

const unknown = { kind: 'unknown', failure: { kind: 'cannot-connect' } }
const post = { method: 'POST' }
const power = { kind: 'cannot-connect' }
const attached = ({ account, machine, volume }: Begun) => ({
  account,
  machine: machine.id,
  volumes: [volume.id],
})
const detach = ({ account, machine, volume }: Begun) => ({
  account,
  machine: machine.id,
  volume: volume.id,
})

const mutations: readonly Mutation[] = [
  {
    wire: "'POST', '/virtual-machines'",
    lost: post,
    act: ({ calls, sent, order }) => calls['machine.create']({ ...sent, machine: order }),
    outcome: { state: { kind: 'looking' }, cause: power },
    async lookUp({ calls, clock, account }) {
      clock.advance(0)
      const creation = async () => (await calls['creation.list']({ account }))[0]
      // It may start earlier than requested.
      await expect.poll(async () => (await creation())?.state.kind).toBeOneOf(['created', 'running'])
      return creation()
    },
    found: { state: { found: true } },
  },
  {
    wire: "'POST', '/bare-metal/instances'",
    lost: post,
    act: ({ calls, sent, metal }) => calls['bareMetal.create']({ ...sent, machine: metal }),
    outcome: { state: { kind: 'unknown' }, cause: power },
    // No call lists bare metal: the user is asked before another is sent.
    async lookUp({ calls, sent, metal }) {
      try {
        return await calls['bareMetal.create']({ ...sent, machine: metal })
      } catch (error) {
        return error
      }
    },
    found: { failure: { field: 'name', reason: 'outcome-open' } },
  },
  {
    wire: "'POST', '/volumes'",
    lost: post,
    act: ({ calls, account, sent, type }) =>
      calls['volumes.create']({
        account,
        request: sent.request,
        again: [],
        regionName: null,
        volume: { ...inDataVolume, type_id: type },
      }),
    outcome: { kind: 'found' },
    lookUp: ({ calls, account }) => calls['volumes.pendingCreations']({ account }),
    found: [],
  },
  {
    wire: "'POST', `/virtual-machines/${seg(machineId)}/volumes`",
    lost: post,
    act: (begun) => begun.calls['volumes.attach'](attached(begun)),
    outcome: unknown,
    lookUp: (begun) => begun.calls['volumes.lookUp']({ ...attached(begun), wanted: 'attached' }),
    found: 'done',
  },
  {
    wire: "'DELETE', `/virtual-machines/${seg(machineId)}/volumes/${seg(volumeId)}`",
    lost: { method: 'DELETE' },
    async act(begun) {
      await begun.calls['volumes.attach'](attached(begun))
      await expect
        .poll(async () => {
          await begun.calls['volumes.refresh']({ account: begun.account })
          return begun.volumes().find(({ id }) => id === begun.volume.id)?.status
        })
        .toBe('in-use')
      return begun.calls['volumes.detach'](detach(begun))
    },
    outcome: unknown,
    lookUp: (begun) => begun.calls['volumes.lookUp']({ ...attached(begun), wanted: 'detached' }),
    found: 'done',
  },
  {
    wire: "'DELETE', `/volumes/${seg(id)}`",
    lost: { method: 'DELETE' },
    act: ({ calls, account, volume }) =>
      calls['volumes.delete']({ account, volume: volume.id, name: 'scratch-space' }),
    outcome: unknown,
    // It is read again automatically, and leaves the list like any deleted machine.
    async lookUp({ calls, account, volumes, volume }) {
      const status = () => volumes().find(({ id }) => id === volume.id)?.status ?? 'gone'
      await expect
        .poll(async () => {
          await calls['volumes.refresh']({ account })
          return ['deleting', 'gone'].includes(status())
        })
        .toBe(true)
      return 'leaving'
    },
    found: 'leaving',
  },
  {
    wire: "'GET', `/virtual-machines/${seg(machineId)}/${action}`",
    lost: { method: 'GET', path: '/stop' },
    act: ({ calls, account, machine }) =>
      calls['machine.power']({ account, machine: machine.id, action: 'stop' }),
    outcome: unknown,
    // The list is read again automatically.
    async lookUp({ fleet, machine }) {
      const status = () => fleet().find(({ id }) => id === machine.id)?.status ?? ''
      await expect.poll(() => status().startsWith('stop')).toBe(true)
      return 'stops'
    },
    found: 'stops',
  },
  {
    wire: "'DELETE', `/virtual-machines/${seg(machineId)}`",
    lost: { method: 'DELETE' },
    act: ({ calls, account, machine }) =>
      calls['machine.delete']({ account, machine: machine.id, name: machine.name }),
    // Its detail is read immediately: it exists until the service has deleted it.
    outcome: { kind: expect.stringMatching(/^(done|unknown)$/) },
    async lookUp({ calls, account, fleet, machine }) {
      const status = () => fleet().find(({ id }) => id === machine.id)?.status ?? 'gone'
      await expect
        .poll(async () => {
          await calls['fleet.refresh']({ account })
          return ['deleting', 'gone'].includes(status())
        })
        .toBe(true)
      return 'leaving'
    },
    found: 'leaving',
  },
  {
    wire: "'POST', `/virtual-machines/${seg(machineId)}/firewall-rules`",
    lost: post,
    act: ({ calls, account, machine }) => calls['firewall.add']({ account, machine: machine.id, rule }),
    outcome: unknown,
    lookUp: ({ calls, account, machine }) => calls['firewall.lookUp']({ account, machine: machine.id, rule }),
    found: 'done',
  },
  {
    wire: "'POST', '/api-tokens'",
    lost: post,
    act: ({ calls, account }) => calls['apiTokens.create']({ account, token: { name: 'lost' } }),
    outcome: unknown,
    lookUp: ({ calls, account }) => calls['apiTokens.lookUp']({ account, name: 'lost', before: [] }),
    found: { name: 'lost' },
  },
  {
    wire: "'PUT', `/api-tokens/${seg(id)}`",
    lost: { method: 'PUT' },
    act: ({ calls, account, token }) => calls['apiTokens.update']({ account, token: token.id, change }),
    outcome: unknown,
    lookUp: ({ calls, account, token }) =>
      calls['apiTokens.lookUpUpdate']({ account, token: token.id, change }),
    found: change,
  },
  {
    wire: "'DELETE', `/api-tokens/${seg(id)}`",
    lost: { method: 'DELETE' },
    act: ({ calls, account, token }) =>
      calls['apiTokens.delete']({ account, token: token.id, name: token.name }),
    // A complete list without it shows that it was deleted.
    outcome: { kind: 'done' },
    lookUp: async ({ calls, account, token }) =>
      (await calls['apiTokens.list']({ account })).items.some(({ id }) => id === token.id),
    found: false,
  },
]

it.each(mutations)('$wire is sent once, and its outcome is found after a lost answer', async (mutation) => {
  const begun = await begin()
  const { sandbox } = begun
  const { method, path } = mutation.lost
  const isLost = (request: string) =>
    request.startsWith(`${method} `) && (path === undefined || request.includes(path))
  // Attaching comes before detaching.
  await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', ...mutation.lost })
  expect(await mutation.act(begun)).toMatchObject(mutation.outcome ?? {})
  const result = await mutation.lookUp(begun)
  if (typeof mutation.found === 'object') expect(result).toMatchObject(mutation.found ?? {})
  else expect(result).toBe(mutation.found)
  expect((await requestsTo(sandbox)).filter(isLost)).toHaveLength(1)
})

it('the table has every request that changes data', () => {
  const folder = join(__dirname, '../../src/main/service')
  const sent = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/http\.send\(\s*('[A-Z]+'),\s*(`[^`]+`|'[^']+')/g),
    ])
    .map(([, method, path]) => `${String(method)}, ${String(path)}`)
  expect(sent.toSorted()).toEqual(mutations.map(({ wire }) => wire).toSorted())
})
