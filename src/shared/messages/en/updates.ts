/** New versions of the application: the row under Settings > About, its dialog, and the notice in the rail. */
export const updates = {
  label: 'Updates',
  off: {
    checkout: 'Off: Wheelhouse runs from its source code',
    'test-build': 'Off in test builds',
    package: 'Update Wheelhouse the way you installed it: with your package manager or a new download',
    'no-feed': 'Off: this build has no update server',
  },
  unchecked: 'Not checked yet',
  current: 'Up to date, checked {age}',
  checking: 'Checking…',
  available: 'Version {version} is available',
  downloading: '{percent}% of version {version} downloaded',
  ready: 'Version {version} is ready to install',
  held: {
    creation: 'A machine is being created. Restart once that’s done.',
    transfers: 'Files are being copied. Restart once that’s done, or cancel those transfers.',
  },
  notes: 'What’s new',
  check: 'Check for updates',
  download: 'Download',
  skip: 'Skip this version',
  restart: 'Restart to update…',
  automatic: 'Automatic checks',
  automaticText: 'Check for updates once a day',
  failed: {
    unreachable: {
      title: 'Couldn’t download the update',
      next: 'Check your network and the proxy under Settings > Network, then try again.',
    },
    'no-release': {
      title: 'The update server has no release',
      next: 'Try again later.',
    },
    damaged: {
      title: 'The update was damaged',
      next: 'It doesn’t match its checksum or signature, so nothing was installed. Try again later.',
    },
    'not-installed': {
      title: 'Couldn’t install the update',
      next: 'This version still works. Check that you can write to Wheelhouse’s folder and that the disk has space.',
    },
    unknown: {
      title: 'The update failed',
      next: 'This version still works. Try again later.',
    },
    reason: 'Reason: {reason}',
  },
  dialog: {
    title: 'Restart to update to version {version}?',
    text: 'Wheelhouse closes and opens again with the new version. SSH sessions in your terminal stay open.',
    unsaved: 'This page has changes that aren’t saved. Save or reset them, then restart.',
    action: 'Restart',
  },
  notice: {
    available: 'Update available',
    ready: 'Restart to update',
  },
} as const
