import { lstat } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'

/** The application does not answer: it does not run, or it has just started or ended. */
export class NotRunning extends Error {
  override readonly name = 'NotRunning'
}

/**
 * Whether only this user can open the folder of the socket. A killed application leaves its address behind, and another user
 * may create the same path among the temporary files. An answer names a program that runs.
 */
export async function isOwnSocket(path: string): Promise<boolean> {
  // Windows has named pipes instead of folders.
  if (process.getuid === undefined) return true
  const stats = await lstat(dirname(path)).catch(() => null)
  return stats?.isDirectory() === true && stats.uid === process.getuid() && (stats.mode & 0o077) === 0
}

/** Sends one request to the application's socket and returns the answer. Rejects with NotRunning if nothing listens. */
export const sendTo = (path: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let isConnected = false
    const socket = connect(path, () => {
      isConnected = true
      socket.write(`${text}\0`)
    })
    socket.on('data', (data: Buffer) => chunks.push(data))
    socket.on('error', (error) => reject(isConnected ? error : new NotRunning()))
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString('utf8')
      if (answer.endsWith('\0')) resolve(answer.slice(0, -1))
      else reject(new Error('the application closed the connection without an answer'))
    })
  })
