import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'
import { call } from './define'

/**
 * Why a machine has no alias: it has no address or user, its name is not safe, or the name is used by an SSH
 * configuration, a known host or the computer itself.
 */
export const LeftOutReason = z.enum([
  'no-address',
  'no-user',
  'user-refused',
  'name',
  'in-use',
  'known-host',
  'this-computer',
  'identity-file',
])
export type LeftOutReason = z.infer<typeof LeftOutReason>

export const SshAliasesView = z.object({
  enabled: z.boolean(),
  /** Whether the user's configuration includes our file. */
  included: z.boolean(),
  /** Absolute paths of the user's configuration and of our file next to it. */
  config: z.string(),
  file: z.string(),
  line: z.string(),
  aliases: z.array(z.object({ account: AccountId, machine: z.string(), alias: z.string() })),
  leftOut: z.array(
    z.object({ account: AccountId, machine: z.string(), name: z.string(), reason: LeftOutReason }),
  ),
  failure: Failure.nullable(),
})
export type SshAliasesView = z.infer<typeof SshAliasesView>

export const sshAliasCalls = {
  'sshAliases.read': call(z.object({}), SshAliasesView),
  'sshAliases.preview': call(z.object({}), z.string()),
  /** Fails with local-fault and disk-full, and then leaves the user's configuration unchanged. */
  'sshAliases.enable': call(z.object({ enabled: z.boolean() }), SshAliasesView),
  'sshAliases.showInFolder': call(z.object({}), z.void()),
} as const

export const sshAliasEvents = { 'sshAliases.changed': SshAliasesView } as const
