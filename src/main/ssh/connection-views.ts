import type { AccountId } from '#shared/bridge/account'
import type { EventPayload } from '#shared/bridge/index'
import type { SshConnectionView } from '#shared/bridge/ssh'
import { createEmitter } from '#shared/emitter'
import { createMutex } from '../core/mutex'
import { resourceKey } from '#shared/resource-key'

interface Shown {
  readonly account: AccountId
  readonly machine: string
  /** Last emitted view, as JSON. */
  readonly text: string
}

/** Remembers the connections that the window shows, and emits their changes. */
export function createShownConnections(
  view: (account: AccountId, machine: string) => Promise<SshConnectionView>,
) {
  const shown = new Map<string, Shown>()
  const changes = createEmitter<EventPayload<'ssh.changed'>>()
  const runExclusive = createMutex()

  async function emitChange({ account, machine, text }: Shown): Promise<void> {
    const key = resourceKey(account, machine)
    const connection = await view(account, machine).catch(() => undefined)
    // The account was forgotten, or the machine is gone.
    if (!connection) shown.delete(key)
    if (!connection || !shown.has(key)) return
    const next = JSON.stringify(connection)
    if (next === text) return
    shown.set(key, { account, machine, text: next })
    changes.emit({ account, connection })
  }

  return {
    onChange: changes.on,
    async show(account: AccountId, machine: string): Promise<SshConnectionView> {
      const connection = await view(account, machine)
      shown.set(resourceKey(account, machine), { account, machine, text: JSON.stringify(connection) })
      return connection
    },
    /** Emits all shown connections that have changed. Never fails. */
    refresh: (): Promise<void> =>
      runExclusive(async () => {
        for (const entry of Array.from(shown.values())) await emitChange(entry)
      }),
    forgetAccount(account: AccountId): void {
      for (const [key, entry] of shown) if (entry.account === account) shown.delete(key)
    },
    close(): void {
      changes.clear()
      shown.clear()
    },
  }
}
