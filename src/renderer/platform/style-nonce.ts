/** The nonce that the page's Content-Security-Policy accepts styles by; the protocol handler writes it into the page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content

/**
 * Gives every style element made from now on the page's nonce. naive-ui (2.45) mounts its styles through css-render,
 * which has no setting for it; without the nonce the policy would drop them.
 */
export function allowOwnStyles(): void {
  if (!nonce) return
  document.createElement = new Proxy(document.createElement, {
    apply(create, target, input) {
      const element: unknown = Reflect.apply(create, target, input)
      if (element instanceof HTMLStyleElement) element.nonce = nonce
      return element
    },
  })
}
