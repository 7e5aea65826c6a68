import { z } from 'zod'
import { Failure } from '../failure'
import { AccountId } from './account'
import { call } from './define'
import { SshLink } from './ssh-link'

/** Something in a folder of a machine. */
export const FileEntry = z.object({
  /** As the machine spells it: any text, from anybody. */
  name: z.string(),
  /** `link`: where it leads is unknown. `other`: a device, a pipe or a socket. */
  kind: z.enum(['file', 'folder', 'link', 'other']),
  /** Bytes; null: not reported. */
  size: z.number().nullable(),
  /** Epoch seconds; null: not reported. */
  modifiedAt: z.number().nullable(),
  /** Its name is no UTF-8: nothing can be done with it from here. */
  isUnreadable: z.boolean(),
})
export type FileEntry = z.infer<typeof FileEntry>

export const FolderView = z.object({
  /** Absolute, without links. */
  path: z.string(),
  entries: z.array(FileEntry),
  /** The folder has more than is listed. */
  isCut: z.boolean(),
})
export type FolderView = z.infer<typeof FolderView>

/** How the files of one machine can be reached. */
export const FilesView = z.object({
  account: AccountId,
  machine: z.string(),
  link: SshLink,
})
export type FilesView = z.infer<typeof FilesView>

export const TransferState = z.discriminatedUnion('kind', [
  /** Waits for others, or for the line. */
  z.object({ kind: z.literal('waiting') }),
  /** What is to be copied is being counted. */
  z.object({ kind: z.literal('counting') }),
  /** Something has the name that is to be written, and the person is asked. `more`: others of that kind that are asked for then. */
  z.object({
    kind: z.literal('asking'),
    name: z.string(),
    there: z.enum(['file', 'folder']),
    more: z.int(),
  }),
  /** Links lead out of the chosen folder, nowhere or back, and the user is asked about them. The first of them by name. */
  z.object({ kind: z.literal('asking-links'), count: z.int(), names: z.array(z.string()).readonly() }),
  /** `rate` in bytes per second; null: unknown yet. */
  z.object({ kind: z.literal('running'), rate: z.number().nullable() }),
  /** Checksums are compared. */
  z.object({ kind: z.literal('verifying') }),
  z.object({
    kind: z.literal('done'),
    /** What was compared on both sides. */
    verified: z.enum(['checksum', 'size']),
    /** Devices, unusable names, and files removed during the transfer; they were left out. */
    skipped: z.int(),
    /** Links that lead out of the chosen folder, nowhere or back; they were left out. The first of them by name. */
    links: z.object({ count: z.int(), names: z.array(z.string()).readonly() }),
    /** Links of that kind that were copied as links: what they lead to was not copied. */
    linksCopied: z.int(),
    /** Links of that kind that could not be copied as links. The first of them by name, and why the first one failed. */
    linksFailed: z.object({ count: z.int(), names: z.array(z.string()).readonly(), reason: z.string() }),
    /** What was selected and not copied, because the person keeps what has its name. */
    kept: z.int(),
    /** Files that were written to while they were copied. */
    changed: z.int(),
    /** Names that this computer does not take, or that were taken; they were changed. */
    renamed: z.int(),
    /** Files and folders whose permissions the receiver refused to set. */
    modesRefused: z.int(),
    /** Files and folders whose time of the last change the receiver refused to set. */
    timesRefused: z.int(),
    /** Where what was replaced still is, as it could not be deleted. */
    left: z.array(z.string()).readonly(),
  }),
  /** `left`: paths of what was copied and could not be removed. */
  z.object({ kind: z.literal('cancelled'), left: z.array(z.string()).readonly() }),
  z.object({ kind: z.literal('failed'), failure: Failure }),
])
export type TransferState = z.infer<typeof TransferState>

/** Files on their way between this computer and a machine. */
export const Transfer = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  /** The machine's name when it was started. */
  machineName: z.string(),
  direction: z.enum(['download', 'upload']),
  /** The first of what was selected, and how many others. */
  name: z.string(),
  others: z.int(),
  files: z.object({ done: z.int(), total: z.int() }),
  bytes: z.object({ done: z.number(), total: z.number() }),
  state: TransferState,
})
export type Transfer = z.infer<typeof Transfer>

/** What becomes of what has the name that is to be written. */
export const TakenChoice = z.enum(['replace', 'keep-both', 'skip'])
export type TakenChoice = z.infer<typeof TakenChoice>

/** What becomes of links that are not followed. */
export const LinkChoice = z.enum(['copy', 'skip'])
export type LinkChoice = z.infer<typeof LinkChoice>

const Transfers = z.array(Transfer)
const OneMachine = z.object({ account: AccountId, machine: z.string().min(1) })
const OneTransfer = z.object({ transfer: z.string() })
/** Characters of a path that SFTP servers take, at most. */
const Path = z.string().startsWith('/').max(4_096)
const Name = z.string().min(1).max(255)
const InFolder = OneMachine.extend({ folder: Path })
const Names = z.array(Name).min(1).max(20_000)

/** Those that reach a machine fail with local-fault, with the machine's reason. */
export const filesCalls = {
  /**
   * The user looks at this machine's files: it is connected to until `looking` is false and no transfer needs it, if the
   * user allows SSH for files (`ssh.setConsents`).
   */
  'files.look': call(OneMachine.extend({ looking: z.boolean() }), FilesView),
  /** Tries again now, whatever stopped it. */
  'files.retry': call(OneMachine, z.null()),
  /** Null: the home of the user that signs in. */
  'files.list': call(OneMachine.extend({ path: Path.nullable() }), FolderView),
  'files.makeFolder': call(InFolder.extend({ name: Name }), z.null()),
  /** Fails where something has that name. */
  'files.rename': call(InFolder.extend({ name: Name, to: Name }), z.null()),
  /** Folders with all that is in them; links, not what they lead to. */
  'files.delete': call(InFolder.extend({ names: Names }), z.null()),
  /** Asks where to in the system's dialog; null: the person picked no place. */
  'files.download': call(InFolder.extend({ names: Names }), Transfer.nullable()),
  /** What was dropped on the window last, or is picked in the system's dialog; null: nothing. */
  'files.upload': call(
    InFolder.extend({ from: z.enum(['files', 'folder', 'dropped']) }),
    Transfer.nullable(),
  ),
  'files.transfers': call(z.object({}), Transfers),
  /**
   * Answers a transfer that asks about this name; `forAll`: about whatever else of that kind, file or folder, it would
   * ask. Does nothing where it asks about another.
   */
  'files.answer': call(
    OneTransfer.extend({ name: z.string(), choice: TakenChoice, forAll: z.boolean() }),
    Transfers,
  ),
  /** Answers a transfer that asks about links. Does nothing if it doesn't ask about them. */
  'files.answerLinks': call(OneTransfer.extend({ choice: LinkChoice }), Transfers),
  /** What was copied of it so far is removed. */
  'files.cancel': call(OneTransfer, Transfers),
  /** Continues a failed one where it stopped. */
  'files.resume': call(OneTransfer, Transfers),
  /** Takes an ended one off the list. */
  'files.dismiss': call(OneTransfer, Transfers),
  /** Shows what was downloaded in the system's file manager. */
  'files.show': call(OneTransfer, z.null()),
} as const

export const filesEvents = {
  'files.changed': FilesView,
  /** All transfers, in the order in which they were started; a few times a second while one runs. */
  'files.transfersChanged': Transfers,
} as const
