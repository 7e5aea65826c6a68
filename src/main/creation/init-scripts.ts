import { z } from 'zod'
import { AccountId } from '#shared/bridge/account'
import { templateLimits } from '#shared/bridge/template'
import { defineModule } from '../core/module'
import type { ReportError } from '../core/report-error'
import { forgetGone } from '../fleet/forget-gone'
import type { Fleet } from '../fleet/index'
import type { Sections } from '../store/settings'

/** Init script of a creation; empty: it had none. `machine`: null until it is known. */
const Stored = z.object({
  account: AccountId,
  creation: z.string(),
  machine: z.string().nullable(),
  script: z.string(),
})
type Stored = z.infer<typeof Stored>

const Document = z.object({ scripts: z.array(Stored).default([]) })

/** Upper bounds on the stored scripts, and on their characters together: each change writes the whole document. */
export const scriptLimits = { scripts: 200, characters: 524_288 } as const

/** Returns the newest scripts that fit into the limits. Pure. */
function newest(scripts: readonly Stored[]): readonly Stored[] {
  const recent = scripts.slice(-scriptLimits.scripts)
  let characters = 0
  const oldest = recent.findLastIndex(({ script }) => {
    characters += script.length
    return characters > scriptLimits.characters
  })
  return recent.slice(oldest + 1)
}

export interface InitScriptsDeps {
  readonly documents: Sections
  readonly fleet: Pick<Fleet, 'view' | 'onChange' | 'onGone'>
  /** Reads the details of a machine. Fails as the client does. */
  machine(account: AccountId, id: string): Promise<unknown>
  readonly report: ReportError
}

/**
 * Stores the init scripts of machines that were created here, for templates, as a private document: scripts may hold
 * secrets. The service does not report them. Changes fail with disk-full and local-fault.
 */
export function createInitScripts({ documents, fleet, machine, report }: InitScriptsDeps) {
  const section = documents.section('init-scripts', Document)
  const all = (): readonly Stored[] => section.read().scripts
  const change = async (update: (scripts: readonly Stored[]) => readonly Stored[]): Promise<void> => {
    await section.change((before) => {
      const scripts = update(before.scripts)
      return scripts === before.scripts ? before : { scripts: [...scripts] }
    })
  }
  /** Drops scripts. A document without them is not written. */
  const drop = (isDropped: (stored: Stored) => boolean): Promise<void> =>
    change((scripts) => (scripts.some(isDropped) ? scripts.filter((stored) => !isDropped(stored)) : scripts))

  return defineModule({
    handlers: {},
    events: {},
    /** Stores the script of a creation before it is sent. Scripts that are too long for a template are left out. */
    async add(account: AccountId, creation: string, script: string): Promise<void> {
      if (script.length <= templateLimits.script)
        await change((scripts) => newest([...scripts, { account, creation, machine: null, script }]))
    },
    /** Assigns the script of a creation to its machine. */
    locate: (creation: string, id: string): Promise<void> =>
      change((scripts) =>
        scripts.map((stored) => (stored.creation === creation ? { ...stored, machine: id } : stored)),
      ),
    /** Drops the script of a creation whose machine is not known. */
    dropOpen: (creation: string): Promise<void> =>
      drop((stored) => stored.creation === creation && stored.machine === null),
    /** Drops scripts without a machine, except those of open creations. */
    keepOpen: (creations: readonly string[]): Promise<void> =>
      drop((stored) => stored.machine === null && !creations.includes(stored.creation)),
    /** Drops scripts whose machine is gone, except followed ones: the service may list new machines late. Returns a disposer. */
    dropGone: (isFollowed: (account: AccountId, machine: string) => boolean): (() => void) =>
      forgetGone({
        fleet,
        onGone: fleet.onGone,
        remembered: (account) =>
          all()
            .flatMap((stored) => (stored.account === account ? (stored.machine ?? []) : []))
            .filter((id) => !isFollowed(account, id)),
        isListed: (account, id) => fleet.view(account, id) !== undefined,
        details: [machine],
        forget: (account, ids) =>
          drop(
            (stored) => stored.account === account && stored.machine !== null && ids.includes(stored.machine),
          ),
        report: (error) => report('creation.forgetScripts', error),
      }),
    /** Returns the script that a machine was created with; empty: it had none; null: unknown. */
    async scriptOf(account: AccountId, id: string): Promise<string | null> {
      await section.ready()
      const found = all().find((stored) => stored.account === account && stored.machine === id)
      return found?.script ?? null
    },
    forgetAccount: (account: AccountId): Promise<void> => drop((stored) => stored.account === account),
  })
}
export type InitScripts = ReturnType<typeof createInitScripts>
