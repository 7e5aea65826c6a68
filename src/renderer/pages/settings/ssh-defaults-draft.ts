import type { SshDefaults } from '#shared/bridge/ssh'
import { parsePort } from '../../features/connection/connection-text'

/** The fields as typed. */
export type SshDefaultsDraft = Readonly<Record<Exclude<keyof SshDefaults, 'forwardAgent'>, string>>

export const draftOf = ({ user, port, identityFile, jumpHost }: SshDefaults): SshDefaultsDraft => ({
  user: user ?? '',
  port: String(port ?? ''),
  identityFile: identityFile ?? '',
  jumpHost: jumpHost ?? '',
})

/**
 * Only what was typed anew: what is shown may be what the account brings with it, such as the sandbox's port of this
 * start, and would become its own once it is sent back.
 */
export function changesOf(saved: SshDefaults, draft: SshDefaultsDraft): Partial<SshDefaults> {
  const before = draftOf(saved)
  const [user, port, jumpHost] = [draft.user.trim(), draft.port.trim(), draft.jumpHost.trim()]
  return {
    ...(user !== before.user && { user: user || null }),
    ...(port !== before.port && { port: parsePort(port) }),
    ...(draft.identityFile !== before.identityFile && { identityFile: draft.identityFile || null }),
    ...(jumpHost !== before.jumpHost && { jumpHost: jumpHost || null }),
  }
}
