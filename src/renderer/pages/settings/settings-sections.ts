import type { MessagePath } from '../../platform/i18n'

export const settingsSections = [
  { id: 'appearance', title: 'settings.appearance.title' },
  { id: 'limits', title: 'alerts.limits.title' },
  { id: 'sshUse', title: 'sshConsent.title' },
  { id: 'gpu', title: 'gpu.progress.title' },
  { id: 'idle', title: 'idle.settings.title' },
  { id: 'terminal', title: 'settings.terminal.title' },
  { id: 'ssh', title: 'settings.ssh.title' },
  { id: 'sshKeys', title: 'sshKeys.title' },
  { id: 'sshAliases', title: 'sshAliases.title' },
  { id: 'files', title: 'settings.files.title' },
  { id: 'currency', title: 'settings.currency.title' },
  { id: 'network', title: 'networkAccess.title' },
  { id: 'accounts', title: 'settings.accounts.title' },
  { id: 'store', title: 'store.title' },
  { id: 'about', title: 'settings.about.title' },
] as const satisfies readonly { readonly id: string; readonly title: MessagePath }[]
