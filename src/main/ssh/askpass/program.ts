import { writeSync } from 'node:fs'
import { connect } from 'node:net'
import { askpassVariables, hint, longestMessage } from './protocol'

/** The exit code where nobody listens: the application has ended, or this ssh is not one that it started. */
const nobodyListens = 2

/**
 * The answer of the application that ssh was started by; null where it has none, undefined where it does not listen.
 */
function askApplication(
  socketPath: string,
  token: string,
  question: { readonly prompt: string; readonly asker: string; readonly isNotice: boolean },
): Promise<string | null | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    const chunks: Buffer[] = []
    let size = 0
    let hasListened = false
    socket.on('connect', () => {
      hasListened = true
      socket.write(`${JSON.stringify({ token, ...question })}\0`)
    })
    socket.on('data', (data: Buffer) => {
      size += data.length
      if (size > longestMessage) socket.destroy()
      else chunks.push(data)
    })
    socket.on('error', () => resolve(hasListened ? null : undefined))
    // The application ends an answer with a zero byte, so that a cut one is none.
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve(text.endsWith('\0') ? text.slice(0, -1) : null)
    })
  })
}

/**
 * The program that ssh asks: prints the answer, and nothing else. The exit code: 0 where there is an answer, 1 where there
 * is none, 2 where nobody listens. The question comes in the environment, not as an argument, where one of a hostile
 * server could be taken for an option.
 */
export async function runAskpass(env: NodeJS.ProcessEnv): Promise<number> {
  const socket = env[askpassVariables.socket]
  const token = env[askpassVariables.token]
  const prompt = env[askpassVariables.prompt]
  const isNotice = env[hint.variable] === hint.notice
  // What ssh wants confirmed is not answered: an agent's key is then not used.
  if (prompt === undefined || (env[hint.variable] !== undefined && !isNotice)) return 1
  if (!socket || !token) return nobodyListens
  const asker = env[askpassVariables.asker] ?? ''
  const answer = await askApplication(socket, token, { prompt, asker, isNotice })
  if (answer === undefined) return nobodyListens
  if (answer === null) return 1
  writeSync(1, `${answer}\n`)
  return 0
}
