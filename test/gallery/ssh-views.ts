import type { SshConnectionView } from '#shared/bridge/ssh'
import type { SshKeysView, SshKeyView } from '#shared/bridge/ssh-key'

export const connection = (changes: Partial<SshConnectionView> = {}): SshConnectionView => ({
  machine: 'm-train',
  user: 'ubuntu',
  host: '203.0.113.21',
  port: 22,
  identityFile: '/home/anna/.ssh/lab-ed25519',
  jumpHost: null,
  forwardAgent: false,
  options: null,
  command: 'ssh -i ~/.ssh/lab-ed25519 ubuntu@203.0.113.21',
  hostKey: 'SHA256:AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg',
  settings: { user: null, port: null, identityFile: '/home/anna/.ssh/lab-ed25519' },
  terminal: 'GNOME Terminal',
  offersInside: false,
  usesOwnClient: false,
  ...changes,
})

export const sshKeyView = (changes: Partial<SshKeyView> = {}): SshKeyView => ({
  fingerprint: 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDvHc9Gqqt1RbCiuvU',
  path: '/home/anna/.ssh/id_ed25519',
  type: 'ssh-ed25519',
  comment: 'anna@lab',
  hardware: false,
  encrypted: true,
  inAgent: false,
  publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ anna@lab',
  machines: [],
  ...changes,
})

export const sshKeysView = (changes: Partial<SshKeysView> = {}): SshKeysView => ({
  folder: '/home/anna/.ssh',
  hasAgent: true,
  isCut: false,
  keys: [sshKeyView()],
  ...changes,
})
