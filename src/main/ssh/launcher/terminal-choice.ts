import { findProgram } from './find-program'
import type { Terminal } from './terminal'

/** The terminal inside the application. It needs no program and no window. */
export const insideTerminal = { id: 'wheelhouse', name: 'Wheelhouse' } as const
export const inside = { terminal: insideTerminal, path: '' } as const
type AnyTerminal = Terminal | typeof insideTerminal

/** A terminal and its path on this system; null: not installed. */
export interface FoundTerminal {
  readonly terminal: AnyTerminal
  readonly path: string | null
}

interface ChosenTerminal {
  readonly terminal: AnyTerminal
  readonly path: string
  readonly missing: string | null
}

/** Looks up the path of each terminal. */
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
 * Returns the user's terminal if it is installed, else the best installed terminal, else the terminal inside. `missing`:
 * name of the user's terminal if it is not installed.
 */
export const chooseTerminal = (
  terminals: readonly FoundTerminal[],
  chosen: string | null,
): ChosenTerminal => {
  const available = terminals.flatMap(({ terminal, path }) => (path === null ? [] : [{ terminal, path }]))
  const selected = available.find(({ terminal }) => terminal.id === chosen) ?? available[0] ?? inside
  const missing = terminals.find(({ terminal, path }) => path === null && terminal.id === chosen)
  return { ...selected, missing: missing?.terminal.name ?? null }
}
