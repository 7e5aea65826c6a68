import type { AppInfo, AppNotice, Destination } from '#shared/bridge/app'
import type { Clock } from '../core/clock'
import type { Keychain } from '../store/keychain'
import { createEmitter } from '#shared/emitter'
import { defineModule } from '../core/module'
import { createFirstPaint } from './first-paint'

/** Facts about the application that do not change during a run. */
export type Runtime = Omit<AppInfo, 'keychain' | 'keychainReason' | 'crashedAt'>

export interface EarlierCrash {
  /** Epoch seconds; null without a crash. */
  at(): number | null
  show(): void
  dismiss(): Promise<void>
}

export interface AppInfoDeps {
  readonly runtime: Runtime
  readonly keychain: Pick<Keychain, 'state' | 'onChange'>
  readonly earlierCrash: EarlierCrash
  quit(): void
  /** Opens the window, or brings it to the front. */
  showWindow(destination?: Destination): void
  readonly clock: Pick<Clock, 'after'>
}

export function createAppInfo({ runtime, keychain, earlierCrash, quit, showWindow, clock }: AppInfoDeps) {
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
      crashedAt: earlierCrash.at(),
    }
  }
  const unsubscribe = keychain.onChange(() => changes.emit(read()))

  return defineModule({
    handlers: {
      'app.info': read,
      'app.painted': firstPaint.over,
      'app.quit': quit,
      'app.open': ({ destination }) => showWindow(destination ?? undefined),
      'app.showCrashReport': earlierCrash.show,
      'app.dismissCrash': async () => {
        await earlierCrash.dismiss()
        changes.emit(read())
      },
    },
    events: { 'app.changed': changes.on, 'app.navigate': navigation.on, 'app.notice': notices.on },
    forgetAccount: 'keeps-nothing',
    navigate: navigation.emit,
    showNotice: notices.emit,
    firstPaint: firstPaint.wait,
    windowChanged: firstPaint.windowChanged,
    close(): void {
      firstPaint.over()
      unsubscribe()
    },
  })
}
