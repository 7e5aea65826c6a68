/** What can be done to machines: power, deleting, several at once, and machines that went away by themselves. */
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
    like: 'Create another like this',
    tag: 'Tags, notes and reminders',
  },
  why: {
    'not-offered': 'This service does not offer it.',
    'not-now': 'Not while the machine is {status}.',
  },
  confirm: {
    start: { title: 'Start {machine}?', titleMany: 'Start {count} machine? | Start {count} machines?' },
    stop: { title: 'Stop {machine}?', titleMany: 'Stop {count} machine? | Stop {count} machines?' },
    reboot: { title: 'Reboot {machine}?', titleMany: 'Reboot {count} machine? | Reboot {count} machines?' },
    delete: { title: 'Delete {machine}?', titleMany: 'Delete {count} machine? | Delete {count} machines?' },
  },
  text: {
    start: 'It can be reached again once it runs.',
    stop: 'Billing goes on while a machine is stopped. Only deleting it ends its cost. Whatever runs on it is interrupted.',
    reboot: 'Whatever runs on it is interrupted.',
    delete:
      'This cannot be undone: the machine and what is on its disks are gone for good. Attached volumes are kept and still billed.',
  },
  unknown: 'This service may not support it.',
  typeName: 'Type {machine} to delete it',
  skipped: 'Left out: {machines} ({status})',
  toast: {
    start: '{machine} is starting',
    stop: 'Stopping {machine}. You’re still billed.',
    reboot: '{machine} is rebooting',
    delete: '{machine} was deleted',
  },
  selection: {
    label: 'Chosen machines',
  },
  gone: {
    one: '{machine} is gone: the service does not know it any more.',
    many: '{machines} are gone: the service does not know them any more.',
  },
} as const
