// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { defineComponent, h, ref } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { useMachineInSight } from './machine-in-sight'

it('a machine selected during a request is reported next, and none after the tab is closed', async () => {
  const shown = ref(machine({ id: 'a' }))
  const seen: string[] = []
  const answers: (() => void)[] = []
  const look = (_account: string, id: string, looking: boolean): Promise<void> => {
    seen.push(`${id} ${String(looking)}`)
    return new Promise((resolve) => answers.push(resolve))
  }
  const Tab = defineComponent(
    (props: { account: AccountId; machine: MachineView }) => {
      useMachineInSight(props, 'tunnels.tab', look)
      return () => null
    },
    { props: ['account', 'machine'] },
  )
  const window = await mounted(() => h(Tab, { account, machine: shown.value }))
  let isMounted = true
  const unmount = (): void => {
    if (isMounted) window.unmount()
    isMounted = false
  }
  onTestFinished(unmount)
  const answer = async (): Promise<void> => {
    for (const one of answers.splice(0)) one()
    await window.settled()
  }
  shown.value = machine({ id: 'b' })
  await window.settled()
  await answer()
  expect(seen).toEqual(['a true', 'a false', 'b true'])
  shown.value = machine({ id: 'b', startedAt: 1 })
  await window.settled()
  expect(seen.slice(3), 'the same machine, read again').toEqual([])
  shown.value = machine({ id: 'c' })
  await window.settled()
  unmount()
  await answer()
  expect(seen.slice(3)).toEqual(['b false', 'c false'])
})
