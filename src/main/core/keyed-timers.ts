/** What is to be done later, one thing per creation. Once closed, nothing is begun any more. */
export function createAppointments(
  after: (seconds: number, task: () => void) => () => void,
  report: (error: unknown) => void,
) {
  const timers = new Map<string, () => void>()
  let closed = false

  function callOff(id: string): void {
    timers.get(id)?.()
    timers.delete(id)
  }

  return {
    /** Instead of what was to be done for this creation before. A failure is reported. */
    set(id: string, seconds: number, task: () => Promise<void>): void {
      callOff(id)
      if (closed) return
      timers.set(
        id,
        after(seconds, () => {
          timers.delete(id)
          task().catch(report)
        }),
      )
    },
    callOff,
    isClosed: (): boolean => closed,
    close(): void {
      closed = true
      for (const id of [...timers.keys()]) callOff(id)
    },
  }
}
export type Appointments = ReturnType<typeof createAppointments>
