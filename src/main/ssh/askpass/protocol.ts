/** How ssh's question finds the application: in the environment of ssh, and of the program that it asks. No secret. */
export const askpassVariables = {
  /** Where the application listens for this one start of ssh. */
  socket: 'WHEELHOUSE_ASKPASS_SOCKET',
  /** Proves that the question comes from that start. */
  token: 'WHEELHOUSE_ASKPASS_TOKEN',
  prompt: 'WHEELHOUSE_ASKPASS_PROMPT',
  /** The process id of the ssh that asks. */
  asker: 'WHEELHOUSE_ASKPASS_ASKER',
} as const

/** Whether this start is ssh's question for a passphrase or a password, and not one of the application. */
export const isAskpass = (args: readonly string[]): boolean => args.includes('--askpass')

/** What ssh sets where it wants no text: `confirm`, or `none` where it only shows something until it ends the program (ssh(1)). */
export const hint = { variable: 'SSH_ASKPASS_PROMPT', notice: 'none' } as const

/** Bytes of a question or an answer; ssh itself takes 1,023 of the latter. */
export const longestMessage = 16 * 1024

/** Questions of one start that are answered; more than any server lets through. */
export const mostQuestions = 20
