import { createEmitter, type Subscribe } from '#shared/emitter'
import { ChannelError } from './transport'

/** The end of a connection: its listeners are called once, and later channels are rejected. */
export function connectionLoss() {
  const lost = createEmitter<string>()
  let reason: string | undefined
  const onLost: Subscribe<string> = (listener) => {
    if (reason !== undefined) listener(reason)
    return lost.on(listener)
  }
  return {
    onLost,
    isLost: (): boolean => reason !== undefined,
    whileOpen: <Value>(open: () => Promise<Value>): Promise<Value> =>
      reason === undefined ? open() : Promise.reject(new ChannelError('lost', 'connection lost')),
    lose(why: string): void {
      reason = why
      lost.emit(why)
      lost.clear()
    },
    /** Removes all listeners: the connection is closed on purpose. */
    clear: lost.clear,
  }
}
