import type { SshDefaults } from '#shared/bridge/ssh'
import { parsePort } from '../../features/connection/connection-text'
import type { FieldReading } from './settings-form'

export type SshDefaultsDraft = Readonly<Record<Exclude<keyof SshDefaults, 'forwardAgent'>, string>> & {
  readonly forwardAgent: boolean
}

export const sshFields = ['user', 'port', 'identityFile', 'jumpHost', 'forwardAgent', 'options'] as const

export const draftOf = (defaults: Partial<SshDefaults>): SshDefaultsDraft => ({
  user: defaults.user ?? '',
  port: String(defaults.port ?? ''),
  identityFile: defaults.identityFile ?? '',
  jumpHost: defaults.jumpHost ?? '',
  forwardAgent: defaults.forwardAgent ?? false,
  options: defaults.options ?? '',
})

const readText = (typed: string): FieldReading<string | null> => ({
  kind: 'value',
  value: typed.trim() || null,
})

export const readDraft = (draft: SshDefaultsDraft) => {
  const port = draft.port.trim()
  const isPort = port === '' || parsePort(port) !== null
  return {
    user: readText(draft.user),
    port: (isPort
      ? { kind: 'value', value: parsePort(port) }
      : { kind: 'wrong', message: 'ssh.port.range' }) satisfies FieldReading<number | null>,
    identityFile: { kind: 'value', value: draft.identityFile || null },
    jumpHost: readText(draft.jumpHost),
    forwardAgent: { kind: 'value', value: draft.forwardAgent || null },
    options: readText(draft.options),
  } satisfies Readonly<Record<keyof SshDefaultsDraft, FieldReading<unknown>>>
}
