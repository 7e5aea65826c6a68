import { z } from 'zod'

/** What is left to spend, by currency (GET /billing/balance, service-extensions.md). */
export const Balance = z.looseObject({ available: z.record(z.string(), z.number()) })
export type Balance = z.infer<typeof Balance>
