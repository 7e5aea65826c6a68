import { randomBytes } from 'node:crypto'
import { begunText, endedText, framed, type FrameOptions, reachedText } from '#shared/command-frame'
import type { ChannelExit, ChannelOutput, CommandOutput } from './transport'

/**
 * Milliseconds that the channel of a script may stay open after the script's end. The server closes it at once, unless a
 * background process of a start-up file or of the script holds the output. Everything that the script printed is there by
 * then, so only the last words of background processes need the time.
 */
export const lateOutputWithin = 300

/** Bytes of start-up output that are kept, the last ones. */
const mostBefore = 64 * 1024
/** Characters of the end that a frame reports: "137 KILL". */
const longestEnd = 20

const outputs = ['stdout', 'stderr'] as const

const newMark = (): string => `wheelhouse-${randomBytes(16).toString('hex')}`

/** Holds output back until the mark that the command begins. Never ends by itself: start-up files may print any amount. */
function startUpOutput(mark: string) {
  // A shell that shows what it runs (`set -x`) prints the mark inside another line.
  const begun = new RegExp(`${begunText(mark, '(\\d{1,10})')}\\n`)
  const reached = `${reachedText(mark)}\n`
  let held = Buffer.alloc(0)
  let hasReached = false
  return {
    /** Returns what follows the mark once that has come. */
    push(data: Buffer): { readonly group: number; readonly rest: Buffer } | null {
      held = Buffer.concat([held, data])
      const text = held.toString('latin1')
      hasReached ||= text.includes(reached)
      const found = begun.exec(text)
      if (!found) {
        held = held.subarray(Math.max(0, held.length - mostBefore))
        return null
      }
      const rest = held.subarray(found.index + found[0].length)
      held = held.subarray(Math.max(0, found.index - mostBefore), found.index)
      return { group: Number(found[1]), rest }
    },
    /** Output before the mark; empty if the mark stands first. */
    text: (): string => held.toString().replace(reached, ''),
    /** Output of a login shell that was started with the command and rejected it; null: it was never started. */
    rejected(): Buffer | null {
      const at = held.indexOf(reached)
      if (!hasReached) return null
      return at < 0 ? held : held.subarray(at + reached.length)
    },
  }
}

/** Passes on output without the lines of the end, of which it keeps the last: what a command leaves running may print later. */
function withoutEnd(mark: string, pass: (data: Buffer) => void) {
  const line = new RegExp(`${endedText(mark, `([0-9A-Z+ -]{1,${longestEnd}})`)}\\n`, 'g')
  const head = endedText(mark, '')
  let held: Buffer = Buffer.alloc(0)
  let last: string | undefined
  const passOn = (data: Buffer): void => void (data.length > 0 && pass(data))
  /** Index at which an incomplete line of the end may begin. */
  function incomplete(): number {
    const first = Math.max(0, held.length - head.length - longestEnd - 1)
    for (let at = first; at < held.length; at += 1) {
      const rest = held.toString('latin1', at)
      if (head.startsWith(rest) || rest.startsWith(head)) return at
    }
    return held.length
  }
  return {
    push(data: Buffer): void {
      held = held.length === 0 ? data : Buffer.concat([held, data])
      let from = 0
      // Most output is long and has no mark.
      const text = held.includes(head) ? held.toString('latin1') : ''
      for (const found of text.matchAll(line)) {
        passOn(held.subarray(from, found.index))
        from = found.index + found[0].length
        last = found[1]
      }
      held = held.subarray(from)
      const at = incomplete()
      passOn(held.subarray(0, at))
      held = held.subarray(at)
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
      const found = before[from].push(data)
      if (!found) return
      const isFirst = !begun.stdout && !begun.stderr
      begun[from] = true
      if (isFirst) output.begun?.(found.group)
      if (found.rest.length > 0) pass[from](found.rest)
    }
  const hasBegun = (): boolean => begun.stdout || begun.stderr
  return {
    text: framed(command, mark, options),
    read: { stdout: read('stdout'), stderr: read('stderr') } satisfies ChannelOutput,
    hasBegun,
    /** The command has ended and all that it printed has arrived, even if the channel stays open. */
    hasEnded: (): boolean => outputs.every((from) => ends[from].hasEnded()),
    /** Output of start-up files; of everything that ran instead of a command that never began. */
    loginOutput: (): string => `${before.stdout.text()}${before.stderr.text()}`.trim(),
    /** Passes on output that is held back. Returns the reported end, if there is one. `isRun`: the command, or its shell, ran. */
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
 * Frames a script that reads the input of its channel. Drops the output of start-up files, and of background processes
 * after the script's end, from what it prints.
 */
export function pipeFrame(command: string) {
  const mark = newMark()
  const before = startUpOutput(mark)
  let hasBegun = false
  let printed: Buffer[] = []
  const ended = withoutEnd(mark, (data) => {
    if (!ended.hasEnded()) printed.push(data)
  })
  function taken(): Buffer | null {
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
      const found = hasBegun ? { rest: data } : before.push(data)
      hasBegun = found !== null
      if (found && !ended.hasEnded()) ended.push(found.rest)
      return taken()
    },
    /** Returns the end of the script's output that is held back, as it may be the beginning of a mark. */
    rest(): Buffer | null {
      if (!ended.hasEnded()) ended.end()
      return taken()
    },
    /** Exit that the script reported. */
    exit: (): ChannelExit | undefined => exitIn(ended.last() ?? ''),
  }
}
export type PipeFrame = ReturnType<typeof pipeFrame>
