import { win32 } from 'node:path'
import { powershellQuoted } from './quoting'
import { checkCmdOptions } from './allowed-options'
import type { Launch, SessionWindow, Terminal } from './terminal'

const { join } = win32

/** Exit code of ssh for failures outside the remote shell (ssh(1)). */
const sshFailed = 255

/** `;` separates commands of wt, in any argument. */
const wtEscaped = (text: string): string => text.replaceAll(';', '\\;')

const powershellScript = (window: SessionWindow): string =>
  [
    `$Host.UI.RawUI.WindowTitle = ${powershellQuoted(window.title)}`,
    `Set-Location -LiteralPath ${powershellQuoted(window.folder)}`,
    `& ${[window.ssh, ...window.args].map(powershellQuoted).join(' ')}`,
    `if ($LASTEXITCODE -eq ${sshFailed}) { [void][Console]::ReadKey($true) }`,
  ].join('; ')

/**
 * Returns the terminals of Windows; the arguments are %SystemRoot%, %LocalAppData% and %ProgramFiles%. All windows stay open
 * if ssh ends with an error: Windows Terminal by its default for `closeOnExit`, the consoles by their script.
 */
export const windowsTerminals = (
  systemRoot: string,
  localAppData: string,
  programFiles: string,
): readonly Terminal[] => {
  const system = (...names: readonly string[]): string => join(systemRoot, 'System32', ...names)
  // The application has no console that cmd could use; conhost opens a console window.
  const inConsole = (args: readonly string[]): Launch => ({ file: system('conhost.exe'), args })
  const powershell = (id: string, name: string, places: readonly string[]): Terminal => ({
    id,
    name,
    places,
    canHold: false,
    staysWithWindow: true,
    launch: (program, window) =>
      inConsole([program, '-NoLogo', '-NoProfile', '-Command', powershellScript(window)]),
  })
  return [
    {
      id: 'windows-terminal',
      name: 'Windows Terminal',
      places: [join(localAppData, 'Microsoft', 'WindowsApps', 'wt.exe'), 'wt.exe'],
      canHold: false,
      staysWithWindow: false,
      launch: (program, window) => ({
        file: program,
        args: ['new-tab', '--title', window.title, '-d', window.folder, window.ssh, ...window.args].map(
          wtEscaped,
        ),
      }),
    },
    powershell('pwsh', 'PowerShell 7', [
      'pwsh.exe',
      join(programFiles, 'PowerShell', '7', 'pwsh.exe'),
      join(localAppData, 'Microsoft', 'WindowsApps', 'pwsh.exe'),
    ]),
    powershell('powershell', 'Windows PowerShell', [system('WindowsPowerShell', 'v1.0', 'powershell.exe')]),
    {
      id: 'cmd',
      name: 'Command Prompt',
      places: [system('cmd.exe')],
      canHold: false,
      staysWithWindow: true,
      launch: (program, window) => {
        checkCmdOptions(window)
        const session = [window.ssh, ...window.args]
        const keepOpen = ['if', 'errorlevel', String(sshFailed), 'pause']
        return inConsole([program, '/d', '/c', 'cd', '/d', window.folder, '&&', ...session, '&', ...keepOpen])
      },
    },
  ]
}
