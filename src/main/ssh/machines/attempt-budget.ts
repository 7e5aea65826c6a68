import type { Clock } from '../../core/clock'

/**
 * Penalty seconds that OpenSSH 9.8 and later give a client's address (sshd_config(5), PerSourcePenalties): for a refused
 * sign-in, and for a connection that ends before it signs in. From 15 seconds on the server refuses the address, the
 * user's own ssh included. Penalties expire in real time.
 */
export const penaltySeconds = { refused: 5, left: 1 } as const

/** Penalty seconds that the application's own attempts may cause: the user's ssh has the rest, one refused key. */
const budgetSeconds = 10

/** Counts the penalties of the application's own attempts for each server, named `host:port`. */
export function createAttemptBudget({ now }: Pick<Clock, 'now'>) {
  /** When the penalties of a server expire, in epoch seconds. */
  const expiries = new Map<string, number>()

  return {
    spend(server: string, penalty: keyof typeof penaltySeconds): void {
      expiries.set(server, Math.max(now(), expiries.get(server) ?? 0) + penaltySeconds[penalty])
    },
    /** Seconds until one more refused sign-in stays within the budget; 0 if it does now. */
    pauseFor(server: string): number {
      const expiry = expiries.get(server)
      if (expiry === undefined) return 0
      if (expiry <= now()) expiries.delete(server)
      return Math.max(0, expiry - now() + penaltySeconds.refused - budgetSeconds)
    },
  }
}
