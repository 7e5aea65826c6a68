import { homedir } from 'node:os'
import { app } from 'electron'
import { createAutostart } from '../login-item/autostart'
import type { LoginItemHost } from '../login-item/index'
import { loginProgram } from '../login-item/program'

/** Switches of this start that select a profile, or that root needs. */
function ownSwitches(): string[] {
  const folder = app.commandLine.getSwitchValue('user-data-dir')
  return [
    ...(app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []),
    ...(folder === '' ? [] : [`--user-data-dir=${folder}`]),
  ]
}

/** Returns how this system opens the application at login. */
export function hostLoginItem(): LoginItemHost {
  const { platform, execPath, env } = process
  const folder = app.isPackaged ? null : app.getAppPath()
  const program = loginProgram({ executable: execPath, env, folder, switches: ownSwitches() })
  if (platform === 'linux') return createAutostart({ home: homedir(), env, program })
  // Windows compares the command line. Electron does not quote its arguments.
  const args = program.args.map((argument) => (/\s/.test(argument) ? `"${argument}"` : argument))
  const own = platform === 'win32' ? { path: program.file, args } : {}
  return {
    read() {
      const { openAtLogin, executableWillLaunchAtLogin, status } = app.getLoginItemSettings(own)
      if (status === 'requires-approval') return { kind: 'needs-approval' }
      // The user may have disabled the entry in the Task Manager.
      const isOn = platform === 'win32' ? executableWillLaunchAtLogin : openAtLogin
      return { kind: isOn ? 'on' : 'off' }
    },
    change: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, enabled: isOn, ...own }),
  }
}
