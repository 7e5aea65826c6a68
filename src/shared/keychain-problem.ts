import { z } from 'zod'

/**
 * Why the keychain is unavailable: keytar or its library is absent, no keyring runs, a keyring runs without a default
 * collection, it is locked, or something else.
 */
export const KeychainProblem = z.enum(['not-installed', 'not-running', 'no-collection', 'locked', 'failed'])
export type KeychainProblem = z.infer<typeof KeychainProblem>

/** In the order in which they are tried: a locked keyring is named by its D-Bus path too. */
const signs: readonly (readonly [KeychainProblem, RegExp])[] = [
  [
    'not-installed',
    /keytar is not installed|libsecret|cannot open shared object|NODE_MODULE_VERSION|dlopen/i,
  ],
  ['locked', /locked|no answer|dismissed|interaction is not allowed|-25308/i],
  // GDBus, of a Secret Service that answers and lacks the object that the alias "default" names.
  [
    'no-collection',
    /object does not exist at path|no such (?:object|interface|secret collection)|nosuchobject/i,
  ],
  ['not-running', /d-?bus|org[./]freedesktop|not provided by any|could not connect|not running/i],
]

/** What a reason in the system's words (keytar, libsecret, D-Bus, macOS) comes down to. */
export const keychainProblem = (reason: string): KeychainProblem =>
  signs.find(([, sign]) => sign.test(reason))?.[0] ?? 'failed'
