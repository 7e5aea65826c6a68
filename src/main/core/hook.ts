export interface Hook<Value> {
  add(task: (value: Value) => void | Promise<void>): void
  /** Runs the tasks one after another, in the order in which they were added. Fails with the first failure. */
  run(value: Value): Promise<void>
}

/** A step to which other modules add work. Unlike an event, it ends only when their work is done. */
export function createHook<Value>(): Hook<Value> {
  const tasks: ((value: Value) => void | Promise<void>)[] = []
  return {
    add: (task) => void tasks.push(task),
    async run(value) {
      for (const task of tasks) await task(value)
    },
  }
}
