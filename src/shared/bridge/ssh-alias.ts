import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'
import { call } from './define'

/**
 * Why a machine has no alias: nothing to reach it by, a name that could stand for something else, or one in use: by a
 * configuration of ssh, by a host that ssh has connected to, or by the computer itself.
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

/** The aliases for machines in the person's own SSH configuration, in place or as they would be. */
export const SshAliasesView = z.object({
  enabled: z.boolean(),
  /** The line stands in the person's configuration, so that ssh reads the aliases. */
  included: z.boolean(),
  /** Absolute paths: of the person's configuration, and of the application's file beside it. */
  config: z.string(),
  file: z.string(),
  /** What the configuration gets. */
  line: z.string(),
  aliases: z.array(z.object({ account: AccountId, machine: z.string(), alias: z.string() })),
  leftOut: z.array(
    z.object({ account: AccountId, machine: z.string(), name: z.string(), reason: LeftOutReason }),
  ),
  /** Why the files could not be read or written the last time. */
  failure: Failure.nullable(),
})
export type SshAliasesView = z.infer<typeof SshAliasesView>

export const sshAliasCalls = {
  'sshAliases.read': call(z.object({}), SshAliasesView),
  /** The text of the application's file as it is or would be. */
  'sshAliases.preview': call(z.object({}), z.string()),
  /** Fails with local-fault and disk-full; the person's configuration is then as it was. */
  'sshAliases.enable': call(z.object({ enabled: z.boolean() }), SshAliasesView),
  'sshAliases.showInFolder': call(z.object({}), z.void()),
} as const

export const sshAliasEvents = { 'sshAliases.changed': SshAliasesView } as const
