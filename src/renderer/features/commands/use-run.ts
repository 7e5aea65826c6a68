import { onScopeDispose, ref, shallowReactive, shallowRef } from 'vue'
import type { CommandMessage, CommandState } from '#shared/bridge/command'
import type { Streams } from '#shared/bridge/index'
import { type Failure, failureOf } from '#shared/failure'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'

/** Output of one stream: its first and last characters, and the number of characters left out between them. */
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
const noOutput: Printed = { first: '', leftOut: 0, last: '' }
export const notBegun: MachineResult = { state: { kind: 'waiting' }, stdout: noOutput, stderr: noOutput }

function withMessage(result: MachineResult, message: CommandMessage): MachineResult {
  if (message.kind === 'state') return { ...result, state: message.state }
  const { from, leftOut, text } = message
  const { first } = result[from]
  const next = leftOut === 0 ? { ...noOutput, first: first + text } : { first, leftOut, last: text }
  return { ...result, [from]: next }
}

/** Runs one command at a time on many machines, until the component is unmounted. */
export function useRun() {
  const results = shallowReactive(new Map<string, MachineResult>())
  const running = ref(false)
  const failure = shallowRef<Failure | null>(null)
  let isUnmounted = false
  let close = (): void => undefined
  let send: (cancel: string | null) => void = () => undefined

  async function follow(order: Streams['command.run']['input']): Promise<void> {
    const stream = await bridge.stream('command.run', order)
    if (isUnmounted) return stream.close(null)
    close = () => stream.close(null)
    send = (cancel) => void stream.send({ cancel }).catch(() => undefined)
    for await (const message of stream.messages)
      results.set(message.machine, withMessage(results.get(message.machine) ?? notBegun, message))
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
    isUnmounted = true
    close()
  })
  return { results, running, failure, run, cancel: (machine: string | null): void => send(machine) }
}
