/** A window to open: what runs in it and how it looks. */
export interface SessionWindow {
  /** The ssh program. */
  readonly ssh: string
  readonly args: readonly string[]
  /** One line, not beginning with a sign (plain-values.ts). */
  readonly title: string
  /** Whether the window stays when ssh has ended. Asked only of terminals with `canHold`. */
  readonly hold: boolean
  /** The working directory: where the known-hosts file lies. */
  readonly folder: string
}

/** A program and its arguments, as they are given to it: no shell in between. */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
}

/** A terminal program that the application knows how to use. */
export interface Terminal {
  readonly id: string
  readonly name: string
  /** Where it may be, best first: a bare name is looked up on PATH. */
  readonly places: readonly string[]
  /** It can keep the window open after its command. */
  readonly canHold: boolean
  /** The program that is started runs as long as the window is open; others hand the session on and end at once. */
  readonly staysWithWindow: boolean
  /** The environment variable without which it cannot run. */
  readonly needs?: 'WAYLAND_DISPLAY'
  /** `program` is where it was found. Fails with invalid-input (identityFile) where a name cannot be passed on. */
  launch(program: string, window: SessionWindow): Launch
}

/** The ssh program and its arguments. */
export const sessionOf = ({ ssh, args }: SessionWindow): readonly string[] => [ssh, ...args]

/**
 * The same with the TERM that most machines know: ssh sends the TERM of its environment with a terminal, and machines
 * have no terminfo for xterm-ghostty, xterm-kitty, foot and alacritty (ncurses 6.4 has it in ncurses-term at most).
 */
export const usualTermSession = (window: SessionWindow): readonly string[] => [
  '/usr/bin/env',
  'TERM=xterm-256color',
  ...sessionOf(window),
]
