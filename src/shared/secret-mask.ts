/** Text in place of a secret. */
export const secretMask = '•••'
