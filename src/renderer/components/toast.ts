import { NButton } from 'naive-ui'
import { h } from 'vue'
import { failureText } from '#shared/messages/failure-text'
import { failureOf, type Failure } from '#shared/failure'
import { t, tPath } from '../platform/i18n'
import { useToasts } from '../stores/toasts'
import { foreignText } from './foreign-text'
import { withShortNames } from './middle-cut'

/** How long toasts stay: failures, and toasts with an action or a warning. */
const failureMs = 6000
const actionMs = 10_000

interface ToastAction {
  readonly label: string
  act(): void
}

/** A function is called when the toast appears, for messages that load later. */
type ToastText = string | (() => string)

/** Shows short messages at the edge of the window; App.vue has the live region that reads them out. */
export function useToast() {
  const { show } = useToasts()
  const plain = (text: ToastText): string => foreignText(typeof text === 'string' ? text : text(), 400)
  const sentence = (text: ToastText) => () => h('span', { title: plain(text) }, withShortNames(plain(text)))
  const withAction = (text: ToastText, { label, act }: ToastAction) => {
    const button = () => h(NButton, { text: true, type: 'primary', onClick: act }, () => label)
    return () => h('span', [sentence(text)(), ' ', button()])
  }
  /** Shows a failure that has no place on the page; ignores a cancelled action. */
  function failure(reason: Failure): void {
    if (reason.kind === 'cancelled') return
    const { title, text } = failureText(reason, tPath)
    show({
      kind: 'error',
      content: sentence(t('common.sentences', { first: title, second: text })),
      durationMs: failureMs,
    })
  }
  /** Shows an error that was thrown during `action`. */
  const failed = (error: unknown, action: string): void => failure(failureOf(error, action))
  return {
    failure,
    done(text: ToastText): void {
      show({ kind: 'success', content: sentence(text) })
    },
    /** Shows a success with a follow-up action. */
    doneWith(text: string, action: ToastAction): void {
      show({ kind: 'success', content: withAction(text, action), durationMs: actionMs, closable: true })
    },
    /** Shows a warning that no action of the user caused. */
    notice(text: ToastText, action?: ToastAction | null): void {
      const content = action ? withAction(text, action) : sentence(text)
      show({ kind: 'warning', content, durationMs: actionMs, closable: true })
    },
    failed,
    /** Runs `act`, shows its failure, and returns whether it succeeded. */
    async attempt(action: string, act: () => Promise<unknown>): Promise<boolean> {
      try {
        await act()
        return true
      } catch (error) {
        failed(error, action)
        return false
      }
    },
  }
}
