import { h } from 'vue'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { Creation } from '#shared/bridge/creation'
import InstanceStateCell from '../../../src/renderer/pages/bare-metal/InstanceStateCell.vue'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, creationView, machine, now } from '../world'

const instance = (changes: Partial<BareMetalView> = {}): BareMetalView => ({
  ...machine({ id: 'b-1', name: 'pretrain-metal-01', status: null }),
  origin: 'created',
  knownSince: now - 600,
  presence: 'there',
  ...changes,
})
const following = (kind: 'created' | 'booting' | 'setting-up', hasBegun = false): Creation =>
  creationView({
    kind: 'bare-metal',
    name: 'pretrain-metal-01',
    sentAt: now - 600,
    usualSeconds: 1_500,
    state: { kind, machine: 'b-1', found: false, hasBegun },
  })
const cell = (creation: Creation | null, changes: Partial<BareMetalView> = {}): GalleryState => ({
  width: 160,
  handlers: { 'creation.list': () => (creation ? [creation] : []) },
  render: () =>
    h('div', { style: { display: 'flex', gap: '8px', alignItems: 'center' } }, [
      h(InstanceStateCell, { account, instance: instance(changes) }),
    ]),
})

export default [
  entry(InstanceStateCell, {
    preparing: cell(following('created'), { address: null, startedAt: null }),
    'waiting for SSH': cell(following('booting')),
    'SSH answers': cell(following('setting-up')),
    'setting up': cell(following('setting-up', true)),
    ready: cell(null),
    'right to left': { ...cell(following('booting')), rtl: true },
    hostile: cell(null, { status: texts.html }),
  }),
]
