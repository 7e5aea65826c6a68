import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { z } from 'zod'

const Message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})
const Attached = z.object({
  sessionId: z.string(),
  targetInfo: z.object({ type: z.string() }),
})
const Called = z.object({ name: z.literal('answer'), payload: z.string() })

const isPipe = (stream: unknown): stream is Duplex =>
  typeof stream === 'object' && stream !== null && 'write' in stream && 'on' in stream

/** A started program. */
export interface StartedProgram {
  readonly child: ChildProcess
  /** Start time, in epoch milliseconds. */
  readonly startedAt: number
  /** The text that the script returned. */
  readonly answer: Promise<string>
  /** Requested like a system that shuts down. */
  quit(): Promise<void>
}

/**
 * Starts a program of Chromium with a pipe to its DevTools, at almost no cost. Runs `script`, the body of an
 * asynchronous function, in the page of its first window before the page's own scripts. Returns its result, or its
 * error.
 */
export async function startProgram(
  program: string,
  args: readonly string[],
  { env, script }: { readonly env: NodeJS.ProcessEnv; readonly script: string },
): Promise<StartedProgram> {
  const startedAt = Date.now()
  const child = spawn(program, [...args, '--remote-debugging-pipe'], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const [, , , input, output] = child.stdio
  if (!isPipe(input) || !isPipe(output)) throw new Error(`${program} has no pipe`)
  input.on('error', () => input.destroy())

  const waiting = new Map<number, (message: z.infer<typeof Message>) => void>()
  let lastId = 0
  const send = (method: string, params: object, sessionId?: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = (lastId += 1)
      waiting.set(id, ({ error, result }) => (error ? reject(new Error(error.message)) : resolve(result)))
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    })

  let gotAnswer: (text: string) => void = () => undefined
  const answer = new Promise<string>((resolve) => (gotAnswer = resolve))
  let gotPage: (sessionId: string) => void = () => undefined
  const page = new Promise<string>((resolve) => (gotPage = resolve))
  const receive = (text: string): void => {
    const message = Message.parse(JSON.parse(text))
    if (message.id !== undefined) {
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    } else if (message.method === 'Target.attachedToTarget') {
      const { sessionId, targetInfo } = Attached.parse(message.params)
      if (targetInfo.type === 'page') gotPage(sessionId)
    } else if (message.method === 'Runtime.bindingCalled') gotAnswer(Called.parse(message.params).payload)
  }
  let rest = ''
  output.on('data', (chunk) => {
    const texts = `${rest}${String(chunk)}`.split('\0')
    rest = texts.pop() ?? ''
    texts.forEach(receive)
  })

  await send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true })
  const sessionId = await page
  // A window starts with an empty page.
  const source = `if (location.protocol !== 'about:' && !globalThis.asked) {
    globalThis.asked = (async () => { ${script} })().then((value) => answer(String(value)), (error) => answer(String(error)))
  }`
  await Promise.all([
    send('Page.enable', {}, sessionId),
    send('Runtime.enable', {}, sessionId),
    send('Runtime.addBinding', { name: 'answer' }, sessionId),
    send('Page.addScriptToEvaluateOnNewDocument', { source }, sessionId),
  ])
  // Its page may exist already.
  await send('Runtime.evaluate', { expression: source }, sessionId)
  return {
    child,
    startedAt,
    answer,
    async quit() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
