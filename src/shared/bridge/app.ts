import { z } from 'zod'
import { KeychainProblem } from '../keychain-problem'
import { AccountId } from './account'
import { MachineKind } from './catalog'
import { call } from './define'

/** Pixels. */
export const terminalFontSizes = { min: 8, max: 32, usual: 13 } as const
const { min, max, usual } = terminalFontSizes

/** The name of a font; empty: the application's own. */
const FontName = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^"\\\p{Cc}]*$/u)

export const Settings = z.object({
  theme: z.enum(['system', 'dark', 'light']).default('system'),
  /** A terminal's id; null: the best one found. */
  terminal: z.string().nullable().default(null),
  /** Of terminals inside the application, in pixels. */
  terminalFontSize: z.int().min(min).max(max).default(usual).catch(usual),
  /** Of terminals inside the application. */
  terminalFont: FontName.optional().catch(undefined),
  /** A BCP 47 tag for words, numbers and dates everywhere; `system`: as the system has it (shared/locale.ts). */
  locale: z.string().default('system'),
  /** The keychain's problem whose notice was closed: that one is not said again. */
  closedKeychainNotice: KeychainProblem.optional().catch(undefined),
  /** The notice that an editor trusts a machine was shown, and one was opened. */
  editorTrustSaid: z.boolean().optional().catch(undefined),
  /** The person is asked about the host key of a machine before anything first connects to it. */
  confirmsHostKeys: z.boolean().optional().catch(undefined),
  /** What becomes of links that lead out of a copied folder; absent: the user is asked. */
  outerLinks: z.enum(['ask', 'copy', 'skip']).optional().catch(undefined),
  /** Columns of the list of machines that the person has hidden; absent: none was chosen yet. */
  hiddenColumns: z.array(z.string()).optional(),
  /** Ids of what was last run in the command palette, the last one first: ids alone, never a name. */
  recentCommands: z.array(z.string()).max(20).optional().catch(undefined),
})
export type Settings = z.infer<typeof Settings>

/** What the window needs to know about the application around it. */
export const AppInfo = z.object({
  version: z.string(),
  platform: z.enum(['darwin', 'win32', 'linux']),
  electron: z.string(),
  /** BCP 47 tags in the order of the system's settings. */
  systemLocales: z.array(z.string()),
  /** `registry`: the fallback runtime, which admits only loopback accounts. */
  loopbackOnly: z.boolean(),
  keychain: z.enum(['available', 'unavailable']),
  /** Why the keychain cannot be used, in the system's words; null where it can. */
  keychainReason: z.string().nullable(),
  /** When, in epoch seconds, an earlier run was ended by an error; null: not, or the person has dismissed it. */
  crashedAt: z.number().nullable(),
})
export type AppInfo = z.infer<typeof AppInfo>

/** Where the main process asks the window to go: from the tray, a notification or the menu. */
export const Destination = z.discriminatedUnion('page', [
  z.object({ page: z.literal('overview'), account: AccountId }),
  z.object({ page: z.literal('machines'), account: AccountId, machine: z.string().optional() }),
  z.object({ page: z.literal('bare-metal'), account: AccountId, instance: z.string().optional() }),
  /** `find`: what the list is filtered by. */
  z.object({ page: z.literal('catalog'), account: AccountId, kind: MachineKind, find: z.string() }),
  z.object({ page: z.literal('terminals'), session: z.string() }),
  z.object({ page: z.literal('settings'), section: z.string().optional() }),
  z.object({ page: z.literal('connect') }),
  z.object({ page: z.literal('guide') }),
])
export type Destination = z.infer<typeof Destination>

/** What a notification says, and where it leads. */
export const AppNotice = z.object({
  title: z.string(),
  body: z.string(),
  destination: Destination.nullable(),
})
export type AppNotice = z.infer<typeof AppNotice>

export const appCalls = {
  'app.info': call(z.object({}), AppInfo),
  /** The window shows what it begins with: what the main process held back for that may begin. */
  'app.painted': call(z.object({}), z.void()),
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
        recentCommands: z.array(z.string()).max(20),
        editorTrustSaid: z.boolean(),
        confirmsHostKeys: z.boolean(),
        outerLinks: z.enum(['ask', 'copy', 'skip']),
      })
      .partial(),
    Settings,
  ),
  /** Shows the report of that crash in the system's file manager. */
  'app.showCrashReport': call(z.object({}), z.void()),
  'app.dismissCrash': call(z.object({}), z.void()),
  /** Text that is no secret, to the clipboard. */
  'clipboard.write': call(z.object({ text: z.string() }), z.void()),
} as const

export const appEvents = {
  'settings.changed': Settings,
  'app.navigate': Destination,
  /** A notification that the system did not show. */
  'app.notice': AppNotice,
  /** The keychain was found usable or not, or a crash was dismissed, since app.info was read. */
  'app.changed': AppInfo,
} as const
