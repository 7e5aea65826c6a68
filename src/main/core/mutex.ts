import pLimit from 'p-limit'

/** Runs a task after all earlier tasks have ended, whether they succeeded or not. */
export type Mutex = <Value>(task: () => Promise<Value>) => Promise<Value>

export const createMutex = (): Mutex => pLimit(1)

export function createKeyedMutex<Key>() {
  const mutexes = new Map<Key, Mutex>()
  return <Value>(key: Key, task: () => Promise<Value>): Promise<Value> => {
    const mutex = mutexes.get(key) ?? createMutex()
    mutexes.set(key, mutex)
    return mutex(task)
  }
}
