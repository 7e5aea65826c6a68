import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realTerminals } from '../../../../test/fixtures/real-terminals'
import { describeWith } from '../../../../test/fixtures/system-requirements'

const { folder, serve, openTerminal } = realTerminals()

describeWith(['sshd', 'ssh'], 'an installed terminal', () => {
  it.each([
    ['cannot be started', '#!/nowhere/sh', expect.stringMatching(/^kitty: .*ENOENT/)],
    ['ends at once', '#!/bin/sh\necho "cannot open display" >&2; exit 1', 'kitty: cannot open display'],
  ])(
    'that %s is replaced by the terminal inside, with its name and the reason',
    async (_what, script, reason) => {
      const bin = join(folder, 'bin')
      mkdirSync(bin)
      writeFileSync(join(bin, 'kitty'), `${script}\n`, { mode: 0o755 })
      const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
      const terminal = await openTerminal(await serve(), { inside: false }, env, { terminal: 'kitty' })
      expect(terminal.opened).toMatchObject({
        terminal: 'Wheelhouse',
        missing: null,
        failed: reason,
      })
      terminal.type('echo $((6 * 7))\r')
      await terminal.shows('42\r\n')
    },
  )
})
