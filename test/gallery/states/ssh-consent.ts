import { h } from 'vue'
import type { SshConsents, SshPurpose } from '#shared/bridge/ssh'
import { FailureError } from '#shared/failure'
import SshConsent from '../../../src/renderer/features/connection/SshConsent.vue'
import SshPurposes from '../../../src/renderer/features/connection/SshPurposes.vue'
import SshUse from '../../../src/renderer/features/connection/SshUse.vue'
import { never } from '../fake-main'
import { entry, part, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine } from '../world'

const diskFull = (): never => {
  throw new FailureError({ kind: 'disk-full' })
}
const consents = (changes: Partial<SshConsents>) => () => ({
  account,
  everyMachine: {},
  machines: {},
  ...changes,
})
const asked = (
  purpose: SshPurpose,
  more: Partial<GalleryState> = {},
  changes: Partial<SshConsents> = {},
  name = 'train-llama-01',
): GalleryState => ({
  width: 420,
  render: () => h(SshConsent, { account, machine: machine({ name }), purpose }),
  ...more,
  handlers: { 'ssh.consents': consents(changes), ...more.handlers },
})
const off = { everyMachine: { gpu: true, files: true }, machines: { 'm-train': { files: false } } }
const use = (id: string | null, more: Partial<GalleryState> = {}): GalleryState => ({
  width: 420,
  render: () => h(SshUse, { account, machine: id }),
  ...more,
  handlers: { 'ssh.consents': consents(off), ...more.handlers },
})

export default [
  entry(SshPurposes, {
    explained: () => h(SshPurposes, { answers: { gpu: true }, explained: true }),
    short: () => h(SshPurposes, { answers: { services: true, files: false } }),
    disabled: () => h(SshPurposes, { answers: {}, disabled: true }),
  }),
  entry(SshConsent, {
    usual: asked('gpu'),
    'refused before': asked('services', {}, { everyMachine: { gpu: true, services: false, files: false } }),
    'off here': asked('files', {}, off),
    'off here, hostile': asked('files', {}, off, texts.control),
    busy: asked('gpu', {
      handlers: { 'ssh.setConsents': () => never },
      act: (stage) => part(stage, 'button').click(),
    }),
    failed: asked('gpu', {
      handlers: { 'ssh.setConsents': diskFull },
      act: (stage) => part(stage, 'button').click(),
    }),
    'not read': asked('gpu', { handlers: { 'ssh.consents': diskFull } }),
  }),
  entry(SshUse, {
    'of the account': use(null),
    'of a machine': use('m-train'),
    'not asked yet': use('m-train', { handlers: { 'ssh.consents': consents({}) } }),
    'stop reading': use(null, { act: (stage) => part(stage, '[role=checkbox]').click() }),
    failed: use('m-train', {
      handlers: { 'ssh.setConsents': diskFull },
      act: (stage) => part(stage, '[role=checkbox]').click(),
    }),
  }),
]
