/** What a person can see of a name: no blanks around it, one between words, nothing invisible. */
const visible = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{C}\uFFFD]+/gu, '')
    .trim()

/** By what something is named where its deletion is confirmed: its name, or its id where the name is invisible. */
export const nameToType = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  visible(name) === '' ? id : name

/** Whether a person has typed the visible part of a name. An invisible one is never typed. */
export const isTypedName = (typed: string, name: string): boolean =>
  visible(name) !== '' && visible(typed) === visible(name)
