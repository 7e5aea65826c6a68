export interface Hook<Value> {
  add(task: (value: Value) => void | Promise<void>): void
  /** Runs the tasks in the order in which they were added, each after the last. Fails with the first failure. */
  run(value: Value): Promise<void>
}

/** A step that other modules add work to: unlike an event, it is over only once their work is done. */
export function createHook<Value>(): Hook<Value> {
  const tasks: ((value: Value) => void | Promise<void>)[] = []
  return {
    add: (task) => void tasks.push(task),
    async run(value) {
      for (const task of tasks) await task(value)
    },
  }
}
