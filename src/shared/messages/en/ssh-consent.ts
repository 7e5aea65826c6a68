/** Purposes for which Wheelhouse may use SSH on machines. */
export const sshConsent = {
  title: 'SSH on your machines',
  question: 'May Wheelhouse use SSH on your machines?',
  text: 'Wheelhouse signs in to every machine of {account}, including new ones, with the user and key your terminal uses. Choose what it may do:',
  purposes: {
    gpu: {
      name: 'GPU monitoring',
      text: 'Runs only nvidia-smi (or amd-smi, or rocm-smi) on running machines, and ps, ls and cat to name the programs on their GPUs: every minute, and every few seconds while the GPU tab is open. Every five minutes it also reads disk space, memory, load and the kernel’s GPU errors. Readings stay on this computer, encrypted, for up to 90 days.',
    },
    services: {
      name: 'Services',
      text: 'Finds Jupyter, TensorBoard and other programs with ss (or /proc/net/tcp) while their tab is open. Opens them through a tunnel that only this computer can use.',
    },
    files: {
      name: 'Files',
      text: 'Lists and manages files over SFTP while their tab is open. Checksums are computed with openssl or sha256sum, if the machine has them.',
    },
    startup: {
      name: 'Start-up',
      text: 'Connects to a machine that you created until SSH answers, then runs cloud-init status every 10 seconds until its set-up is done. Reads the end of its set-up log after an error, and while you have it open.',
    },
    look: {
      name: 'Look before deleting',
      text: 'Before you stop or delete a machine, reads once for at most 10 seconds: Git repositories, programs on the GPUs, tmux and screen sessions, and large new files. Changes nothing.',
    },
    jobs: {
      name: 'Jobs',
      text: 'While you watch a job on a machine, asks once a minute whether it still runs, and reads the end of its log when it ends or you open it. Starts only commands that you enter.',
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
    text: 'Applies to every machine of this account, including new ones. Commands, terminals, transfers and forwarded ports that you start need no permission. Adding a firewall rule needs none either: Wheelhouse asks the machine for your address over a connection that is already open.',
    machineHint: 'Turning off GPU monitoring deletes this machine’s readings.',
    choose: 'Choose in Settings',
  },
  stop: {
    title: 'Stop monitoring GPUs?',
    text: 'Wheelhouse stops monitoring the machines of {account} and deletes their GPU readings from this computer.',
    action: 'Stop monitoring',
  },
} as const
