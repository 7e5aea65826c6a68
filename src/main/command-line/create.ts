import { translate } from '#shared/messages/index'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AccountView } from '#shared/bridge/account'
import type { FlavorView } from '#shared/bridge/catalog'
import {
  type Creation,
  type CreationState,
  isSetUpRead,
  type MachineOrder,
  type PublicKeyView,
} from '#shared/bridge/creation'
import { isOutcomeOpen } from '#shared/earlier-creations'
import { FailureError } from '#shared/failure'
import { formatRate } from '#shared/money/format-money'
import { type Money, timesMoney } from '#shared/money/money'
import { freeName } from '#shared/next-name'
import { oneLine } from '../core/one-line'
import { flavorsNamed, itemsNamed, regionName } from './catalog'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure, type ExitName } from './failure'
import type { OptionName } from './options'
import { withTemplate } from './template'
import { readPositive } from './values'
import { accountOutput } from './views'

/** Machines that one command creates at most. */
const maxCount = 20
/** Time in which a machine must run with --wait. */
const maxWaitSeconds = 1_800
const pollSeconds = 2

const failed = (
  { text }: Context,
  exit: ExitName,
  key: string,
  values: Readonly<Record<string, string>> = {},
): CommandFailure => new CommandFailure(exit, text(`errors.${key}`, values))

function required(context: Context, { value }: CommandInput, option: OptionName): string {
  const given = value(option)
  if (given === undefined || given === '')
    throw failed(context, 'usage', 'missingWord', { word: `--${option}` })
  return given
}

function readCount(context: Context, { value }: CommandInput): number {
  const typed = value('count') ?? '1'
  const count = Number(typed)
  if (/^\d+$/.test(typed) && count >= 1 && count <= maxCount) return count
  throw failed(context, 'usage', 'count', { count: typed, most: String(maxCount) })
}

/** Returns the flavor with this id or name, if it is the only one. Throws CommandFailure. */
async function flavorOf(context: Context, account: AccountView, input: CommandInput): Promise<FlavorView> {
  const word = required(context, input, 'flavor')
  const found = await flavorsNamed(context, account, word, input.value('region'))
  const [flavor, other] = found
  if (!flavor || other) {
    const regions = found.map(({ region }) => regionName(region)).join(translate('common.listSeparator'))
    throw failed(context, 'usage', 'severalRegions', { name: oneLine(word), regions })
  }
  if (flavor.inStock === false)
    throw failed(context, 'outOfStock', 'outOfStock', { name: oneLine(flavor.name) })
  return flavor
}

async function imageOf(
  context: Context,
  account: AccountView,
  input: CommandInput,
  flavor: FlavorView,
): Promise<string> {
  const word = required(context, input, 'image')
  const { items } = await context.call('catalog.images', { account: account.id, kind: 'machine' })
  const { id, name } = flavor.region
  const region = id ?? name ?? undefined
  const [image] = itemsNamed(items, word, region)
  if (image) return image.id
  const names = items.filter((each) => itemsNamed([each], each.id, region).length > 0)
  throw failed(context, 'notFound', 'unknownImage', {
    name: oneLine(word),
    names: names.map((each) => oneLine(each.name)).join(translate('common.listSeparator')),
  })
}

/** Returns the public key of ~/.ssh with this path, file name or comment. Throws CommandFailure. */
async function keyOf(context: Context, input: CommandInput): Promise<PublicKeyView> {
  const word = required(context, input, 'key')
  const keys = await context.call('creation.keys', {})
  const names = ({ path, identityFile, comment }: PublicKeyView): readonly (string | null)[] => [
    path,
    identityFile,
    basename(path),
    basename(path, '.pub'),
    comment,
  ]
  const found = keys.find((key) => names(key).includes(word))
  if (found) return found
  const known = keys.map(({ path }) => basename(path, '.pub')).join(translate('common.listSeparator'))
  throw failed(context, 'notFound', 'unknownKey', { name: oneLine(word), names: oneLine(known) })
}

/** Reads the flavor, image and key of a new machine. Throws CommandFailure. */
export async function readOrder(
  context: Context,
  account: AccountView,
  input: CommandInput,
  script: string | undefined,
) {
  const flavor = await flavorOf(context, account, input)
  const image = await imageOf(context, account, input, flavor)
  const key = await keyOf(context, input)
  const order = (name: string): MachineOrder => ({
    name,
    flavor_id: flavor.id,
    image_id: image,
    ssh_key: { name: key.comment ?? basename(key.path), public_key: key.publicKey },
    ...(script !== undefined && { init_script: script }),
  })
  return { flavor, key, order }
}

async function scriptOf(context: Context, { value }: CommandInput): Promise<string | undefined> {
  const path = value('init-script')
  if (path === undefined) return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw failed(context, 'usage', 'unreadable', { path: oneLine(path), reason: oneLine(String(error)) })
  }
}

/** Whether a machine was sent, and it is open which one it became. */
const isUnresolved = ({ kind, state }: Creation): boolean => kind === 'machine' && !('machine' in state)

/**
 * Returns `count` names from the user's name, else free names from the name of the template's machine. Throws
 * CommandFailure.
 */
export async function namesOf(
  context: Context,
  account: AccountView,
  given: string | undefined,
  ofTemplate: string,
  count = 1,
): Promise<readonly string[]> {
  const numbers = Array.from({ length: count }, (_, index) => String(index + 1))
  if (given !== undefined) return count === 1 ? [given] : numbers.map((number) => `${given}-${number}`)
  if (ofTemplate === '') throw failed(context, 'usage', 'missingWord', { word: 'NAME' })
  const [{ machines }, creations] = await Promise.all([
    context.fleet(account),
    context.call('creation.list', { account: account.id }),
  ])
  // A repeated command has to ask for the same name, so that the main process refuses a second creation.
  const unresolved = new Set(creations.filter(isUnresolved).map(({ name }) => name))
  const used = new Set(
    [...machines, ...creations].map(({ name }) => name).filter((name) => !unresolved.has(name)),
  )
  return numbers.map(() => {
    const name = freeName(ofTemplate, used)
    used.add(name)
    return name
  })
}

/** Fails if the price is above --max-per-hour, or if the user does not confirm it. */
function confirm(
  context: Context,
  { has, value }: CommandInput,
  flavor: FlavorView,
  total: Money | null,
  count: number,
) {
  const { text, terminal } = context
  const limit = value('max-per-hour')
  if (limit !== undefined) {
    const most = readPositive(limit, total?.currency ?? '')
    if (!most) throw failed(context, 'usage', 'amount', { amount: limit })
    if (!total || total.millionths > most.millionths)
      throw failed(context, 'overLimit', total ? 'overLimit' : 'noPrice', {
        price: total ? formatRate(total) : '',
      })
  }
  const values = {
    count: String(count),
    flavor: oneLine(flavor.name),
    region: regionName(flavor.region),
    price: total ? formatRate(total) : text('none'),
  }
  terminal.report(text('createPrice', values))
  if (has('yes')) return
  if (!terminal.isInteractive) throw failed(context, 'notConfirmed', 'needsYes')
  if (!/^y(es)?$/i.test(terminal.ask(text('confirmCreate')).trim()))
    throw failed(context, 'notConfirmed', 'notCreated')
}

const isOpen = ({ kind }: CreationState): boolean => kind === 'sending' || kind === 'looking'
const isUnfinished = ({ kind }: CreationState): boolean =>
  kind === 'created' || kind === 'booting' || kind === 'setting-up'
const machineIdOf = (state: CreationState): string | null => ('machine' in state ? state.machine : null)

/** Follows a creation while `goesOn`, for at most `seconds`. Returns its last known state. */
async function follow(
  { call, terminal, now }: Context,
  creation: Creation,
  goesOn: (state: CreationState) => boolean,
  seconds: number,
): Promise<CreationState> {
  const end = now() + seconds
  let { state } = creation
  while (goesOn(state) && now() < end) {
    await terminal.wait(pollSeconds)
    const listed = await call('creation.list', { account: creation.account, names: [creation.name] })
    const found = listed.find(({ id }) => id === creation.id)
    if (!found) return state
    state = found.state
  }
  return state
}

/** Waits until SSH answers on a new machine, or as long as that may take. Returns its last known state. */
export const followUntilReady = (
  context: Context,
  creation: Creation,
  signal?: AbortSignal,
): Promise<CreationState> =>
  follow(context, creation, (state) => isUnfinished(state) && !signal?.aborted, maxWaitSeconds)

/** Returns the state as it is printed. `answers`: SSH answers, but the set-up was not read. */
export const stateWord = (state: CreationState): CreationState['kind'] | 'answers' =>
  state.kind === 'ready' && !isSetUpRead(state.setUp) ? 'answers' : state.kind

/** Reports a set-up that was not read, has failed or has warnings. */
function reportSetUp({ text, terminal }: Context, name: string, state: CreationState): void {
  if (state.kind !== 'ready' || state.setUp === 'done') return
  const detail = oneLine(state.detail ?? translate('creation.texts.setUp.noDetail'))
  const result = translate(`creation.texts.setUp.${state.setUp}`, { detail })
  terminal.report(text('setUp', { name: oneLine(name), result }))
}

/** Sends one creation, once, and waits for its outcome. Fails with unknownOutcome if there is none. */
async function createOne(
  context: Context,
  account: AccountView,
  machine: MachineOrder,
  key: PublicKeyView,
  isAwaited: boolean,
  prepare: (account: string, request: string, name: string) => Promise<void>,
): Promise<{ readonly id: string; readonly name: string; readonly state: string }> {
  const { call, text, terminal } = context
  const { name } = machine
  const request = randomUUID()
  await prepare(account.id, request, name)
  const order = {
    request,
    account: account.id,
    again: [],
    identityFile: key.identityFile,
    machine,
  }
  const creation = await call('machine.create', order).catch((error: unknown) => {
    if (error instanceof FailureError && isOutcomeOpen(error.failure))
      throw failed(context, 'unknownOutcome', 'earlierCreation', { name: oneLine(name) })
    throw error
  })
  // The creation was sent, so its outcome is open even if the application quits now.
  const state = await follow(context, creation, isOpen, 60).catch(() => creation.state)
  const id = machineIdOf(state)
  if (id === null) throw failed(context, 'unknownOutcome', 'unknownCreation', { name: oneLine(name) })
  terminal.report(text('created', { name: oneLine(name) }))
  if (!isAwaited) return { id, name, state: state.kind }
  const last = await followUntilReady(context, { ...creation, state })
  if (last.kind !== 'running' && last.kind !== 'ready')
    throw failed(context, 'failed', 'notRunningYet', { name: oneLine(name), state: last.kind })
  reportSetUp(context, name, last)
  return { id, name, state: stateWord(last) }
}

/** Creates machines, each sent once, after the user confirmed the price. */
export async function create(context: Context, given: CommandInput): Promise<undefined> {
  const { input, script: ofTemplate, prepare, notes, machineName } = await withTemplate(context, given)
  notes.forEach((note) => context.terminal.report(note))
  const count = readCount(context, input)
  const account = await context.account()
  const names = await namesOf(context, account, given.words[0], machineName, count)
  const script = (await scriptOf(context, input)) ?? ofTemplate
  const { flavor, key, order } = await readOrder(context, account, input, script)
  const total = flavor.price && timesMoney(flavor.price, count)
  confirm(context, input, flavor, total, count)
  const machines: Awaited<ReturnType<typeof createOne>>[] = []
  for (const name of names)
    machines.push(await createOne(context, account, order(name), key, input.has('wait'), prepare))
  context.show('create', { account: accountOutput(account), perHour: total, machines }, () =>
    machines.map((machine) => `${machine.name}  ${machine.id}  ${machine.state}`),
  )
}
