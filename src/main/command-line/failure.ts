/** Exit codes of the program; scripts rely on them (docs/command-line.md). `ssh`, `run` and `forward` end as ssh does. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  noAccount: 4,
  notFound: 5,
  unknownOutcome: 6,
  notConfirmed: 7,
  wouldLose: 8,
  overLimit: 9,
  outOfStock: 10,
  /** 128 + SIGPIPE, as a shell reports it. */
  closedOutput: 141,
} as const
export type ExitName = keyof typeof exitCodes

/** Ends the program with an exit code and a text for the user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  constructor(
    readonly exit: ExitName,
    text: string,
  ) {
    super(text)
  }
}
