import { h } from 'vue'
import type { UpdateState } from '#shared/bridge/updates'
import UpdateNotice from '../../../src/renderer/app/shell/UpdateNotice.vue'
import UpdateRows from '../../../src/renderer/pages/settings/UpdateRows.vue'
import { useUpdates } from '../../../src/renderer/stores/updates'
import { entry, type GalleryState, part } from '../state'
import { texts } from '../texts'
import { now } from '../world'

const shown = (component: object, state: UpdateState, act?: GalleryState['act']): GalleryState => {
  const view = { state, automatic: true }
  return {
    render: () => {
      useUpdates().view = view
      return h(component)
    },
    handlers: { 'updates.read': () => view, 'updates.check': () => view },
    ...(act && { act }),
  }
}
const version = '0.2.0'
const notes =
  'New\n- Machines are compared by their GPUs\n- PAC files\n\nFixed\n- A creation is never ordered twice'
const unfold = (stage: HTMLElement) => part(stage, 'summary').click()

export default [
  entry(UpdateRows, {
    'package manager': shown(UpdateRows, { kind: 'off', reason: 'package' }),
    'not checked': shown(UpdateRows, { kind: 'idle', checkedAt: null }),
    current: shown(UpdateRows, { kind: 'idle', checkedAt: now - 600 }),
    checking: shown(UpdateRows, { kind: 'checking' }),
    available: shown(UpdateRows, { kind: 'available', version, notes }, unfold),
    downloading: shown(UpdateRows, { kind: 'downloading', version, percent: 42 }),
    ready: shown(UpdateRows, { kind: 'ready', version, notes, heldBy: null }),
    held: shown(UpdateRows, { kind: 'ready', version, notes: '', heldBy: 'creation' }),
    'held by transfers': shown(UpdateRows, { kind: 'ready', version, notes: '', heldBy: 'transfers' }),
    asked: shown(UpdateRows, { kind: 'ready', version, notes: '', heldBy: null }, (stage) =>
      part(stage, 'button').click(),
    ),
    damaged: shown(UpdateRows, { kind: 'failed', problem: 'damaged', reason: 'ERR_CHECKSUM_MISMATCH' }),
    'not installed': shown(UpdateRows, { kind: 'failed', problem: 'not-installed', reason: 'EACCES' }),
    hostile: shown(
      UpdateRows,
      { kind: 'available', version: texts.long, notes: `${texts.html}\n${texts.control}\n${texts.rtl}` },
      unfold,
    ),
    'a megabyte': shown(
      UpdateRows,
      { kind: 'available', version: texts.huge, notes: `${texts.control}\n${texts.huge}` },
      unfold,
    ),
    'asked, a megabyte': shown(
      UpdateRows,
      { kind: 'ready', version: texts.huge, notes: '', heldBy: 'creation' },
      (stage) => part(stage, 'button').click(),
    ),
    'failed, a megabyte': shown(UpdateRows, { kind: 'failed', problem: 'unknown', reason: texts.huge }),
  }),
  entry(UpdateNotice, {
    available: shown(UpdateNotice, { kind: 'available', version, notes: '' }),
    ready: shown(UpdateNotice, { kind: 'ready', version, notes: '', heldBy: null }),
  }),
]
