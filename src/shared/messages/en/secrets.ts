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
