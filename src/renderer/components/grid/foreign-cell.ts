import { t } from '../../platform/i18n'
import { foreignText } from '../foreign-text'
import type { CellText } from '../grid-columns'

/** Returns a cell with a text of the service, which may be missing. */
export const foreignCell = (text: string | null, look = '', isName = false): CellText => ({
  text: foreignText(text ?? t('common.none'), 200),
  title: foreignText(text ?? ''),
  look,
  isName,
})
