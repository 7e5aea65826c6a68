// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { SshLink } from '#shared/bridge/ssh-link'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { linkText } from '../gpu/gpu-text'
import TerminalStateBar from '../terminal/TerminalStateBar.vue'
import ConnectionTabButton from './ConnectionTabButton.vue'
import LinkNotice from './LinkNotice.vue'

const open = async (...given: Parameters<typeof mounted>) => {
  const window = await mounted(...given)
  onTestFinished(() => window.unmount())
  return window
}
const place = { name: 'machines', params: { machine: 'm-train' }, query: { tab: 'connection' } }

it('files and services link to the choice of a key only after too many keys', async () => {
  const notice = (isCut?: true) => {
    const refused = { kind: 'key-refused' as const, user: 'ubuntu', host: '10.0.0.5:22', keys: ['ssh-agent'] }
    const link: SshLink = { kind: 'stopped', stop: { ...refused, ...(isCut && { isCut }) } }
    const words = linkText(link, 0) ?? expect.fail('no words')
    return () => h(LinkNotice, { account, machine: 'm-train', link, words, retry: () => Promise.resolve() })
  }
  const refused = await open(notice())
  expect(refused.text()).not.toContain(t('gpu.stop.too-many-keys.act'))
  const window = await open(notice(true))
  expect(window.text()).toContain(t('gpu.stop.too-many-keys.next'))
  await window.click(t('gpu.stop.too-many-keys.act'))
  expect(window.router.currentRoute.value).toMatchObject(place)
})

it('the button of a bare metal instance opens that instance’s connection tab', async () => {
  const status = { asOf: now, reading: false, total: 1, failure: null }
  const instance = { ...machine(), origin: 'added', knownSince: now, presence: 'there' } as const
  const window = await open(() => h(ConnectionTabButton, { account, machine: instance.id }), {
    'bareMetal.snapshot': () => ({ account, revision: 1, status, instances: [instance] }),
  })
  await window.click(t('gpu.stop.too-many-keys.act'))
  expect(window.router.currentRoute.value).toMatchObject({
    name: 'bare-metal',
    params: { instance: instance.id },
    query: { tab: 'connection' },
  })
})

it('a terminal links to the choice of a key after too many keys', async () => {
  const session = {
    id: 's',
    account,
    machine: 'm-train',
    name: 'train',
    destination: 'ubuntu@10.0.0.5',
    kept: null,
    title: null,
    beside: null,
    state: { kind: 'ended', code: 255, hasTooManyKeys: true },
  } as const
  const window = await open(() => h(TerminalStateBar, { session, broken: null, busy: false }))
  expect(window.text()).toContain(t('terminal.state.tooManyKeys'))
  await window.click(t('gpu.stop.too-many-keys.act'))
  expect(window.router.currentRoute.value).toMatchObject(place)
})
