import { h } from 'vue'
import { FailureError } from '#shared/failure'
import type { SshAliasesView } from '#shared/bridge/ssh-alias'
import OpenInDialog from '../../../src/renderer/features/connection/OpenInDialog.vue'
import CommandLine from '../../../src/renderer/components/CommandLine.vue'
import SshAliasLine from '../../../src/renderer/features/connection/SshAliasLine.vue'
import SshAliasesSection from '../../../src/renderer/pages/settings/SshAliasesSection.vue'
import { entry, fill, type GalleryState, submit } from '../state'
import { texts } from '../texts'
import { account, machine, sshAliasesView } from '../world'

const answering = (changes: Partial<SshAliasesView>) => ({
  handlers: { 'sshAliases.read': () => sshAliasesView(changes) },
})
const section = (changes: Partial<SshAliasesView>) => ({
  ...answering(changes),
  render: () => h(SshAliasesSection),
  act: async (stage: HTMLElement) => {
    // Collapsed parts are expanded once they exist, to be in the picture.
    await new Promise((resolve) => requestAnimationFrame(resolve))
    for (const details of stage.querySelectorAll('details')) details.open = true
  },
})
const line = (machine: string, changes: Partial<SshAliasesView>) => ({
  ...answering(changes),
  render: () => h(SshAliasLine, { account, machine }),
})
const inUse = { enabled: true, included: true }
const leftOut: SshAliasesView['leftOut'] = [
  { account, machine: 'm-off', name: 'archive', reason: 'in-use' },
  { account, machine: 'm-known', name: 'nas', reason: 'known-host' },
  { account, machine: 'm-own', name: 'laptop', reason: 'this-computer' },
  { account, machine: 'm-new', name: 'eval-nightly', reason: 'no-address' },
  { account, machine: 'm-rtl', name: texts.rtl, reason: 'name' },
  { account, machine: 'm-long', name: texts.long, reason: 'name' },
]

const openIn = (name: string, enabled: boolean): GalleryState => ({
  render: () =>
    h(OpenInDialog, { account, machine: machine({ name }), editor: { id: 'vscode', name: 'VS Code' } }),
  handlers: { 'sshAliases.read': () => sshAliasesView({ enabled, included: enabled }) },
})

export default [
  entry(OpenInDialog, {
    usual: openIn('train-llama-01', true),
    'no alias': openIn('train-llama-01', false),
    hostile: openIn(texts.html, true),
    refused: {
      ...openIn('train-llama-01', true),
      handlers: {
        'sshAliases.read': () => sshAliasesView({ enabled: true, included: true }),
        'editors.open': () => {
          throw new FailureError({ kind: 'invalid-input', field: 'folder', reason: 'malformed' })
        },
      },
      act: async (stage) => (await fill(stage, '../etc'), submit(stage)),
    },
  }),
  entry(SshAliasesSection, {
    off: section({}),
    'in use': section({ ...inUse, leftOut }),
    'without its line': section({ enabled: true }),
    failed: section({
      failure: { kind: 'local-fault', action: 'sshAliases.write', reason: 'EACCES: permission denied' },
    }),
  }),
  entry(CommandLine, {
    usual: () => h(CommandLine, { what: 'Command', command: 'ssh ubuntu@203.0.113.7' }),
    unknown: () => h(CommandLine, { what: 'Command', command: null }, () => 'No address yet'),
    long: { width: 380, render: () => h(CommandLine, { what: 'Command', command: texts.long }) },
  }),
  entry(SshAliasLine, {
    'in use': line('m-train', inUse),
    off: line('m-train', {}),
    'left out': line('m-off', { ...inUse, leftOut }),
  }),
]
