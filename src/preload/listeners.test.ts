import { expect, it } from 'vitest'
import { createListeners } from './listeners'

it('an event reaches all its listeners and no others', () => {
  const listeners = createListeners()
  const received: string[] = []
  const note = (who: string) => (payload: unknown) => void received.push(`${who} ${String(payload)}`)
  listeners.add('fleet.changed', note('list'))
  listeners.add('fleet.changed', note('panel'))
  listeners.add('accounts.changed', note('switcher'))

  listeners.emit('fleet.changed', 1)
  expect(received).toEqual(['list 1', 'panel 1'])
})

it('subscriptions are separate, even of one function, until they end', () => {
  const listeners = createListeners()
  const received: unknown[] = []
  const note = (payload: unknown) => void received.push(payload)
  const end = listeners.add('fleet.changed', note)
  listeners.add('fleet.changed', note)

  end()
  end()
  listeners.emit('fleet.changed', 1)
  expect(received).toEqual([1])
})

it('an event reaches all listeners of its time, even if one unsubscribes meanwhile', () => {
  const listeners = createListeners()
  const received: string[] = []
  const end = listeners.add('fleet.changed', () => {
    received.push('first')
    end()
  })
  listeners.add('fleet.changed', () => received.push('second'))

  listeners.emit('fleet.changed', 1)
  listeners.emit('fleet.changed', 2)
  expect(received).toEqual(['first', 'second', 'second'])
})
