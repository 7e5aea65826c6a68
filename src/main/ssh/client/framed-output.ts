import { randomBytes } from 'node:crypto'
import { begunText, endedText, framed, type FrameOptions, reachedText } from '#shared/command-frame'
import type { ChannelExit, ChannelOutput, CommandOutput } from './transport'

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
  let held = Buffer.alloc(0)
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
      held = Buffer.concat([held, data])
      let from = 0
      for (const found of held.toString('latin1').matchAll(line)) {
        passOn(held.subarray(from, found.index))
        from = found.index + found[0].length
        last = found[1]
      }
      held = held.subarray(from)
      const at = incomplete()
      passOn(held.subarray(0, at))
      held = held.subarray(at)
    },
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
  const errors = withoutEnd(mark, output.stderr)
  const pass = {
    stdout: output.stdout,
    stderr: options.reportsEnd === true ? errors.push : output.stderr,
  }
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
    /** Output of start-up files; of everything that ran instead of a command that never began. */
    loginOutput: (): string => `${before.stdout.text()}${before.stderr.text()}`.trim(),
    /** Passes on output that is held back. Returns the reported end, if there is one. `isRun`: the command, or its shell, ran. */
    end(): { readonly isRun: boolean; readonly exit: ChannelExit | undefined } {
      const rejected = hasBegun() ? [] : outputs.map((from) => [from, before[from].rejected()] as const)
      for (const [from, data] of rejected) if (data && data.length > 0) pass[from](data)
      const isRun = hasBegun() || rejected.some(([, data]) => data !== null)
      return { isRun, exit: exitIn(errors.end() ?? '') }
    },
  }
}

/** Frames a script that reads the input of its channel, and drops the output of start-up files from what it prints. */
export function pipeFrame(command: string) {
  const mark = newMark()
  const before = startUpOutput(mark)
  let hasBegun = false
  return {
    text: framed(command, mark, { shell: 'sh', readsInput: true }),
    hasBegun: () => hasBegun,
    loginOutput: (): string => before.text().trim(),
    /** Returns the part of `data` that the script printed. */
    read(data: Buffer): Buffer | null {
      if (hasBegun) return data
      const found = before.push(data)
      hasBegun = found !== null
      return found?.rest ?? null
    },
  }
}
export type PipeFrame = ReturnType<typeof pipeFrame>
