/** A window to open: its command and appearance. */
export interface SessionWindow {
  /** The ssh program. */
  readonly ssh: string
  readonly args: readonly string[]
  /** One line that begins with a letter or digit (plain-values.ts). */
  readonly title: string
  /** Whether the window stays after ssh has ended. Only for terminals with `canHold`. */
  readonly hold: boolean
  /** Working directory, which contains the known-hosts file. */
  readonly folder: string
}

/** A program and its arguments; no shell reads them. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
}

/** A terminal program that the application can use. */
export interface Terminal {
  readonly id: string
  readonly name: string
  /** Possible paths, best first. A bare name is looked up on PATH. */
  readonly places: readonly string[]
  /** Whether it can keep the window open after its command. */
  readonly canHold: boolean
  /** Whether the started program runs as long as its window. Otherwise it hands the session on and ends at once. */
  readonly staysWithWindow: boolean
  /** Environment variable that it needs. */
  readonly needs?: 'WAYLAND_DISPLAY'
  /** `program`: its path. Fails with invalid-input (identityFile) if a file name can't be passed on. */
  launch(program: string, window: SessionWindow): Launch
}

/** The ssh program and its arguments. */
export const sessionOf = ({ ssh, args }: SessionWindow): readonly string[] => [ssh, ...args]

/**
 * Like `sessionOf`, with a TERM that most machines know. ssh sends its own TERM, and machines lack terminfo for
 * xterm-ghostty, xterm-kitty, foot and alacritty (ncurses 6.4 has it in ncurses-term at most).
 */
export const usualTermSession = (window: SessionWindow): readonly string[] => [
  '/usr/bin/env',
  'TERM=xterm-256color',
  ...sessionOf(window),
]
