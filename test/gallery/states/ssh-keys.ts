import { h } from 'vue'
import type { SshKeysView, SshKeyView } from '#shared/bridge/ssh-key'
import { FailureError } from '#shared/failure'
import KeyDialog from '../../../src/renderer/features/connection/KeyDialog.vue'
import NewKeyDialog from '../../../src/renderer/pages/settings/NewKeyDialog.vue'
import SshKeyRow from '../../../src/renderer/pages/settings/SshKeyRow.vue'
import SshKeysSection from '../../../src/renderer/pages/settings/SshKeysSection.vue'
import { never } from '../fake-main'
import { entry } from '../state'
import { texts } from '../texts'
import { sshKeysView, sshKeyView as key } from '../ssh-views'
import { account } from '../world'

const section = (changes: Partial<SshKeysView>) => ({
  handlers: { 'sshKeys.list': () => sshKeysView(changes) },
  render: () => h(SshKeysSection),
})
const row = (changes: Partial<SshKeyView>) => ({
  handlers: {},
  render: () => h('ul', [h(SshKeyRow, { sshKey: key(changes) })]),
})
const machines = ['train-llama-01', 'eval-nightly', 'notebook', 'archive', 'render'].map((name) => ({
  account,
  machine: `m-${name}`,
  name,
}))

export default [
  entry(SshKeysSection, {
    keys: section({
      keys: [
        key({ machines: machines.slice(0, 2), inAgent: true }),
        key({
          path: '/home/anna/.ssh/id_sk',
          type: 'sk-ssh-ed25519@openssh.com',
          hardware: true,
          encrypted: false,
        }),
        key({ path: null, comment: 'anna@1password', encrypted: null, inAgent: true }),
        key({ path: '/home/anna/.ssh/old', fingerprint: null, type: null, comment: null, publicKey: null }),
      ],
    }),
    none: section({ keys: [], hasAgent: false }),
    loading: { handlers: { 'sshKeys.list': () => never }, render: () => h(SshKeysSection) },
    failed: {
      handlers: {
        'sshKeys.list': () => {
          throw new FailureError({ kind: 'local-fault', action: 'sshKeys.list', reason: 'EACCES' })
        },
      },
      render: () => h(SshKeysSection),
    },
    cut: section({ isCut: true }),
    'a megabyte': section({ folder: `/home/${texts.huge}`, keys: [], isCut: true }),
  }),
  entry(SshKeyRow, {
    'many machines': row({ machines }),
    hostile: row({ comment: texts.rtl, machines: [{ account, machine: 'm-long', name: texts.long }] }),
    'a megabyte': row({
      comment: texts.huge,
      type: texts.huge,
      publicKey: texts.huge,
      path: `/home/${texts.huge}`,
      machines: [{ account, machine: 'm-huge', name: texts.huge }],
    }),
  }),
  entry(KeyDialog, {
    incomplete: {
      handlers: { 'creation.freeKeyName': () => 'wheelhouse_ed25519' },
      render: () => h(KeyDialog, { generate: () => Promise.resolve(), incomplete: true }),
    },
  }),
  entry(NewKeyDialog, {
    empty: {
      handlers: { 'creation.freeKeyName': () => 'wheelhouse_ed25519' },
      render: () => h(NewKeyDialog),
    },
  }),
]
