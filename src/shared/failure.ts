import { z } from 'zod'

/** Why a value was not accepted; each has its words in messages/en/failures.ts. */
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

const failure = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape })

/**
 * Everything that can go wrong, as a value that crosses the bridge. Each kind has its own words and its own next
 * step in messages/en/failures.ts. No field ever holds a secret.
 */
export const Failure = z.discriminatedUnion('kind', [
  failure('offline', {}),
  /** `host` with its port; `reason` is the system's code, such as ECONNREFUSED. */
  failure('cannot-connect', { host: z.string(), reason: z.string() }),
  failure('timed-out', { host: z.string(), seconds: z.number() }),
  failure('untrusted-certificate', { host: z.string(), reason: z.string() }),
  /** Nothing was sent: the proxy (host:port; empty where its own settings fail) does not lead to the host. */
  failure('proxy', {
    problem: z.enum(['unreachable', 'refused', 'sign-in', 'certificate', 'script']),
    proxy: z.string(),
    host: z.string(),
  }),
  /** `message` is the service's own, where it gave one. */
  failure('not-signed-in', {
    reason: z.enum(['expired', 'refused', 'signed-out']),
    message: z.string().optional(),
  }),
  /** `message` verbatim; `field` where the service named one. */
  failure('refused-by-service', {
    message: z.string(),
    status: z.number().int(),
    field: z.string().optional(),
  }),
  /** `status` where the answer was none of the service's at all: the HTTP status of whatever answered. */
  failure('unexpected-answer', {
    expected: z.string(),
    received: z.string(),
    status: z.number().int().optional(),
  }),
  /** `retryAfter` in seconds, where the service said; `until`, epoch seconds, where nothing is sent before then. */
  failure('rate-limited', { retryAfter: z.number().optional(), until: z.number().optional() }),
  /** The service accepts the sign-in elsewhere, and refuses it for what was asked; `message` is its own. */
  failure('forbidden', { message: z.string().optional() }),
  failure('invalid-input', { field: z.string(), reason: z.enum(invalidReasons) }),
  failure('keychain-unavailable', { reason: z.string() }),
  failure('not-offered-by-service', { what: z.string() }),
  failure('cancelled', {}),
  /** The host key differs from the one recorded at first contact. Fingerprints as SHA256:… */
  failure('host-key-changed', { host: z.string(), known: z.string(), offered: z.string() }),
  /** The person did not take the key that a host offered for its own: their choice, and no fault. */
  failure('host-key-refused', { host: z.string() }),
  /** Nothing more can be written where it should go. Nothing was kept of it. */
  failure('disk-full', {}),
  /** A disk has less room than a transfer needs. `machine`: its name; null: this computer. In bytes. */
  failure('no-space', { machine: z.string().nullable(), free: z.number(), needed: z.number() }),
  /** Something on this computer failed: a file that cannot be read, a program that does not start. `reason` is the system's. */
  failure('local-fault', { action: z.string(), reason: z.string() }),
])
export type Failure = z.infer<typeof Failure>

/** The only error that modules throw on purpose; `failure` is what the person sees. */
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

/** Any thrown thing as a failure: its own where it carries one, else a fault on this computer during `action`. */
export const failureOf = (error: unknown, action: string): Failure =>
  error instanceof FailureError
    ? error.failure
    : {
        kind: 'local-fault',
        action,
        reason: error instanceof Error ? error.message : String(error),
      }

/** Whether the account lacks what was asked for, for now, and everything else works. */
export const isAbsent = ({ kind }: Failure): boolean =>
  kind === 'not-offered-by-service' || kind === 'forbidden'
