import { writeSync } from 'node:fs'
import { connect } from 'node:net'
import { askpassVariables, hint, maxMessageBytes } from './protocol'

/** Exit code if the application doesn't listen: it has quit, or it did not start this ssh. */
const notListening = 2

/** Asks the application that started ssh. Resolves to null if it has no answer, to undefined if it doesn't listen. */
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
      if (size > maxMessageBytes) socket.destroy()
      else chunks.push(data)
    })
    socket.on('error', () => resolve(hasListened ? null : undefined))
    // A zero byte ends a complete answer.
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve(text.endsWith('\0') ? text.slice(0, -1) : null)
    })
  })
}

/**
 * Runs as ssh's askpass program: prints the answer and nothing else. Returns the exit code: 0 with an answer, 1 without,
 * 2 if the application doesn't listen. The question comes in the environment: as an argument, a hostile server's question
 * could be read as an option.
 */
export async function runAskpass(env: NodeJS.ProcessEnv): Promise<number> {
  const socket = env[askpassVariables.socket]
  const token = env[askpassVariables.token]
  const prompt = env[askpassVariables.prompt]
  const isNotice = env[hint.variable] === hint.notice
  // Confirms nothing: an agent's key that needs a confirmation is then not used.
  if (prompt === undefined || (env[hint.variable] !== undefined && !isNotice)) return 1
  if (!socket || !token) return notListening
  const asker = env[askpassVariables.asker] ?? ''
  const answer = await askApplication(socket, token, { prompt, asker, isNotice })
  if (answer === undefined) return notListening
  if (answer === null) return 1
  writeSync(1, `${answer}\n`)
  return 0
}
