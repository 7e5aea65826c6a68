// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { commandStreams } from '#shared/bridge/command'
import { createStreamPeer } from '#shared/bridge/stream-peer'
import type { MachineView } from '#shared/bridge/fleet'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import RunDialog from './RunDialog.vue'

let dialog: Mounted
afterEach(() => dialog.unmount())

const one = machine({ id: 'm-1', name: 'train-1' })
const two = machine({ id: 'm-2', name: 'train-2' })
const off = machine({ id: 'm-3', name: 'archive', status: 'stopped' })

async function open(machines: readonly MachineView[]) {
  const { seen, on } = emissions('close')
  dialog = await mounted(() => h(RunDialog, { account, machines, ...on }))
  return seen
}
const field = () => dialog.find('textarea')

/** Returns main's end of the dialog's stream. */
function answering() {
  const { port1, port2 } = new MessageChannel()
  window.dispatchEvent(
    new MessageEvent('message', {
      source: window,
      data: { wheelhouseStream: 'command.run' },
      ports: [port1],
    }),
  )
  return createStreamPeer({
    port: {
      post: (frame) => port2.postMessage(frame),
      connect: ({ message }) => {
        port2.onmessage = ({ data }) => message(data)
      },
      close: () => port2.close(),
    },
    incoming: commandStreams['command.run'].up,
    outgoing: commandStreams['command.run'].down,
    refusal: { kind: 'cancelled' },
  })
}

describe('RunDialog', () => {
  it('lists the machines, and unreachable machines with the reason', async () => {
    await open([one, two, off])
    expect(dialog.find('.names').textContent).toContain('train-1, train-2')
    expect(dialog.text()).toContain(t('ssh.disabledReason.stopped'))
    expect(dialog.named(t('commands.runMany', {}, 2)).matches(':disabled')).toBe(true)
    await dialog.type(field(), '   ')
    expect(dialog.named(t('commands.runMany', {}, 2)).matches(':disabled')).toBe(true)
  })

  it('disables the command if no machine is reachable', async () => {
    await open([off])
    await dialog.type(field(), 'uptime')
    expect(dialog.text()).toContain(t('machineActions.why.none-reachable'))
    await dialog.submit()
    expect(dialog.main.calls.map(([name]) => name)).not.toContain('command.run')
  })

  it('runs on Enter but not on Shift+Enter, shows each output, and allows another command', async () => {
    await open([one, two])
    await dialog.type(field(), 'uptime')
    await dialog.press(field(), 'Enter', { shiftKey: true })
    expect(dialog.main.calls.map(([name]) => name)).not.toContain('command.run')
    await dialog.press(field(), 'Enter')
    expect(dialog.main.calls.map(([name]) => name)).toContain('command.run')
    const main = answering()
    await main.send({ kind: 'output', machine: 'm-1', from: 'stdout', leftOut: 0, text: 'up 3 days' })
    await main.send({ kind: 'state', machine: 'm-1', state: { kind: 'exited', code: 0 } })
    await expect.poll(() => dialog.text()).toContain('up 3 days')
    await dialog.click(t('commands.cancelAll'))
    for await (const message of main.messages) {
      expect(message).toEqual({ cancel: null })
      break
    }
    await main.send({ kind: 'state', machine: 'm-2', state: { kind: 'cancelled' } })
    main.close(null)
    await expect.poll(() => dialog.text()).toContain(t('commands.another'))
    await dialog.click(t('commands.another'))
    expect(dialog.text()).not.toContain('up 3 days')
    expect(field()).toHaveProperty('value', 'uptime')
  })

  it('asks before it closes while the command runs', async () => {
    const seen = await open([one])
    await dialog.type(field(), 'sleep 60')
    await dialog.submit()
    const main = answering()
    await main.send({ kind: 'state', machine: 'm-1', state: { kind: 'running', since: 1 } })
    await expect
      .poll(() => dialog.all('footer button').map((button) => button.textContent?.trim()))
      .toContain(t('common.actions.close'))
    await dialog.click(t('common.actions.close'))
    expect(seen).toEqual([])
    expect(dialog.text()).toContain(t('commands.leave.title'))
    main.close(null)
  })
})
