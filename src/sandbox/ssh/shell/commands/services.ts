import { homeOf } from '../../machine'
import { jupyterToken, webServices } from '../../web-services'
import { failed, print, readOptions, type Command } from '../command'

const row = (cells: readonly string[]): string => cells.map((cell) => cell.padEnd(20)).join(' ')

const ss: Command = {
  name: 'ss',
  summary: 'list listening programs (-ltnp)',
  *run({ args }) {
    const { letters, unknown } = readOptions(args, 'ltnpH')
    if (unknown) return yield* failed('ss', `invalid option -- '${unknown}'`, 255)
    if (!letters.has('H'))
      yield print(row(['State', 'Recv-Q Send-Q', 'Local Address:Port', 'Peer Address:Port', 'Process']))
    yield print(row(['LISTEN', '0      128', '0.0.0.0:22', '0.0.0.0:*']))
    for (const { port, process, pid } of webServices)
      yield print(
        row([
          'LISTEN',
          '0      128',
          `127.0.0.1:${port}`,
          '0.0.0.0:*',
          `users:(("${process}",pid=${pid},fd=6))`,
        ]),
      )
    return 0
  },
}

const jupyter: Command = {
  name: 'jupyter',
  summary: 'list running Jupyter servers (server list --json)',
  *run({ args, shell }) {
    if (args.join(' ') !== 'server list --json') return yield* failed('jupyter', 'only: server list --json')
    for (const { port, pid } of webServices.filter(({ name }) => name === 'Jupyter'))
      yield print(
        JSON.stringify({
          base_url: '/',
          hostname: 'localhost',
          password: false,
          pid,
          port,
          root_dir: homeOf(shell.machine),
          secure: false,
          sock: '',
          token: jupyterToken,
          url: `http://localhost:${port}/`,
          version: '2.14.2',
        }),
      )
    return 0
  },
}

export const serviceCommands: readonly Command[] = [ss, jupyter]
