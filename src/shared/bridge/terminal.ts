import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId, OneMachine } from './account'
import { CommandState, loginOutput, SlowLogin } from './command'
import { Bytes, call, stream, variant } from './define'

const cells = z.int().min(1).max(2_000)

/** State of a built-in terminal. Times are epoch seconds. */
export const TerminalState = z.discriminatedUnion('kind', [
  variant('connecting', {}),
  /** A tab of an earlier run, not connected yet. */
  variant('restored', {}),
  variant('running', {}),
  /** The connection was lost; the next attempt is at `until`. */
  variant('waiting', { until: z.number(), attempts: z.int() }),
  /**
   * ssh ended; `code` is null after a signal. `isLost`: the built-in client's connection was lost. `hasTooManyKeys`:
   * the machine closed the connection before the right key was offered.
   */
  variant('ended', {
    code: z.int().nullable(),
    isLost: z.literal(true).optional(),
    hasTooManyKeys: z.literal(true).optional(),
  }),
  variant('failed', { failure: Failure }),
])
export type TerminalState = z.infer<typeof TerminalState>

/** Name of a session that continues on the machine without a terminal. */
export const KeptName = z.string().regex(/^wheelhouse-[0-9a-z]{1,32}$/)
/** Exit code of ssh if the machine has no tool that keeps sessions (sysexits.h: EX_UNAVAILABLE). */
export const noKeeper = 69

/** Position of a split pane relative to the pane that was split. */
export const SplitWay = z.enum(['right', 'below'])
export type SplitWay = z.infer<typeof SplitWay>

/** Smallest share of an area on either side of a divider. */
export const minShare = 0.1
const Share = z
  .number()
  .min(minShare)
  .max(1 - minShare)

/** Longest name of a tab in characters. */
export const maxTitleLength = 60

/** Returns the typed name of a tab; null, for the machine's name, if nothing of it is visible. */
export function titleOf(text: string): string | null {
  const title = text.trim()
  return title.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim() === '' ? null : title
}

/** One built-in terminal: a tab, or a pane of one. */
export const TerminalSession = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  name: z.string(),
  /** `user@host` */
  destination: z.string(),
  /** Kept session that it is attached to; null if the shell ends with the connection. */
  kept: KeptName.nullable(),
  /** Name of its tab chosen by the user; null for the machine's name. */
  title: z.string().nullable(),
  /** Pane that was split; null for the first of its tab. `share`: of the divider; absent if never moved. */
  beside: z
    .object({ session: z.string(), way: SplitWay, share: Share.optional().catch(undefined) })
    .nullable(),
  state: TerminalState,
})
export type TerminalSession = z.infer<typeof TerminalSession>

export const KeptSession = z.object({
  name: KeptName,
  title: z.string().nullable(),
  /** Epoch seconds; null if the machine does not report it. */
  beganAt: z.number().nullable(),
  attached: z.boolean(),
  /** The machine's word for another state, such as "Dead ???"; null if none. */
  state: z.string().nullable(),
})
export type KeptSession = z.infer<typeof KeptSession>

/** Kept sessions of a machine; `failed`: they could not be read. */
export const KeptSessions = z.discriminatedUnion('kind', [
  variant('sessions', { sessions: z.array(KeptSession) }),
  /** Neither tmux nor screen is in a folder of `path`. */
  variant('no-tool', { path: z.string() }),
  /** The list could not be parsed. `said` holds its beginning. */
  variant('not-understood', { said: z.string(), loginOutput }),
  SlowLogin,
  variant('failed', { state: CommandState, loginOutput }),
])
export type KeptSessions = z.infer<typeof KeptSessions>

const Sessions = z.array(TerminalSession)
const OneSession = z.object({ session: z.string() })

export const terminalCalls = {
  'terminal.sessions': call(z.object({}), Sessions),
  'terminal.reconnect': call(OneSession, Sessions),
  /** Ends the shell, unless it is a kept session, and removes the terminal. */
  'terminal.close': call(OneSession, Sessions),
  /**
   * Names the tab of this first pane; null for the machine's name. A kept session keeps the name for the next
   * attachment. Fails with invalid-input (session, title), disk-full and local-fault.
   */
  'terminal.rename': call(OneSession.extend({ title: z.string().nullable() }), Sessions),
  'terminal.moveDivider': call(OneSession.extend({ share: Share }), Sessions),
} as const

export const keptCalls = {
  /** Asks the machine over a separate connection. */
  'terminal.kept': call(OneMachine, KeptSessions),
} as const

export const terminalEvents = {
  /** All terminals in the order of their tabs. */
  'terminal.changed': Sessions,
} as const

export const terminalStreams = {
  /**
   * Output of a terminal, beginning with its last 512 kB, and its input. An empty message separates output that an
   * earlier stream sent from new output. A second stream of a terminal ends the first. Fails with invalid-input
   * (session).
   */
  'terminal.screen': stream({
    input: OneSession,
    up: z.discriminatedUnion('kind', [
      variant('input', { text: z.string() }),
      variant('resize', { columns: cells, rows: cells }),
    ]),
    down: Bytes,
  }),
} as const

/** Characters per input message, far below the limit of a stream. */
const maxPieceLength = 16_384

/** Splits input into messages without splitting a character. */
export function inputPieces(text: string): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0)
    pieces.push(text.slice(at, at + maxPieceLength).replace(/(?<=.)[\uD800-\uDBFF]$/s, ''))
  return pieces
}
