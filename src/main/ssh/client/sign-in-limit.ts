/**
 * Time in which the user can act during a sign-in: answer a question, or follow a banner. sshd ends a sign-in
 * after 120 seconds by default (sshd_config(5), LoginGraceTime).
 */
export const userActionSeconds = 130

/** Calls `late` after a number of seconds, which can change in between. */
export function signInLimit(seconds: number, late: () => void) {
  const start = (within: number): NodeJS.Timeout => setTimeout(late, within * 1_000)
  let timer = start(seconds)
  return {
    /** Starts counting again, with another limit. */
    restart(within: number): void {
      clearTimeout(timer)
      timer = start(within)
    },
    cancel: (): void => clearTimeout(timer),
  }
}
