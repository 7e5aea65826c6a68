import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'
import { CommandState, loginOutput, SlowLogin } from './command'
import { Bytes, call, stream } from './define'

/** Columns and rows of a terminal, at most. */
const cells = z.int().min(1).max(2_000)

/** Where a terminal inside the application stands. Times are epoch seconds. */
export const TerminalState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connecting') }),
  /** A tab of an earlier run of the application: nothing runs in it until it is reconnected. */
  z.object({ kind: z.literal('restored') }),
  z.object({ kind: z.literal('running') }),
  /** The line was lost; the next attempt is made at `until`. */
  z.object({ kind: z.literal('waiting'), until: z.number(), attempts: z.int() }),
  /**
   * ssh has ended; null: by a signal. `isLost`: the shell of the application's own client, with its connection.
   * `hasTooManyKeys`: the machine hung up before the key that it takes was offered.
   */
  z.object({
    kind: z.literal('ended'),
    code: z.int().nullable(),
    isLost: z.literal(true).optional(),
    hasTooManyKeys: z.literal(true).optional(),
  }),
  /** The last attempt was refused before ssh began. */
  z.object({ kind: z.literal('failed'), failure: Failure }),
])
export type TerminalState = z.infer<typeof TerminalState>

/** The name of a session that continues on the machine without a terminal. */
export const KeptName = z.string().regex(/^wheelhouse-[0-9a-z]{1,32}$/)
/** What ssh ends with where the machine has nothing that keeps sessions (sysexits.h: EX_UNAVAILABLE). */
export const noKeeper = 69

/** Where a pane that was split off another stands: beside it, or below it. */
export const SplitWay = z.enum(['right', 'below'])
export type SplitWay = z.infer<typeof SplitWay>

/** Smallest part of an area that a divider leaves to either side. */
export const smallestShare = 0.1
/** The first side's part of the area that a divider cuts. */
const Share = z
  .number()
  .min(smallestShare)
  .max(1 - smallestShare)

/** The longest name of a tab. */
export const longestTitle = 60

/** What a tab is called by what was typed; null, its machine's name, where nothing of it would be seen. */
export function titleOf(text: string): string | null {
  const title = text.trim()
  return title.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim() === '' ? null : title
}

/** One terminal inside the application: a tab, or a pane of one. */
export const TerminalSession = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  /** The machine's name when it was opened. */
  name: z.string(),
  /** `user@host` */
  destination: z.string(),
  /** The session of the machine that it is attached to; null: it ends with its line. */
  kept: KeptName.nullable(),
  /** What the person calls its tab; null: as the machine is called. */
  title: z.string().nullable(),
  /** The pane that it was split off; null: it is the first of its tab. `share`: of the divider; absent: never moved. */
  beside: z
    .object({ session: z.string(), way: SplitWay, share: Share.optional().catch(undefined) })
    .nullable(),
  state: TerminalState,
})
export type TerminalSession = z.infer<typeof TerminalSession>

export const KeptSession = z.object({
  name: KeptName,
  /** What the person called its tab; null: nothing. */
  title: z.string().nullable(),
  /** Epoch seconds; null where the machine does not report it. */
  beganAt: z.number().nullable(),
  /** A terminal shows it. */
  attached: z.boolean(),
  /** The machine's own word for a state that is neither attached nor detached, such as "Dead ???"; null: none. */
  state: z.string().nullable(),
})
export type KeptSession = z.infer<typeof KeptSession>

/** What is kept on a machine; `failed`: it could not be asked. */
export const KeptSessions = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sessions'), sessions: z.array(KeptSession) }),
  /** Neither tmux nor screen is in a folder of `path`. */
  z.object({ kind: z.literal('no-tool'), path: z.string() }),
  /** The machine's list could not be read; `said`: its beginning. */
  z.object({ kind: z.literal('not-understood'), said: z.string(), loginOutput }),
  SlowLogin,
  z.object({ kind: z.literal('failed'), state: CommandState, loginOutput }),
])
export type KeptSessions = z.infer<typeof KeptSessions>

const Sessions = z.array(TerminalSession)
const OneSession = z.object({ session: z.string() })

export const terminalCalls = {
  'terminal.sessions': call(z.object({}), Sessions),
  /** Connects anew in the same terminal. Fails with invalid-input (session). */
  'terminal.reconnect': call(OneSession, Sessions),
  /** Ends what runs in it, but for a kept session, and removes it. */
  'terminal.close': call(OneSession, Sessions),
  /** Names the tab whose first pane it is; null: as the machine is called. A kept session has that name again when it is
   * attached later. Fails with invalid-input (session, title), and with disk-full and local-fault. */
  'terminal.rename': call(OneSession.extend({ title: z.string().nullable() }), Sessions),
  /** Moves the divider of a pane that was split off. Fails with invalid-input (session). */
  'terminal.moveDivider': call(OneSession.extend({ share: Share }), Sessions),
} as const

export const keptCalls = {
  /** Asks the machine, over a connection of its own. */
  'terminal.kept': call(z.object({ account: AccountId, machine: z.string().min(1) }), KeptSessions),
} as const

export const terminalEvents = {
  /** All terminals, in the order in which their tabs were opened. */
  'terminal.changed': Sessions,
} as const

export const terminalStreams = {
  /**
   * What a terminal prints, from its last 512 kB on, and what is typed into it. An empty message stands between what
   * an earlier stream had and what is new. A second stream of one terminal ends the first. Fails with invalid-input
   * (session).
   */
  'terminal.screen': stream({
    input: OneSession,
    up: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('input'), text: z.string() }),
      z.object({ kind: z.literal('resize'), columns: cells, rows: cells }),
    ]),
    down: Bytes,
  }),
} as const

/** Characters of one message of input at most: far below what a stream takes. */
const longestPiece = 16_384

/** What is typed or pasted, in pieces for one message each; none ends within a character. */
export function inputPieces(text: string): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0)
    pieces.push(text.slice(at, at + longestPiece).replace(/(?<=.)[\uD800-\uDBFF]$/s, ''))
  return pieces
}
