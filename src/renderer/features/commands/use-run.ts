import { onScopeDispose, ref, shallowReactive, shallowRef } from 'vue'
import type { CommandMessage, CommandState } from '#shared/bridge/command'
import type { Streams } from '#shared/bridge/index'
import { type Failure, failureOf } from '#shared/failure'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

/** What one stream of a command printed: its first and its last characters, and how many were left out between. */
export interface Printed {
  readonly first: string
  readonly leftOut: number
  readonly last: string
}
export interface MachineResult {
  readonly state: CommandState
  readonly stdout: Printed
  readonly stderr: Printed
}
const nothing: Printed = { first: '', leftOut: 0, last: '' }
export const notBegun: MachineResult = { state: { kind: 'waiting' }, stdout: nothing, stderr: nothing }

function added(result: MachineResult, message: CommandMessage): MachineResult {
  if (message.kind === 'state') return { ...result, state: message.state }
  const { from, leftOut, text } = message
  const { first } = result[from]
  const next = leftOut === 0 ? { ...nothing, first: first + text } : { first, leftOut, last: text }
  return { ...result, [from]: next }
}

/** One command on many machines at a time, for as long as its component is shown. */
export function useRun() {
  /** By machine, in the order in which they were given. */
  const results = shallowReactive(new Map<string, MachineResult>())
  const running = ref(false)
  const failure = shallowRef<Failure | null>(null)
  let isGone = false
  let close = (): void => undefined
  let send: (cancel: string | null) => void = () => undefined

  async function follow(order: Streams['command.run']['input']): Promise<void> {
    const stream = await bridge.stream('command.run', order)
    if (isGone) return stream.close(null)
    close = () => stream.close(null)
    send = (cancel) => void stream.send({ cancel }).catch(() => undefined)
    for await (const message of stream.messages)
      results.set(message.machine, added(results.get(message.machine) ?? notBegun, message))
  }
  async function run(order: Streams['command.run']['input']): Promise<void> {
    results.clear()
    for (const machine of order.machines) results.set(machine, notBegun)
    running.value = true
    failure.value = null
    try {
      await follow(order)
    } catch (error) {
      failure.value = failureOf(error, t('commands.command'))
    } finally {
      running.value = false
    }
  }
  onScopeDispose(() => {
    isGone = true
    close()
  })
  return { results, running, failure, run, cancel: (machine: string | null): void => send(machine) }
}
