import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MonotonicClock } from '../core/clock'
import { openConnection } from '../ssh/client/connection'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { sftpServer } from '../../../test/fixtures/sshd'
import type { Transport } from '../../../test/fixtures/system-ssh'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

/** Clock whose short pauses before a retry end at once. */
function shortPauses(): MonotonicClock {
  const clock = fakeClock()
  return {
    ...clock,
    after(seconds, run) {
      if (seconds >= 3) return clock.after(seconds, run)
      const due = setImmediate(run)
      return () => clearImmediate(due)
    },
  }
}

function script(text: string): string {
  const path = join(ownFolder(), 'run')
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return path
}
async function listing(set: Readonly<Record<string, string>>, transport: Transport = 'ssh2') {
  const { target } = await sshdTarget(set, transport)
  const { look, list } = filesHarness(target, { clock: shortPauses() })
  await look()
  return list('/')
}
const because = (reason: unknown) => ({ failure: { kind: 'local-fault', reason } })

describeWith(['sshd', 'ssh'], 'SFTP that does not start', () => {
  for (const transport of ['ssh2', 'ssh'] as const) {
    it(`names the missing server: ${transport}`, async () => {
      const missing = { Subsystem: 'sftp /usr/lib/none/sftp-server' }
      await expect(listing(missing, transport)).rejects.toMatchObject(
        because('The machine doesn’t support SFTP.'),
      )
    })

    it(`names the first line that a start-up file prints: ${transport}`, async () => {
      const prints = script(`echo; echo 'Welcome to  the \\033[1mcluster'; echo more; exec ${sftpServer}`)
      const printed = listing({ Subsystem: `sftp ${prints}` }, transport)
      await expect(printed).rejects.toMatchObject(because(expect.stringContaining('“Welcome to')))
    })

    it(`names the text of a forced command, and the username first: ${transport}`, async () => {
      const text = 'Please login as the user "ubuntu" rather than the user "root".'
      const prints = script(`echo '${text}'; echo; sleep 10; exit 142`)
      const printed = listing({ ForceCommand: prints }, transport)
      const advice = 'Check the username in the Connection tab. If it’s right, change the start-up file'
      await expect(printed).rejects.toMatchObject(
        because(expect.stringContaining(`The machine printed “${text}” instead of starting SFTP. ${advice}`)),
      )
    })

    it(`names the limit of sessions if no second connection opens: ${transport}`, async () => {
      const { target } = await sshdTarget({ MaxSessions: '1' }, transport)
      let connections = 0
      const { look, list, call, where, upload } = filesHarness(target, {
        clock: shortPauses(),
        open: async (to, signal) => {
          connections += 1
          if (connections > 1) return { kind: 'not-reached', reason: 'ECONNREFUSED' }
          return openConnection(to, signal)
        },
      })
      await look()
      await list('/')
      const source = join(ownFolder(), 'small')
      writeFileSync(source, 'small')
      await upload(ownFolder(), source)
      const state = async () => (await call['files.transfers']({})).at(-1)?.state
      await expect.poll(async () => (await state())?.kind).toBe('failed')
      expect(await state()).toMatchObject(because(expect.stringContaining('MaxSessions')))
      await call['files.look']({ ...where, looking: false })
    })
  }
})
