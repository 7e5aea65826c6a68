import { minShare, type SplitWay, type TerminalSession } from '#shared/bridge/terminal'
import { splitOff } from '../../stores/terminal-tabs'

/** A rectangle in parts of the whole, from 0 to 1. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The line between what is left of a pane and what was split off it. */
export interface PaneDivider {
  /** The pane that was split off. */
  readonly id: string
  readonly way: SplitWay
  /** What both sides share. */
  readonly area: Place
  /** The first side's part of it. */
  readonly share: number
}

export interface PaneLayout {
  readonly places: ReadonlyMap<string, Place>
  readonly dividers: readonly PaneDivider[]
}

/** Limits a share so that it leaves something of both sides. */
export const heldShare = (share: number): number => Math.min(1 - minShare, Math.max(minShare, share))

const cut = (area: Place, way: SplitWay, share: number): readonly [Place, Place] => {
  const { left, top, width, height } = area
  return way === 'right'
    ? [
        { ...area, width: width * share },
        { ...area, left: left + width * share, width: width * (1 - share) },
      ]
    : [
        { ...area, height: height * share },
        { ...area, top: top + height * share, height: height * (1 - share) },
      ]
}

/** Lays out the panes of a tab. `shareOf`: of a divider that is being moved. A divider that was never moved halves its area. */
export function paneLayout(
  sessions: readonly TerminalSession[],
  first: string,
  shareOf: (divider: string) => number | undefined,
): PaneLayout {
  const places = new Map<string, Place>()
  const dividers: PaneDivider[] = []
  const lay = (id: string, whole: Place): void => {
    let area = whole
    for (const { id: other, beside } of splitOff(sessions, id)) {
      if (beside === null) continue
      const share = shareOf(other) ?? beside.share ?? 0.5
      dividers.push({ id: other, way: beside.way, area, share })
      const [kept, given] = cut(area, beside.way, share)
      lay(other, given)
      area = kept
    }
    places.set(id, area)
  }
  lay(first, { left: 0, top: 0, width: 1, height: 1 })
  return { places, dividers }
}
