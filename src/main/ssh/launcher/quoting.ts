/** Quotes an argument for a POSIX shell. zsh replaces a word with a leading `=` by the path of a program. */
export const posixQuoted = (text: string): string =>
  /^(?!=)[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Writes a string literal of PowerShell, which reads typographic quotes as quotes. */
export const powershellQuoted = (text: string): string => `'${text.replace(/['\u2018-\u201B]/g, '$&$&')}'`

/**
 * Quotes an argument for both cmd and PowerShell, which read text in double quotes as one word. PowerShell also expands it
 * and reads typographic quotes as quotes: backticks prevent that. In cmd the backticks of such a rare name stay in it, but
 * nothing is run. File names on Windows contain no double quote. PowerShell splats words that begin with `@`, and the C
 * runtime reads a backslash before the closing quote as an escape.
 */
export const windowsQuoted = (text: string): string =>
  /^(?!@)[\w@+=:./\\-]+$/.test(text)
    ? text
    : `"${text.replace(/[`$\u201C-\u201E]/g, '`$&').replace(/\\+$/, '$&$&')}"`
