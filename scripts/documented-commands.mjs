// Every command in README, CONTRIBUTING and the user guide, and how it is tested. documented-commands.test.ts
// compares the list with the pages and runs commands of a few seconds; npm run test:deep runs the rest:
// node scripts/desktop-session.mjs -- node scripts/documented-commands.mjs [WORDS OF A COMMAND]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { collect } from './processes.mjs'
import { root, runScript } from './setup.mjs'

/**
 * @typedef {{ command: string } & (
 * | { kind: 'step', step: string, script: string }
 * | { kind: 'test', file: string, has: string }
 * | { kind: 'run' | 'deep', as?: string, until?: { line: RegExp } | { window: string } }
 * | { kind: 'untried', why: string })} Documented `step` of npm test, which runs that npm script; `test`: a
 * test runs it, as `has` shows; `run` in each npm test, `deep` only in test:deep: run `as` another line if
 * set, to its end or `until` it has printed or shown that.
 */

/** @type {readonly Documented[]} */
export const documented = [
  { command: 'npm start', kind: 'deep', until: { window: 'Wheelhouse$' } },
  { command: 'npm run dev', kind: 'deep', until: { window: 'Wheelhouse$' } },
  { command: 'npm run format', kind: 'step', step: 'Formatter', script: 'format' },
  { command: 'npm run lint', kind: 'step', step: 'Linter', script: 'lint' },
  { command: 'npm run typecheck', kind: 'step', step: 'Type check', script: 'typecheck' },
  { command: 'npm run unused', kind: 'step', step: 'Unused code', script: 'unused' },
  { command: 'npm run package', kind: 'step', step: 'Packages', script: 'package' },
  {
    command: 'npm run sandbox -- …',
    kind: 'run',
    as: 'npm run --silent sandbox -- --port 0 --machines 1',
    until: { line: /^\{"baseUrl":"http:\/\/127\.0\.0\.1:\d+/ },
  },
  { command: 'npm run bench', kind: 'deep', as: 'npm run bench -- bundle --no-build' },
  { command: 'npm run pictures', kind: 'deep', as: 'npm run pictures -- test-results/pictures-again' },
  { command: 'npm run icons', kind: 'deep', as: 'npm run icons -- test-results/icons-again' },
  { command: 'npx vitest run src/main/billing', kind: 'deep' },
  { command: 'npx electron-vite build', kind: 'deep' },
  {
    command: 'ELECTRON_EXEC_PATH=… node scripts/desktop-session.mjs -- npx playwright test sign-in',
    kind: 'deep',
    as: 'node scripts/desktop-session.mjs -- npx playwright test sign-in',
  },

  {
    command: 'ssh-add ~/.ssh/id_ed25519',
    kind: 'test',
    file: 'src/main/ssh/launcher/connect.test.ts',
    has: "run('ssh-add', [",
  },
  ...[
    { command: 'ssh train-01', has: "run('ssh', ['-F', file, '-o', 'BatchMode=yes', 'train-01'" },
    { command: 'scp results.csv train-01:', has: "run('scp', [" },
    { command: 'rsync -a data/ train-01:data/', has: "run('rsync', [" },
    { command: 'git clone train-01:project', has: "git('clone', '-q', `train-01:" },
  ].map((row) => ({
    ...row,
    kind: /** @type {const} */ ('test'),
    file: 'src/main/ssh/aliases/ssh-config-parser.real-ssh.test.ts',
  })),
  {
    command: 'wheelhouse --disable-gpu',
    kind: 'test',
    file: 'test/packages/deb.spec.ts',
    has: "'--disable-gpu'",
  },
  ...[
    { command: 'npm run cli -- ls', has: "jsonOf(userData, 'ls')" },
    { command: 'wheelhouse ls', has: "jsonOf(userData, 'ls')" },
    { command: 'wheelhouse show train-01', has: "jsonOf(userData, 'show', " },
    { command: 'wheelhouse show train-01 --show-secret', has: "'--show-secret')" },
    { command: 'wheelhouse stop train-01', has: "jsonOf(userData, 'stop', " },
    { command: 'wheelhouse start train-01', has: "['start', 'eval-nightly']" },
    { command: 'wheelhouse delete train-01', has: "['delete', 'eval-nightly']" },
    { command: 'wheelhouse delete train-01 --yes-delete train-01', has: "'--yes-delete', 'eval-nightly')" },
    { command: 'wheelhouse ssh train-01', has: "['ssh', 'eval-nightly', " },
    { command: 'wheelhouse run train-01 -- nvidia-smi', has: "['run', 'eval-nightly', '--', " },
    { command: 'wheelhouse cost', has: "jsonOf(userData, 'cost')" },
    { command: 'wheelhouse waste', has: "jsonOf(userData, 'waste')" },
    { command: 'wheelhouse budget', has: "jsonOf(userData, 'budget')" },
    { command: 'wheelhouse gpus', has: "jsonOf(userData, 'gpus')" },
    { command: 'wheelhouse open machines train-01', has: "jsonOf(userData, 'open', 'machines', " },
    { command: 'wheelhouse doctor', has: "['doctor']" },
    { command: 'wheelhouse completion bash', has: "['completion', 'bash']" },
    { command: 'source <(wheelhouse completion bash)', has: "['completion', 'bash']" },
  ].map((row) => ({
    ...row,
    kind: /** @type {const} */ ('test'),
    file: 'test/e2e/command-line.spec.ts',
  })),
  {
    command: 'wheelhouse cp results.csv train-01:',
    kind: 'test',
    file: 'test/e2e/command-line.spec.ts',
    has: "['cp', file, 'eval-nightly:",
  },
  {
    command: 'wheelhouse create --template Training',
    kind: 'test',
    file: 'src/main/command-line/create.test.ts',
    has: "run('create', '--template', 'Training', ",
  },
  {
    command: 'wheelhouse forward train-01 8888',
    kind: 'test',
    file: 'src/main/command-line/program.test.ts',
    has: "run('forward', 'eval', '8888', '9000')",
  },
  ...[
    {
      command: 'wheelhouse create train-02 --flavor h100.1x --image "Ubuntu 24.04" --key id_ed25519',
      has: "json('create', 'train', ...flavor, ...image, ...key",
    },
    { command: 'wheelhouse create', has: "json('create', " },
    { command: 'wheelhouse delete', has: "json('delete', " },
    { command: 'wheelhouse watch h100.1x', has: "json('watch', " },
    { command: 'wheelhouse end train-01', has: "json('end', name)" },
    { command: 'wheelhouse end train-01 --after 2h', has: "json('end', name, '--after', '2h'" },
    { command: 'wheelhouse end train-01 --cancel', has: "json('end', name, '--cancel')" },
    { command: 'wheelhouse budget 500', has: "json('budget', '500')" },
    { command: 'wheelhouse budget none', has: "json('budget', 'none')" },
  ].map((row) => ({
    ...row,
    kind: /** @type {const} */ ('test'),
    file: 'src/main/command-line/commands.test.ts',
  })),
  ...[
    { command: 'wheelhouse jobs', has: "run('jobs', " },
    { command: 'wheelhouse logs JOB --follow', has: "run('logs', 'aaaaaaaaaaaaaaaa', '--follow')" },
    {
      command: 'wheelhouse end train-01 --when-done JOB',
      has: "run('end', 'train-01', '--when-done', 'python train.py')",
    },
  ].map((row) => ({
    ...row,
    kind: /** @type {const} */ ('test'),
    file: 'src/main/command-line/jobs.test.ts',
  })),
  {
    command: 'wheelhouse mcp',
    kind: 'test',
    file: 'test/e2e/support/command-line.ts',
    has: "'--cli', 'mcp'",
  },
  // Checks that Debian has packages of these names; installing them is up to the user.
  {
    command: 'sudo apt install libsecret-1-0 gnome-keyring',
    kind: 'deep',
    as: 'apt-get install --simulate libsecret-1-0 gnome-keyring',
  },

  { command: 'npm test', kind: 'untried', why: 'runs this list' },
  { command: 'npm run test:deep', kind: 'untried', why: 'runs this list' },
  { command: 'bash .ci/run', kind: 'untried', why: 'runs npm test, after the system’s packages, in CI' },
]

/** Includes building, packaging and tests on a busy computer. */
const longest = 600_000

/**
 * Runs one row. Returns undefined if it behaved as documented, otherwise its behaviour.
 *
 * @param {Documented & { kind: 'run' | 'deep' }} row
 * @returns {Promise<string | undefined>}
 */
export const tried = async ({ command, as = command, until }) => {
  const [program = '', ...args] = as.split(' ')
  // A separate group, so that its child processes end too, which npm does not ensure.
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(
    ([code, signal]) => String(signal ?? code),
    (error) => String(error),
  )
  /** @type {string[]} */
  const lines = []
  const shown = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        lines.push(line)
        if (until && 'line' in until && until.line.test(line)) resolve('shown')
      })
  })
  const stop = new AbortController()
  const windowShown = async () => {
    while (until && 'window' in until && !stop.signal.aborted) {
      const found = await collect('xdotool', ['search', '--onlyvisible', '--name', until.window])
      if (found.code === 0 && found.out.trim() !== '') return 'shown'
      await delay(500)
    }
    return ended
  }
  try {
    const outcome = await Promise.race([
      ...(until ? [shown, windowShown()] : []),
      ended,
      delay(longest, `nothing within ${longest / 1000} s`, { signal: stop.signal }),
    ])
    return outcome === (until ? 'shown' : '0') ? undefined : `${outcome}\n${lines.slice(-20).join('\n')}`
  } finally {
    stop.abort()
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGTERM')
      await ended
    }
  }
}

await runScript(import.meta.url, async () => {
  const words = process.argv.slice(2).join(' ')
  let failed = 0
  for (const row of documented.filter(({ command }) => command.includes(words))) {
    if (row.kind === 'untried') console.log(`untried  ${row.command}: ${row.why}`)
    if (row.kind !== 'deep' && row.kind !== 'run') continue
    const started = Date.now()
    const problem = await tried(row)
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    console.log(`${problem === undefined ? 'passed' : 'FAILED'}   ${row.as ?? row.command}  ${seconds} s`)
    if (problem !== undefined) {
      console.log(problem)
      failed += 1
    }
  }
  return failed === 0 ? 0 : 1
})
