import { h } from 'vue'
import type { SshLink } from '#shared/bridge/ssh-link'
import BannerText from '../../../src/renderer/features/connection/BannerText.vue'
import ConnectionTabButton from '../../../src/renderer/features/connection/ConnectionTabButton.vue'
import LinkNotice from '../../../src/renderer/features/connection/LinkNotice.vue'
import { entry } from '../state'
import { texts } from '../texts'
import { account, now } from '../world'

const linkNotice = (link: SshLink) => () =>
  h(LinkNotice, {
    account,
    machine: 'm-train',
    link,
    retry: () => Promise.resolve(),
    words: {
      title: 'Not reached',
      text: 'Nothing answers at 203.0.113.21:22.',
      next: 'Check the machine, then try again.',
    },
  })

export default [
  entry(LinkNotice, {
    'tried again': linkNotice({ kind: 'waiting', until: now + 40, attempts: 3, reason: 'ECONNREFUSED' }),
    'too many keys': linkNotice({
      kind: 'stopped',
      stop: { kind: 'key-refused', user: 'ubuntu', host: 'h', keys: ['ssh-agent'], isCut: true },
    }),
    'a changed key': linkNotice({
      kind: 'stopped',
      stop: { kind: 'host-key-changed', host: 'h', known: 'SHA256:A', offered: 'SHA256:B' },
    }),
  }),
  entry(BannerText, {
    link: () => h(BannerText, { banner: 'Approve at https://sign-in.example.org/a1b2c3, then wait.' }),
    'control characters': () => h(BannerText, { banner: texts.control }),
    'a megabyte': () => h(BannerText, { banner: texts.huge }),
  }),
  entry(ConnectionTabButton, {
    usual: () => h(ConnectionTabButton, { account, machine: 'm-train' }),
  }),
]
