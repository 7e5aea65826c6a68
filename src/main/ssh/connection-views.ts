import type { AccountId } from '#shared/bridge/account'
import type { EventPayload } from '#shared/bridge/index'
import type { SshConnectionView } from '#shared/bridge/ssh'
import { createEmitter } from '#shared/emitter'
import { createMutex } from '../core/mutex'
import { resourceKey } from '#shared/resource-key'

interface Shown {
  readonly account: AccountId
  readonly machine: string
  /** The view as it was last given out. */
  readonly text: string
}

/** Remembers which connections the window shows, and emits those that have changed since. */
export function createShownConnections(
  view: (account: AccountId, machine: string) => Promise<SshConnectionView>,
) {
  const shown = new Map<string, Shown>()
  const changes = createEmitter<EventPayload<'ssh.changed'>>()
  const oneAtATime = createMutex()

  async function emitChange({ account, machine, text }: Shown): Promise<void> {
    const key = resourceKey(account, machine)
    const connection = await view(account, machine).catch(() => undefined)
    // Forgotten meanwhile, or a machine that is gone.
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
    /** Compares all shown connections with what they are now. Never fails. */
    refresh: (): Promise<void> =>
      oneAtATime(async () => {
        for (const one of Array.from(shown.values())) await emitChange(one)
      }),
    forgetAccount(account: AccountId): void {
      for (const [key, one] of shown) if (one.account === account) shown.delete(key)
    },
    close(): void {
      changes.clear()
      shown.clear()
    },
  }
}
