/** Names of machines in the person's SSH configuration. */
export const sshAliases = {
  title: 'SSH aliases',
  text: 'Reach machines by name from every tool on this computer that uses SSH: ssh, scp, rsync, git and editors.',
  switch: 'Add an alias for each machine',
  consent:
    'Adds one line to your SSH configuration, after a copy of it is kept. Names, usernames and addresses of machines are then saved unencrypted in the second file.',
  config: 'Your SSH configuration',
  line: 'Line at its top',
  file: 'File with the aliases',
  preview: 'What is written',
  showInFolder: 'Show in folder',
  on: '{count} alias in use | {count} aliases in use',
  off: '{count} alias to add | {count} aliases to add',
  notIncluded:
    'The line is no longer in your SSH configuration, so aliases don’t work. Switch this off and on again to add it.',
  leftOut: '{count} machine without an alias | {count} machines without an alias',
  reasons: {
    name: 'Use only letters, digits, dashes and underscores in its name, with a letter among them.',
    'no-address': 'It has no address yet.',
    'user-refused': 'ssh, or its jump host, doesn’t accept its username. Set another in the Connection tab.',
    'no-user': 'Its username is unknown. Set it in the Connection tab.',
    'in-use': 'Your SSH configuration or this computer’s has a host of this name, or a pattern for it.',
    'known-host':
      'You have connected to another host of this name: it’s in known_hosts. “ssh-keygen -R” with this name removes it there.',
    'this-computer': 'This computer has this name, or its hosts file has a host of this name.',
    'identity-file': 'ssh can’t read the name of its identity file.',
  },
  command: 'SSH alias',
  none: 'No SSH alias: {reason}',
  hint: 'Reach it by name from every SSH tool:',
  settings: 'Set up SSH aliases',
  unreadable: '“{file}” isn’t a readable SSH configuration. It was left as it is.',
  refused: 'ssh can’t read “{file}”, which was left as it is: {reason}',
  readOnly: '“{file}” is read-only. Make it writable, or leave aliases off.',
  permissions:
    'ssh refuses “{file}”: other users could change it. Run “{command}” in a terminal, then try again.',
  otherFile: '“{file}” isn’t from Wheelhouse. Move it away, then try again.',
} as const
