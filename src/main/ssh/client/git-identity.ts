import { refused } from './plain-values'

/** Who commits made on a machine are by; null and absent: what git there says. */
export interface GitIdentity {
  readonly gitName?: string | null | undefined
  readonly gitEmail?: string | null | undefined
}

/** Characters; longer ones are no names of people. */
const longest = 200

/**
 * Letters of any script (some join by U+200C and U+200D) and the signs that names have. Nothing that ssh_config(5), git
 * or a shell could take for more than a part of a name: no quotes, `\`, `$`, `%`, `<`, `>` and control characters.
 */
const nameSigns = /^[\u200D\p{L}\p{M}\p{N}\p{Zs}.,'\u2019()_+@&·\u200C-]+$/u
const emailSigns = /^[\p{L}\p{M}\p{N}.,'_+=&[\]-]+@[\p{L}\p{M}\p{N}.-]+$/u

// git refuses a name without any of them.
const isGitName = (text: string): boolean =>
  text.length <= longest && nameSigns.test(text) && /[\p{L}\p{N}]/u.test(text)
const isGitEmail = (text: string): boolean => text.length <= longest && emailSigns.test(text)

/** `text` as the name of who commits. Fails with invalid-input (gitName). */
export function plainGitName(text: string): string {
  if (!isGitName(text)) throw refused('gitName', 'malformed')
  return text
}

/** `text` as an address. Fails with invalid-input (gitEmail). */
export function plainGitEmail(text: string): string {
  if (!isGitEmail(text)) throw refused('gitEmail', 'malformed')
  return text
}

/** The identity as git reads it from its environment; what the field would refuse is left out. */
export function gitVariables({ gitName, gitEmail }: GitIdentity): Readonly<Record<string, string>> {
  return {
    ...(gitName && isGitName(gitName) && { GIT_AUTHOR_NAME: gitName, GIT_COMMITTER_NAME: gitName }),
    ...(gitEmail && isGitEmail(gitEmail) && { GIT_AUTHOR_EMAIL: gitEmail, GIT_COMMITTER_EMAIL: gitEmail }),
  }
}
