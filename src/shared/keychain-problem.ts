import { z } from 'zod'

/**
 * Why the keychain is unavailable: keytar or its library is missing, no keyring runs, a keyring lacks a default
 * collection, it is locked, or another reason.
 */
export const KeychainProblem = z.enum(['not-installed', 'not-running', 'no-collection', 'locked', 'failed'])
export type KeychainProblem = z.infer<typeof KeychainProblem>

/** Patterns in order of priority: a locked keyring's message also contains its D-Bus path. */
const signs: readonly (readonly [KeychainProblem, RegExp])[] = [
  [
    'not-installed',
    /keytar is not installed|libsecret|cannot open shared object|NODE_MODULE_VERSION|dlopen/i,
  ],
  ['locked', /locked|no answer|dismissed|interaction is not allowed|-25308/i],
  // GDBus messages of a Secret Service without the object of the alias "default".
  [
    'no-collection',
    /object does not exist at path|no such (?:object|interface|secret collection)|nosuchobject/i,
  ],
  ['not-running', /d-?bus|org[./]freedesktop|not provided by any|could not connect|not running/i],
]

export const keychainProblem = (reason: string): KeychainProblem =>
  signs.find(([, sign]) => sign.test(reason))?.[0] ?? 'failed'
