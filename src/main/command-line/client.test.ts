import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { commandAddressFile } from '#shared/command-address'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { callApplication } from './client'
import { NotRunning } from './socket'

it('sends nothing to a socket in a folder that other users can open', async () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()]
  const path = join(place, 's')
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.end('{"ok":true}\0')
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  writeFileSync(join(folder, commandAddressFile), JSON.stringify({ version: 1, path, token: 'secret' }))
  chmodSync(place, 0o755)
  await expect(callApplication(folder)('app.open', { destination: null })).rejects.toThrow(NotRunning)
  expect(connections).toBe(0)
})
