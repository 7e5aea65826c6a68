/** The tray, the menu and what the system shows on the application's behalf. */
export const desktop = {
  tray: {
    tooltip:
      'Wheelhouse: no machine is running | Wheelhouse: {count} machine is running | Wheelhouse: {count} machines are running',
    running: '{count} running | {count} running',
    perHour: '{amounts} / h',
    machine: '{name} ({state})',
    instance: '{name} (bare metal)',
    stateUnknown: 'state unknown',
    ssh: 'Connect by SSH',
    show: 'Show in Wheelhouse',
    signedOut: 'Signed out. Sign in…',
    noMachines: 'No machines',
    moreMachines: '{count} more…',
    open: 'Open Wheelhouse',
    quit: 'Quit',
  },
  menu: { settings: 'Settings…', view: 'View' },
  chooseIdentity: { title: 'Choose a private key', button: 'Use this key' },
  chooseTarget: { title: 'Save the export' },
  settingsNotice: {
    title: 'The settings could not be read',
    damaged: 'They were not understood ({reason}), so they start afresh. The old text is kept as {file}.',
    unreadable: 'The system says: {reason}. Nothing will be saved over them until that is mended.',
  },
  startFailed: { title: 'Wheelhouse could not start' },
  sshFailed: { title: 'Could not connect to {machine}' },
} as const
