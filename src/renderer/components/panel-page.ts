import { inject, type InjectionKey, provide } from 'vue'

/** The panel of a list's row as a page of its own. */
interface PanelPage {
  /** Whether the panel covers its list. */
  isPage(): boolean
  /** Title of the list. */
  list(): string
  show(asPage: boolean): void
}

const key: InjectionKey<PanelPage> = Symbol('panel-page')

export const providePanelPage = (page: PanelPage): void => provide(key, page)

/** Returns null for a panel that has no page. */
export const usePanelPage = (): PanelPage | null => inject(key, null)
