import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import ssh2 from 'ssh2'
import { expect, it, onTestFinished } from 'vitest'
import { setUpFolder, setUpLogPath, setUpScript } from '#shared/set-up-script'
import { makeKey, startSshd, temporaryFolder } from '../../../test/fixtures/sshd'
import { cloudInitEnvironment, describeWith } from '../../../test/fixtures/system-requirements'
import { openConnection } from '../ssh/client/connection'
import { keysIn } from '../ssh/client/known-hosts'
import { readSetUp } from './set-up'

const { signal } = new AbortController()

/** Stages of cloud-init in its own status.json. */
const done = { errors: [], recoverable_errors: {}, start: 1_796_000_000, finished: 1_796_000_030 }
const stages = (changes: object) => ({
  v1: {
    datasource: 'DataSourceOpenStack [net,ver=2]',
    stage: null,
    init: done,
    'init-local': done,
    'modules-config': done,
    'modules-final': done,
    ...changes,
  },
})
const error = "('scripts_user', RuntimeError('Runparts: 1 failures (part-001) in 1 attempted commands'))"
const warning = 'Failed to install packages: nvtop'
const result = { v1: { datasource: 'DataSourceOpenStack [net,ver=2]', errors: [] } }

/** Whether this cloud-init knows recoverable errors (23.4). */
function hasDegraded(): boolean {
  const env = cloudInitEnvironment()
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', 'cloud-init --version'], { env, encoding: 'utf8' })
  const [, year = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(`${stdout}${stderr}`) ?? []
  return Number(year) * 100 + Number(minor) >= 2_304
}

/** Answers of systemd about the units of cloud-init, which run. Newer versions of cloud-init ask. */
const systemctl = `#!/bin/sh
printf '%s\\n' ActiveState=activating SubState=start UnitFileState=enabled MainPID=1
`

/** Asks OpenSSH's server about the set-up of this computer, whose cloud-init has these files and this log. */
async function asked(status: object | null, end: object | null, log: string | null = null) {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const run = join(folder, 'run')
  mkdirSync(run)
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'systemctl'), systemctl, { mode: 0o755 })
  if (status) writeFileSync(join(run, 'status.json'), JSON.stringify(status))
  if (end) writeFileSync(join(run, 'result.json'), JSON.stringify(end))
  if (log !== null) writeFileSync(join(folder, 'log'), log)
  const paths = { run_dir: run, cloud_dir: join(folder, 'cloud') }
  const configuration = join(folder, 'cloud.cfg')
  writeFileSync(configuration, JSON.stringify({ system_info: { paths } }))
  const [hostKey, key] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'id'))]
  const { PATH, PYTHONPATH } = cloudInitEnvironment()
  const env = {
    HOME: folder,
    CLOUD_CFG: configuration,
    PYTHONPATH,
    PATH: [programs, PATH].join(delimiter),
  }
  const SetEnv = Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
  const sshd = await startSshd({ hostKeys: [hostKey], admits: key, command: 'none', set: { SetEnv } })
  onTestFinished(() => sshd.close())
  const privateKey = ssh2.utils.parseKey(readFileSync(key))
  if (privateKey instanceof Error) return expect.fail(privateKey.message)
  const opened = await openConnection(
    {
      host: '127.0.0.1',
      user: sshd.user,
      port: sshd.port,
      known: keysIn(`m1 ${readFileSync(`${hostKey}.pub`, 'utf8')}`, 'm1'),
      keys: [{ name: key, method: { type: 'publickey', username: sshd.user, key: privateKey } }],
      banner: () => undefined,
    },
    signal,
  )
  if (opened.kind !== 'connected') return expect.fail(opened.kind)
  onTestFinished(() => opened.connection.close())
  const script = setUpScript(false).replace(setUpLogPath, join(folder, 'log')).replaceAll(setUpFolder, run)
  return readSetUp(await opened.connection.exec(script)).reading
}

describeWith(
  ['sshd', 'cloud-init'],
  'the set-up that a real cloud-init reports over OpenSSH’s server',
  () => {
    it('has not started without its files', async () => {
      expect(await asked(null, null)).toEqual({ kind: 'waiting', why: 'not-started' })
    })

    it('runs in its last stage', async () => {
      const final = { stage: 'modules-final', 'modules-final': { ...done, finished: null } }
      expect(await asked(stages(final), null)).toEqual({ kind: 'running' })
    })

    it('runs after an error of an earlier stage', async () => {
      const changes = {
        stage: 'modules-final',
        'modules-config': { ...done, errors: [error] },
        'modules-final': { ...done, finished: null },
      }
      expect(await asked(stages(changes), null)).toEqual({ kind: 'running' })
    })

    it('is done', async () => {
      expect(await asked(stages({}), result)).toEqual({
        kind: 'over',
        setUp: 'done',
        detail: null,
        log: null,
      })
    })

    it('has failed, with the error and the last lines of the log', async () => {
      const failed = { 'modules-final': { ...done, errors: [error] } }
      const log = 'Get:1 noble\n\u001B[31mRunparts: 1 failures\u001B[0m\n'
      expect(await asked(stages(failed), result, log)).toEqual({
        kind: 'over',
        setUp: 'failed',
        detail: error,
        log: 'Get:1 noble\nRunparts: 1 failures',
      })
    })

    it('is done with warnings, which cloud-init reports since 23.4', async () => {
      const warned = { 'modules-final': { ...done, recoverable_errors: { WARNING: [warning] } } }
      const expected = hasDegraded()
        ? { setUp: 'degraded', detail: warning }
        : { setUp: 'done', detail: null }
      expect(await asked(stages(warned), result)).toMatchObject({ kind: 'over', ...expected })
    })
  },
)
