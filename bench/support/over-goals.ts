/**
 * Returns the slowest of several speeds divided by its goal: 1 is just enough. Null if there is none, or if one was
 * not measured: without it the rest may look better.
 */
export function slowestOverGoal(
  goals: readonly (readonly [name: string, goal: number])[],
  speeds: Readonly<Record<string, number>>,
): number | null {
  const over = goals.map(([name, goal]) => {
    const speed = speeds[name]
    return speed === undefined ? null : speed / goal
  })
  const measured = over.filter((one) => one !== null)
  return over.length === 0 || measured.length < over.length ? null : Number(Math.min(...measured).toFixed(3))
}
