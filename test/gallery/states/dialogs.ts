import { h, nextTick } from 'vue'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { Creation } from '#shared/bridge/creation'
import type { ApiTokenView } from '#shared/bridge/api-token'
import type { Handlers } from '#shared/bridge/index'
import type { VolumeView } from '#shared/bridge/volume'
import { FailureError } from '#shared/failure'
import FormDialog from '../../../src/renderer/components/FormDialog.vue'
import TextField from '../../../src/renderer/components/TextField.vue'
import CreateTokenDialog from '../../../src/renderer/pages/api-tokens/CreateTokenDialog.vue'
import DeleteTokensDialog from '../../../src/renderer/pages/api-tokens/DeleteTokensDialog.vue'
import UseTokenDialog from '../../../src/renderer/pages/api-tokens/UseTokenDialog.vue'
import AddInstanceDialog from '../../../src/renderer/pages/bare-metal/AddInstanceDialog.vue'
import ForgetInstancesDialog from '../../../src/renderer/pages/bare-metal/ForgetInstancesDialog.vue'
import AgainDialog from '../../../src/renderer/pages/create/AgainDialog.vue'
import GenerateKeyDialog from '../../../src/renderer/pages/create/GenerateKeyDialog.vue'
import AddRuleDialog from '../../../src/renderer/pages/machines/panel/firewall/AddRuleDialog.vue'
import AttachToMachineDialog from '../../../src/renderer/pages/volumes/AttachToMachineDialog.vue'
import AttachVolumesDialog from '../../../src/renderer/pages/volumes/AttachVolumesDialog.vue'
import CreateVolumeDialog from '../../../src/renderer/pages/volumes/CreateVolumeDialog.vue'
import DetachDialog from '../../../src/renderer/pages/volumes/DetachDialog.vue'
import { volumeNamed } from '../../../src/renderer/features/volumes/volume.fixture'
import { never } from '../fake-main'
import { draw, entry, fill, type GalleryState, submit } from '../state'
import { texts } from '../texts'
import { account, accountView, creationView, machine, now } from '../world'

const refuse = (): never => {
  throw new FailureError({ kind: 'refused-by-service', message: texts.words, status: 409 })
}
const hostile = [texts.long, texts.html, texts.control, texts.rtl]
const rtl = (render: GalleryState['render']): GalleryState => ({ rtl: true, render })

const form = (properties: object) => () =>
  draw(
    FormDialog,
    { title: 'Rename the account', action: 'Rename', busy: false, ...properties },
    { default: () => h(TextField, { label: 'Name', modelValue: 'Acme Labs' }) },
  )

const token = (name: string): ApiTokenView => ({
  id: name,
  name,
  description: null,
  createdAt: now,
  lastUsed: 0,
  hasValue: true,
  inUse: false,
})
const useToken = (name: string) => () => h(UseTokenDialog, { account: accountView(), token: token(name) })
const createToken = (answer: Handlers['apiTokens.create']): GalleryState => ({
  render: () => h(CreateTokenDialog, { account, unknown: false }),
  handlers: { 'apiTokens.create': answer, 'apiTokens.lookUp': () => null },
  act: async (stage) => {
    await fill(stage, 'ci')
    submit(stage)
  },
})

const instance = (name: string): BareMetalView => ({
  ...machine({ id: `b-${name}`, name }),
  origin: 'added',
  knownSince: now - 86_400,
  presence: 'there',
})
const forget =
  (...instances: readonly string[]) =>
  () =>
    h(ForgetInstancesDialog, { account, instances: instances.map(instance) })
const addInstance = (answer: Handlers['bareMetal.add']): GalleryState => ({
  render: () => h(AddInstanceDialog, { account }),
  handlers: { 'bareMetal.add': answer },
  act: async (stage) => {
    await fill(stage, '3f2a77c0-5b1e-4d5f-9f0a-0d7e3a1c9b52')
    submit(stage)
  },
})

const creation = (name: string): Creation =>
  creationView({ id: name, name, sentAt: now - 300, state: { kind: 'unknown' } })
const again =
  (...earlier: readonly string[]) =>
  () =>
    h(AgainDialog, { earlier: earlier.map(creation), flavors: [] })
const generateKey = (name: string): GalleryState => ({
  render: () => h(GenerateKeyDialog),
  handlers: { 'creation.freeKeyName': () => name, 'creation.generateKey': refuse },
  act: submit,
})

const addRule = (handlers: Partial<Handlers> = {}): GalleryState => ({
  render: () => h(AddRuleDialog, { account, machine: machine(), stillOpen: null }),
  handlers: { 'firewall.ownAddresses': () => [], ...handlers },
})
/** The preset of HTTPS, sent. */
const sendRule = (handlers: Partial<Handlers>): GalleryState => ({
  ...addRule(handlers),
  act: async (stage) => {
    stage.querySelectorAll<HTMLElement>('[role=group] button')[2]?.click()
    await nextTick()
    submit(stage)
  },
})

const volumes: readonly VolumeView[] = [
  volumeNamed('scratch', { region: { id: 'd', name: 'DALLAS' } }),
  volumeNamed('moving', { status: 'detaching' }),
  ...hostile.map((name) => volumeNamed(name, { displayName: name, region: { id: null, name: null } })),
]
const [scratch = volumeNamed('scratch')] = volumes
const listed: Partial<Handlers> = {
  'volumes.snapshot': (input) => ({
    account: input.account,
    revision: 1,
    volumes: [...volumes],
    status: { asOf: now, reading: false, total: volumes.length, failure: null, listed: true },
  }),
}
const attachToMachine =
  (...chosen: readonly VolumeView[]) =>
  () =>
    h(AttachToMachineDialog, { account, volumes: chosen })
const detach = (answer: Handlers['volumes.detach']): GalleryState => ({
  render: () => h(DetachDialog, { account, volume: scratch, machine: 'm-train' }),
  handlers: { 'volumes.detach': answer, 'volumes.lookUp': () => 'unknown' },
  act: submit,
})
const createVolume = (handlers: Partial<Handlers> = {}): GalleryState => ({
  render: () => h(CreateVolumeDialog, { account }),
  handlers: {
    'catalog.regions': () => ({
      items: [{ id: 'd', name: 'DALLAS', description: null, flavors: 3, images: 2 }],
      asOf: now,
    }),
    'catalog.images': () => ({ items: [], asOf: now }),
    ...handlers,
  },
})
const lost = () => ({ kind: 'unknown', failure: { kind: 'offline' } }) as const

export default [
  entry(FormDialog, {
    usual: form({}),
    busy: form({ busy: true }),
    failed: form({ failure: { kind: 'refused-by-service', message: texts.words, status: 409 } }),
    lost: form({ lost: 'unknown' }),
    'cannot be done': form({ danger: true, disabled: true }),
    'two columns': form({ wide: true }),
    'without its action': form({ action: null }),
    long: form({ title: texts.long, action: texts.long }),
    html: form({ title: texts.html }),
    'right to left': rtl(form({ title: texts.rtl })),
  }),
  entry(CreateTokenDialog, {
    usual: () => h(CreateTokenDialog, { account, unknown: true }),
    busy: createToken(() => never),
    refused: createToken(refuse),
    lost: createToken(lost),
    created: createToken(() => ({ kind: 'created', token: token('ci') })),
    html: createToken(() => ({ kind: 'created', token: token(texts.html) })),
    'right to left': rtl(() => h(CreateTokenDialog, { account, unknown: false })),
  }),
  entry(UseTokenDialog, {
    usual: useToken('ci'),
    ...Object.fromEntries(hostile.map((name, at) => [`name ${String(at)}`, useToken(name)])),
    refused: { render: useToken('ci'), handlers: { 'apiTokens.use': refuse }, act: submit },
    busy: { render: useToken('ci'), handlers: { 'apiTokens.use': () => never }, act: submit },
  }),
  entry(DeleteTokensDialog, {
    one: () => h(DeleteTokensDialog, { account, tokens: [token('ci')] }),
    hostile: () => h(DeleteTokensDialog, { account, tokens: hostile.map(token) }),
  }),
  entry(AddInstanceDialog, {
    usual: () => h(AddInstanceDialog, { account }),
    'nothing typed': { render: () => h(AddInstanceDialog, { account }), act: submit },
    refused: addInstance(refuse),
    busy: addInstance(() => never),
  }),
  entry(ForgetInstancesDialog, {
    one: forget('big-iron'),
    hostile: forget(...hostile),
    'right to left': rtl(forget(texts.rtl)),
  }),
  entry(AgainDialog, {
    one: again('train-llama-01'),
    hostile: again(...hostile),
    'right to left': rtl(again(texts.rtl)),
  }),
  entry(GenerateKeyDialog, {
    usual: { ...generateKey('wheelhouse_ed25519'), act: () => undefined },
    refused: generateKey('wheelhouse_ed25519'),
    malformed: generateKey(texts.html),
  }),
  entry(AddRuleDialog, {
    usual: addRule(),
    'nothing typed': { ...addRule(), act: submit },
    busy: sendRule({ 'firewall.add': () => never }),
    refused: sendRule({ 'firewall.add': refuse }),
    lost: sendRule({ 'firewall.add': lost, 'firewall.lookUp': () => 'unknown' }),
    'right to left': { ...addRule(), rtl: true },
  }),
  entry(AttachToMachineDialog, {
    one: attachToMachine(scratch),
    'some of them': attachToMachine(...volumes),
    none: attachToMachine(...volumes.slice(1, 2)),
    hostile: attachToMachine(...volumes.slice(3, 4)),
    'right to left': rtl(attachToMachine(...volumes.slice(5))),
  }),
  entry(AttachVolumesDialog, {
    some: { render: () => h(AttachVolumesDialog, { account, machine: machine() }), handlers: listed },
    none: () => h(AttachVolumesDialog, { account, machine: machine() }),
    'right to left': {
      ...rtl(() => h(AttachVolumesDialog, { account, machine: machine({ name: texts.rtl }) })),
      handlers: listed,
    },
  }),
  entry(DetachDialog, {
    busy: detach(() => never),
    refused: detach(refuse),
    lost: detach(lost),
    'nothing known': () => h(DetachDialog, { account, volume: null }),
    long: () => h(DetachDialog, { account, volume: volumes[2] ?? null, machine: 'm-long' }),
    html: () => h(DetachDialog, { account, volume: volumes[3] ?? null, machine: 'm-html' }),
    'right to left': rtl(() => h(DetachDialog, { account, volume: volumes[5] ?? null, machine: 'm-odd' })),
  }),
  entry(CreateVolumeDialog, {
    usual: createVolume(),
    'nothing typed': { ...createVolume(), act: submit },
    'without its catalog': createVolume({ 'catalog.regions': refuse }),
    unknown: {
      ...createVolume({
        'volumes.pendingCreations': () => [
          {
            id: 'v',
            request: 'r1',
            account,
            name: 'scratch',
            region: 'o',
            size: 500,
            sentAt: now - 90,
            state: 'unknown',
            cause: { kind: 'offline' },
          },
        ],
      }),
      act: (stage) => fill(stage, 'scratch'),
    },
    'right to left': { ...createVolume(), rtl: true },
  }),
]
