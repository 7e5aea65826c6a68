/** Terminals inside the application. */
export const terminal = {
  title: 'Terminals',
  tabs: 'Open terminals',
  screen: 'Terminal of {machine}',
  open: 'Open here',
  openHint: 'Opens a terminal in Wheelhouse',
  unavailable:
    'Terminals in Wheelhouse aren’t available on this system. Choose another terminal in Settings.',
  tooMany: '{count} terminals are open. Close one first.',
  empty: {
    title: 'No terminal is open',
    text: 'Open one from a machine. Sessions stay open while you use other pages.',
    action: 'Show machines',
  },
  state: {
    connecting: 'Connecting…',
    waiting: 'Connection lost. Next attempt in {seconds} s.',
    ended: 'Session ended (exit code {code}).',
    stopped: 'Session ended.',
  },
  reconnect: 'Reconnect',
  reconnectNow: 'Reconnect now',
  close: 'Close',
  closeNamed: 'Close terminal of {machine}',
  confirm: {
    title: 'Close this terminal?',
    text: 'The SSH session on {machine} ends, and with it whatever runs in its foreground.',
    action: 'Close terminal',
  },
  paste: {
    title: 'Paste {count} lines?',
    text: 'Each line runs as soon as it’s pasted.',
    action: 'Paste',
  },
  search: {
    label: 'Search in terminal',
    next: 'Next match',
    previous: 'Previous match',
    close: 'Close search',
    none: 'No match',
    count: '{current} of {count}',
  },
  link: {
    title: 'Copy this link?',
    text: 'The machine printed it. Check where it leads before you open it in a browser.',
    action: 'Copy link',
    what: 'Link',
  },
  inside: 'in this window',
  copied: 'Selection',
  smaller: 'Smaller text',
  larger: 'Larger text',
} as const
