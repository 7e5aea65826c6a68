/** Questions of ssh while it signs in. */
export const askpass = {
  notice: {
    title: 'Signing in to {machine} needs your answer',
    body: 'Open Wheelhouse to answer.',
  },
  title: 'Signing in to {machine}',
  password: 'The password of {subject}',
  passphrase: 'The passphrase of {subject}',
  firstContact:
    'This is your first connection to this machine. Before its password is sent, compare its host key with the one its operator shows:',
  hostKey:
    'This is your first connection to this machine. Before you type a password or code, compare its host key with the one its operator shows:',
  newHost: {
    title: 'First connection to {machine}',
    text: 'Compare its host key with the one its operator shows. Wheelhouse connects only after you trust it.',
    address: 'Address',
    type: 'Key type',
    fingerprint: 'Fingerprint',
  },
  touch: {
    title: 'Touch your security key to connect to {machine}',
    body: 'Wheelhouse signs in once you touch it.',
  },
  fromOther: 'The jump host {from} needs an answer on the way to {machine}. It may have written this text:',
  other: 'SSH needs an answer. The machine may have written this text:',
  again: 'That wasn’t accepted. Try again.',
  answer: { password: 'Password', passphrase: 'Passphrase', other: 'Answer' },
  show: 'Show input',
  hide: 'Hide input',
  action: 'Continue',
  send: 'Send the password',
  trust: 'Trust this key',
  invalid: 'Type one line of up to 1,000 characters.',
  keep: {
    label: 'Remember it',
    no: 'No',
    session: 'Until I quit',
    keychain: 'In the keychain',
  },
  state: {
    label: 'Passphrases and passwords',
    window: 'Asked for in Wheelhouse ({version})',
    own: 'Asked for by the program in SSH_ASKPASS',
    terminal: 'Asked for in the terminal ({version}). Asking in Wheelhouse needs OpenSSH 8.5 or later.',
    windows: 'Asked for in the terminal',
  },
  kept: '{count} passphrase remembered | {count} passphrases remembered',
  forget: 'Forget',
  forgotten: 'Passphrases forgotten',
} as const

/** Questions of commands that print a password. */
export const secrets = {
  title: 'Show the password of {machine} in a terminal?',
  notice: 'A command of Wheelhouse asks for it. Answer in Wheelhouse within two minutes.',
  text: 'The command wheelhouse show --show-secret was started on this computer. It prints the password; every program that reads its output sees it.',
  machine: 'Machine',
  account: 'Account',
  allow: 'Show the password',
  deny: 'Refuse',
} as const
