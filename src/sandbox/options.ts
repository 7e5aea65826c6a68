import { z } from 'zod'

const port = z.number().int().min(0).max(65_535)

export const SandboxOptions = z.object({
  /** Port of the HTTP service; 0: any free port. */
  port,
  /** Port of the SSH service; 0 or absent: any free port. */
  sshPort: port.optional(),
  seed: z.number().int(),
  machines: z.number().int().min(0).max(10_000),
  /** Divisor of the duration of transitions. */
  speed: z.number().positive(),
  /** Initial credit in USD; absent: at least 500, enough for some hours. */
  balance: z.number().min(-1e9).max(1e9).optional(),
  /** Whether to offer service-extensions.md; absent: true. */
  extensions: z.boolean().optional(),
  /** File that stores the cloud over restarts. `seed` and `machines` then apply to the first start only. */
  dataFile: z.string().min(1).optional(),
  /** Secret in hex from which all secrets are derived; absent: random at each start. */
  secret: z
    .string()
    .regex(/^([0-9a-f]{2}){16,}$/i, 'must be at least 32 hexadecimal digits')
    .optional(),
  /** Path of the seeded machines' private key, mode 0600; absent: a temporary folder that is removed at close. */
  identityFile: z.string().min(1).optional(),
})
export type SandboxOptions = z.infer<typeof SandboxOptions>
