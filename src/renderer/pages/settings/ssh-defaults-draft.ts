import type { SshDefaults } from '#shared/bridge/ssh'
import { parsePort } from '../../features/connection/connection-text'

/** The fields as typed. */
export type SshDefaultsDraft = Readonly<Record<Exclude<keyof SshDefaults, 'forwardAgent'>, string>> & {
  readonly forwardAgent: boolean
}

export const draftOf = (defaults: SshDefaults): SshDefaultsDraft => ({
  user: defaults.user ?? '',
  port: String(defaults.port ?? ''),
  identityFile: defaults.identityFile ?? '',
  jumpHost: defaults.jumpHost ?? '',
  forwardAgent: defaults.forwardAgent ?? false,
  options: defaults.options ?? '',
})

/**
 * Only what was typed anew: what is shown may be what the account brings with it, such as the sandbox's port of this
 * start, and would become its own once it is sent back.
 */
export function changesOf(saved: SshDefaults, draft: SshDefaultsDraft): Partial<SshDefaults> {
  const before = draftOf(saved)
  const [user, port] = [draft.user.trim(), draft.port.trim()]
  const [jumpHost, options] = [draft.jumpHost.trim(), draft.options.trim()]
  return {
    ...(user !== before.user && { user: user || null }),
    ...(port !== before.port && { port: parsePort(port) }),
    ...(draft.identityFile !== before.identityFile && { identityFile: draft.identityFile || null }),
    ...(jumpHost !== before.jumpHost && { jumpHost: jumpHost || null }),
    ...(draft.forwardAgent !== before.forwardAgent && { forwardAgent: draft.forwardAgent || null }),
    ...(options !== before.options && { options: options || null }),
  }
}
