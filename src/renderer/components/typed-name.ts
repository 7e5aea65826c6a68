/** Returns the visible part of a name: single spaces between words, no invisible characters. */
const visible = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{C}\uFFFD]+/gu, '')
    .trim()

/** Returns the text that confirms a deletion: the name, or the id if the name is invisible. */
export const nameToType = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  visible(name) === '' ? id : name

/** Checks whether the user typed the visible part of a name; false if the name has none. */
export const isTypedName = (typed: string, name: string): boolean =>
  visible(name) !== '' && visible(typed) === visible(name)
