import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Creation } from '#shared/bridge/creation'
import type { Failure } from '#shared/failure'
import { account, answers, machine, openShell, type StubAnswers } from '../../../test/fixtures/command-line'
import { templateFixture } from '../../../test/fixtures/template'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { publicKey } from '../../../test/fixtures/creation-order'

const oslo = { id: 'o', name: 'Oslo' }
const flavor = {
  id: 'f1',
  name: 'h100.1x',
  region: oslo,
  price: { currency: 'EUR', millionths: 2_500_000 },
  cpu: null,
  ram: null,
  disk: null,
  ephemeral: null,
  gpu: 'H100',
  gpuCount: 1,
  bandwidth: null,
  inStock: true,
  cycle: null,
}
const creation = {
  id: 'c1',
  request: 'r',
  account: account.id,
  kind: 'machine',
  name: 'train',
  sentAt: 1,
  flavor: 'f1',
  cause: null,
  state: { kind: 'created', machine: 'm9', found: false },
  connect: 'none',
  services: 'none',
  usualSeconds: null,
  link: null,
}
const image = { id: 'i1', name: 'Ubuntu', region: oslo, type: null, description: null }
const key = {
  path: '/home/ada/.ssh/lab.pub',
  type: 'ssh-ed25519',
  comment: 'ada',
  publicKey,
  identityFile: '/home/ada/.ssh/lab',
}
const stubs: StubAnswers = {
  ...answers,
  'catalog.flavors': { items: [flavor], asOf: 1, currencyAssumed: false },
  'catalog.images': { items: [image], asOf: 1 },
  'creation.keys': [key],
  'machine.create': creation,
}
const words = ['create', 'train', '--flavor', 'h100.1x', '--image', 'i1', '--key', 'lab']

it('asks at a terminal, with the price', async () => {
  const { run, errors, calls, output } = await openShell({ stubs, typed: 'yes' })
  expect(await run(...words)).toBe(0)
  expect(errors).toEqual(['1 × h100.1x in Oslo: 2.50 EUR', 'Create? Type yes: ', 'Created train.'])
  expect(output).toEqual(['train  m9  created'])
  expect(calls.at(-1)).toMatchObject([
    'machine.create',
    {
      again: [],
      identityFile: '/home/ada/.ssh/lab',
      machine: {
        name: 'train',
        flavor_id: 'f1',
        image_id: 'i1',
        ssh_key: { name: 'ada', public_key: publicKey },
      },
    },
  ])
})

it.each([
  ['another answer', 7, { typed: 'no' }, []],
  ['no terminal', 7, {}, []],
  ['a price above the limit', 9, {}, ['--yes', '--max-per-hour', '2.49']],
  ['a limit that is no amount', 2, {}, ['--yes', '--max-per-hour', 'x']],
  ['too many machines', 2, {}, ['--yes', '--count', '21']],
  ['an unreadable script', 2, {}, ['--yes', '--init-script', '/nowhere/script']],
])('%s ends with code %i and sends nothing', async (_, code, options, more) => {
  const { run, calls } = await openShell({ stubs, ...options })
  expect(await run(...words, ...more)).toBe(code)
  expect(calls.map(([name]) => name)).not.toContain('machine.create')
})

it('a flavor without stock, in several regions or without a price sends nothing', async () => {
  const offer = (...items: readonly unknown[]): StubAnswers => ({
    ...stubs,
    'catalog.flavors': { items, asOf: 1, currencyAssumed: false },
  })
  const soldOut = await openShell({ stubs: offer({ ...flavor, inStock: false }) })
  expect(await soldOut.run(...words, '--yes')).toBe(10)
  const twice = await openShell({
    stubs: offer(flavor, { ...flavor, id: 'f2', region: { id: 'd', name: 'Dallas' } }),
  })
  expect(await twice.run(...words, '--yes')).toBe(2)
  expect(twice.errors.join()).toContain('Oslo, Dallas')
  const unpriced = await openShell({ stubs: offer({ ...flavor, price: null }) })
  expect(await unpriced.run(...words, '--yes', '--max-per-hour', '5')).toBe(9)
  for (const { calls } of [soldOut, twice, unpriced])
    expect(calls.map(([name]) => name)).not.toContain('machine.create')
})

it('an unknown outcome ends with code 6, after the only request', async () => {
  const looking = { ...creation, state: { kind: 'looking', failure: null } }
  const open = await openShell({ stubs: { ...stubs, 'machine.create': looking, 'creation.list': [looking] } })
  expect(await open.run(...words, '--yes', '--count', '2')).toBe(6)
  expect(open.calls.filter(([name]) => name === 'machine.create')).toHaveLength(1)
})

it('an application that quits while the outcome is open ends with code 6', async () => {
  const looking = { ...creation, state: { kind: 'looking', failure: null } }
  for (const lost of ['machine.create', 'creation.list']) {
    const values: StubAnswers = { ...stubs, 'machine.create': looking }
    const { run, calls } = await openShell({
      answer: (name) =>
        name === lost
          ? Promise.reject(new Error('the application quits'))
          : Promise.resolve({ ok: true, value: values[name] }),
    })
    expect(await run(...words, '--yes', '--count', '2')).toBe(6)
    expect(calls.filter(([name]) => name === 'machine.create')).toHaveLength(1)
  }
})

it('a machine that is found without an answer is created', async () => {
  const looking = { ...creation, state: { kind: 'looking', failure: null } }
  const listed = [{ ...creation, state: { kind: 'created', machine: 'm9', found: true } }]
  const found = await openShell({ stubs: { ...stubs, 'machine.create': looking, 'creation.list': listed } })
  expect(await found.run(...words, '--yes')).toBe(0)
})

it('waits with --wait until the machine runs, and fails if it does not', async () => {
  const running = {
    ...creation,
    state: { kind: 'ready', machine: 'm9', found: false, setUp: 'done', detail: null, log: null },
  }
  const ready = await openShell({ stubs: { ...stubs, 'creation.list': [running] } })
  expect(await ready.run(...words, '--yes', '--wait', '--json')).toBe(0)
  expect(ready.output.join()).toContain('"state":"ready"')
  const failed = { ...creation, state: { kind: 'failed', machine: 'm9', found: false, status: 'ERROR' } }
  const broken = await openShell({ stubs: { ...stubs, 'creation.list': [failed] } })
  expect(await broken.run(...words, '--yes', '--wait')).toBe(1)
})

it.each([
  [
    'not-started',
    'answers',
    'train: SSH answers. cloud-init hasn’t started to set it up, and may never do so.',
  ],
  ['degraded', 'ready', 'train: SSH answers. Its set-up is done, with warnings: no nvtop'],
])('with --wait, a set-up that is %s is reported with its reason', async (setUp, word, report) => {
  const located = { machine: 'm9', found: false, log: null }
  const state = { kind: 'ready', ...located, setUp, detail: setUp === 'degraded' ? 'no\nnvtop' : null }
  const { run, output, errors } = await openShell({
    stubs: { ...stubs, 'creation.list': [{ ...creation, state }] },
  })
  expect(await run(...words, '--yes', '--wait')).toBe(0)
  expect(output.join('\n')).toContain(`train  m9  ${word}`)
  expect(errors.at(-1)).toBe(report)
})

it('sends the script of a file', async () => {
  const file = join(temporaryFolder(), 'setup.sh')
  writeFileSync(file, '#!/bin/sh\necho hi\n')
  const { run, calls } = await openShell({ stubs })
  expect(await run(...words, '--yes', '--init-script', file)).toBe(0)
  expect(calls.at(-1)).toMatchObject(['machine.create', { machine: { init_script: '#!/bin/sh\necho hi\n' } }])
})

it('creates from a template, with other values where options give them, and arms nothing', async () => {
  const template = templateFixture({ flavor: 'h100.1x', image: 'Ubuntu', key: 'lab' })
  const listed = [{ ...template, secretLines: { initScript: [], commands: [] } }]
  const served: StubAnswers = { ...stubs, 'templates.list': listed }
  const { run, errors, calls } = await openShell({
    answer: (name) => Promise.resolve({ ok: true, value: served[name] }),
  })
  expect(await run('create', 'train', '--template', 'Training', '--yes')).toBe(0)
  expect(errors[0]).toBe('The automatic end of template Training isn’t armed. Arm it with wheelhouse end.')
  const [prepared, created] = ['plans.prepare', 'machine.create'].map(
    (name) => calls.find(([call]) => call === name)?.[1],
  )
  expect(prepared).toMatchObject({
    name: 'train',
    plan: {
      template: 'Training',
      commands: 'python train.py',
      end: null,
      isEndArmed: false,
      isSshAllowed: false,
    },
  })
  expect(created).toMatchObject({
    machine: { flavor_id: 'f1', image_id: 'i1', init_script: template.initScript },
  })
})

it('without a name, uses free names from the name of the template’s machine', async () => {
  const template = templateFixture({ flavor: 'h100.1x', image: 'Ubuntu', key: 'lab' })
  const listed = [
    { ...template, machineName: 'train-01', secretLines: { initScript: [], commands: [] } },
    {
      ...template,
      id: crypto.randomUUID(),
      name: 'Eval',
      machineName: '',
      secretLines: { initScript: [], commands: [] },
    },
  ]
  const booting = {
    ...creation,
    id: 'c2',
    name: 'train-02',
    state: { kind: 'booting', machine: 'm3', found: false },
  }
  const served: StubAnswers = { ...stubs, 'templates.list': listed, 'creation.list': [booting] }
  const { run, errors, calls } = await openShell({
    answer: (name) => Promise.resolve({ ok: true, value: served[name] }),
  })
  expect(await run('create', '--template', 'Training', '--count', '2', '--yes')).toBe(0)
  const created = calls.filter(([call]) => call === 'machine.create')
  expect(created.map(([, input]) => input)).toMatchObject([
    { machine: { name: 'train-03' } },
    { machine: { name: 'train-04' } },
  ])
  expect(await run('create', '--template', 'Eval', '--yes')).toBe(2)
  expect(errors.at(-1)).toContain('Missing: NAME.')
  expect(calls.filter(([call]) => call === 'machine.create')).toHaveLength(2)
})

it.each<[string, Creation['state']]>([
  ['is being sent', { kind: 'sending' }],
  ['is compared with the machines', { kind: 'looking', failure: null }],
  ['has no machine of its name', { kind: 'absent', others: [] }],
  ['has several machines of its name', { kind: 'unclear', candidates: [] }],
])('a repeated creation from a template has the same name while the earlier one %s', async (_, state) => {
  const template = templateFixture({ flavor: 'h100.1x', image: 'Ubuntu', key: 'lab' })
  const listed = { ...template, machineName: 'train-01', secretLines: { initScript: [], commands: [] } }
  const fleet = {
    account: account.id,
    revision: 1,
    status: { asOf: 1, reading: false, total: 2, failure: null },
    machines: [machine('m1', 'train-01'), ...(state.kind === 'unclear' ? [machine('m2', 'train-02')] : [])],
  }
  const served: StubAnswers = {
    ...stubs,
    'templates.list': [listed],
    'creation.list': [{ ...creation, id: 'c2', name: 'train-02', state }],
    'fleet.snapshot': fleet,
  }
  const failure: Failure = { kind: 'invalid-input', field: 'name', reason: 'outcome-open' }
  const { run, errors, calls } = await openShell({
    answer: (name) =>
      Promise.resolve(name === 'machine.create' ? { ok: false, failure } : { ok: true, value: served[name] }),
  })
  expect(await run('create', '--template', 'Training', '--count', '2', '--yes')).toBe(6)
  expect(errors.at(-1)).toContain('train-02')
  const created = calls.filter(([call]) => call === 'machine.create')
  expect(created.map(([, input]) => input)).toMatchObject([{ machine: { name: 'train-02' } }])
})

it('names an unknown template, and a flavor of a template that the account lacks', async () => {
  const template = templateFixture({ flavor: 'gb200.4x' })
  const { run, errors, calls } = await openShell({
    stubs: { ...stubs, 'templates.list': [{ ...template, secretLines: { initScript: [], commands: [] } }] },
  })
  expect(await run('create', 'train', '--template', 'Eval', '--yes')).toBe(5)
  expect(errors.at(-1)).toContain('No template is called “Eval”. Templates: Training.')
  expect(await run('create', 'train', '--template', 'Training', '--yes')).toBe(5)
  expect(errors.at(-1)).toContain('gb200.4x')
  expect(calls.some(([call]) => call === 'machine.create')).toBe(false)
})

it('creates nothing from a template whose values were left out', async () => {
  const template = templateFixture({ commands: 'HF_TOKEN=••• python train.py' })
  const { run, errors, calls } = await openShell({
    stubs: { ...stubs, 'templates.list': [{ ...template, secretLines: { initScript: [], commands: [] } }] },
  })
  expect(await run('create', 'train', '--template', 'Training', '--yes')).toBe(2)
  expect(errors.at(-1)).toContain('Values were left out of template “Training”')
  expect(calls.some(([call]) => call === 'machine.create')).toBe(false)
})
