/** The tray, the menu and system notifications. */
export const desktop = {
  tray: {
    tooltip:
      'Wheelhouse: no machines running | Wheelhouse: {count} machine running | Wheelhouse: {count} machines running',
    running: '{count} running | {count} running',
    perHour: '{amount}/h',
    machine: '{name} ({state})',
    bareMetal: 'bare metal',
    notReachable: '{state}, {reason}',
    disabledReason: { stopped: 'start it to connect', 'no-address': 'waiting for an address' },
    stateUnknown: 'state unknown',
    gpu: 'GPU {percent}%',
    cpu: 'CPU {percent}%',
    soFar: '{amount} so far',
    stillBilled: '{countdown}, still billed',
    deleteInstead: '{countdown}, still billed unless deleted',
    job: '{name} on {machine}',
    actions: 'Actions',
    show: 'Show in Wheelhouse',
    stop: 'Stop…',
    forward: '{service} of {machine} at {address}',
    signedOut: 'Signed out. Sign in…',
    noMachines: 'No machines',
    more: '{count} more…',
    open: 'Open Wheelhouse',
    quit: 'Quit',
  },
  /** Shown once, when the window is closed for the first time. */
  stays: {
    title: 'Wheelhouse is still running',
    text: 'It stays in the tray. Open it from there, or quit.',
  },
  /** Asked when the window closes on a desktop that shows no tray icon. */
  unwatched: {
    title: 'Quit and stop watching your limits?',
    text: 'This desktop shows no tray icon, so Wheelhouse can check your limits and reminders only while its window is open.',
    quit: 'Quit',
    minimize: 'Minimize instead',
  },
  /** Shown when the secret's time is over, but only the focused window can clear the clipboard. */
  secretKept: {
    title: 'A secret is still on the clipboard',
    text: 'Open Wheelhouse to clear it.',
  },
  /** Right click on a field or on selected text. */
  fieldMenu: {
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
  },
  menu: { settings: 'Settings…', view: 'View', help: 'Help', guide: 'User guide' },
  chooseIdentity: { title: 'Choose a private key', button: 'Use this key' },
  chooseAuthorities: { title: 'Choose a certificate authority file', button: 'Trust these' },
  chooseTemplate: { title: 'Choose an exported template', button: 'Import' },
  chooseTarget: { title: 'Save as' },
  chooseFolder: { title: 'Choose a folder for the files', button: 'Download here' },
  chooseUploads: {
    files: 'Choose files to upload',
    folder: 'Choose folders to upload',
    button: 'Upload',
  },
  settingsNotice: {
    title: 'Couldn’t read your settings',
    damaged:
      'The file is damaged ({reason}), so settings were reset. The old file is saved as {file}: see Settings.',
    partial:
      'Some settings are damaged or from another version ({reason}). They stay in the file, and the others work. Update Wheelhouse, or edit the file.',
    unreadable: 'System error: {reason}. Your settings file won’t be changed until this is fixed.',
  },
  startFailed: { title: 'Wheelhouse couldn’t start' },
  keepsCrashing: {
    title: 'This window keeps crashing',
    text: 'Your machines keep running. Open the window again, or quit and restart Wheelhouse.',
    again: 'Open again',
    quit: 'Quit',
  },
  noSandbox: {
    title: 'Wheelhouse can’t run safely here',
    text: 'This system doesn’t let an AppImage isolate its window (Chromium’s sandbox). Install the deb or rpm package, or allow user namespaces.',
  },
  readOnly: {
    title: 'Wheelhouse can’t write to its folder',
    text: 'Nothing can be saved in {folder}. Make the folder writable, or remove the disk’s write protection, then start Wheelhouse again.',
  },
  /** Before the application quits during transfers. */
  quitWithWork: {
    title: 'Quit and stop {count} running item? | Quit and stop {count} running items?',
    upload: 'Transfer: {name} to {machine}',
    download: 'Transfer: {name} from {machine}',
    terminal: 'Terminal: {machine}',
    forward: 'Forwarded port: {port} of {machine}',
    more: 'and {count} more',
    transfersText: 'Partial copies will be deleted.',
    terminalsText: 'Sessions end, with any programs in their foreground. Kept sessions keep running.',
    forwardsText: 'Programs that use a forwarded port lose their connection.',
    quit: 'Quit and stop',
    keep: 'Keep running',
  },
  sshFailed: { title: 'Couldn’t connect to {machine}' },
} as const
