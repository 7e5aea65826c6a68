import type { Socket } from 'node:net'
import type { ServerChannel } from 'ssh2'
import { outputs } from '../../../src/main/gpu/tools/fixtures/outputs'
import type { ConnectionLimits } from '../../../src/main/ssh/client/target'
import { deep } from '../../fixtures/counts'
import { answerCommand, type ServerFault, usualAnswer } from './fault-server'

export interface SshFault extends ServerFault {
  /** The event on the wire. */
  readonly what: string
  /** Starts while a connection is open; otherwise with the next one. */
  readonly isInSession?: boolean
  /** Seconds, if the client's usual limits would take too long. */
  readonly limits?: Partial<ConnectionLimits>
  /** Outcome of telemetry, and of the host-key check before a terminal. */
  readonly expected: { readonly telemetry: string; readonly connect: string }
}

/** Seconds: only the client's timeout ends these. */
const short = 0.25
const mebibyte = 1024 * 1024

/** Writes the same bytes until the other side stops reading. */
function pour(
  stream: Socket | ServerChannel | ServerChannel['stderr'],
  bytes: Buffer,
  most = Infinity,
): void {
  let sent = 0
  const send = (): void => {
    while (sent < most && stream.writable) {
      sent += bytes.length
      if (!stream.write(bytes)) return void stream.once('drain', send)
    }
  }
  send()
}

const tries = { telemetry: 'waits, and tries again' }
const unreached = { ...tries, connect: 'cannot-connect' }
const opens = 'a terminal'

const [heading = '', gpu = ''] = outputs.h100.split('\n')
const [processHeading = ''] = outputs.processes.split('\n')

const ofGpus =
  (text: string) =>
  (channel: ServerChannel, command: string): void =>
    command.includes('compute-apps') ? usualAnswer(channel, command) : answerCommand(channel, text)

/** Faults of the connection to a machine, of its sign-in, and of its tools. */
export const sshFaults: Readonly<Record<string, SshFault>> = {
  refused: { what: 'nothing listens at the port', isClosed: true, expected: unreached },
  'reset on connecting': {
    what: 'a reset as soon as it connects',
    act: (socket) => void socket.resetAndDestroy(),
    expected: unreached,
  },
  'closed on connecting': {
    what: 'closed as soon as it connects',
    act: (socket) => void socket.end(),
    expected: unreached,
  },
  'black hole': {
    what: 'connected, and nothing more',
    act: (socket) => void socket.resume(),
    limits: { ready: short },
    expected: { ...tries, connect: 'timed-out' },
  },
  'banner without end': {
    what: 'lines before the version, one after the other without end',
    act: (socket) => pour(socket, Buffer.from(`${'-'.repeat(70)}\r\n`.repeat(64))),
    expected: unreached,
  },
  'line without end': {
    what: 'a first line that does not end',
    act: (socket) => pour(socket, Buffer.alloc(65_536, '-')),
    expected: unreached,
  },
  'slow banner': {
    what: 'a line before the version now and then, without end',
    act: (socket) => {
      const timer = setInterval(() => socket.write('please wait\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    },
    limits: { ready: short },
    expected: { ...tries, connect: 'timed-out' },
  },
  'no SSH': {
    what: 'a web server',
    act: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
    expected: unreached,
  },
  'key exchange cut': {
    what: 'a reset within the offer of algorithms',
    after: { bytes: 300, then: 'reset' },
    expected: unreached,
  },
  'key exchange stalls': {
    what: 'half of the offer of algorithms, and nothing more',
    after: { bytes: 300, then: 'silence' },
    limits: { ready: short },
    expected: { ...tries, connect: 'timed-out' },
  },
  'first key refused for good': {
    what: 'the sign-in ends at the first key',
    signIn: () => 'end',
    expected: { telemetry: 'stops: key-refused', connect: opens },
  },
  'second key refused for good': {
    what: 'the sign-in ends at the second key',
    signIn: (key) => (key < 2 ? 'refuse' : 'end'),
    expected: { telemetry: 'stops: key-refused', connect: opens },
  },
  'sixth key refused for good': {
    what: 'the sign-in ends at the sixth key',
    signIn: (key) => (key < 6 ? 'refuse' : 'end'),
    expected: { telemetry: 'stops: key-refused', connect: opens },
  },
  'every key refused': {
    what: 'each of six keys is refused',
    signIn: () => 'refuse',
    expected: { telemetry: 'stops: key-refused', connect: opens },
  },
  'sixth key accepted': {
    what: 'five keys are refused',
    signIn: (key) => (key < 6 ? 'refuse' : 'accept'),
    expected: { telemetry: 'reads: gpus', connect: opens },
  },
  'sign-in stalls': {
    what: 'no answer to the first key',
    signIn: () => 'silence',
    limits: { ready: 1 },
    expected: { ...tries, connect: opens },
  },
  'host key changed': {
    what: 'another host key at the next connection',
    hostKey: 'another',
    expected: { telemetry: 'stops: host-key-changed', connect: 'host-key-changed' },
  },
  'host key changed at re-key': {
    what: 'another host key when keys are exchanged again in mid-session',
    hostKey: 'another at re-key',
    isInSession: true,
    expected: { ...tries, connect: opens },
  },
  'falls silent': {
    what: 'in mid-session nothing more comes',
    fallsSilent: true,
    isInSession: true,
    limits: { keepAlive: short / 4, ready: 1 },
    expected: { ...tries, connect: opens },
  },
  'channel refused': {
    what: 'no channel is opened',
    session: 'refused',
    isInSession: true,
    expected: { telemetry: 'reads: not-understood', connect: opens },
  },
  'command refused': {
    what: 'no command is run',
    session: 'no-command',
    isInSession: true,
    expected: { telemetry: 'reads: not-understood', connect: opens },
  },
  'nvidia-smi hangs': {
    what: 'the command neither answers nor ends',
    command: () => undefined,
    isInSession: true,
    limits: { command: short },
    expected: { telemetry: 'reads: no-answer', connect: opens },
  },
  'nvidia-smi prints 1 GB': {
    what: 'lines without end after the table',
    command: (channel) => {
      channel.write(outputs.h100)
      pour(channel, Buffer.alloc(32_768, 'x'), deep(64, 1_024) * mebibyte)
    },
    isInSession: true,
    expected: { telemetry: 'reads: gpus', connect: opens },
  },
  'nvidia-smi complains without end': {
    what: 'errors without end, and no table',
    command: (channel) =>
      pour(channel.stderr, Buffer.from('error: \n'.repeat(4_096)), deep(64, 1_024) * mebibyte),
    isInSession: true,
    expected: { telemetry: 'reads: not-understood', connect: opens },
  },
  'escape sequences': {
    what: 'colours, titles and bells of a terminal in the name of a GPU and around the table',
    command: ofGpus(`\u001B]0;owned\u0007\n${heading}\n${gpu}\u001B[31m\u0007\u009B2J\u202E\n`),
    isInSession: true,
    expected: { telemetry: 'reads: gpus', connect: opens },
  },
  'process names of 1 MB': {
    what: 'each process has a name of a million characters',
    command: (channel, command) =>
      command.includes('compute-apps')
        ? answerCommand(channel, `${processHeading}\nGPU-1, 7, 100 MiB, ${'n'.repeat(mebibyte)}\n`)
        : usualAnswer(channel, command),
    isInSession: true,
    expected: { telemetry: 'reads: gpus', connect: opens },
  },
  'connection lost in the answer': {
    what: 'a reset after half of the table',
    command: (channel) => channel.write(outputs.h100.slice(0, 300), () => void channel.destroy()),
    isInSession: true,
    expected: { telemetry: 'reads: not-understood', connect: opens },
  },
}
