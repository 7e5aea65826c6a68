import type { Page } from '@playwright/test'
import {
  Answer,
  type CallInput,
  type CallName,
  type CallOutput,
  callRows,
} from '../../../src/shared/bridge/index'

/** One message to the bridge without a form, from the window's own page. `input` is unchecked. */
export const callBridge = async (page: Page, name: CallName, input: unknown): Promise<Answer> =>
  Answer.parse(
    await page.evaluate(([call, value]) => window.wheelhouse.call(String(call), value), [name, input]),
  )

/** Returns the answer of a call that must succeed. */
export const askBridge = async <Name extends CallName>(
  page: Page,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> => {
  const answer = await callBridge(page, name, input)
  if (!answer.ok) throw new Error(`${name} failed: ${JSON.stringify(answer.failure)}`)
  return callRows[name].output.parse(answer.value)
}

/** The account of the window. */
export const selectedAccount = async (page: Page): Promise<string> => {
  const { selected } = await askBridge(page, 'accounts.list', {})
  if (selected === null) throw new Error('no account is selected')
  return selected
}

/** The id of the machine with this name. */
export const machineId = async (page: Page, name: string): Promise<string> => {
  const { machines } = await askBridge(page, 'fleet.snapshot', { account: await selectedAccount(page) })
  const found = machines.find((machine) => machine.name === name)
  if (!found) throw new Error(`no machine is called ${name}`)
  return found.id
}
