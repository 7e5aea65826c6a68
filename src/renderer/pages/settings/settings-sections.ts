import { notificationKinds } from '#shared/bridge/app'
import type { MessagePath } from '../../platform/i18n'

/** A section or a setting: its title and its description are found by the search. */
interface Findable {
  readonly id: string
  readonly title: MessagePath
  readonly text?: MessagePath
  /** Additional search words, if not in `settings.also`. */
  readonly also?: MessagePath
}
interface Section extends Findable {
  readonly settings: readonly Findable[]
}

const notificationSettings = notificationKinds.map(
  (kind) =>
    ({
      id: `notify-${kind}`,
      title: `settings.notifications.kinds.${kind}.title`,
      text: `settings.notifications.kinds.${kind}.text`,
      also: `settings.notifications.kinds.${kind}.also`,
    }) as const,
)

/**
 * Sections of the settings page in their order, with the settings that the search and the palette find. A section
 * without settings is found as a whole.
 */
export const settingsSections = [
  {
    id: 'general',
    title: 'settings.general.title',
    settings: [{ id: 'openAtLogin', title: 'settings.general.login', text: 'settings.general.loginText' }],
  },
  {
    id: 'appearance',
    title: 'settings.appearance.title',
    settings: [
      { id: 'theme', title: 'settings.appearance.theme' },
      { id: 'language', title: 'settings.appearance.language' },
    ],
  },
  {
    id: 'notifications',
    title: 'settings.notifications.title',
    text: 'settings.notifications.text',
    settings: [
      ...notificationSettings,
      { id: 'quietHours', title: 'notifications.quiet.title', text: 'notifications.quiet.text' },
      { id: 'testNotification', title: 'settings.notifications.test.label' },
    ],
  },
  {
    id: 'delivery',
    title: 'notifications.delivery.title',
    text: 'notifications.delivery.text',
    settings: [
      { id: 'webhook', title: 'notifications.webhook.title' },
      { id: 'mail', title: 'notifications.mail.title' },
    ],
  },
  {
    id: 'limits',
    title: 'alerts.limits.title',
    text: 'alerts.limits.text',
    settings: [
      { id: 'budget', title: 'alerts.limits.budget', text: 'alerts.limits.budgetHint' },
      { id: 'perHour', title: 'alerts.limits.perHour', text: 'alerts.limits.perHourHint' },
      { id: 'runningHours', title: 'alerts.limits.runningHours', text: 'alerts.limits.runningHint' },
      { id: 'balanceDays', title: 'alerts.limits.balanceDays', text: 'alerts.limits.balanceHint' },
    ],
  },
  { id: 'sshUse', title: 'sshConsent.title', text: 'sshConsent.settings.text', settings: [] },
  { id: 'gpu', title: 'gpu.progress.title', text: 'gpu.progress.text', settings: [] },
  {
    id: 'idle',
    title: 'idle.settings.title',
    text: 'idle.settings.text',
    settings: [
      { id: 'threshold', title: 'idle.settings.threshold', text: 'idle.settings.thresholdHint' },
      { id: 'minutes', title: 'idle.settings.minutes', text: 'idle.settings.minutesHint' },
    ],
  },
  {
    id: 'terminal',
    title: 'settings.terminal.title',
    settings: [
      { id: 'terminalProgram', title: 'settings.terminal.program', text: 'settings.terminal.text' },
      { id: 'terminalFont', title: 'settings.terminal.font', text: 'settings.terminal.fontHint' },
    ],
  },
  {
    id: 'ssh',
    title: 'settings.ssh.title',
    text: 'settings.ssh.text',
    settings: [
      { id: 'user', title: 'settings.ssh.user' },
      { id: 'port', title: 'settings.ssh.port' },
      { id: 'identityFile', title: 'settings.ssh.identityFile' },
      { id: 'jumpHost', title: 'settings.ssh.jumpHost' },
      { id: 'forwardAgent', title: 'machines.fields.forwardAgent', text: 'ssh.forwardAgent.warning' },
      { id: 'options', title: 'settings.ssh.options' },
    ],
  },
  { id: 'sshKeys', title: 'sshKeys.title', text: 'sshKeys.text', settings: [] },
  {
    id: 'hostKeys',
    title: 'ssh.hostKey.title',
    text: 'ssh.hostKey.text',
    settings: [{ id: 'confirmsHostKeys', title: 'ssh.hostKey.confirm', text: 'ssh.hostKey.confirmText' }],
  },
  { id: 'sshAliases', title: 'sshAliases.title', text: 'sshAliases.text', settings: [] },
  {
    id: 'files',
    title: 'settings.files.title',
    settings: [{ id: 'outerLinks', title: 'settings.files.links' }],
  },
  { id: 'currency', title: 'settings.currency.title', text: 'settings.currency.text', settings: [] },
  {
    id: 'network',
    title: 'networkAccess.title',
    text: 'networkAccess.text',
    settings: [
      { id: 'proxy', title: 'networkAccess.proxy.label' },
      { id: 'authorities', title: 'networkAccess.authorities.label' },
    ],
  },
  { id: 'agents', title: 'agents.title', text: 'agents.text', settings: [] },
  { id: 'accounts', title: 'settings.accounts.title', settings: [] },
  { id: 'store', title: 'store.title', text: 'store.text', settings: [] },
  {
    id: 'about',
    title: 'settings.about.title',
    settings: [
      { id: 'version', title: 'settings.about.version' },
      { id: 'updates', title: 'updates.label' },
      { id: 'automaticUpdates', title: 'updates.automatic', text: 'updates.automaticText' },
      { id: 'guide', title: 'common.guide.title' },
      { id: 'runtime', title: 'settings.about.runtime' },
      { id: 'keychain', title: 'settings.about.keychain' },
    ],
  },
] as const satisfies readonly Section[]

export type SectionId = (typeof settingsSections)[number]['id']
export type SettingId = (typeof settingsSections)[number]['settings'][number]['id']
