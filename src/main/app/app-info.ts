import type { AppInfo, AppNotice, Destination } from '#shared/bridge/app'
import type { Clock } from '../core/clock'
import type { Keychain } from '../store/keychain'
import { createEmitter } from '#shared/emitter'
import { defineModule } from '../core/module'
import { createFirstPaint } from './first-paint'

/** What the application is and runs on; unlike the rest it stays the same. */
export type Runtime = Omit<AppInfo, 'keychain' | 'keychainReason' | 'crashedAt'>

/** The crash of an earlier run, until the person dismisses it. */
export interface EarlierCrash {
  /** Epoch seconds. */
  at(): number | null
  show(): void
  dismiss(): Promise<void>
}

/** The application itself, as the window sees it. */
export function createAppInfo(
  runtime: Runtime,
  keychain: Pick<Keychain, 'state' | 'onChange'>,
  crash: EarlierCrash,
  clock: Pick<Clock, 'after'>,
) {
  const navigation = createEmitter<Destination>()
  const changes = createEmitter<AppInfo>()
  const notices = createEmitter<AppNotice>()
  const firstPaint = createFirstPaint(clock)
  const read = (): AppInfo => {
    const { available, reason } = keychain.state()
    return {
      ...runtime,
      keychain: available ? 'available' : 'unavailable',
      keychainReason: reason,
      crashedAt: crash.at(),
    }
  }
  const unsubscribe = keychain.onChange(() => changes.emit(read()))

  return defineModule({
    handlers: {
      'app.info': read,
      'app.painted': firstPaint.over,
      'app.showCrashReport': crash.show,
      'app.dismissCrash': async () => {
        await crash.dismiss()
        changes.emit(read())
      },
    },
    events: { 'app.changed': changes.on, 'app.navigate': navigation.on, 'app.notice': notices.on },
    forgetAccount: 'keeps-nothing',
    /** Leads the window to a page. */
    navigate: navigation.emit,
    /** Shows in the window what the system did not. */
    showNotice: notices.emit,
    /** Resolves once the window of this start shows what it begins with: see createFirstPaint. */
    firstPaint: firstPaint.wait,
    windowChanged: firstPaint.windowChanged,
    close(): void {
      firstPaint.over()
      unsubscribe()
    },
  })
}
