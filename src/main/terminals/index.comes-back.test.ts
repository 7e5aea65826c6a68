import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { realTerminals } from '../../../test/fixtures/real-terminals'
import { removeFolder } from '../../../test/fixtures/remove-folder'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith, findProgram } from '../../../test/fixtures/system-requirements'
import { breakableLine } from '../../../test/fixtures/tunnels-harness'

const { host, otherHost, serve, usedTerminal } = realTerminals()

/** Returns server options for a tmux with its own folder, which the end of the test stops. */
function ownTmux() {
  const folder = temporaryFolder('tmux-')
  const env = { ...process.env, TMUX_TMPDIR: folder }
  onTestFinished(async () => {
    execFileSync('tmux', ['kill-server'], { env })
    await removeFolder(folder)
  })
  return { ForceCommand: 'none', SetEnv: `HOME=${folder} TMUX_TMPDIR=${folder}` }
}

describeWith(['sshd', 'ssh', 'tmux'], 'a terminal inside that is kept by the machine', () => {
  it('reconnects at once when the network is back, even after many attempts', async () => {
    const server = await serve(host, undefined, ownTmux())
    const line = await breakableLine(server.port)
    const to = { user: server.user, port: line.port }
    const terminal = await usedTerminal(to, { keep: 'new' })
    terminal.type('here=$((40 + 2)); echo set to $here\r')
    await terminal.shows('set to 42')
    terminal.network.lose()
    line.down(true)
    for (let attempts = 1; attempts < 8; attempts += 1) {
      await terminal.is({ kind: 'waiting', attempts })
      terminal.clock.advance(30)
    }
    await terminal.is({ kind: 'waiting', attempts: 8 })
    line.down(false)
    terminal.network.comeBack()
    await terminal.is({ kind: 'running' })
    terminal.type('echo here is $here\r')
    await terminal.shows('here is 42')
  })

  it('reconnects to its session at the machine’s new address, but not to another host key', async () => {
    const set = ownTmux()
    let address = '127.0.0.1'
    const first = await serve(host, undefined, set)
    const terminal = await usedTerminal(first, { keep: 'new' }, process.env, { address: () => address })
    terminal.type('here=$((40 + 2)); echo set to $here\r')
    await terminal.shows('set to 42')
    await first.close()
    await terminal.is({ kind: 'waiting', attempts: 1 })
    address = '127.0.0.2'
    const second = await serve(host, first.port, { ...set, ListenAddress: address })
    terminal.clock.advance(2)
    await terminal.is({ kind: 'running' })
    terminal.type('echo here is $here\r')
    await terminal.shows('here is 42')

    terminal.clock.advance(60)
    await second.close()
    await terminal.is({ kind: 'waiting' })
    address = '127.0.0.3'
    const stranger = await serve(otherHost, first.port, { ...set, ListenAddress: address })
    terminal.clock.advance(30)
    const at = `${address}:${String(first.port)}`
    await terminal.is({ kind: 'failed', failure: { kind: 'host-key-changed', host: at } })
    expect(stranger.log()).not.toContain('Accepted')
  })

  it('starts although the user’s configuration has a RemoteCommand', async () => {
    const server = await serve(host, undefined, ownTmux())
    const folder = temporaryFolder('ssh-')
    onTestFinished(() => removeFolder(folder))
    writeFileSync(join(folder, 'config'), 'Host *\n  RemoteCommand echo theirs\n  RequestTTY yes\n')
    const ssh = findProgram('ssh') ?? expect.fail('ssh')
    writeFileSync(join(folder, 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${join(folder, 'config')} "$@"\n`, {
      mode: 0o755,
    })
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
    const terminal = await usedTerminal(server, { keep: 'new' }, env)
    terminal.type('echo kept $((40 + 2))\r')
    await terminal.shows('kept 42')
  })
})
