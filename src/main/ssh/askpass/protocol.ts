/** Environment variables of ssh and of its askpass program, by which a question reaches the application. */
export const askpassVariables = {
  /** Path of the application's socket for this start of ssh. */
  socket: 'WHEELHOUSE_ASKPASS_SOCKET',
  /** Proves that the question comes from this start of ssh. */
  token: 'WHEELHOUSE_ASKPASS_TOKEN',
  prompt: 'WHEELHOUSE_ASKPASS_PROMPT',
  /** The process id of the ssh that asks. */
  asker: 'WHEELHOUSE_ASKPASS_ASKER',
} as const

/** Set by ssh if it wants no text: `confirm`, or `none` to show a notice until ssh ends the program (ssh(1)). */
export const hint = { variable: 'SSH_ASKPASS_PROMPT', notice: 'none' } as const

/** Upper bound on a question and on an answer; ssh reads 1,023 bytes of an answer. */
export const maxMessageBytes = 16 * 1024

/** Questions that are answered for one start of ssh; more than any server allows. */
export const maxQuestions = 20
