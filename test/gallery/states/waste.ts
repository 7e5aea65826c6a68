import { h, nextTick } from 'vue'
import type { VolumeView } from '#shared/bridge/volume'
import type { WasteItem } from '#shared/bridge/waste'
import { isChecked, wasteTotals } from '#shared/money/waste'
import ActionDialog from '../../../src/renderer/features/machine-actions/ActionDialog.vue'
import { volumeNamed } from '../../../src/renderer/features/volumes/volume.fixture'
import DeleteVolumesDialog from '../../../src/renderer/features/volumes/DeleteVolumesDialog.vue'
import EndWasteButton from '../../../src/renderer/features/waste/EndWasteButton.vue'
import EndSeveralDialog from '../../../src/renderer/features/waste/EndSeveralDialog.vue'
import EndWasteDialog from '../../../src/renderer/features/waste/EndWasteDialog.vue'
import WasteCard from '../../../src/renderer/features/waste/WasteCard.vue'
import WasteRow from '../../../src/renderer/features/waste/WasteRow.vue'
import { useFleet } from '../../../src/renderer/stores/fleet'
import { useVolumes } from '../../../src/renderer/stores/volumes'
import type { WasteReading } from '../../../src/renderer/stores/waste'
import { entry, part, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, now, usd, wasteItem } from '../world'

const eur = (amount: number) => ({ currency: 'EUR', millionths: Math.round(amount * 1_000_000) })
const day = 86_400

const every: readonly WasteItem[] = [
  wasteItem('m-idle', {
    name: 'notebook-anna',
    end: 'delete-machine',
    soFar: usd(993.3),
    reason: { kind: 'idle', since: now - 29 * day, held: null },
    perHour: usd(1.38),
    perMonth: usd(993.6),
  }),
  wasteItem('m-held', { end: 'delete-machine', reason: { kind: 'idle', since: now - day, held: 10_767 } }),
  wasteItem('m-spinning', { end: 'delete-machine', reason: { kind: 'barely-used', since: now - day } }),
  wasteItem('m-unmonitored', { end: 'delete-machine', reason: { kind: 'cpu-idle', since: now - day } }),
  wasteItem('m-unmeasured', { end: 'delete-machine', reason: { kind: 'unmeasured' } }),
  wasteItem('m-off', {
    name: 'archive',
    end: 'delete-machine',
    reason: { kind: 'stopped', status: 'stopped' },
  }),
  wasteItem('forgotten-backup'),
  wasteItem('archive-data', {
    end: 'detach-and-delete',
    reason: { kind: 'of-stopped', machine: 'm-off', name: 'archive' },
  }),
  wasteItem('archive-boot', {
    end: 'delete-machine-first',
    reason: { kind: 'of-stopped', machine: 'm-off', name: 'archive' },
  }),
  wasteItem('pretrain-metal-01', { reason: { kind: 'bare-metal' }, end: 'elsewhere' }),
  wasteItem('3f2a9c10-5b7e-4d1c-9a41-0b7f5f2a9c10', {
    name: null,
    end: 'elsewhere',
    reason: { kind: 'unlisted', type: 'vm' },
    perHour: null,
    perMonth: null,
    soFar: null,
  }),
]
const card =
  (items: readonly WasteItem[], sandbox = false, reading: WasteReading = { kind: 'read' }) =>
  () =>
    h(WasteCard, {
      group: {
        sandbox,
        items: items.filter(isChecked).map((item) => ({ ...item, account })),
        unchecked: items.filter((item) => !isChecked(item)).map((item) => ({ ...item, account })),
        totals: wasteTotals(items.filter(isChecked)),
        ended: [],
        reading,
      },
    })
const row = (item: WasteItem) => () => h('ul', [h(WasteRow, { item: { ...item, account } })])
const hostile = [texts.long, texts.html, texts.control, texts.rtl].map((name, at) =>
  wasteItem(`h-${String(at)}`, { name, end: at === 3 ? 'elsewhere' : 'delete-volume' }),
)
const many = Array.from({ length: 40 }, (_, at) => wasteItem(`volume-${String(at)}`))

const volume = (name: string, changes: Partial<VolumeView> = {}) => volumeNamed(name, changes)
const volumes = (...listed: VolumeView[]): Pick<GalleryState, 'handlers'> => ({
  handlers: {
    'volumes.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      volumes: listed,
      status: { asOf: now, reading: false, total: listed.length, failure: null, listed: true },
    }),
  },
})
const archive = { id: 'm-off', name: 'archive' }
/** The dialog, once the lists that it looks in were read. */
const ending =
  (...items: readonly WasteItem[]) =>
  () =>
    useVolumes().lists.get(account) && useFleet().fleets.get(account)
      ? h(EndWasteDialog, { items: items.map((item) => ({ ...item, account })) })
      : null
/** Opens the selection of a card and selects all. */
const selecting = async (stage: HTMLElement): Promise<void> => {
  part(stage, '.head button').click()
  await nextTick()
  part(stage, '.several button').click()
}

export default [
  entry(WasteCard, {
    one: card([wasteItem('forgotten-backup')]),
    'every reason': card(every),
    selecting: { render: card(every), act: selecting },
    'selecting, wide': { width: 1_280, render: card(every), act: selecting },
    all: {
      render: card(every),
      act: (stage) => stage.querySelector<HTMLElement>('button.more')?.click(),
    },
    wide: { width: 1_280, render: card(every) },
    many: card(many),
    'several currencies': card([
      ...every.slice(0, 2),
      wasteItem('euro', { perHour: eur(3), perMonth: eur(2_160), soFar: null }),
    ]),
    'nothing can be deleted': card(every.map((item) => ({ ...item, end: 'elsewhere' }))),
    'price unknown': card([wasteItem('new', { perHour: null, perMonth: null, soFar: null })]),
    sandbox: card(every.slice(0, 2), true),
    checking: card([], false, { kind: 'checking' }),
    refused: card([], false, { kind: 'failed', failure: { kind: 'forbidden' } }),
    'some refused': card(every.slice(0, 2), false, { kind: 'failed', failure: { kind: 'forbidden' } }),
    hostile: card(hostile),
    'right to left': { rtl: true, render: card(hostile) },
  }),
  entry(WasteRow, Object.fromEntries(every.map((item) => [item.name ?? 'unlisted', row(item)]))),
  entry(
    EndWasteButton,
    Object.fromEntries(
      (['delete-machine', 'delete-machine-first', 'detach-first', 'elsewhere'] as const).map((end) => [
        end,
        () => h(EndWasteButton, { item: { ...wasteItem('v', { end }), account } }),
      ]),
    ),
  ),
  entry(EndWasteDialog, {
    machine: ending(wasteItem('m-off', { end: 'delete-machine' })),
    volume: { ...volumes(volume('v')), render: ending(wasteItem('v')) },
    gone: ending(wasteItem('gone')),
  }),
  entry(EndSeveralDialog, {
    usual: () =>
      h(EndSeveralDialog, {
        found: [
          {
            item: { ...wasteItem('m-off', { name: 'archive', end: 'delete-machine' }), account },
            machine: machine({ id: 'm-off', name: 'archive', status: 'stopped' }),
            volume: undefined,
          },
          {
            item: {
              ...wasteItem('data', {
                end: 'detach-and-delete',
                reason: { kind: 'of-stopped', machine: 'm-off', name: 'archive' },
              }),
              account,
            },
            machine: undefined,
            volume: volume('data', { attachment: { kind: 'attached', machine: 'm-off' } }),
          },
          {
            item: { ...wasteItem('h', { name: texts.html, perHour: null }), account },
            machine: undefined,
            volume: volume(texts.html),
          },
        ],
      }),
  }),
  entry(ActionDialog, {
    'one machine': () =>
      h(ActionDialog, { account, action: 'delete', machines: [machine({ id: 'm-off', status: 'stopped' })] }),
    'some skipped': () =>
      h(ActionDialog, {
        account,
        action: 'stop',
        machines: [machine(), machine({ id: 'm-off', name: texts.html, status: 'stopped' })],
      }),
  }),
  entry(DeleteVolumesDialog, {
    one: () => h(DeleteVolumesDialog, { account, volumes: [volume('backup')] }),
    attached: () =>
      h(DeleteVolumesDialog, {
        account,
        attachedTo: archive,
        volumes: [volume('data', { attachment: { kind: 'attached', machine: 'm-off' } })],
      }),
    'some skipped': () =>
      h(DeleteVolumesDialog, {
        account,
        volumes: [
          volume(texts.long),
          volume(texts.html, { attachment: { kind: 'attached', machine: null } }),
        ],
      }),
  }),
]
