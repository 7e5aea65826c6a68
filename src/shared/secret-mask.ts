/** Text in place of a secret. */
export const secretMask = '•••'

/** Whether values were left out of a text, so that it must not be run. Pure. */
export const lacksValues = (text: string | null): boolean => text?.includes(secretMask) === true
