import { z } from 'zod'

const port = z.number().int().min(0).max(65_535)

/** Options of a sandbox. */
export const SandboxOptions = z.object({
  /** Of the HTTP service; 0: any free one. */
  port,
  /** 0 or absent: any free one. */
  sshPort: port.optional(),
  seed: z.number().int(),
  /** Number of seeded virtual machines. */
  machines: z.number().int().min(0).max(10_000),
  /** Divides the duration of transitions. */
  speed: z.number().positive(),
  /** USD left at the start; absent: at least 500, enough for some hours. */
  balance: z.number().min(-1e9).max(1e9).optional(),
  /** Whether to offer service-extensions.md; absent: true. */
  extensions: z.boolean().optional(),
  /** Persists the cloud across restarts; `seed` and `machines` then apply to the first start only. */
  dataFile: z.string().min(1).optional(),
  /** Hex. All secrets are derived from it; absent: random at each start. */
  secret: z
    .string()
    .regex(/^([0-9a-f]{2}){16,}$/i, 'must be at least 32 hexadecimal digits')
    .optional(),
  /** Path of the private key of the seeded machines, mode 0600; absent: a temporary folder, removed at close. */
  identityFile: z.string().min(1).optional(),
})
export type SandboxOptions = z.infer<typeof SandboxOptions>
