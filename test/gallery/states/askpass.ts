import { h } from 'vue'
import type { AskpassQuestion } from '#shared/bridge/askpass'
import type { CallOutput } from '#shared/bridge/index'
import AskpassDialog from '../../../src/renderer/features/connection/AskpassDialog.vue'
import SecretQuestionDialog from '../../../src/renderer/features/secrets/SecretQuestionDialog.vue'
import SecretQuestions from '../../../src/renderer/features/secrets/SecretQuestions.vue'
import AskpassRow from '../../../src/renderer/pages/settings/AskpassRow.vue'
import HostKeysSection from '../../../src/renderer/pages/settings/HostKeysSection.vue'
import { entry } from '../state'
import { texts } from '../texts'
import { account } from '../world'

const dialog = (changes: Partial<AskpassQuestion>) => ({
  handlers: {},
  render: () =>
    h(AskpassDialog, {
      question: {
        id: 'q',
        account,
        machine: 'train-llama-01',
        kind: 'passphrase',
        subject: '/home/anna/.ssh/id_ed25519',
        isAgain: false,
        ...changes,
      },
    }),
})
const row = (state: CallOutput<'askpass.state'>) => ({
  handlers: { 'askpass.state': () => state },
  render: () => h(AskpassRow),
})

const secret = (name: string) => ({
  handlers: {},
  render: () =>
    h(SecretQuestionDialog, {
      question: { id: 'q', request: '00000000-0000-4000-8000-000000000000', account, name },
    }),
})

/** The page part that reads the questions itself. */
const waiting = (name: string) => ({
  handlers: {
    'secret.questions': () => [{ id: 'q', request: '00000000-0000-4000-8000-000000000000', account, name }],
  },
  render: () => h(SecretQuestions),
})

export default [
  entry(SecretQuestions, { question: waiting('train-llama-01') }),
  entry(SecretQuestionDialog, { question: secret('train-llama-01'), hostile: secret(texts.rtl) }),
  entry(AskpassDialog, {
    passphrase: dialog({}),
    'wrong password': dialog({ kind: 'password', subject: 'ubuntu@train-llama-01', isAgain: true }),
    'words of a machine': dialog({ kind: 'other', subject: '(ubuntu@host) Verification code: ' }),
    'words of a jump host': dialog({
      kind: 'other',
      subject: '(anna@bastion) Verification code: ',
      from: 'anna@bastion',
    }),
    'a hardware key': dialog({
      kind: 'touch',
      subject: 'Confirm user presence for key ED25519-SK SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDvHc9Gqqt1RbCiuvU',
    }),
    'a hardware key, a megabyte': dialog({ kind: 'touch', subject: texts.huge, machine: texts.huge }),
    'a name that a machine asks': dialog({ kind: 'other', subject: 'Login:', isEchoed: true }),
    'first contact': dialog({
      kind: 'first-contact',
      subject: 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDvHc9Gqqt1RbCiuvU',
    }),
    'the host key': dialog({
      kind: 'host-key',
      subject: 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDvHc9Gqqt1RbCiuvU',
    }),
    'a new machine': dialog({
      kind: 'new-host',
      subject: 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDvHc9Gqqt1RbCiuvU',
      hostKey: { address: '203.0.113.21:22', type: 'ssh-ed25519' },
    }),
    hostile: dialog({ kind: 'other', subject: `${texts.rtl} ${texts.long}`, machine: texts.long }),
    'a megabyte': dialog({ kind: 'other', subject: texts.huge, machine: texts.huge }),
    'a jump host, a megabyte': dialog({ kind: 'other', subject: texts.huge, from: texts.huge }),
    'a password, a megabyte': dialog({ kind: 'password', subject: texts.huge, machine: texts.huge }),
    'first contact, a megabyte': dialog({
      kind: 'first-contact',
      machine: texts.huge,
      subject: `${texts.control}${texts.huge}`,
    }),
  }),
  entry(HostKeysSection, { off: { handlers: {}, render: () => h(HostKeysSection) } }),
  entry(AskpassRow, {
    window: row({ kept: 1, version: 'OpenSSH_9.6p1', asks: 'window' }),
    'too old': row({ kept: 0, version: 'OpenSSH_8.2p1', asks: 'terminal' }),
    Windows: row({ kept: 0, version: 'OpenSSH_for_Windows_9.5p1', asks: 'terminal' }),
    'a program of the person’s': row({ kept: 0, version: 'OpenSSH_9.6p1', asks: 'own' }),
  }),
]
