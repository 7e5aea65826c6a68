import { z } from 'zod'

/** Reasons for rejecting a value; their texts are in messages/en/failures.ts. */
export const invalidReasons = [
  'required',
  'malformed',
  'too-long',
  'out-of-range',
  'not-a-url',
  'insecure-url',
  'loopback-only',
  'not-a-host',
  'not-a-user-name',
  'not-a-port',
  'not-a-file',
  'putty-key',
  'damaged-key',
  'unknown',
  'already-there',
  'not-ready',
  'not-an-api-token',
  'outcome-open',
  'not-the-name',
  'still-attached',
  'not-identified',
  'web-page',
  'another-account',
] as const
export type InvalidReason = (typeof invalidReasons)[number]

// As `variant` of the bridge, which a start must not load.
const variant = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape })

/** Failures as values that cross the bridge. Texts: messages/en/failures.ts. No field ever holds a secret. */
export const Failure = z.discriminatedUnion('kind', [
  variant('offline', {}),
  /** `host` with port; `reason`: the system's code, such as ECONNREFUSED. */
  variant('cannot-connect', { host: z.string(), reason: z.string() }),
  variant('timed-out', { host: z.string(), seconds: z.number() }),
  variant('untrusted-certificate', { host: z.string(), reason: z.string() }),
  /** Nothing was sent: the proxy (host:port; empty if its settings are invalid) does not reach the host. */
  variant('proxy', {
    problem: z.enum(['unreachable', 'refused', 'sign-in', 'certificate', 'script']),
    proxy: z.string(),
    host: z.string(),
  }),
  variant('not-signed-in', {
    reason: z.enum(['expired', 'refused', 'signed-out']),
    message: z.string().optional(),
  }),
  variant('refused-by-service', {
    message: z.string(),
    status: z.number().int(),
    field: z.string().optional(),
  }),
  /** `status`: the HTTP status if the answer did not come from the service. */
  variant('unexpected-answer', {
    expected: z.string(),
    received: z.string(),
    status: z.number().int().optional(),
  }),
  /** `retryAfter`: seconds, if the service named them. `until`: epoch seconds before which nothing is sent. */
  variant('rate-limited', { retryAfter: z.number().optional(), until: z.number().optional() }),
  /** The service refuses this request although it accepts the sign-in elsewhere. `message`: its own. */
  variant('forbidden', { message: z.string().optional() }),
  variant('invalid-input', { field: z.string(), reason: z.enum(invalidReasons) }),
  variant('keychain-unavailable', { reason: z.string() }),
  variant('not-offered-by-service', { what: z.string() }),
  variant('cancelled', {}),
  /** The host key differs from the recorded one. Fingerprints as SHA256:… */
  variant('host-key-changed', { host: z.string(), known: z.string(), offered: z.string() }),
  variant('host-key-refused', { host: z.string() }),
  /** The target disk is full. Nothing was kept of the file. */
  variant('disk-full', {}),
  /** A disk has too little room for a transfer, in bytes. `machine`: its name; null for this computer. */
  variant('no-space', { machine: z.string().nullable(), free: z.number(), needed: z.number() }),
  /** A problem on this computer, such as an unreadable file. `reason`: the system's message. */
  variant('local-fault', { action: z.string(), reason: z.string() }),
])
export type Failure = z.infer<typeof Failure>

/** The only error that modules throw on purpose; the user sees `failure`. */
export class FailureError extends Error {
  override readonly name = 'FailureError'
  /** `nothingSent`: it failed before the request was sent, whatever its kind. */
  constructor(
    readonly failure: Failure,
    readonly nothingSent = false,
  ) {
    super(failure.kind)
  }
}

/** Converts any thrown value: its own failure, else a local fault during `action`. */
export const failureOf = (error: unknown, action: string): Failure =>
  error instanceof FailureError
    ? error.failure
    : {
        kind: 'local-fault',
        action,
        reason: error instanceof Error ? error.message : String(error),
      }

/** Whether the account lacks only this feature, while everything else works. */
export const isAbsent = ({ kind }: Failure): boolean =>
  kind === 'not-offered-by-service' || kind === 'forbidden'
