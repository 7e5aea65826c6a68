/** The local store: its content, and reasons why it is unavailable, by its states (bridge/store.ts). */
export const store = {
  title: 'Local data',
  text: 'Statements, usage, limits, notes, names and machine history, encrypted with a key from your keychain.',
  state: 'State',
  reason: 'System error: {reason}',
  quarantined: {
    title: 'Local data couldn’t be read',
    text: 'It is damaged or from another version of Wheelhouse. The file was moved to {file} and a new one was started. Statements and usage are loaded again from the service. Data stored only here, such as past load, is lost.',
  },
  states: {
    opening: { short: 'Not opened yet' },
    open: { short: 'Encrypted' },
    'no-keychain': {
      short: 'In memory until you quit',
      title: 'History isn’t saved: keychain unavailable',
      text: 'Wheelhouse only saves private data encrypted, with a key from your keychain. Without one, data stays in memory and is lost when you quit.',
    },
    locked: {
      short: 'Waiting for the keychain',
      title: 'Unlock your keychain to open local data',
      text: 'Your data is safe and opens automatically once the keychain is unlocked. Until then, new data stays in memory.',
    },
    'key-lost': {
      short: 'Key lost',
      title: 'Local data can’t be opened: its key is lost',
      text: 'Your keychain no longer has the key of the file. Restore the keychain to open it, or start a new file: the old one is kept.',
    },
    damaged: {
      short: 'Damaged',
      title: 'Local data can’t be read',
      text: 'It is damaged or from another version of Wheelhouse. Restart Wheelhouse to move the file aside and start a new one. Until then, new data stays in memory.',
    },
    'disk-full': {
      short: 'Disk full',
      title: 'Disk full: nothing new is saved',
      text: 'Saved data is still available. Free up space, and Wheelhouse continues automatically.',
    },
    unsupported: {
      short: 'Not supported on this computer',
      title: 'History isn’t saved on this computer',
      text: 'The local database doesn’t run here. Everything else works, but past costs are unknown.',
    },
    failed: {
      short: 'Can’t be opened',
      title: 'Couldn’t open local data',
      text: 'The file is unchanged. Until it opens, new data stays in memory.',
    },
  },
  quarantine: {
    title: 'Old files',
    text: 'Files that couldn’t be read. Save what you still need and delete the rest.',
    settings: 'Settings',
    database: 'Encrypted database',
    size: '{count} KB',
    mayHoldRemovedAccounts: 'May hold data of an account you removed',
    uncleared:
      'Data of {account} couldn’t be erased from old files: {files}. Delete them in Settings, under Local data.',
    save: 'Save…',
    saveOne: 'Save {name}',
    delete: 'Delete',
    deleteOne: 'Delete {name}',
    confirm: { title: 'Delete {name}?', text: 'The file is permanently deleted.' },
    saved: 'Saved as {file}',
  },
  retry: 'Try again',
  startAfresh: 'Start a new file',
  ledger: {
    reading: 'Loading statements: {known} of {total}.',
    readingSome: 'Loading statements: {known} so far.',
    waiting: 'Statements incomplete: {known} of {total} loaded.',
    waitingSome: 'Statements incomplete: {known} loaded so far.',
    text: 'Until then, past costs are incomplete.',
    label: 'Statements loaded',
    kept: '{known} statements',
    keptAge: '{known} statements, updated {age}',
  },
} as const
