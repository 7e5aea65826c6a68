import { chooseToConnect, connect } from '../../test/e2e/support/window'
import { openPackaged } from '../support/packaged-window'

/** Signs in like a user, waits until the machines are listed and all data is written, and quits. */
export async function signIn({
  userData,
  service,
  machines,
}: {
  readonly userData: string
  readonly service: { readonly baseUrl: string; readonly username: string; readonly password: string }
  readonly machines: number
}): Promise<void> {
  const { window, quit } = await openPackaged(userData)
  try {
    await chooseToConnect(window)
    await connect(window, service)
    const rows = `[role=grid][aria-rowcount="${String(machines + 1)}"]`
    await window.locator(rows).waitFor({ timeout: 60_000 })
    // The store's first file and the ledger's first reading.
    await window.waitForTimeout(3_000)
  } finally {
    await quit()
  }
}
