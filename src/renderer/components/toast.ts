import { NButton } from 'naive-ui'
import { h } from 'vue'
import { failureText } from '#shared/messages/failure-text'
import { failureOf, type Failure } from '#shared/failure'
import { tPath } from '../platform/i18n'
import { useToasts } from '../stores/toasts'
import { foreignText } from './foreign-text'

interface ToastAction {
  readonly label: string
  act(): void
}

/** A function where its words may come after it: it is called when the toast is shown. */
type ToastText = string | (() => string)

/** Short words that come and go at the edge of the window; App.vue puts them into a live region, so they are read out. */
export function useToast() {
  const { show } = useToasts()
  /** Names in it may be foreign. */
  const shown = (text: ToastText): string => foreignText(typeof text === 'string' ? text : text(), 400)
  const withAction = (text: ToastText, { label, act }: ToastAction) => {
    const button = () => h(NButton, { text: true, type: 'primary', onClick: act }, () => label)
    return () => h('span', [`${shown(text)} `, button()])
  }
  /** For failures of small things that have no place of their own; a cancelled one says nothing. */
  function failure(reason: Failure): void {
    if (reason.kind === 'cancelled') return
    const { title, text } = failureText(reason, tPath)
    show({ kind: 'error', content: shown(`${title}. ${text}`), durationMs: 6000 })
  }
  return {
    failure,
    done(text: ToastText): void {
      show({ kind: 'success', content: () => shown(text) })
    },
    /** The same with one thing that can be done about it, and the time to do it. */
    doneWith(text: string, action: ToastAction): void {
      show({ kind: 'success', content: withAction(text, action), durationMs: 10_000, closable: true })
    },
    /** Something that no action here caused, and that should be read. */
    notice(text: ToastText, action?: ToastAction | null): void {
      const content = action ? withAction(text, action) : () => shown(text)
      show({ kind: 'warning', content, durationMs: 10_000, closable: true })
    },
    /** The same for what was thrown during `action`. */
    failed(error: unknown, action: string): void {
      failure(failureOf(error, action))
    },
  }
}
