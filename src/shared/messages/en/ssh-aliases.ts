/** Names of machines in the user's SSH configuration. */
export const sshAliases = {
  title: 'SSH aliases',
  text: 'Reach machines by name from every tool on this computer that uses SSH: ssh, scp, rsync, git and editors.',
  switch: 'Add an alias for each machine',
  consent:
    'Adds one line to your SSH configuration and keeps a copy of the old one. Names, usernames and addresses of machines are saved unencrypted in a second file.',
  config: 'Your SSH configuration',
  line: 'First line of your SSH config',
  file: 'File with the aliases',
  preview: 'Preview',
  showInFolder: 'Show in folder',
  on: '{count} alias in use | {count} aliases in use',
  off: '{count} alias to add | {count} aliases to add',
  notIncluded:
    'The line is no longer in your SSH configuration, so aliases don’t work. Switch this off and on again to add it.',
  leftOut: '{count} machine without an alias | {count} machines without an alias',
  reasons: {
    name: 'Its name may use only letters, digits, dashes and underscores, and needs at least one letter.',
    'no-address': 'It has no address yet.',
    'user-refused': 'ssh, or its jump host, doesn’t accept its username. Set another in the Connection tab.',
    'no-user': 'Its username is unknown. Set it in the Connection tab.',
    'in-use':
      'Your SSH configuration, or this computer’s, already has a host with this name or a pattern that matches it.',
    'known-host':
      'You’ve connected to another host with this name: it’s in known_hosts. To remove it, run “ssh-keygen -R” with this name.',
    'this-computer': 'This computer has this name, or its hosts file has a host with this name.',
    'identity-file': 'ssh can’t read the name of its identity file.',
  },
  command: 'SSH alias',
  none: 'No SSH alias: {reason}',
  hint: 'Reach it by name from every SSH tool:',
  settings: 'Set up SSH aliases',
  unreadable: '“{file}” isn’t a readable SSH configuration. It wasn’t changed.',
  refused: 'ssh can’t read “{file}”, so it wasn’t changed: {reason}',
  readOnly: '“{file}” is read-only. Make it writable, or leave aliases off.',
  permissions:
    'ssh refuses “{file}”: other users could change it. Run “{command}” in a terminal, then try again.',
  otherFile: 'Wheelhouse didn’t create “{file}”. Move it, then try again.',
} as const
