import type { SshDefaults } from '#shared/bridge/ssh'
import { checkedIdentity } from './client/identities'
import { plainOptions } from './client/plain-options'
import { plainJumpHost, plainPort, plainUser } from './client/plain-values'

/** An absent field stays unchanged; null clears a field. */
export type SettingsChanges = { readonly [Name in keyof SshDefaults]?: SshDefaults[Name] | undefined }

/** Applies changes to settings. Fails with invalid-input, which names the field. */
export async function checkedSettings(
  before: SshDefaults,
  changes: SettingsChanges,
  { home, platform }: { readonly home: string; readonly platform: NodeJS.Platform },
): Promise<SshDefaults> {
  const { user = before.user, port = before.port, identityFile = before.identityFile } = changes
  const { jumpHost = before.jumpHost, forwardAgent = before.forwardAgent } = changes
  const { options = before.options } = changes
  return {
    ...(jumpHost && { jumpHost: plainJumpHost(jumpHost.trim()) }),
    ...(typeof forwardAgent === 'boolean' && { forwardAgent }),
    ...(options && { options: plainOptions(options) }),
    user: user === null ? null : plainUser(user.trim()),
    port: port === null ? null : plainPort(port),
    // Checks only a new file: a key on an unplugged drive stays set.
    identityFile:
      identityFile === null || identityFile === before.identityFile
        ? identityFile
        : await checkedIdentity(identityFile, home, platform),
  }
}
