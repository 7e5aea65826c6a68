import { h } from 'vue'
import type { Activity } from '#shared/bridge/activity'
import type { BilledResource } from '#shared/bridge/billing'
import type { MachineView } from '#shared/bridge/fleet'
import type { Handlers } from '#shared/bridge/index'
import ActivityList from '../../../src/renderer/pages/overview/ActivityList.vue'
import ApiTokensPage from '../../../src/renderer/pages/api-tokens/ApiTokensPage.vue'
import BareMetalPage from '../../../src/renderer/pages/bare-metal/BareMetalPage.vue'
import EntriesView from '../../../src/renderer/pages/billing/EntriesView.vue'
import { emptyDraft } from '../../../src/renderer/pages/create/draft'
import { noFilter } from '../../../src/renderer/pages/billing/filter'
import KeyChoice from '../../../src/renderer/pages/create/KeyChoice.vue'
import CatalogPage from '../../../src/renderer/pages/catalog/CatalogPage.vue'
import MachinesPage from '../../../src/renderer/pages/machines/MachinesPage.vue'
import MachinePanel from '../../../src/renderer/pages/machines/panel/MachinePanel.vue'
import FirewallTab from '../../../src/renderer/pages/machines/panel/firewall/FirewallTab.vue'
import RunningMachines from '../../../src/renderer/pages/overview/RunningMachines.vue'
import VolumesPage from '../../../src/renderer/pages/volumes/VolumesPage.vue'
import { volumeNamed } from '../../../src/renderer/features/volumes/volume.fixture'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, now, usd } from '../world'

/** Hostile names in every text field of a service. */
const names = Object.values(texts)
const status = { asOf: now, reading: false, total: names.length, failure: null }
const place = (name: string) => ({ id: name, name })
const more = (text: string) => [{ path: text, value: text }]

const harmed = (name: string, at: number): MachineView =>
  machine({
    id: `hostile-${String(at)}`,
    name,
    status: name,
    address: name,
    username: name,
    keyName: name,
    image: name,
    region: name,
    more: more(name),
    flavor: { name, cpu: 8, ram: 64, disk: 100, gpu: name, gpuCount: 1 },
  })
const resource = (name: string): BilledResource => ({ id: name, name, type: name, ended: null })
const amount = { money: usd(12.5), assumed: false }

const whole = (render: GalleryState['render'], handlers: Partial<Handlers>): GalleryState => ({
  width: 1_240,
  height: 460,
  render,
  handlers,
})

const activity = names.map((name, at): Activity => ({
  id: String(at),
  account,
  at: now - at * 60,
  event: { kind: 'machine-state', machine: `hostile-${String(at)}`, name, status: name },
}))

const fleet: Partial<Handlers> = {
  'fleet.snapshot': () => ({ account, revision: 1, machines: names.map(harmed), status }),
  'activity.list': () => activity,
}

const catalog: Partial<Handlers> = {
  'catalog.look': () => undefined,
  'catalog.regions': () => ({
    asOf: now,
    items: names.map((name) => ({ ...place(name), description: name, flavors: 1, images: 1 })),
  }),
  'catalog.flavors': () => ({
    asOf: now,
    currencyAssumed: false,
    items: names.map((name) => ({
      id: name,
      name,
      region: place(name),
      price: usd(2),
      cpu: 8,
      ram: 64,
      disk: 100,
      ephemeral: 0,
      gpu: name,
      gpuCount: 1,
      bandwidth: name,
      inStock: null,
      cycle: name,
    })),
  }),
  'catalog.images': () => ({
    asOf: now,
    items: names.map((name) => ({ id: name, name, region: place(name), type: name, description: name })),
  }),
}

const billing: Partial<Handlers> = {
  'billing.statements': () => ({
    total: names.length,
    items: names.map((name, at) => ({
      id: String(at),
      resource: resource(name),
      startedAt: now - 3_600,
      dueAt: now,
      type: name,
      status: name,
      amount,
    })),
  }),
  'billing.usage': () => ({
    total: names.length,
    items: names.map((name, at) => ({
      id: String(at),
      resource: resource(name),
      createdAt: now - 3_600,
      terminatedAt: null,
      minutes: 60,
      perHour: amount,
      total: amount,
      status: name,
    })),
  }),
  'billing.total': () => null,
  'billing.resources': () => names.map(resource),
}
const entries = (table: 'statements' | 'usage') => () => h(EntriesView, { table, filter: noFilter })

/** Whole lists in which every text is hostile. */
export default [
  entry(MachinesPage, { 'hostile list': whole(() => h(MachinesPage), fleet) }),
  entry(
    MachinePanel,
    Object.fromEntries(
      Object.entries(texts).map(([name, text], at) => [
        `hostile list, ${name}`,
        {
          width: 422,
          height: 620,
          handlers: fleet,
          render: () => h(MachinePanel, { account, machine: harmed(text, at) }),
        },
      ]),
    ),
  ),
  entry(BareMetalPage, {
    'hostile list': whole(() => h(BareMetalPage), {
      'bareMetal.snapshot': () => ({
        account,
        revision: 1,
        status,
        instances: names.map((name, at) => ({
          ...harmed(name, at),
          origin: 'added',
          knownSince: now,
          presence: 'there',
        })),
      }),
    }),
  }),
  entry(VolumesPage, {
    'hostile list': whole(() => h(VolumesPage), {
      'volumes.refresh': () => undefined,
      'volumes.snapshot': () => ({
        account,
        revision: 1,
        status: { ...status, listed: true },
        volumes: names.map((name) =>
          volumeNamed(name, { status: name, region: place(name), description: name, more: more(name) }),
        ),
      }),
    }),
  }),
  entry(CatalogPage, { 'hostile list': whole(() => h(CatalogPage), catalog) }),
  entry(EntriesView, {
    'hostile list of charges': whole(entries('statements'), billing),
    'hostile list of resources': whole(entries('usage'), billing),
  }),
  entry(ApiTokensPage, {
    'hostile list': whole(() => h(ApiTokensPage), {
      'apiTokens.look': () => undefined,
      'apiTokens.list': () => ({
        asOf: now,
        items: names.map((name) => ({
          id: name,
          name,
          description: name,
          createdAt: now,
          lastUsed: 0,
          hasValue: true,
          inUse: false,
        })),
      }),
    }),
  }),
  entry(FirewallTab, {
    'hostile list': {
      width: 420,
      render: () => h(FirewallTab, { account, machine: machine() }),
      handlers: {
        'firewall.list': () => ({
          total: names.length,
          rules: names.map((name, at) => ({
            id: String(at),
            direction: name,
            protocol: name,
            ethertype: name,
            prefix: name,
            portMin: 22,
            portMax: 22,
            description: name,
            createdAt: now,
            more: more(name),
          })),
        }),
      },
    },
  }),
  entry(RunningMachines, {
    'hostile list': whole(() => h(RunningMachines), {
      'fleet.snapshot': () => ({
        account,
        revision: 1,
        status,
        machines: names.map((name, at) => ({ ...harmed(name, at), status: 'running' })),
      }),
    }),
  }),
  entry(ActivityList, { 'hostile list': { handlers: fleet, width: 420, render: () => h(ActivityList) } }),
  entry(KeyChoice, {
    'hostile list': {
      width: 420,
      render: () =>
        h(KeyChoice, {
          invalid: false,
          draft: { ...emptyDraft(), key: 'file', keyFile: texts.huge },
          keys: names.map((name) => ({
            path: name,
            type: name,
            comment: name,
            publicKey: name,
            identityFile: null,
          })),
        }),
    },
  }),
]
