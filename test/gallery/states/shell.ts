import { h } from 'vue'
import type { Failure } from '#shared/failure'
import AccountSwitcher from '../../../src/renderer/app/shell/AccountSwitcher.vue'
import { Bell } from '@lucide/vue'
import PopoverButton from '../../../src/renderer/components/PopoverButton.vue'
import AlertBell from '../../../src/renderer/app/shell/AlertBell.vue'
import CommandPalette from '../../../src/renderer/app/shell/CommandPalette.vue'
import ConnectionState from '../../../src/renderer/app/shell/ConnectionState.vue'
import CrashNotice from '../../../src/renderer/app/shell/CrashNotice.vue'
import KeychainBanner from '../../../src/renderer/app/shell/KeychainBanner.vue'
import NavigationRail from '../../../src/renderer/app/shell/NavigationRail.vue'
import ShortcutsDialog from '../../../src/renderer/app/shell/ShortcutsDialog.vue'
import SpendingPill from '../../../src/renderer/app/shell/SpendingPill.vue'
import { entry, fill, part, type GalleryState } from '../state'
import { texts } from '../texts'
import { accountView, machine, sandboxAccount, spending, world } from '../world'

const accounts = (...all: readonly ReturnType<typeof accountView>[]): GalleryState['handlers'] => ({
  'accounts.list': () => ({ accounts: [...all], selected: all[0]?.id ?? null }),
})
const open = (stage: HTMLElement) => part(stage, '[popover]').showPopover()
const popover = (tone: 'quiet' | 'running' | 'attention' | 'failed', short: string) =>
  h(
    PopoverButton,
    { id: 'gallery-list', label: `${short} alerts`, title: 'Alerts', short, tone },
    { icon: () => h(Bell, { size: 16, 'aria-hidden': true }), default: () => 'A list' },
  )
const switcher = (...all: readonly ReturnType<typeof accountView>[]): GalleryState => ({
  handlers: accounts(...all),
  render: () => h(AccountSwitcher),
  act: open,
})
const keychain = (keychainReason: string): GalleryState => ({
  handlers: { 'app.info': () => ({ ...world['app.info'](), keychain: 'unavailable', keychainReason }) },
  render: () => h(KeychainBanner),
  act: (stage) => part(stage, 'summary').click(),
})
const typed = (text: string) => (stage: HTMLElement) => fill(stage, text)
const fleet = (failure: Failure): GalleryState => ({
  handlers: {
    'fleet.snapshot': (input) => ({
      ...world['fleet.snapshot'](input),
      status: { asOf: spending.asOf - 600, reading: false, total: null, failure },
    }),
  },
  render: () => h(ConnectionState),
})

export default [
  entry(AccountSwitcher, {
    usual: { handlers: accounts(accountView()), render: () => h(AccountSwitcher) },
    sandbox: { handlers: accounts(sandboxAccount), render: () => h(AccountSwitcher) },
    long: { handlers: accounts(accountView({ label: texts.long })), render: () => h(AccountSwitcher) },
    open: switcher(
      accountView(),
      accountView({ id: 'personal0001', label: 'Personal', state: 'signed-out' }),
      sandboxAccount,
    ),
    hostile: switcher(
      accountView({ label: texts.html, username: texts.control }),
      accountView({ id: 'personal0001', label: texts.long }),
      accountView({ id: 'personal0002', label: texts.rtl }),
    ),
  }),
  entry(
    PopoverButton,
    Object.fromEntries(
      (['quiet', 'running', 'attention', 'failed'] as const).map((tone) => [
        tone,
        () => popover(tone, tone === 'quiet' ? '' : '12'),
      ]),
    ),
  ),
  entry(AlertBell, {
    alerts: () => h(AlertBell),
    none: { handlers: { 'alerts.list': () => [] }, render: () => h(AlertBell) },
    open: { render: () => h(AlertBell), act: open },
  }),
  entry(CommandPalette, {
    usual: () => h(CommandPalette),
    found: { render: () => h(CommandPalette), act: typed('llama') },
    nothing: { render: () => h(CommandPalette), act: typed(texts.html) },
    'hostile list': {
      handlers: {
        'fleet.snapshot': (input) => ({
          ...world['fleet.snapshot'](input),
          machines: Object.values(texts).map((name, at) =>
            machine({ id: `m-${String(at)}`, name, status: name, region: name }),
          ),
        }),
      },
      render: () => h(CommandPalette),
      // In each of them.
      act: typed('e'),
    },
  }),
  entry(ConnectionState, {
    usual: () => h(ConnectionState),
    stale: fleet({ kind: 'timed-out', host: 'api.example.com', seconds: 30 }),
    'sign-in expired': {
      ...fleet({ kind: 'not-signed-in', reason: 'expired' }),
    },
    'signed out': {
      handlers: accounts(accountView({ state: 'signed-out' })),
      render: () => h(ConnectionState),
    },
  }),
  entry(CrashNotice, {
    usual: {
      handlers: { 'app.info': () => ({ ...world['app.info'](), crashedAt: spending.asOf - 600 }) },
      render: () => h(CrashNotice),
    },
  }),
  entry(KeychainBanner, {
    'no collection': keychain('Object does not exist at path “/org/freedesktop/secrets/collection/login”'),
    open: keychain(texts.words),
    'not installed': keychain('keytar is not installed'),
    'not running': keychain('Cannot autolaunch D-Bus without X11 $DISPLAY'),
    locked: keychain('Cannot create an item in a locked collection'),
  }),
  entry(NavigationRail, { usual: { width: 208, height: 520, render: () => h(NavigationRail) } }),
  entry(ShortcutsDialog, { usual: () => h(ShortcutsDialog) }),
  entry(SpendingPill, {
    usual: () => h(SpendingPill),
    'two currencies': {
      handlers: {
        'cost.spending': (input) => ({
          ...spending,
          account: input.account,
          currencies: spending.currencies.flatMap((one) => [one, { ...one, currency: 'EUR' }]),
        }),
      },
      render: () => h(SpendingPill),
    },
    nothing: {
      handlers: { 'cost.spending': (input) => ({ ...spending, account: input.account, currencies: [] }) },
      render: () => h(SpendingPill),
    },
  }),
]
