import { expect, it } from 'vitest'
import { keychainProblem } from './keychain-problem'

it.each([
  ['keytar is not installed', 'not-installed'],
  ['libsecret-1.so.0: cannot open shared object file: No such file or directory', 'not-installed'],
  ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'not-running'],
  ['The name org.freedesktop.secrets was not provided by any .service files', 'not-running'],
  ['Could not connect: No such file or directory', 'not-running'],
  ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'no-collection'],
  ["No such object path '/org/freedesktop/secrets/aliases/default'", 'no-collection'],
  ['No such secret collection at path: /', 'no-collection'],
  [
    'No such interface “org.freedesktop.Secret.Collection” on object at path /org/freedesktop/secrets/aliases/default',
    'no-collection',
  ],
  ['Cannot create an item in a locked collection', 'locked'],
  ['no answer for 10 seconds', 'locked'],
  ['User interaction is not allowed.', 'locked'],
  ['something else', 'failed'],
])('the message “%s” means %s', (reason, problem) => expect(keychainProblem(reason)).toBe(problem))
