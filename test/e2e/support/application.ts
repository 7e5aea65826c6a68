import { once } from 'node:events'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'

export const root = join(import.meta.dirname, '../../..')

export interface Application {
  readonly electron: ElectronApplication
  readonly window: Page
  /** The main process; it may have ended. */
  readonly pid: number | undefined
  /** All output of the process. */
  said(): string
  /** Quits like a user; resolves once the process has ended. */
  quit(): Promise<void>
}

/**
 * Sends the main process a repeatable question. The inspector holds the promise of an answer weakly, and rejects if
 * main collects its garbage before sending it; a loaded main did so four times in a row.
 */
export const steadily = async <Result>(ask: () => Promise<Result>, attempts = 20): Promise<Result> => {
  try {
    return await ask()
  } catch (error) {
    const lost = error instanceof Error && error.message.includes('promise was garbage collected')
    if (lost && attempts > 1) return steadily(ask, attempts - 1)
    throw error
  }
}

export interface Place {
  readonly userData: string
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  /** Another folder than the checkout to start the application from. */
  readonly folder?: string
  /** Chromium's switches, if different from those for the screens of the tests. */
  readonly switches?: readonly string[]
}

const definedOnly = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** A covered window draws no frame, and a click waits for two. */
const whereCovered = '--disable-backgrounding-occluded-windows'
/**
 * Chromium's switches for the screens of the tests. They have no graphics processor: without the second switch each
 * start first looks for one, and the compositor of Wayland waits forever for it.
 */
export const screenSwitches: readonly string[] = [
  whereCovered,
  ...(process.platform === 'linux' ? ['--disable-gpu'] : []),
]
/** Draws as with a graphics processor, including WebGL, with Electron's SwiftShader. */
export const gpuSwitches: readonly string[] = [
  whereCovered,
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]

/** Milliseconds for a click or a wait in the window, on a busy computer. */
const actionTimeout = 90_000

/** Starts the built application in a real Electron, with its own folders. */
export const launchElectron = async ({
  userData,
  home,
  env = {},
  folder = root,
  switches = screenSwitches,
}: Place): Promise<ElectronApplication> => {
  const executablePath = process.env.ELECTRON_EXEC_PATH
  if (!executablePath) throw new Error('ELECTRON_EXEC_PATH is not set; run npm test')
  const electron = await _electron.launch({
    executablePath,
    args: [
      folder,
      `--user-data-dir=${userData}`,
      ...switches,
      ...(process.env.WHEELHOUSE_WAYLAND === '1' ? ['--ozone-platform=wayland'] : []),
    ],
    timeout: actionTimeout,
    // Root cannot use it; every other user must.
    chromiumSandbox: process.getuid?.() !== 0,
    // The application decides the theme, as reported by the system.
    colorScheme: null,
    env: { ...definedOnly(process.env), HOME: home, ...env },
  })
  electron.context().setDefaultTimeout(actionTimeout)
  // Questions to the main process are repeated if the inspector lost the answer.
  for (const name of ['evaluate', 'evaluateHandle'] as const)
    Reflect.set(
      electron,
      name,
      new Proxy(electron[name], {
        apply: (ask, self, given: unknown[]) =>
          steadily(async () => {
            const answer: unknown = await Reflect.apply(ask, self, given)
            return answer
          }),
      }),
    )
  return electron
}

/** Starts the application and waits for its window. */
export const launch = async (place: Place): Promise<Application> => {
  const electron = await launchElectron(place)
  const child = electron.process()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  const window = await electron.firstWindow()
  // Pictures and checks are of pages at rest.
  await window.emulateMedia({ reducedMotion: 'reduce' })
  await window.waitForLoadState('domcontentloaded')
  return {
    electron,
    window,
    pid: child.pid,
    said: () => text,
    async quit() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      const asked = electron.evaluate(({ app, dialog }) => {
        // Terminals and forwards of the test may still run.
        dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
        app.quit()
      })
      // The process may end before it has answered.
      await Promise.race([ended, asked.catch(() => ended)])
      await ended
    },
  }
}
