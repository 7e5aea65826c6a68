/** What Wheelhouse may use SSH for on machines. */
export const sshConsent = {
  title: 'SSH on your machines',
  question: 'May Wheelhouse use SSH on your machines?',
  text: 'Wheelhouse signs in to every machine of {account}, including new ones, with the user and key your terminal uses. Choose what for:',
  purposes: {
    gpu: {
      name: 'GPU readings',
      text: 'Runs only nvidia-smi (or rocm-smi) on running machines: every minute, and every few seconds while you look. Readings stay on this computer, encrypted, for up to 90 days.',
    },
    services: {
      name: 'Services',
      text: 'Finds Jupyter, TensorBoard and other programs with ss (or /proc/net/tcp) while their tab is open. Opens them through a tunnel that only this computer can use.',
    },
    files: {
      name: 'Files',
      text: 'Lists and manages files over SFTP while their tab is open. Checksums are computed with openssl or sha256sum, if the machine has them.',
    },
  },
  hostKeys:
    'Nothing is installed. The first host key of each machine is trusted and saved, unless Settings says to ask first.',
  later: 'You can change this in Settings, and for one machine in its Connection tab.',
  give: 'Allow on all machines',
  giveHere: 'Only on this machine',
  off: {
    title: '{purpose}: SSH is turned off for this machine',
    text: 'You turned it off for {machine}. Other machines aren’t affected.',
    turnOn: 'Turn on',
  },
  label: 'Use SSH for',
  settings: {
    text: 'Applies to every machine of this account, including new ones. Commands, terminals, transfers and forwarded ports that you start need no permission. Nor does a firewall rule that you add: over a connection that is already open, Wheelhouse asks the machine for the address you connect from.',
    machineHint: 'Turning off GPU readings deletes those of this machine.',
    choose: 'Choose in Settings',
  },
  stop: {
    title: 'Stop reading GPUs?',
    text: 'Wheelhouse no longer reads the machines of {account} and deletes their GPU readings on this computer.',
    action: 'Stop reading',
  },
} as const
