// For tools that read TypeScript alone, such as the linter; vue-tsc knows each file's own type.
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}
