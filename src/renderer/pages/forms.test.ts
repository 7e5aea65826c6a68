// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { BillingTotal } from '#shared/bridge/billing'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../test/gallery/mounted'
import { texts } from '../../../test/gallery/texts'
import { account, machine, now, usd } from '../../../test/gallery/world'
import { t } from '../platform/i18n'
import ResourceFilter from './billing/ResourceFilter.vue'
import TotalBar from './billing/TotalBar.vue'
import AddRuleDialog from './machines/panel/firewall/AddRuleDialog.vue'
import ReminderSection from './machines/panel/ReminderSection.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const labelOf = (input: HTMLElement) => window.find(`label[for="${input.id}"]`).textContent
const labelled = (label: string) =>
  window.all('input').find((input) => labelOf(input) === label) ?? document.body
const wrongFields = () => window.all('[aria-invalid=true]').map(labelOf)

describe('AddRuleDialog', () => {
  const done = (): ActionOutcome => ({ kind: 'done' })
  const open = async (add: () => ActionOutcome, lookUp: () => LookUp = () => 'unknown') => {
    const { seen, on } = emissions('added', 'close')
    window = await mounted(() => h(AddRuleDialog, { account, stillOpen: null, machine: machine(), ...on }), {
      'firewall.ownAddresses': () => [],
      'firewall.add': add,
      'firewall.lookUp': lookUp,
    })
    return seen
  }

  it('sends nothing while fields are missing, and says which', async () => {
    const seen = await open(done)
    expect(wrongFields()).toEqual([])
    await window.submit()
    expect(wrongFields()).toEqual(
      (['prefix', 'portMin', 'portMax'] as const).map((key) => t(`firewall.form.${key}`)),
    )
    expect([calls('firewall.add'), seen]).toEqual([[], []])
    expect(document.activeElement).toBe(labelled(t('firewall.form.prefix')))
  })

  it('puts the focus on the first field that is wrong', async () => {
    await open(done)
    await window.type(labelled(t('firewall.form.prefix')), '10.0.0.0/8')
    await window.submit()
    expect(document.activeElement).toBe(labelled(t('firewall.form.portMin')))
  })

  it('says at once what is wrong with what was typed', async () => {
    await open(done)
    await window.type(labelled(t('firewall.form.prefix')), texts.html)
    await window.type(labelled(t('firewall.form.portMin')), '65536')
    expect(wrongFields()).toEqual([t('firewall.form.prefix'), t('firewall.form.portMin')])
  })

  it('begins with a preset, and sends it once', async () => {
    const seen = await open(done)
    await window.click(t('firewall.preset.https'))
    await window.submit()
    expect(calls('firewall.add')).toEqual([
      {
        account,
        machine: 'm-train',
        rule: expect.objectContaining({
          protocol: 'tcp',
          remote_ip_prefix: '0.0.0.0/0',
          port_range_min: 443,
          port_range_max: 443,
        }),
      },
    ])
    expect(seen).toEqual([['added']])
  })

  it.each(['done', 'not-done', 'unknown'] as const)(
    'shows a lost answer that turns out %s',
    async (found) => {
      const lost: ActionOutcome = { kind: 'unknown', failure: { kind: 'offline' } }
      const seen = await open(
        () => lost,
        () => found,
      )
      await window.click(t('firewall.preset.https'))
      await window.submit()
      expect([calls('firewall.add').length, calls('firewall.lookUp').length]).toEqual([1, 1])
      expect(seen).toEqual(found === 'done' ? [['added']] : [])
      if (found !== 'done')
        expect(window.find('[role=status]').textContent).toContain(t(`common.lostAnswer.${found}.title`))
    },
  )

  it('warns before SSH is open to everyone', async () => {
    await open(done)
    await window.click(t('firewall.preset.ssh'))
    await window.type(labelled(t('firewall.form.prefix')), '0.0.0.0/0')
    expect(window.find('[role=alert]').textContent).toContain(t('firewall.sshOpen'))
  })

  it('shows a refusal at the field that the service names', async () => {
    await open(() => {
      const failure = { kind: 'refused-by-service', message: texts.html, status: 422 } as const
      throw new FailureError({ ...failure, field: 'remote_ip_prefix' })
    })
    await window.click(t('firewall.preset.http'))
    await window.submit()
    expect(wrongFields()).toEqual([t('firewall.form.prefix')])
    expect(window.all('dialog img')).toEqual([])
  })
})

describe('ReminderSection', () => {
  const open = async () => {
    window = await mounted(() => h(ReminderSection, { account, machine: machine() }), {
      'reminders.add': ({ at }) => ({
        id: 'r-1',
        account,
        machine: 'm-train',
        name: 'train-llama-01',
        at,
        notified: false,
      }),
    })
  }

  it('can be set for a time that is one', async () => {
    await open()
    const button = window.named(t('reminders.add'))
    await window.type(labelled(t('reminders.time')), '25:00')
    expect([wrongFields(), button.hasAttribute('disabled')]).toEqual([[t('reminders.time')], true])
    await window.type(labelled(t('reminders.time')), '23:59')
    expect([wrongFields(), button.hasAttribute('disabled')]).toEqual([[], false])
  })

  it('counts hours from now', async () => {
    await open()
    await window.click(t('reminders.after'))
    await window.type(labelled(t('reminders.hours')), '2,5')
    const before = Math.floor(Date.now() / 1000) + 9_000
    await window.submit()
    const [added] = calls('reminders.add')
    expect(added).toMatchObject({ account, machine: 'm-train' })
    expect(added).toHaveProperty(
      'at',
      expect.toSatisfy((at: number) => at >= before - 5 && at <= before + 5),
    )
  })
})

describe('ResourceFilter', () => {
  const resource = (id: string, name: string) => ({ id, name, type: 'vm', ended: null })
  const known = [
    resource('vm-000001', 'node'),
    resource('vm-000002', 'node'),
    resource('vm-000003', texts.html),
  ]
  const open = async (free: boolean) => {
    const { seen, on } = emissions('choose')
    window = await mounted(() => h(ResourceFilter, { account, resource: null, name: '', free, ...on }), {
      'billing.resources': () => known,
    })
    return { seen, input: window.find('input') }
  }
  const take = async (input: HTMLElement, text: string) => {
    await window.type(input, text)
    await window.press(input, 'Enter')
  }

  it('takes an id, and a name that only one has', async () => {
    const { seen, input } = await open(false)
    await take(input, 'VM-000002')
    expect(seen).toEqual([['choose', known[1], '']])
    await take(input, texts.html)
    expect(seen.at(-1)).toEqual(['choose', known[2], ''])
  })

  it('says at the field that a name is not known, or not enough', async () => {
    const { seen, input } = await open(false)
    await take(input, 'node')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      t('billing.filters.resourceUnknown'),
    )
    expect(seen).toEqual([])
  })

  it('takes a part of a name where the service can look for one', async () => {
    const { seen, input } = await open(true)
    await take(input, 'nod')
    expect(seen).toEqual([['choose', null, 'nod']])
  })
})

describe('TotalBar', () => {
  const total: BillingTotal = {
    entries: 2,
    amounts: [
      { money: usd(12.5), assumed: false },
      { money: { currency: 'EUR', millionths: 3_000_000 }, assumed: true },
    ],
    unreadable: 1,
    complete: false,
    source: { kind: 'ledger', asOf: now },
  }
  const show = async (others: object) => {
    const { seen, on } = emissions('all', 'stop')
    window = await mounted(() =>
      h(TotalBar, {
        table: 'statements',
        count: 2,
        total: null,
        waits: false,
        failure: null,
        job: null,
        ...others,
        ...on,
      }),
    )
    return seen
  }

  it('keeps currencies apart, and says what is assumed, missing and left out', async () => {
    await show({ total })
    const words = window.find('[role=status]').textContent
    for (const part of [
      '12.50 USD',
      '3.00 EUR',
      t('billing.total.assumed', { currency: 'EUR' }),
      t('billing.total.unreadable', {}, 1),
      t('billing.total.incomplete'),
      t('billing.total.fromLedger'),
    ])
      expect(words).toContain(part)
  })

  it('adds up what takes a while only when asked, shows how far it is, and stops', async () => {
    const seen = await show({ waits: true, failure: { kind: 'offline' } })
    expect(window.text()).toContain(t('failures.offline.title'))
    await window.click(t('billing.total.action'))
    window.unmount()
    const stopped = await show({ job: { id: 'j', done: 1_200, total: 4_000 } })
    expect(window.text()).toContain('1,200')
    await window.click(t('billing.total.stop'))
    expect([seen, stopped]).toEqual([[['all']], [['stop']]])
  })
})
