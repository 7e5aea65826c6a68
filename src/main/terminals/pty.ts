/** A program to run in a pseudo-terminal, without a shell in between. */
export interface PtyProgram {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly columns: number
  readonly rows: number
}

/** A program that runs in a pseudo-terminal. */
export interface Pty {
  write(text: string): void
  resize(columns: number, rows: number): void
  /** Nothing more is read from it until `resume`: the program waits once the system's buffer is full. */
  pause(): void
  resume(): void
  /** Hangs up, as a terminal does whose window is closed. */
  kill(): void
}

export interface PtyListener {
  output(bytes: Uint8Array): void
  /** `code` is null where a signal ended it. Called once, after the last output. */
  ended(code: number | null): void
}

/** Starts a program in a pseudo-terminal. Throws what the system says where it does not start. */
export type StartPty = (program: PtyProgram, listener: PtyListener) => Pty

/** The system's pseudo-terminals; null where the optional module is not installed, or not for this system. */
export async function loadPty(): Promise<StartPty | null> {
  try {
    const { spawn } = await import('@lydell/node-pty')
    return ({ file, args, env, folder, columns, rows }, { output, ended }) => {
      const child = spawn(file, [...args], {
        name: 'xterm-256color',
        cols: columns,
        rows,
        cwd: folder,
        env: { ...env, COLORTERM: 'truecolor' },
        // Bytes as they come: a character may be split between two readings.
        encoding: null,
      })
      child.onData((data: unknown) => output(Buffer.isBuffer(data) ? data : Buffer.from(String(data))))
      child.onExit(({ exitCode, signal }) => ended(signal ? null : exitCode))
      return {
        write: (text) => child.write(text),
        resize: (nextColumns, nextRows) => child.resize(nextColumns, nextRows),
        pause: () => child.pause(),
        resume: () => child.resume(),
        kill: () => child.kill(),
      }
    }
  } catch {
    return null
  }
}
