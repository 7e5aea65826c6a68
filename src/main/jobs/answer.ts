import type { JobState, TmuxPane, UserProcess } from '#shared/bridge/job'
import { oneLine } from '../core/one-line'
import { maskedCommand } from '../core/masked-command'

/** Longest texts of a machine that are kept, in characters. */
const maxLength = { command: 500, label: 100, path: 4_096 } as const
const shells = /^-?(?:\/\S*\/)?(?:ba|z|da|fi|tc|c|k|a)?sh\s*$/

/** Answer of a machine to `jobScript`. `offset`: seconds that the computer's clock is ahead of the machine's. */
export interface JobAnswer {
  readonly boot: string
  readonly offset: number
  /** Lines between the first one and the end. */
  readonly lines: readonly string[]
}

/** A process as the machine describes it. `log`: path of the file to which it prints. */
export interface Described {
  readonly process: { readonly pid: number; readonly start: string; readonly user: string }
  /** Without secrets. */
  readonly command: string
  readonly label: string
  readonly log: string | null
}

const foreign = (text: string, length: number): string => oneLine(text).trim().slice(0, length)
/** Masks secrets before it cuts to the final length: half of a token has no known form. */
const foreignCommand = (text: string): string =>
  foreign(maskedCommand(oneLine(text.slice(0, maxLength.path))), maxLength.command)

/** Reads an answer; null if it is incomplete. `now`: epoch seconds. Pure. */
export function readAnswer(stdout: string, now: number): JobAnswer | null {
  const [first = '', ...lines] = stdout.replace(/\n+$/, '').split('\n')
  const [, boot = '', at] = /^boot (\S*) (\d+)$/.exec(first) ?? []
  if (at === undefined || lines.pop() !== 'end') return null
  return { boot: boot.slice(0, 64), offset: now - Number(at), lines }
}

/** Returns the states in an answer, by the keys of the questions. Jobs without a valid line are missing. Pure. */
export function statesOf({ lines, offset }: JobAnswer, now: number): ReadonlyMap<string, JobState> {
  return new Map(
    lines.flatMap((line): readonly [string, JobState][] => {
      const [, key = '', word, code, at] =
        /^job (\S+) (running|ended|rebooted|files-gone)(?: (\d{1,3}) (\d{1,12}))?$/.exec(line) ?? []
      switch (word) {
        case 'running':
          return [[key, { kind: 'running' }]]
        case 'ended': {
          const isKnown = code !== undefined && at !== undefined
          const state: JobState = isKnown
            ? { kind: 'ended', at: Math.min(now, Number(at) + offset), code: Number(code) }
            : { kind: 'ended', at: now, code: null }
          return [[key, state]]
        }
        case 'rebooted':
        case 'files-gone':
          return [[key, { kind: 'lost', at: now, why: word }]]
        default:
          return []
      }
    }),
  )
}

/** Returns the described process; null if there is none. Pure. */
export function describedOf({ lines }: JobAnswer): Described | null {
  const found = lines.map((line) => /^process (\d{1,10}) (\d{1,20}) ([\w.@+-]{1,64}) (.*)$/s.exec(line))
  const [, pid, start, user, command] = found.find((match) => match !== null) ?? []
  if (pid === undefined || start === undefined || user === undefined) return null
  const valueOf = (word: string): string | undefined =>
    lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1)
  const log = valueOf('log')
  return {
    process: { pid: Number(pid), start, user },
    command: foreignCommand(command ?? ''),
    label: foreign(valueOf('label') ?? '', maxLength.label),
    log: log === undefined || log.length > maxLength.path ? null : log,
  }
}

/** Programs that no user waits for: bare shells, session services, and other questions of this application. */
const background =
  /^(?:sshd: |\S*\/systemd --user|\(sd-pam\)|tmux: |tmux new-session|.*sh -c eval "\$\(printf )/

/** Returns the user's processes in an answer. Pure. */
export const processesOf = ({ lines }: JobAnswer): UserProcess[] =>
  lines.flatMap((line) => {
    const [, pid, start, command = ''] = /^running (\d{1,10}) (\d{1,20}) (.*)$/s.exec(line) ?? []
    if (pid === undefined || start === undefined || shells.test(command) || background.test(command))
      return []
    return { pid: Number(pid), start, command: foreignCommand(command) }
  })

/** Returns the panes in an answer. Pure. */
export const panesOf = ({ lines }: JobAnswer): TmuxPane[] =>
  lines.flatMap((line) => {
    const [, socket, pane, shell, foreground, label = '', command = ''] =
      /^pane ([\w.-]{1,64}) (%\d{1,9}) (\d+) (-?\d+) ([^\t]*)\t(.*)$/s.exec(line) ?? []
    if (socket === undefined || pane === undefined) return []
    return {
      socket,
      pane,
      label: foreign(label, maxLength.label),
      command: foreignCommand(command),
      isIdle: shell === foreground && shells.test(command),
    }
  })

/** Returns a started command; null if it did not start. `at`: epoch seconds of this computer. Pure. */
export function startedOf({ lines, offset }: JobAnswer) {
  const found = lines.map((line) =>
    /^started (\d{1,10}) (\d{1,20}) ([\w.@+-]{1,64}) (\d{1,12}) (tmux|nohup)$/.exec(line),
  )
  const [, pid, start, user, at, how] = found.find((match) => match !== null) ?? []
  if (pid === undefined || start === undefined || user === undefined) return null
  return {
    process: { pid: Number(pid), start, user },
    at: Number(at) + offset,
    isInTmux: how === 'tmux',
  }
}
