import { type Component, defineAsyncComponent } from 'vue'
import { laterMessages, t } from '../platform/i18n'
import { useToast } from './toast'

/** Attempts to load a file before a toast reports the failure. */
const attempts = 3
const pauseMs = 500

/** Creates a component that is loaded, together with the later messages, when it is first rendered. */
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
