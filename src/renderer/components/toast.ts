import { NButton, useMessage } from 'naive-ui'
import { h } from 'vue'
import { failureText } from '#shared/messages/failure-text'
import { failureOf, type Failure } from '#shared/failure'
import { tPath } from '../platform/i18n'
import { foreignText } from './foreign-text'

interface ToastAction {
  readonly label: string
  act(): void
}

/** Short words that come and go at the edge of the window; App.vue puts them into a live region, so they are read out. */
export function useToast() {
  const message = useMessage()
  const withAction = (text: string, { label, act }: ToastAction) => {
    const button = () => h(NButton, { text: true, type: 'primary', onClick: act }, () => label)
    return () => h('span', [`${text} `, button()])
  }
  /** For failures of small things that have no place of their own; a cancelled one says nothing. */
  function failure(reason: Failure): void {
    if (reason.kind === 'cancelled') return
    const { title, text } = failureText(reason, tPath)
    message.error(foreignText(`${title}. ${text}`, 400), { duration: 6000 })
  }
  return {
    failure,
    done(text: string): void {
      message.success(text)
    },
    /** The same with one thing that can be done about it, and the time to do it. */
    doneWith(text: string, action: ToastAction): void {
      message.success(withAction(text, action), { duration: 10_000, closable: true })
    },
    /** Something that nobody here did, and that should be read. */
    notice(text: string, action?: ToastAction | null): void {
      message.warning(action ? withAction(text, action) : text, { duration: 10_000, closable: true })
    },
    /** The same for what was thrown during `action`. */
    failed(error: unknown, action: string): void {
      failure(failureOf(error, action))
    },
  }
}
