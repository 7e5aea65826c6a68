/** Actions on machines: power and deleting, for one or several, and machines that were deleted elsewhere. */
export const machineActions = {
  menu: 'Actions for {machine}',
  actions: {
    start: 'Start',
    stop: 'Stop',
    reboot: 'Reboot',
    delete: 'Delete',
  },
  menuItems: {
    start: 'Start…',
    stop: 'Stop…',
    reboot: 'Reboot…',
    delete: 'Delete…',
    run: 'Run a command…',
    like: 'Create another like this',
    template: 'Save as template…',
    tag: 'Tags, notes and reminders',
  },
  why: {
    'not-offered': 'Not supported by this service.',
    start: 'Already running.',
    stop: 'Already stopped.',
    'not-now': 'Not available in this state ({status}).',
    'none-reachable': 'None of these machines can be reached now.',
    'too-many': 'You can run a command on up to {count} machines.',
  },
  confirm: {
    start: { title: 'Start {machine}?', titleMany: 'Start {count} machine? | Start {count} machines?' },
    stop: { title: 'Stop {machine}?', titleMany: 'Stop {count} machine? | Stop {count} machines?' },
    reboot: { title: 'Reboot {machine}?', titleMany: 'Reboot {count} machine? | Reboot {count} machines?' },
    delete: { title: 'Delete {machine}?', titleMany: 'Delete {count} machine? | Delete {count} machines?' },
  },
  text: {
    start: 'You can connect once it’s running.',
    stop: 'You’re still billed while it’s stopped. Only deleting it ends its cost. Running programs are interrupted.',
    reboot: 'Running programs are interrupted.',
    delete:
      'The machine and everything on its disks are permanently deleted. Attached volumes are kept and still billed.',
  },
  textMany: {
    start: 'You can connect once they’re running.',
    stop: 'You’re still billed while they’re stopped. Only deleting them ends their cost. Running programs are interrupted.',
    reboot: 'Running programs are interrupted.',
    delete:
      'The machines and everything on their disks are permanently deleted. Attached volumes are kept and still billed.',
  },
  unknown: {
    start: 'The service may refuse to start this machine. | The service may refuse to start these machines.',
    stop: 'The service may refuse to stop this machine. | The service may refuse to stop these machines.',
    reboot:
      'The service may refuse to reboot this machine. | The service may refuse to reboot these machines.',
    delete:
      'The service may refuse to delete this machine. | The service may refuse to delete these machines.',
  },
  typeName: 'Type {machine} to delete it',
  skipped: { running: 'already running', stopped: 'not running', moving: 'changing state' },
  lost: '{size} GB on disk will be lost.',
  toast: {
    start: 'Starting {machine}',
    stop: 'Stopping {machine}. You’re still billed.',
    reboot: 'Rebooting {machine}',
    delete: '{machine} deleted',
  },
  selection: {
    label: 'Selected machines',
  },
  gone: {
    one: '{machine} no longer exists at the service.',
    many: '{machines} no longer exist at the service.',
  },
} as const
