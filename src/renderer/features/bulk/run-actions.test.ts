import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '#shared/bridge/machine-action'
import { FailureError } from '#shared/failure'
import { useRunActions } from './run-actions'

const refused = new FailureError({ kind: 'refused-by-service', message: 'no', status: 409 })
const absent = new FailureError({ kind: 'not-offered-by-service', what: 'power' })

/** Answers for each machine as the test specifies. */
function scripted(answers: Readonly<Record<string, ActionOutcome | FailureError>>) {
  const asked: string[] = []
  const actions = useRunActions((id) => {
    asked.push(id)
    const answer = answers[id] ?? { kind: 'done' as const }
    return answer instanceof FailureError ? Promise.reject(answer) : Promise.resolve(answer)
  })
  const became = () => Object.fromEntries([...actions.progress].map(([id, { kind }]) => [id, kind]))
  return { ...actions, asked, became }
}

describe('useRunActions', () => {
  it('runs on one machine at a time and reports each outcome', async () => {
    const { run, became, asked, finished } = scripted({
      b: refused,
      c: { kind: 'unknown', failure: { kind: 'timed-out', host: 'h', seconds: 30 } },
    })
    await run(['a', 'b', 'c', 'd'])
    expect(became()).toEqual({ a: 'done', b: 'failed', c: 'unknown', d: 'done' })
    expect(asked).toEqual(['a', 'b', 'c', 'd'])
    expect(finished.value).toBe(true)
  })

  it('stops if the service does not offer the action', async () => {
    const { run, became, asked } = scripted({ a: absent })
    await run(['a', 'b'])
    expect(became()).toEqual({ a: 'failed', b: 'cancelled' })
    expect(asked).toEqual(['a'])
  })

  it('stops only the group of an item that fails for all', async () => {
    const asked: string[] = []
    const { run, progress } = useRunActions(
      (id) => {
        asked.push(id)
        return id === 'a1' ? Promise.reject(absent) : Promise.resolve({ kind: 'done' })
      },
      ([group = '']) => group,
    )
    await run(['a1', 'b1', 'a2', 'b2'])
    expect([...progress.values()].map(({ kind }) => kind)).toEqual(['failed', 'done', 'cancelled', 'done'])
    expect(asked).toEqual(['a1', 'b1', 'b2'])
  })

  it('can be halted and does not start twice', async () => {
    const asked: string[] = []
    const { run, halt, progress } = useRunActions((id) => {
      asked.push(id)
      halt()
      return Promise.resolve({ kind: 'done' })
    })
    await Promise.all([run(['a', 'b']), run(['a', 'b'])])
    expect(asked).toEqual(['a'])
    expect([...progress.values()].map(({ kind }) => kind)).toEqual(['done', 'cancelled'])
  })
})
