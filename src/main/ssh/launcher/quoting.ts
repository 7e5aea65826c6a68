/** One argument for a POSIX shell. */
export const posixQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A string literal of PowerShell, which takes the typographic quotes for quotes too. */
export const powershellQuoted = (text: string): string => `'${text.replace(/['\u2018-\u201B]/g, '$&$&')}'`

/** An argument for cmd and PowerShell alike. Names of files on Windows hold no double quote. */
export const windowsQuoted = (text: string): string => (/^[\w@+=:./\\-]+$/.test(text) ? text : `"${text}"`)

/**
 * A file name as ssh_config(5) reads it: `%` begins a token, blanks end a word, and within double quotes a
 * backslash escapes.
 */
export const sshConfigQuoted = (path: string): string => {
  const tokenFree = path.replaceAll('%', '%%')
  return /^[\w./:%-]+$/.test(tokenFree) ? tokenFree : `"${tokenFree.replace(/["\\]/g, '\\$&')}"`
}
