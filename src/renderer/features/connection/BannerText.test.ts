// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { SshLink } from '#shared/bridge/ssh-link'
import { mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { linkText } from '../gpu/gpu-text'
import LinkNotice from './LinkNotice.vue'

const url = 'https://sign-in.example.org/a1b2c3'
const banner = `Approve at ${url}\n\u202Ethen wait`

const links: readonly SshLink[] = [
  { kind: 'connecting', banner },
  { kind: 'waiting', until: 5, attempts: 1, reason: 'ETIMEDOUT', banner },
  { kind: 'stopped', stop: { kind: 'no-key' }, banner },
]

it.each(links)('a banner is shown as plain text while the link is $kind', async (link) => {
  const words = linkText(link, 0) ?? expect.fail('no text')
  const window = await mounted(() =>
    h(LinkNotice, { account, machine: 'm-train', link, words, retry: () => Promise.resolve() }),
  )
  onTestFinished(() => window.unmount())
  expect(window.text()).toContain(t('ssh.banner.label'))
  expect(window.text()).toContain('\uFFFDthen wait')
  await window.click(url)
  expect(window.text()).toContain(t('terminal.link.title'))
})

it('a connection without a banner shows no notice while it opens', () => {
  expect(linkText({ kind: 'connecting' }, 0)).toBeNull()
})
