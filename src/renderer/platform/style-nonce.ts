/** Nonce for styles in the page's Content-Security-Policy. The protocol handler writes it into the page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content

/** Sets the nonce on each new style element: css-render of naive-ui (2.45) has no option for it. */
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
