import { randomBytes } from 'node:crypto'
import { begunText, endedText, framed, type FrameOptions, reachedText } from '#shared/command-frame'
import type { ChannelExit, ChannelOutput, CommandOutput } from './transport'

/**
 * Time for which the channel of a script may stay open after the script's end. The server closes it at once, unless a
 * background process of a start-up file or of the script holds the output. The script's own output has arrived by then;
 * only background processes need the time.
 */
export const lateOutputTimeoutMs = 300

/** Bytes of start-up output that are kept, counted from its end. */
const maxStartUpBytes = 64 * 1024
/** Characters of the end that a frame reports: "137 KILL". */
const maxEndLength = 20

const outputs = ['stdout', 'stderr'] as const

export const newMark = (): string => `wheelhouse-${randomBytes(16).toString('hex')}`

const nothing = Buffer.alloc(0)

/** Copies data that is kept: a slice would keep its whole packet in memory, or a pool of them. */
function copied(data: Buffer): Buffer<ArrayBuffer> {
  if (data.length === 0) return nothing
  const copy = Buffer.alloc(data.length)
  data.copy(copy)
  return copy
}

/** Holds output back until the mark at the begin of the command. Start-up files may print any amount before it. */
function startUpOutput(mark: string) {
  // A shell with `set -x` prints the mark inside a longer line.
  const begun = new RegExp(`${begunText(mark, '(\\d{1,10})')}\\n`)
  const reached = `${reachedText(mark)}\n`
  let held = Buffer.alloc(0)
  let hasReached = false
  return {
    /** Returns the output after the mark; null before the mark. */
    push(data: Buffer): { readonly group: number; readonly rest: Buffer } | null {
      held = Buffer.concat([held, data])
      const text = held.toString('latin1')
      hasReached ||= text.includes(reached)
      const match = begun.exec(text)
      if (!match) {
        held = held.subarray(Math.max(0, held.length - maxStartUpBytes))
        return null
      }
      const rest = held.subarray(match.index + match[0].length)
      held = copied(held.subarray(Math.max(0, match.index - maxStartUpBytes), match.index))
      return { group: Number(match[1]), rest }
    },
    /** Output before the mark. */
    text: (): string => held.toString().replace(reached, ''),
    /** Output of a login shell that was started with the command and rejected it; null: it was never started. */
    rejected(): Buffer | null {
      const at = held.indexOf(reached)
      if (!hasReached) return null
      return at < 0 ? held : held.subarray(at + reached.length)
    },
  }
}

/** Passes output on without end lines. Keeps the last of them, since background processes may print after it. */
function withoutEnd(mark: string, pass: (data: Buffer) => void) {
  const line = new RegExp(`${endedText(mark, `([0-9A-Z+ -]{1,${maxEndLength}})`)}\\n`, 'g')
  const head = endedText(mark, '')
  let held: Buffer = Buffer.alloc(0)
  let last: string | undefined
  const passOn = (data: Buffer): void => void (data.length > 0 && pass(data))
  /** Returns the index at which an incomplete end line may begin. */
  function incomplete(): number {
    const first = Math.max(0, held.length - head.length - maxEndLength - 1)
    const tail = held.toString('latin1', first)
    const start = head.charAt(0)
    for (let at = tail.indexOf(start); at >= 0; at = tail.indexOf(start, at + 1)) {
      const rest = tail.slice(at)
      if (head.startsWith(rest) || rest.startsWith(head)) return first + at
    }
    return held.length
  }
  return {
    push(data: Buffer): void {
      held = held.length === 0 ? data : Buffer.concat([held, data])
      let from = 0
      // Most output is long and has no mark.
      const text = held.includes(head) ? held.toString('latin1') : ''
      for (const match of text.matchAll(line)) {
        passOn(held.subarray(from, match.index))
        from = match.index + match[0].length
        last = match[1]
      }
      held = held.subarray(from)
      const at = incomplete()
      passOn(held.subarray(0, at))
      held = copied(held.subarray(at))
    },
    hasEnded: (): boolean => last !== undefined,
    last: (): string | undefined => last,
    end(): string | undefined {
      passOn(held)
      return last
    },
  }
}

/** "137 KILL" */
function exitIn(text: string): ChannelExit | undefined {
  const [, code, signal] = /^(\d{1,3}) ?([A-Z0-9+-]{1,12})?$/.exec(text.trim()) ?? []
  if (code === undefined) return undefined
  return signal === undefined
    ? { status: Number(code), signal: null }
    : { status: null, signal: `SIG${signal}` }
}

/** Frames a command and reads its two outputs. */
export function frameOf(command: string, options: FrameOptions, output: CommandOutput) {
  const mark = newMark()
  const before = { stdout: startUpOutput(mark), stderr: startUpOutput(mark) }
  const begun = { stdout: false, stderr: false }
  const ends = { stdout: withoutEnd(mark, output.stdout), stderr: withoutEnd(mark, output.stderr) }
  const pass =
    options.reportsEnd === true
      ? { stdout: ends.stdout.push, stderr: ends.stderr.push }
      : { stdout: output.stdout, stderr: output.stderr }
  const read =
    (from: keyof ChannelOutput) =>
    (data: Buffer): void => {
      if (begun[from]) return pass[from](data)
      const begin = before[from].push(data)
      if (!begin) return
      const isFirst = !begun.stdout && !begun.stderr
      begun[from] = true
      if (isFirst) output.begun?.(begin.group)
      if (begin.rest.length > 0) pass[from](begin.rest)
    }
  const hasBegun = (): boolean => begun.stdout || begun.stderr
  return {
    text: framed(command, mark, options),
    read: { stdout: read('stdout'), stderr: read('stderr') } satisfies ChannelOutput,
    hasBegun,
    /** The command has ended and all that it printed has arrived, even if the channel stays open. */
    hasEnded: (): boolean => outputs.every((from) => ends[from].hasEnded()),
    /** Output of start-up files, or of anything that ran instead of a command that never began. */
    loginOutput: (): string => `${before.stdout.text()}${before.stderr.text()}`.trim(),
    /** Passes on output that was held back, and returns the reported exit. `isRun`: the command or its shell ran. */
    end(): { readonly isRun: boolean; readonly exit: ChannelExit | undefined } {
      const rejected = hasBegun() ? [] : outputs.map((from) => [from, before[from].rejected()] as const)
      for (const [from, data] of rejected) if (data && data.length > 0) pass[from](data)
      const isRun = hasBegun() || rejected.some(([, data]) => data !== null)
      const [fromOutput, fromErrors] = outputs.map((from) => ends[from].end())
      return { isRun, exit: exitIn(fromErrors ?? fromOutput ?? '') }
    },
  }
}

/**
 * Frames a script that reads the input of its channel. Removes the output of start-up files, and the output of background
 * processes after the script's end.
 */
export function pipeFrame(command: string) {
  const mark = newMark()
  const before = startUpOutput(mark)
  let hasBegun = false
  let printed: Buffer[] = []
  const ended = withoutEnd(mark, (data) => {
    if (!ended.hasEnded()) printed.push(data)
  })
  function takePrinted(): Buffer | null {
    const [first, ...more] = printed
    printed = []
    if (first === undefined) return null
    return more.length === 0 ? first : Buffer.concat([first, ...more])
  }
  return {
    text: framed(command, mark, { shell: 'sh', readsInput: true, reportsEnd: true }),
    hasBegun: () => hasBegun,
    /** The script has ended and all that it printed has arrived, even if the channel stays open. */
    hasEnded: ended.hasEnded,
    loginOutput: (): string => before.text().trim(),
    /** Returns the part of `data` that the script printed. */
    read(data: Buffer): Buffer | null {
      const begin = hasBegun ? { rest: data } : before.push(data)
      hasBegun = begin !== null
      if (begin && !ended.hasEnded()) ended.push(begin.rest)
      return takePrinted()
    },
    /** Returns output that was held back because a mark could begin in it. */
    rest(): Buffer | null {
      if (!ended.hasEnded()) ended.end()
      return takePrinted()
    },
    /** Exit that the script reported. */
    exit: (): ChannelExit | undefined => exitIn(ended.last() ?? ''),
  }
}
export type PipeFrame = ReturnType<typeof pipeFrame>
