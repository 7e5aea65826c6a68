import type { Page } from '@playwright/test'
import { askBridge, selectedAccount } from './bridge'
import type { Sandbox } from './sandbox'
import { chooseToConnect, connect, machineNames } from './window'

/** Connects to a service whose machines are reached over SSH. Returns the account. */
export async function enter(window: Page, service: Sandbox): Promise<string> {
  await chooseToConnect(window)
  await connect(window, service)
  await machineNames(window)
  const account = await selectedAccount(window)
  const { sshPort: port, identityFile } = service
  await askBridge(window, 'ssh.configureAccount', { account, port, identityFile })
  return account
}
