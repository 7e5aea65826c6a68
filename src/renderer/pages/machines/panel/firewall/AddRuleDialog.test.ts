// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../../../../test/gallery/mounted'
import { texts } from '../../../../../../test/gallery/texts'
import { account, machine } from '../../../../../../test/gallery/world'
import { t } from '../../../../platform/i18n'
import AddRuleDialog from './AddRuleDialog.vue'

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

  it('missing fields are marked and nothing is sent', async () => {
    const seen = await open(done)
    expect(wrongFields()).toEqual([])
    await window.submit()
    expect(wrongFields()).toEqual(
      (['prefix', 'portMin', 'portMax'] as const).map((key) => t(`firewall.form.${key}`)),
    )
    expect([calls('firewall.add'), seen]).toEqual([[], []])
    expect(document.activeElement).toBe(labelled(t('firewall.form.prefix')))
  })

  it('the first invalid field gets the focus', async () => {
    await open(done)
    await window.type(labelled(t('firewall.form.prefix')), '10.0.0.0/8')
    await window.submit()
    expect(document.activeElement).toBe(labelled(t('firewall.form.portMin')))
  })

  it('invalid input is marked at once', async () => {
    await open(done)
    await window.type(labelled(t('firewall.form.prefix')), texts.html)
    await window.type(labelled(t('firewall.form.portMin')), '65536')
    expect(wrongFields()).toEqual([t('firewall.form.prefix'), t('firewall.form.portMin')])
  })

  it('a preset fills the form and is sent once', async () => {
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
    'a lost answer shows the outcome %s of the look-up',
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

  it('a rule that opens SSH to everyone shows a warning', async () => {
    await open(done)
    await window.click(t('firewall.preset.ssh'))
    await window.type(labelled(t('firewall.form.prefix')), '0.0.0.0/0')
    expect(window.find('[role=alert]').textContent).toContain(t('firewall.sshOpen'))
  })

  it('a rejection appears at the field that the service names', async () => {
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
