import { actions } from './actions'

/** What went wrong (`title`, `text`) and what to do next (`next`), by kind of failure (src/shared/failure.ts). */
export const failures = {
  offline: {
    title: 'You’re offline',
    text: 'No network connection.',
    next: 'Wheelhouse reconnects automatically.',
  },
  'cannot-connect': {
    title: 'Couldn’t connect to {host}',
    text: 'No response ({reason}).',
    next: 'Check the address and your network, then try again.',
  },
  'timed-out': {
    title: '{host} timed out',
    text: 'No response within {seconds} s.',
    next: 'Try again in a moment.',
  },
  'untrusted-certificate': {
    title: 'The certificate of {host} isn’t trusted',
    text: 'This computer rejects it ({reason}), so nothing was sent.',
    next: 'Check the address and this computer’s date, or contact the service’s operator.',
    nextAuthority:
      'If your company inspects traffic, add its certificate authority under Settings > Network. Otherwise contact the operator of {host}.',
  },
  proxy: {
    unreachable: {
      title: 'Couldn’t connect to the proxy {proxy}',
      text: 'It didn’t respond, so nothing was sent to {host}.',
      next: 'Check your company network or VPN, and the proxy under Settings > Network.',
    },
    refused: {
      title: 'The proxy {proxy} refused to connect to {host}',
      text: 'Nothing was sent.',
      next: 'A network may want you to sign in to it first: open any web page, then try again. Otherwise ask its administrator to allow {host}.',
    },
    'sign-in': {
      title: 'The proxy {proxy} needs you to sign in',
      text: 'It refused the connection to {host} (HTTP 407), so nothing was sent.',
      next: 'Sign in to it under Settings > Network, then try again.',
    },
    certificate: {
      title: 'The certificate of the proxy {proxy} isn’t trusted',
      text: 'Nothing was sent to {host}.',
      next: 'Check the proxy under Settings > Network, or ask your network’s administrator.',
    },
    script: {
      title: 'The proxy settings couldn’t be used',
      text: 'The PAC file can’t be read or has an error, so nothing was sent to {host}.',
      next: 'Check its address under Settings > Network, or ask your network’s administrator.',
    },
  },
  'not-signed-in': {
    expired: {
      title: 'Your session expired',
      text: 'The service ended your session.',
      next: 'Sign in again to continue.',
    },
    refused: {
      title: 'Sign-in refused',
      text: 'The service doesn’t accept these credentials.',
      next: 'Check your credentials, then try again.',
    },
    'signed-out': {
      title: 'Not signed in',
      text: 'This account is signed out.',
      next: 'Sign in to continue.',
    },
    withMessage: 'The service says: {message}',
  },
  'refused-by-service': {
    title: 'The service refused the request',
    text: '{message}',
    silent: 'It gave no reason (HTTP {status}).',
    next: 'Fix what it names, then try again.',
  },
  'unexpected-answer': {
    title: 'Unexpected response',
    text: 'Expected {expected}, received {received}.',
    next: 'Try again. If it keeps happening, check the service address.',
    nextPage:
      'A network may want you to sign in to it first: open any web page, then try again. If it keeps happening, check the service address.',
  },
  'rate-limited': {
    title: 'The service asked for a pause',
    text: 'It isn’t taking more requests right now.',
    next: 'Try again in a moment.',
    nextAfter: 'Try again in {seconds} s.',
    nextAt: 'We’ll retry at {time}, or try now.',
  },
  forbidden: {
    title: 'Access denied',
    text: 'You’re signed in, but this account isn’t allowed to do this.',
    next: 'Ask the account’s owner for access. Everything else keeps working.',
  },
  'invalid-input': {
    title: '{field} isn’t valid',
    next: 'Fix it, then try again.',
  },
  'keychain-unavailable': {
    title: 'Keychain unavailable',
    text: 'System error: {reason}',
    next: 'Unlock the keychain, then try again.',
  },
  'not-offered-by-service': {
    title: 'Not offered by this service',
    text: 'This service doesn’t let you {what}.',
    next: 'Everything else keeps working.',
  },
  cancelled: {
    title: 'Cancelled',
    text: 'Nothing changed.',
    next: 'Start again whenever you like.',
  },
  'host-key-changed': {
    title: 'The host key of {host} has changed',
    text: 'Trusted: {known}. Offered now: {offered}.',
    next: 'Find out why before you connect.',
  },
  'disk-full': {
    title: 'The disk is full',
    text: 'There’s no room for the file, so nothing was saved.',
    next: 'Free up space or choose another folder, then try again.',
  },
  'local-fault': {
    title: 'Something went wrong on this computer',
    text: '{action}: {reason}',
    next: 'Try again.',
  },
  actions,
  /** Why a value was not accepted. */
  invalid: {
    required: 'Required',
    malformed: 'Invalid format',
    'too-long': 'Too long',
    'out-of-range': 'Out of range',
    'not-a-url': 'Enter an address such as https://api.example.com.',
    'insecure-url': 'Use https://. http:// only works for services on this computer.',
    'loopback-only':
      'This build only connects to services on this computer. Use an address such as http://127.0.0.1:4010.',
    'not-a-host': 'Enter a hostname or an IP address.',
    'not-a-user-name': 'Enter a username, such as ubuntu.',
    'not-a-port': 'Enter a port from 1 to 65,535.',
    'not-a-file': 'File not found or unreadable.',
    unknown: 'Not found',
    'already-there': 'Already exists',
    'not-ready': 'Not ready yet',
    'not-an-api-token': 'This isn’t an API token of the service.',
    'not-the-name': 'Type the name exactly.',
    'still-attached': 'It’s still attached, so it wasn’t deleted.',
    'outcome-open': 'An earlier request with this name is still open.',
  },
  /** What a field takes, where its value is malformed. */
  formats: {
    proxy: 'Use host:port, such as proxy.example.com:8080. The proxy asks for a password itself.',
    jumpHost: 'Use host, user@host or user@host:port, or “none”.',
    options:
      'Use Name=value with spaces between, such as Compression=yes SetEnv=HF_HOME=/data. The guide lists the names; others aren’t permitted.',
    authorities: 'Choose a file of certificates in PEM or DER form.',
    identityFile: 'Use a path of letters, digits, spaces and plain signs, without “%”, “$” or quotes.',
  },
  /** What a person calls the capabilities of a service (src/shared/bridge/capability.ts). */
  capabilities: {
    regions: 'list regions',
    'volume-types': 'list volume types',
    'volume-list': 'list volumes',
    power: 'start, stop or reboot machines',
    'delete-machine': 'delete machines',
    'delete-volume': 'delete volumes',
    balance: 'see the balance',
    'create-token': 'create API tokens',
    'delete-token': 'delete API tokens',
  },
  /** What a person calls the fields that failures name. */
  fields: {
    baseUrl: 'The service address',
    proxy: 'The proxy',
    pac: 'The PAC file',
    authorities: 'The certificate file',
    username: 'The username',
    password: 'The password',
    token: 'The API token',
    label: 'The name',
    account: 'The account',
    machine: 'The machine',
    user: 'The user',
    host: 'The address',
    port: 'The port',
    identityFile: 'The identity file',
    jumpHost: 'The jump host',
    options: 'The SSH options',
    terminal: 'The terminal',
    name: 'The name',
    image_id: 'The image',
    flavor_id: 'The flavor',
    volume_name: 'The volume',
    ssh_key: 'The SSH key',
    init_script: 'The init script',
  },
} as const
