import { minShare, type SplitWay, type TerminalSession } from '#shared/bridge/terminal'
import { splitOff } from '../../stores/terminal-tabs'

/** A rectangle; each value is a share of the whole, 0 to 1. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The divider between a pane and the pane that was split off it. */
export interface PaneDivider {
  readonly id: string
  readonly way: SplitWay
  readonly area: Place
  /** Share of the first side. */
  readonly share: number
}

export interface PaneLayout {
  readonly places: ReadonlyMap<string, Place>
  readonly dividers: readonly PaneDivider[]
}

export const clampShare = (share: number): number => Math.min(1 - minShare, Math.max(minShare, share))

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

/** Lays out the panes of a tab. `shareOf` returns the share of a divider moved in this window. The default is one half. */
export function paneLayout(
  sessions: readonly TerminalSession[],
  first: string,
  shareOf: (divider: string) => number | undefined,
): PaneLayout {
  const places = new Map<string, Place>()
  const dividers: PaneDivider[] = []
  const lay = (id: string, whole: Place): void => {
    let area = whole
    for (const { id: split, beside } of splitOff(sessions, id)) {
      if (beside === null) continue
      const share = shareOf(split) ?? beside.share ?? 0.5
      dividers.push({ id: split, way: beside.way, area, share })
      const [firstSide, secondSide] = cut(area, beside.way, share)
      lay(split, secondSide)
      area = firstSide
    }
    places.set(id, area)
  }
  lay(first, { left: 0, top: 0, width: 1, height: 1 })
  return { places, dividers }
}
