import type { Context } from './context'
import { oneLine } from '../core/one-line'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { NotRunning } from './socket'
import { exitCodes } from './failure'
import type { Output } from './output'
import { table } from './table'

type Check = Output<'doctor'>['checks'][number]

async function checksOf({ call, text, terminal }: Context): Promise<readonly Check[]> {
  const ssh = terminal.hasProgram('ssh')
  const sshCheck = { check: text('checks.ssh'), ok: ssh, text: text(ssh ? 'checks.found' : 'checks.missing') }
  try {
    const info = await call('app.info', {})
    const { accounts } = await call('accounts.list', {})
    const keychain = info.keychain === 'available'
    return [
      { check: text('checks.application'), ok: true, text: text('checks.runs', { version: info.version }) },
      {
        check: text('checks.keychain'),
        ok: keychain,
        text: keychain ? text('checks.available') : oneLine(info.keychainReason ?? ''),
      },
      ...(accounts.length > 0
        ? []
        : [{ check: text('checks.noAccount'), ok: false, text: text('errors.noAccount') }]),
      ...accounts.map(({ label, state, failure }) => ({
        check: text('checks.account', { name: oneLine(label) }),
        ok: state !== 'signed-out' && failure === null,
        text: failure
          ? oneLine(failureText(failure, translate).title)
          : state === 'signed-out'
            ? text('errors.signedOut', { name: oneLine(label) })
            : text('checks.signedIn'),
      })),
      sshCheck,
    ]
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error
    return [{ check: text('checks.application'), ok: false, text: text('checks.stopped') }, sshCheck]
  }
}

/** Checks the requirements of other commands. Starts nothing. */
export async function doctor(context: Context): Promise<number> {
  const { text, terminal, show } = context
  const checks = await checksOf(context)
  show('doctor', { checks: [...checks] }, () => {
    const rows = checks.map(({ check, ok, text: words }) => [
      check,
      text(ok ? 'checks.ok' : 'checks.problem'),
      words,
    ])
    return table(['', '', ''], rows, terminal.columns).slice(1)
  })
  return checks.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed
}
