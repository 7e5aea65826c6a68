import { findProgram } from './find-program'
import type { Terminal } from './terminal'

/** The terminal inside the application: it needs no program of its own, and no window. */
export const insideTerminal = { id: 'wheelhouse', name: 'Wheelhouse' } as const
export const inside = { terminal: insideTerminal, path: '' } as const
type AnyTerminal = Terminal | typeof insideTerminal

/** A terminal and where it was found on this system; null where it was not. */
export interface FoundTerminal {
  readonly terminal: AnyTerminal
  readonly path: string | null
}

interface ChosenTerminal {
  readonly terminal: AnyTerminal
  readonly path: string
  readonly missing: string | null
}

/** Each of `terminals` with its place. */
export const findTerminals = (
  terminals: readonly Terminal[],
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): Promise<readonly FoundTerminal[]> =>
  Promise.all(
    terminals.map(async (terminal) => {
      const canRun = terminal.needs === undefined || Boolean(env[terminal.needs])
      return { terminal, path: canRun ? await findProgram(terminal.places, platform, env) : null }
    }),
  )

/**
 * The terminal that the person chose, where it is there, else the best one found, else the one inside.
 * `missing`: the name of the one that was chosen and is not there.
 */
export const chooseTerminal = (found: readonly FoundTerminal[], chosen: string | null): ChosenTerminal => {
  const there = found.flatMap(({ terminal, path }) => (path === null ? [] : [{ terminal, path }]))
  const taken = there.find(({ terminal }) => terminal.id === chosen) ?? there[0] ?? inside
  const missing = found.find(({ terminal, path }) => path === null && terminal.id === chosen)
  return { ...taken, missing: missing?.terminal.name ?? null }
}
