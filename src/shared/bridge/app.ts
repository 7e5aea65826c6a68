import { z } from 'zod'
import { KeychainProblem } from '../keychain-problem'
import { AccountId } from './account'
import { MachineKind } from './catalog'
import { call, variant } from './define'

/** Sizes of the font of terminals in pixels. */
export const terminalFontSizes = { min: 8, max: 32, usual: 13 } as const
const { min, max, usual } = terminalFontSizes

const FontName = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^"\\\p{Cc}]*$/u)

export const gpuGroups = [
  'working',
  'pausing',
  'idle',
  'held',
  'barely-used',
  'unchecked',
  'hot',
  'errors',
] as const
export type GpuGroup = (typeof gpuGroups)[number]
export const gpuSortings = ['machine', 'work', 'memory', 'power', 'temperature', 'errors', 'cost'] as const
export type GpuSorting = (typeof gpuSortings)[number]

/** Filter and order of the page of all GPUs; null: all of them. */
const GpuListChoice = z.object({
  group: z.enum(gpuGroups).nullable(),
  sorting: z.enum(gpuSortings),
  descending: z.boolean(),
})
export type GpuListChoice = z.infer<typeof GpuListChoice>
/** Width of a side panel in pixels, from `min` on. */
export const panelWidths = { min: 360, usual: 420 } as const
const PanelWidth = z.int().min(panelWidths.min).max(10_000)
/** How often each tab of the machine panel was used, by its id. */
const TabUses = z.record(z.string().max(40), z.int().min(0))
/** Kinds of notifications, in the order of the settings page. */
export const notificationKinds = [
  'budget',
  'spending',
  'balance',
  'running',
  'idle',
  'health',
  'reminder',
  'end-rule',
  'job',
  'creation',
  'stock',
  'question',
  'connection',
  'secret',
  'background',
] as const
export const NotificationKind = z.enum(notificationKinds)
export type NotificationKind = z.infer<typeof NotificationKind>

const MinuteOfDay = z.int().min(0).max(1_439)
/**
 * Daily hours without notifications of the desktop, in minutes after midnight of the local time; they may include
 * midnight. Equal times: the whole day.
 */
export const QuietHours = z.object({ isOn: z.boolean(), from: MinuteOfDay, to: MinuteOfDay })
export type QuietHours = z.infer<typeof QuietHours>
export const usualQuietHours: QuietHours = { isOn: false, from: 22 * 60, to: 8 * 60 }

export const Settings = z.object({
  theme: z.enum(['system', 'dark', 'light']).default('system'),
  /** Id of a terminal; null for the best available one. */
  terminal: z.string().nullable().default(null),
  terminalFontSize: z.int().min(min).max(max).default(usual).catch(usual),
  terminalFont: FontName.optional().catch(undefined),
  /** A BCP 47 tag for texts, numbers and dates; `system`: the system's locale (shared/locale.ts). */
  locale: z.string().default('system'),
  /** Keychain problem whose notice was dismissed, so it is not shown again. */
  closedKeychainNotice: KeychainProblem.optional().catch(undefined),
  editorTrustSaid: z.boolean().optional().catch(undefined),
  confirmsHostKeys: z.boolean().optional().catch(undefined),
  /** Treatment of links that leave a copied folder; asks by default. */
  outerLinks: z.enum(['ask', 'copy', 'skip']).optional().catch(undefined),
  /** Notifications that the user turned off. The bell shows their alerts all the same. */
  mutedNotifications: z.array(NotificationKind).optional().catch(undefined),
  quietHours: QuietHours.optional().catch(undefined),
  hiddenColumns: z.array(z.string()).optional(),
  gpuList: GpuListChoice.optional().catch(undefined),
  /** Ids of recent palette commands, the latest first. Never contains names. */
  recentCommands: z.array(z.string()).max(20).optional().catch(undefined),
  panelWidth: PanelWidth.optional().catch(undefined),
  tabUses: TabUses.optional().catch(undefined),
})
export type Settings = z.infer<typeof Settings>

/** Facts about the application. `systemLocales`: BCP 47 tags in the order of the system's settings. */
export const AppInfo = z.object({
  version: z.string(),
  platform: z.enum(['darwin', 'win32', 'linux']),
  electron: z.string(),
  systemLocales: z.array(z.string()),
  /** Whether the runtime came from the registry fallback, which only allows loopback accounts. */
  loopbackOnly: z.boolean(),
  keychain: z.enum(['available', 'unavailable']),
  /** System message of why the keychain is unavailable; null if it is available. */
  keychainReason: z.string().nullable(),
  /** Epoch seconds at which an earlier run crashed; null if none, or dismissed. */
  crashedAt: z.number().nullable(),
})
export type AppInfo = z.infer<typeof AppInfo>

/** Page that the tray, a notification, the menu, a link or the command line opens. `tab`: of the machine's panel; `act`: opens the dialog of an action. */
export const Destination = z.discriminatedUnion('page', [
  z.object({ page: z.literal('overview'), account: AccountId }),
  z.object({
    page: z.literal('machines'),
    account: AccountId,
    machine: z.string().optional(),
    tab: z.enum(['connection', 'jobs']).optional(),
    act: z.enum(['stop']).optional(),
  }),
  z.object({ page: z.literal('billing'), account: AccountId }),
  z.object({ page: z.literal('bare-metal'), account: AccountId, instance: z.string().optional() }),
  z.object({ page: z.literal('catalog'), account: AccountId, kind: MachineKind, find: z.string() }),
  z.object({ page: z.literal('terminals'), session: z.string() }),
  z.object({ page: z.literal('settings'), section: z.string().optional() }),
  z.object({ page: z.literal('connect') }),
  z.object({ page: z.literal('guide') }),
])
export type Destination = z.infer<typeof Destination>

export const AppNotice = z.object({
  title: z.string(),
  body: z.string(),
  isGoodNews: z.boolean(),
  destination: Destination.nullable(),
})
export type AppNotice = z.infer<typeof AppNotice>

/**
 * Whether the system opens Wheelhouse at login. `other`: it opens another copy, whose program is `program`;
 * `needs-approval`: macOS waits for the user to allow it.
 */
export const LoginItem = z.discriminatedUnion('kind', [
  variant('on', {}),
  variant('off', {}),
  variant('needs-approval', {}),
  variant('other', { program: z.string() }),
])
export type LoginItem = z.infer<typeof LoginItem>

export const appCalls = {
  'app.info': call(z.object({}), AppInfo),
  /** Reports the first paint, so that deferred work may start. */
  'app.painted': call(z.object({}), z.void()),
  'app.quit': call(z.object({}), z.void()),
  /** Opens the window, or brings it to the front, and shows the page; null keeps its current page. */
  'app.open': call(z.object({ destination: Destination.nullable() }), z.void()),
  'settings.read': call(z.object({}), Settings),
  'settings.change': call(
    z
      .object({
        theme: Settings.shape.theme.unwrap(),
        terminal: z.string().nullable(),
        terminalFontSize: z.int().min(min).max(max),
        terminalFont: FontName,
        locale: z.string(),
        closedKeychainNotice: KeychainProblem,
        hiddenColumns: z.array(z.string()),
        gpuList: GpuListChoice,
        recentCommands: z.array(z.string()).max(20),
        panelWidth: PanelWidth,
        tabUses: TabUses,
        editorTrustSaid: z.boolean(),
        confirmsHostKeys: z.boolean(),
        outerLinks: z.enum(['ask', 'copy', 'skip']),
        mutedNotifications: z.array(NotificationKind),
        quietHours: QuietHours,
      })
      .partial(),
    Settings,
  ),
  /** Reads the system's own state. Fails with local-fault. */
  'loginItem.read': call(z.object({}), LoginItem),
  /** Returns the state that the system reports afterwards. Fails with disk-full and local-fault. */
  'loginItem.change': call(z.object({ isOn: z.boolean() }), LoginItem),
  'app.showCrashReport': call(z.object({}), z.void()),
  'app.dismissCrash': call(z.object({}), z.void()),
  /** Copies text that is not secret. */
  'clipboard.write': call(z.object({ text: z.string() }), z.void()),
  /** Pastes into the focused field, as the system's own command does. The text reaches no other code. */
  'clipboard.paste': call(z.object({}), z.void()),
} as const

export const appEvents = {
  'settings.changed': Settings,
  'app.navigate': Destination,
  'app.notice': AppNotice,
  /** The keychain's availability changed, or a crash was dismissed. */
  'app.changed': AppInfo,
} as const
