import { type Component, defineAsyncComponent } from 'vue'
import { laterMessages, t } from '../platform/i18n'
import { useToast } from './toast'

/** How often a file is asked for before that is said, and the milliseconds between. */
const attempts = 3
const pauseMs = 500

/** A component that the first paint does not show, loaded with the words that come after it when it is first drawn. */
export const lazyComponent = <Loaded extends Component>(
  load: () => Promise<{ readonly default: Loaded }>,
): Loaded =>
  defineAsyncComponent({
    async loader() {
      const [loaded] = await Promise.all([load(), laterMessages()])
      return loaded.default
    },
    onError(error, retry, fail, attempt) {
      if (attempt % attempts !== 0) {
        setTimeout(retry, pauseMs)
        return
      }
      useToast().failed(error, t('common.product'))
      fail()
    },
    errorComponent: { render: () => null },
  })
