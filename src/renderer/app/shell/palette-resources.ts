import { computed, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { VolumeView } from '#shared/bridge/volume'
import { resourceKey } from '#shared/resource-key'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { useConnectMachine } from '../../features/connection/connect-machine'
import { showBareMetal, showVolume } from '../../features/navigation/navigate'
import { mayDelete, attachToAnyDisabledReason } from '../../features/volumes/attachable'
import { volumeName } from '../../features/volumes/volume-text'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useBareMetal } from '../../stores/bare-metal'
import { useCapabilities } from '../../stores/capabilities'
import { useVolumes } from '../../stores/volumes'
import { useAttempt, useCopyField } from './palette-actions'
import { type Command, distinctions, maxWithActions, namedFirst } from './palette-search'

/** A command without the parts that all commands on its resource share. */
interface ResourceCommand extends Pick<Command, 'title'> {
  readonly id: string
  /** Default: actions. */
  readonly group?: Command['group']
  run(): Promise<unknown>
}

/** Returns the commands on a volume: without `withActions` only to open it. */
function useVolumeCommands() {
  const capabilities = useCapabilities()
  const router = useRouter()
  const copyField = useCopyField()

  return (account: AccountId, volume: VolumeView, withActions: boolean): readonly ResourceCommand[] => {
    const { id, attachment, settling } = volume
    const name = volumeName(volume)
    const show = (ask = {}) => showVolume(router, account, id, ask)
    const open: ResourceCommand = { id: 'volume', group: 'volumes', title: name, run: show }
    if (!withActions) return [open]
    const isPossible = {
      attach: attachToAnyDisabledReason(volume) === null,
      detach: attachment.kind !== 'detached' && !settling,
      delete: mayDelete(volume) && capabilities.of(account, 'delete-volume') !== 'no',
    }
    const tabs = { cost: t('billing.tab.label'), notes: t('notes.tab') }
    return [
      open,
      ...(['attach', 'detach', 'delete'] as const)
        .filter((act) => isPossible[act])
        .map((act) => ({
          id: `volume-${act}`,
          title: t(`common.palette.volume.${act}`, { name }),
          run: () => show({ act }),
        })),
      ...Object.entries(tabs).map(([tab, action]) => ({
        id: `volume-${tab}`,
        title: t('common.palette.actionOn', { action, machine: name }),
        run: () => show({ tab }),
      })),
      { id: 'copy-volume-id', ...copyField('id', name, id) },
    ]
  }
}

/** Returns the commands on an instance: without `withActions` only to open it or a session. */
function useInstanceCommands() {
  const router = useRouter()
  const connectMachine = useConnectMachine()
  const copyField = useCopyField()

  return (account: AccountId, instance: BareMetalView, withActions: boolean): readonly ResourceCommand[] => {
    const { id, name, address } = instance
    const show = (ask = {}) => showBareMetal(router, account, id, ask)
    const open: ResourceCommand[] = [{ id: 'bare-metal', group: 'machines', title: name, run: show }]
    if (sshDisabledReason(instance) === null)
      open.push({
        id: 'bare-metal-ssh',
        group: 'machines',
        title: t('common.palette.connectTo', { machine: name }),
        run: () => connectMachine(account, instance),
      })
    if (!withActions) return open
    const tabs = { gpu: t('gpu.tab'), cost: t('billing.tab.label'), notes: t('notes.tab') }
    return [
      ...open,
      ...Object.entries(tabs).map(([tab, action]) => ({
        id: `bare-metal-${tab}`,
        title: t('common.palette.actionOn', { action, machine: name }),
        run: () => show({ tab }),
      })),
      {
        id: 'bare-metal-forget',
        title: t('common.palette.forget', { name }),
        run: () => show({ act: 'forget' }),
      },
      ...(address === null
        ? []
        : [{ id: 'copy-bare-metal-address', ...copyField('address', name, address) }]),
      { id: 'copy-bare-metal-id', ...copyField('id', name, id) },
    ]
  }
}

/** Commands on the volumes and bare metal of every account. Actions appear once the user has typed something. */
export function useResourceCommands(query: Readonly<Ref<string>>) {
  const accounts = useAccounts()
  const bareMetal = useBareMetal()
  const volumes = useVolumes()
  const attempt = useAttempt()
  const volumeCommands = useVolumeCommands()
  const instanceCommands = useInstanceCommands()

  function commandsOf<Row extends { readonly id: string }>(
    lists: ReadonlyMap<string, { readonly items: ReadonlyMap<string, Row> }>,
    nameOf: (row: Row) => string,
    kind: string,
    build: (account: AccountId, row: Row, withActions: boolean) => readonly ResourceCommand[],
  ): readonly Command[] {
    const all = accounts.all.flatMap((account) =>
      [...(lists.get(account.id)?.items.values() ?? [])].map((row) => ({
        account,
        row,
        id: row.id,
        name: nameOf(row),
      })),
    )
    const suffixOf = distinctions(all)
    const hasQuery = query.value.trim() !== ''
    const withActions = new Set(hasQuery ? namedFirst(all, query.value).slice(0, maxWithActions) : [])
    return all.flatMap((entry) => {
      const { account, row, id: resource, name } = entry
      const label = accounts.all.length > 1 ? `${account.label} · ` : ''
      const hint = `${label}${kind}${suffixOf(entry)}`
      return build(account.id, row, withActions.has(entry)).map(
        ({ id, group = 'actions', title, run }): Command => ({
          id: `${id}/${resourceKey(account.id, resource)}`,
          group,
          title,
          hint,
          run: attempt(name, run),
        }),
      )
    })
  }

  return computed(() => [
    ...commandsOf(bareMetal.lists, ({ name }) => name, t('bareMetal.title'), instanceCommands),
    ...commandsOf(volumes.lists, volumeName, t('volumes.title'), volumeCommands),
  ])
}
