import { actions } from './actions'

/** What went wrong (`title`, `text`) and what to do next (`next`), by kind of failure (src/shared/failure.ts). */
export const failures = {
  offline: {
    title: 'This computer is offline',
    text: 'No network can be reached.',
    next: 'Wheelhouse goes on by itself once the network is back.',
  },
  'cannot-connect': {
    title: 'No connection to {host}',
    text: 'Nothing answered there ({reason}).',
    next: 'Check the address and your network, then try again.',
  },
  'timed-out': {
    title: '{host} did not answer in time',
    text: 'Nothing came back within {seconds} s.',
    next: 'Try again in a moment.',
  },
  'untrusted-certificate': {
    title: 'The certificate of {host} is not trusted',
    text: 'This computer does not accept it ({reason}), so nothing was sent.',
    next: 'Check the address and the date of this computer, or ask whoever runs the service.',
  },
  'not-signed-in': {
    expired: {
      title: 'The sign-in has expired',
      text: 'The service ended the session.',
      next: 'Sign in again to go on.',
    },
    refused: {
      title: 'The sign-in was refused',
      text: 'The service does not accept these credentials.',
      next: 'Check what you typed, then try again.',
    },
    'signed-out': {
      title: 'Not signed in',
      text: 'This account is signed out.',
      next: 'Sign in to go on.',
    },
    withMessage: 'The service says: {message}',
  },
  'refused-by-service': {
    title: 'The service refused',
    text: '{message}',
    silent: 'It gave no reason (HTTP {status}).',
    next: 'Change what it names, then try again.',
  },
  'unexpected-answer': {
    title: 'The answer was not understood',
    text: 'Expected {expected}, received {received}.',
    next: 'Try again. If it stays so, check that the address belongs to the service.',
  },
  'rate-limited': {
    title: 'The service asks for a pause',
    text: 'Too many requests were sent.',
    next: 'Try again in a moment.',
    nextAfter: 'Try again in {seconds} s.',
    nextAt: 'Nothing is sent before {time}, unless you try now.',
  },
  forbidden: {
    title: 'This account may not use this',
    text: 'The service accepts your sign-in, but not for this.',
    next: 'Ask whoever manages the account for access. Everything else goes on.',
  },
  'invalid-input': {
    title: '{field} cannot be used',
    next: 'Change it, then try again.',
  },
  'keychain-unavailable': {
    title: 'The keychain cannot be used',
    text: 'The system says: {reason}',
    next: 'Unlock the keychain, then try again.',
  },
  'not-offered-by-service': {
    title: 'Not offered by this service',
    text: 'The service does not offer {what}.',
    next: 'Nothing else is affected.',
  },
  cancelled: {
    title: 'Cancelled',
    text: 'Nothing was changed.',
    next: 'Start again whenever you like.',
  },
  'host-key-changed': {
    title: 'The host key of {host} has changed',
    text: 'Recorded: {known}. Offered now: {offered}.',
    next: 'Find out why before you connect.',
  },
  'disk-full': {
    title: 'The disk is full',
    text: 'There is no room for the file, so nothing of it was kept.',
    next: 'Free some space or choose another place, then try again.',
  },
  'local-fault': {
    title: 'Something on this computer failed',
    text: '{action}: {reason}',
    next: 'Try again.',
  },
  actions,
  /** Why a value was not accepted. */
  invalid: {
    required: 'Required',
    malformed: 'Invalid format',
    'too-long': 'This is too long.',
    'out-of-range': 'This is out of range.',
    'not-a-url': 'This is not an address such as https://api.example.com.',
    'insecure-url': 'Only https:// is safe here; http:// is accepted for this computer alone.',
    'loopback-only': 'This build admits only services on this computer (127.0.0.1).',
    'not-a-host': 'This is not a plain host name or IP address.',
    'not-a-user-name': 'This is not a plain user name.',
    'not-a-port': 'A port is a number from 1 to 65,535.',
    'not-a-file': 'There is no such file, or it cannot be read.',
    unknown: 'Nothing is known by this name.',
    'already-there': 'This is there already.',
    'not-ready': 'This is not ready yet.',
    'not-an-api-token': 'This is not an API token of the service.',
    'not-the-name': 'It must be typed exactly as it is called.',
    'outcome-open': 'An earlier creation is not settled yet.',
  },
  /** What a person calls the capabilities of a service (src/shared/bridge/capability.ts). */
  capabilities: {
    regions: 'a list of its regions',
    'volume-types': 'a list of its volume types',
    'volume-list': 'a list of volumes',
    power: 'to start, stop or reboot machines',
    'delete-machine': 'to delete machines',
    'delete-volume': 'to delete volumes',
    balance: 'to report the balance',
    'create-token': 'to create API tokens',
    'delete-token': 'to delete API tokens',
  },
  /** What a person calls the fields that failures name. */
  fields: {
    baseUrl: 'The address of the service',
    username: 'The user name',
    password: 'The password',
    token: 'The API token',
    label: 'The name',
    account: 'The account',
    machine: 'The machine',
    user: 'The user',
    host: 'The address',
    port: 'The port',
    identityFile: 'The identity file',
    terminal: 'The terminal',
    name: 'The name',
    image_id: 'The image',
    flavor_id: 'The flavor',
    volume_name: 'The volume',
    ssh_key: 'The SSH key',
    init_script: 'The init script',
  },
} as const
