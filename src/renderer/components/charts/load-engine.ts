import type * as Engine from './engine'

let engine: Promise<typeof Engine> | undefined

/** echarts, loaded when the first chart is shown. A load that failed is tried again by the next chart. */
export function loadEngine(): Promise<typeof Engine> {
  engine ??= import('./engine').catch((error: unknown) => {
    engine = undefined
    throw error
  })
  return engine
}
