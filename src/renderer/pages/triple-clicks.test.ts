// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { h, type VNodeChild } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { account, accountView, now, usd, wasteItem, wasteView } from '../../../test/gallery/world'
import EndWasteDialog from '../features/waste/EndWasteDialog.vue'
import WasteCard from '../features/waste/WasteCard.vue'
import SshUse from '../features/connection/SshUse.vue'
import ProxySignInDialog from '../features/network/ProxySignInDialog.vue'
import { volumeNamed } from '../features/volumes/volume.fixture'
import { guardClicks } from '../platform/click-guard'
import { t } from '../platform/i18n'
import { useWaste } from '../stores/waste'
import TokenPanel from './api-tokens/TokenPanel.vue'
import CreateForm from './create/CreateForm.vue'
import LimitsSection from './settings/LimitsSection.vue'

let window: Mounted
let endGuard: () => void
beforeEach(() => (endGuard = guardClicks(document)))
afterEach(() => {
  endGuard()
  window.unmount()
})

const sent = (name: string) => window.main.calls.filter(([called]) => called === name).length
/** Three clicks in one place, each answered before the next: on what is there, and nothing where that has gone. */
async function tripleClick(target: HTMLElement): Promise<void> {
  for (const detail of [1, 2, 3]) {
    const place = target.isConnected ? target : document.body
    for (const type of ['mousedown', 'mouseup', 'click'])
      place.dispatchEvent(new MouseEvent(type, { detail, bubbles: true, cancelable: true }))
    await window.settled()
  }
}
async function open(render: () => VNodeChild, handlers: Partial<Handlers>): Promise<void> {
  window = await mounted(render, handlers)
}
const labelled = (label: string) =>
  window.all('input').find((input) => window.find(`label[for="${input.id}"]`).textContent.includes(label)) ??
  expect.fail(label)

it('on “Create instance” orders one bare metal instance', async () => {
  const oslo = { id: 'o', name: 'Oslo' }
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV ada'
  await open(() => h(CreateForm, { account, kind: 'bare-metal' }), {
    'catalog.regions': () => ({
      asOf: 1,
      items: [{ ...oslo, description: null, flavors: 1, images: 1 }],
    }),
    'catalog.flavors': () => ({
      asOf: 1,
      currencyAssumed: false,
      items: [
        {
          id: 'f',
          name: 'metal',
          region: oslo,
          price: usd(2),
          cpu: 8,
          ram: 64,
          disk: 100,
          ephemeral: 0,
          gpu: 'H100',
          gpuCount: 8,
          bandwidth: null,
          inStock: true,
          cycle: 'hourly',
        },
      ],
    }),
    'catalog.images': () => ({
      asOf: 1,
      items: [{ id: 'u', name: 'Ubuntu 24.04', region: oslo, type: null, description: null }],
    }),
    'creation.keys': () => [
      { path: '/home/ada/.ssh/id.pub', type: 'ssh-ed25519', comment: 'ada', publicKey, identityFile: null },
    ],
    'creation.draft': () => null,
    'creation.replacedDraft': () => null,
    'creation.keepDraft': () => undefined,
    'bareMetal.create': () => {
      throw new FailureError({ kind: 'rate-limited' })
    },
  })
  window.find('.gpu input, input[type=radio]').click()
  await window.settled()
  await tripleClick(window.find('button[type=submit]'))
  expect(sent('bareMetal.create')).toBe(1)
})

it('on the pencil and the tick of a token renames it once', async () => {
  const token = {
    id: 't-1',
    name: 'ci',
    description: null,
    createdAt: now,
    lastUsed: 0,
    hasValue: true,
    inUse: false,
  }
  await open(() => h(TokenPanel, { account: accountView(), token }), {
    'apiTokens.update': () => ({ kind: 'done', token: { ...token, name: 'nightly' } }),
  })
  await tripleClick(window.named(t('ssh.edit', { what: t('apiTokens.fields.name') })))
  await window.type(window.find('dl input'), 'nightly')
  await tripleClick(window.named(t('ssh.save', { what: t('apiTokens.fields.name') })))
  expect(sent('apiTokens.update')).toBe(1)
})

it('on Enter keeps a limit once', async () => {
  await open(() => h(LimitsSection), { 'alerts.setLimits': ({ limits }) => limits })
  await window.type(labelled(t('alerts.limits.runningHours')), '8')
  for (let time = 0; time < 3; time += 1) await window.submit()
  expect(sent('alerts.setLimits')).toBe(1)
})

it('on “Sign in” answers a proxy once', async () => {
  const question = { proxy: 'proxy.example.com:8080', realm: '', refused: false }
  await open(() => h(ProxySignInDialog, { question }), { 'networkAccess.signIn': () => undefined })
  await window.type(labelled(t('networkAccess.question.username')), 'ada')
  await tripleClick(window.find('button[type=submit]'))
  expect(sent('networkAccess.signIn')).toBe(1)
})

it('on the button that ends a bill asks once, and on the next deletes once', async () => {
  const ask = () => {
    const waste = useWaste()
    const cards = waste.groups.map((group) => h(WasteCard, { group }))
    return [...cards, waste.asked && h(EndWasteDialog, { item: waste.asked, key: waste.asked.id })]
  }
  await open(ask, {
    'waste.list': (input) => wasteView(input.account === account ? [wasteItem('backup')] : [], input.account),
    'volumes.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      volumes: [volumeNamed('backup')],
      status: { asOf: 1, reading: false, total: 1, failure: null, listed: true },
    }),
    'volumes.delete': () => ({ kind: 'done' }),
  })
  await tripleClick(window.named(/^Delete…/))
  expect(window.all('dialog')).toHaveLength(1)
  await window.type(window.find('dialog input'), 'backup')
  await tripleClick(window.find('dialog button[type=submit]'))
  expect(sent('volumes.delete')).toBe(1)
})

it('on the button that stops reading GPUs stops once', async () => {
  const consents = { account, everyMachine: { gpu: true }, machines: {} }
  await open(() => h(SshUse, { account, machine: null }), {
    'ssh.consents': () => consents,
    'ssh.setConsents': () => consents,
  })
  await window.click(window.find('[role=checkbox]'))
  await tripleClick(window.find('dialog button[type=submit]'))
  expect(sent('ssh.setConsents')).toBe(1)
})
