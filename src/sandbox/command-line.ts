import { parseArgs } from 'node:util'
import { SandboxOptions } from './options'
import { readOrCreateSecret } from './secret-file'

export const usage = `Usage: npm run --silent sandbox -- [options]

  --port N        port of the HTTP service; 0: any (0)
  --ssh-port N    port of the SSH server; 0: any (0)
  --seed N        the same seed gives the same cloud (7)
  --machines N    virtual machines, up to 10000 (12)
  --speed N       divides the duration of transitions (1)
  --balance USD   credit left at the start; negative: creations are refused (500 or more)
  --extensions X  on, or off: nothing beyond the specification (on)
  --data FILE     persists the cloud, and in FILE.secret the secret that all others are derived from
  --help

The first line of output is one line of JSON. See docs/sandbox.md.
`

const flag = { type: 'string' } as const

/** Parses `args`; undefined for --help. Rejects with the name of an invalid option. */
export async function readOptions(args: readonly string[]): Promise<SandboxOptions | undefined> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { ...flag, default: '0' },
      'ssh-port': { ...flag, default: '0' },
      seed: { ...flag, default: '7' },
      machines: { ...flag, default: '12' },
      speed: { ...flag, default: '1' },
      balance: flag,
      extensions: { ...flag, default: 'on' },
      data: flag,
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if (values.extensions !== 'on' && values.extensions !== 'off')
    throw new Error('extensions: must be on or off')
  const options = SandboxOptions.safeParse({
    port: Number(values.port),
    sshPort: Number(values['ssh-port']),
    seed: Number(values.seed),
    machines: Number(values.machines),
    speed: Number(values.speed),
    ...(values.balance === undefined ? {} : { balance: Number(values.balance) }),
    extensions: values.extensions === 'on',
    ...(values.data === undefined
      ? {}
      : { dataFile: values.data, secret: await readOrCreateSecret(`${values.data}.secret`) }),
  })
  if (options.success) return options.data
  const issue = options.error.issues[0]
  throw new Error(`${issue?.path.join('.') ?? 'options'}: ${issue?.message ?? 'malformed'}`)
}
