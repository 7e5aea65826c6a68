import { computed, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import type { AccountView } from '#shared/bridge/account'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { VolumeView } from '#shared/bridge/volume'
import { resourceKey } from '#shared/resource-key'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { useCopy } from '../../components/copy'
import { useToast } from '../../components/toast'
import { useConnectMachine } from '../../features/connection/connect-machine'
import { showBareMetal, showVolume } from '../../features/navigation/navigate'
import { mayDelete, attachToAnyDisabledReason } from '../../features/volumes/attachable'
import { volumeName } from '../../features/volumes/volume-text'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useBareMetal } from '../../stores/bare-metal'
import { useCapabilities } from '../../stores/capabilities'
import { useVolumes } from '../../stores/volumes'
import { type Command, distinctions, mostActedOn, namedFirst } from './palette-search'

/** Volumes and bare metal of every account, and once something is typed, what can be done with them. */
export function useResourceCommands(query: Readonly<Ref<string>>) {
  const accounts = useAccounts()
  const bareMetal = useBareMetal()
  const volumes = useVolumes()
  const capabilities = useCapabilities()
  const router = useRouter()
  const toast = useToast()
  const copy = useCopy()
  const connectMachine = useConnectMachine()

  const hintOf = (account: AccountView, kind: string, apart: string): string =>
    `${[accounts.all.length > 1 ? account.label : '', kind].filter(Boolean).join(' · ')}${apart}`
  const ids = (account: AccountView, id: string, name: string, hint: string, group: Command['group']) => {
    const command = (what: string, title: string, run: () => Promise<unknown>): Command => ({
      id: `${what}/${resourceKey(account.id, id)}`,
      group,
      title,
      hint,
      run: () => run().catch((error: unknown) => toast.failed(error, name)),
    })
    const copyOf = (what: string, label: string, text: string): Command => {
      const title = t('common.palette.copyOf', {
        action: t(`common.palette.${label === 'address' ? 'copyAddress' : 'copyId'}`),
        name,
      })
      return command(`copy-${what}-${label}`, title, () =>
        copy.text(t(label === 'address' ? 'machines.fields.address' : 'machines.fields.id'), text),
      )
    }
    return { command, copyOf }
  }

  function volumeCommands(
    account: AccountView,
    volume: VolumeView,
    hint: string,
    hasActions: boolean,
  ): Command[] {
    const name = volumeName(volume)
    const show = (ask = {}) => showVolume(router, account.id, volume.id, ask)
    const opening = ids(account, volume.id, name, hint, 'volumes').command('volume', name, show)
    if (!hasActions) return [opening]
    const { command, copyOf } = ids(account, volume.id, name, hint, 'actions')
    const { attachment, settling } = volume
    const can = {
      attach: attachToAnyDisabledReason(volume) === null,
      detach: attachment.kind !== 'detached' && !settling,
      delete: mayDelete(volume) && capabilities.of(account.id, 'delete-volume') !== 'no',
    }
    return [
      opening,
      ...(['attach', 'detach', 'delete'] as const).flatMap((act) =>
        can[act]
          ? [command(`volume-${act}`, t(`common.palette.volume.${act}`, { name }), () => show({ act }))]
          : [],
      ),
      command(
        'volume-cost',
        t('common.palette.actionOn', { action: t('billing.tab.label'), machine: name }),
        () => show({ tab: 'cost' }),
      ),
      command('volume-notes', t('common.palette.actionOn', { action: t('notes.tab'), machine: name }), () =>
        show({ tab: 'notes' }),
      ),
      copyOf('volume', 'id', volume.id),
    ]
  }

  function instanceCommands(
    account: AccountView,
    instance: BareMetalView,
    hint: string,
    hasActions: boolean,
  ): Command[] {
    const { id, name, address } = instance
    const show = (ask = {}) => showBareMetal(router, account.id, id, ask)
    const shown = ids(account, id, name, hint, 'machines')
    const opening = [
      shown.command('bare-metal', name, show),
      ...(sshDisabledReason(instance) === null
        ? [
            shown.command('bare-metal-ssh', t('common.palette.connectTo', { machine: name }), () =>
              connectMachine(account.id, instance),
            ),
          ]
        : []),
    ]
    if (!hasActions) return opening
    const { command, copyOf } = ids(account, id, name, hint, 'actions')
    const tabs = { gpu: t('gpu.tab'), cost: t('billing.tab.label'), notes: t('notes.tab') }
    return [
      ...opening,
      ...Object.entries(tabs).map(([tab, label]) =>
        command(`bare-metal-${tab}`, t('common.palette.actionOn', { action: label, machine: name }), () =>
          show({ tab }),
        ),
      ),
      command('bare-metal-forget', t('common.palette.forget', { name }), () => show({ act: 'forget' })),
      ...(address === null ? [] : [copyOf('bare-metal', 'address', address)]),
      copyOf('bare-metal', 'id', id),
    ]
  }

  /** What is listed in every account, those first that the query names; everything can be done to the first of these. */
  function everywhere<Row extends { readonly id: string }>(
    lists: ReadonlyMap<string, { readonly items: ReadonlyMap<string, Row> }>,
    nameOf: (row: Row) => string,
    kind: string,
    commandsOf: (account: AccountView, row: Row, hint: string, hasActions: boolean) => Command[],
  ): Command[] {
    const all = accounts.all.flatMap((account) =>
      [...(lists.get(account.id)?.items.values() ?? [])].map((row) => ({
        account,
        row,
        id: row.id,
        name: nameOf(row),
      })),
    )
    const apart = distinctions(all)
    const typed = query.value.trim() !== ''
    const acted = new Set(typed ? namedFirst(all, query.value).slice(0, mostActedOn) : [])
    return all.flatMap((one) =>
      commandsOf(one.account, one.row, hintOf(one.account, kind, apart(one)), acted.has(one)),
    )
  }

  return computed(() => [
    ...everywhere(bareMetal.lists, ({ name }) => name, t('bareMetal.title'), instanceCommands),
    ...everywhere(volumes.lists, volumeName, t('volumes.title'), volumeCommands),
  ])
}
