/** The local store: what is remembered on this computer, and why it may not be. By its states (bridge/store.ts). */
export const store = {
  title: 'Kept on this computer',
  text: 'Statements, usage, limits, notes, names and what your machines did, encrypted with a key from the keychain.',
  state: 'State',
  reason: 'The system says: {reason}',
  setAside: {
    title: 'The file of the local data was damaged',
    text: 'It was set aside as {file}, and a new one was begun. Statements and usage are read again from the service; what only this computer knew, such as the load of past days, is not.',
  },
  states: {
    opening: { short: 'Not opened yet' },
    open: { short: 'Encrypted and in use' },
    'no-keychain': {
      short: 'Kept in memory until you quit',
      title: 'History isn’t saved: keychain unavailable',
      text: 'Private data are only written down encrypted, with a key from the keychain. Until one can be used, Wheelhouse keeps them in memory and forgets them when you quit.',
    },
    locked: {
      short: 'Waiting for the keychain',
      title: 'The local data wait for the keychain',
      text: 'They are safe and untouched. They open by themselves once the keychain is unlocked; until then Wheelhouse keeps in memory what it reads.',
    },
    'key-lost': {
      short: 'The key is lost',
      title: 'The local data cannot be read: their key is lost',
      text: 'The keychain is open but does not hold the key of the file. The file is untouched: if you restore the keychain, it opens again. Or begin a new one; the old one is then kept beside it.',
    },
    damaged: {
      short: 'Damaged',
      title: 'The file of the local data is damaged',
      text: 'It could not be set aside just now; that happens at the next start, and a new one is begun. Until then Wheelhouse keeps in memory what it reads.',
    },
    'disk-full': {
      short: 'The disk is full',
      title: 'The disk is full: nothing new is kept',
      text: 'What is there can still be read. Make room, and Wheelhouse goes on by itself.',
    },
    'newer-schema': {
      short: 'Written by a newer Wheelhouse',
      title: 'The local data belong to a newer Wheelhouse',
      text: 'Their version is {version}; this Wheelhouse knows versions up to {known}. The file is left as it is. Until you update, what is read is kept in memory.',
    },
    unsupported: {
      short: 'Not possible on this computer',
      title: 'Nothing is remembered on this computer',
      text: 'The database that Wheelhouse uses does not run here. Everything works, but costs of the past are not known.',
    },
    failed: {
      short: 'Cannot be opened',
      title: 'The local data cannot be opened',
      text: 'The file is untouched. Until it opens, Wheelhouse keeps in memory what it reads.',
    },
  },
  retry: 'Try again',
  startAfresh: 'Begin a new file',
  ledger: {
    reading: 'Reading the statements: {known} of {total}.',
    readingSome: 'Reading the statements: {known} so far.',
    waiting: 'The statements are not all read yet: {known} of {total}.',
    waitingSome: 'The statements are not all read yet: {known} so far.',
    text: 'Until then the past is incomplete.',
    label: 'Statements read',
    kept: '{known} statements',
    keptAge: '{known} statements, as of {age}',
  },
} as const
