import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId, OneMachine } from './account'
import { call, variant } from './define'
import { SshLink } from './ssh-link'

export const FileEntry = z.object({
  name: z.string(),
  /** `link`: its target is unknown. `other`: a device, pipe or socket. */
  kind: z.enum(['file', 'folder', 'link', 'other']),
  /** Bytes; null if not reported. */
  size: z.number().nullable(),
  /** Epoch seconds; null if not reported. */
  modifiedAt: z.number().nullable(),
  /** The name is not UTF-8, so the entry cannot be used. */
  isUnreadable: z.boolean(),
})
export type FileEntry = z.infer<typeof FileEntry>

export const FolderView = z.object({
  path: z.string(),
  entries: z.array(FileEntry),
  isCut: z.boolean(),
})
export type FolderView = z.infer<typeof FolderView>

export const FilesView = z.object({
  account: AccountId,
  machine: z.string(),
  link: SshLink,
})
export type FilesView = z.infer<typeof FilesView>

/** Facts by which the user compares two files of one name. `size`: bytes, null for a folder; `modifiedAt`: epoch seconds. */
export const ComparedFile = z.object({ size: z.number().nullable(), modifiedAt: z.number().nullable() })
export type ComparedFile = z.infer<typeof ComparedFile>

export const TransferState = z.discriminatedUnion('kind', [
  variant('waiting', {}),
  variant('counting', {}),
  /** The target has an entry of this name, and the user must choose. `more`: further conflicts of this kind. */
  variant('asking', {
    name: z.string(),
    there: z.enum(['file', 'folder']),
    more: z.int(),
    existing: ComparedFile,
    copied: ComparedFile,
  }),
  /** The user must choose about links that lead out of the folder, to nothing or in a circle. */
  variant('asking-links', { count: z.int(), names: z.array(z.string()).readonly() }),
  /** `rate`: bytes per second; null if unknown. */
  variant('running', { rate: z.number().nullable() }),
  variant('verifying', {}),
  variant('done', {
    /** Property that was compared on both sides. */
    verified: z.enum(['checksum', 'size']),
    /** Number of skipped devices, unusable names and files that were removed during the transfer. */
    skipped: z.int(),
    /** Skipped links that lead out of the folder, to nothing or in a circle. `names`: the first of them. */
    links: z.object({ count: z.int(), names: z.array(z.string()).readonly() }),
    /** Number of such links that were copied as links, without their targets. */
    linksCopied: z.int(),
    /** Such links that could not be copied. `names`: the first of them; `reason`: of the first one. */
    linksFailed: z.object({ count: z.int(), names: z.array(z.string()).readonly(), reason: z.string() }),
    /** Number of selected entries that were skipped because their names exist. */
    kept: z.int(),
    changed: z.int(),
    /** Number of names that were changed, because they exist or are invalid on this computer. */
    renamed: z.int(),
    /** Number of entries whose permissions the receiver refused to set. */
    modesRefused: z.int(),
    /** Number of entries whose modification time the receiver refused to set. */
    timesRefused: z.int(),
    left: z.array(z.string()).readonly(),
  }),
  /** `left`: paths of copies that could not be removed. */
  variant('cancelled', { left: z.array(z.string()).readonly() }),
  variant('failed', { failure: Failure }),
])
export type TransferState = z.infer<typeof TransferState>

export const Transfer = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  machineName: z.string(),
  direction: z.enum(['download', 'upload']),
  /** The first selected entry, and the number of further ones. */
  name: z.string(),
  others: z.int(),
  files: z.object({ done: z.int(), total: z.int() }),
  bytes: z.object({ done: z.number(), total: z.number() }),
  state: TransferState,
})
export type Transfer = z.infer<typeof Transfer>

export const TakenChoice = z.enum(['replace', 'keep-both', 'skip'])
export type TakenChoice = z.infer<typeof TakenChoice>

export const LinkChoice = z.enum(['copy', 'skip'])
export type LinkChoice = z.infer<typeof LinkChoice>

const Transfers = z.array(Transfer)
const OneTransfer = z.object({ transfer: z.string() })
/** Longest path that SFTP servers accept, in characters. */
const Path = z.string().startsWith('/').max(4_096)
const Name = z.string().min(1).max(255)
const InFolder = OneMachine.extend({ folder: Path })
const Names = z.array(Name).min(1).max(20_000)

/** Calls that reach a machine fail with local-fault and the machine's reason. */
export const filesCalls = {
  /** Connects while `looking` or while a transfer needs it, if SSH is allowed for files (`ssh.setConsents`). */
  'files.look': call(OneMachine.extend({ looking: z.boolean() }), FilesView),
  'files.retry': call(OneMachine, z.null()),
  /** Null: home folder of the user that signs in. */
  'files.list': call(OneMachine.extend({ path: Path.nullable() }), FolderView),
  'files.makeFolder': call(InFolder.extend({ name: Name }), z.null()),
  'files.rename': call(InFolder.extend({ name: Name, to: Name }), z.null()),
  /** Deletes folders with their contents, and links without their targets. */
  'files.delete': call(InFolder.extend({ names: Names }), z.null()),
  /**
   * Opens a dialog for the target folder; null if the user cancels. `kind` of one name, if it is known: then nothing is read
   * first, so that no consent for browsing is needed.
   */
  'files.download': call(
    InFolder.extend({ names: Names, kind: z.enum(['file', 'folder']).optional() }),
    Transfer.nullable(),
  ),
  /** Uploads the dropped files, or those chosen in a dialog; null if there are none. */
  'files.upload': call(
    InFolder.extend({ from: z.enum(['files', 'folder', 'dropped']) }),
    Transfer.nullable(),
  ),
  'files.transfers': call(z.object({}), Transfers),
  /**
   * Answers a transfer that asks about this name; `forAll`: also its further conflicts of that kind, file or folder.
   * Ignored if it asks about another name.
   */
  'files.answer': call(
    OneTransfer.extend({ name: z.string(), choice: TakenChoice, forAll: z.boolean() }),
    Transfers,
  ),
  /** Answers a transfer that asks about links. Ignored if it does not. */
  'files.answerLinks': call(OneTransfer.extend({ choice: LinkChoice }), Transfers),
  /** Removes the part that was copied so far. */
  'files.cancel': call(OneTransfer, Transfers),
  'files.resume': call(OneTransfer, Transfers),
  'files.dismiss': call(OneTransfer, Transfers),
  'files.show': call(OneTransfer, z.null()),
} as const

export const filesEvents = {
  'files.changed': FilesView,
  /** All transfers in the order of their start; a few times a second while one runs. */
  'files.transfersChanged': Transfers,
} as const
