import { z } from 'zod'

const port = z.number().int().min(0).max(65_535)

/** What a sandbox is started with. */
export const SandboxOptions = z.object({
  /** Of the HTTP service; 0: any that is free. */
  port,
  /** 0 or absent: any that is free. */
  sshPort: port.optional(),
  seed: z.number().int(),
  /** Virtual machines in the seeded world. */
  machines: z.number().int().min(0).max(10_000),
  /** Shortens transitions of state, and nothing else. */
  speed: z.number().positive(),
  /** Whether it offers what goes beyond the specification (service-extensions.md); absent: it does. */
  extensions: z.boolean().optional(),
  /** Where the world is kept, so that it survives a restart; then `seed` and `machines` hold for the first start only. */
  dataFile: z.string().min(1).optional(),
  /** Hex. Everything secret is derived from it; absent: random, other at each start. */
  secret: z
    .string()
    .regex(/^([0-9a-f]{2}){16,}$/i, 'must be at least 32 hexadecimal digits')
    .optional(),
  /** Where the private key that opens the seeded machines is written, mode 0600; absent: a temporary folder, removed at close. */
  identityFile: z.string().min(1).optional(),
})
export type SandboxOptions = z.infer<typeof SandboxOptions>
