/** One argument for a POSIX shell. zsh takes a leading `=` for the path of a program. */
export const posixQuoted = (text: string): string =>
  /^(?!=)[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A string literal of PowerShell, which takes the typographic quotes for quotes too. */
export const powershellQuoted = (text: string): string => `'${text.replace(/['\u2018-\u201B]/g, '$&$&')}'`

/**
 * An argument for cmd and PowerShell alike: both take what is between double quotes as one, and cmd splits at nothing in
 * it. PowerShell expands there, and takes typographic quotes for quotes: its own escape stops that. Whoever pastes such a
 * rare name into cmd has its backticks in it; still nothing of it is run. Names of files on Windows hold no double quote.
 * PowerShell splats what begins with `@`, and the C runtime reads a backslash before the closing quote as its escape.
 */
export const windowsQuoted = (text: string): string =>
  /^(?!@)[\w@+=:./\\-]+$/.test(text)
    ? text
    : `"${text.replace(/[`$\u201C-\u201E]/g, '`$&').replace(/\\+$/, '$&$&')}"`
