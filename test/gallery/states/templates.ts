import { h } from 'vue'
import { FailureError } from '#shared/failure'
import type { Creation } from '#shared/bridge/creation'
import type { PlanStepState, PlanView, Template, TemplateView } from '#shared/bridge/template'
import { ruleFixture } from '../../../src/renderer/features/firewall/rule.fixture'
import CreationCard from '../../../src/renderer/features/creation/CreationCard.vue'
import CommandsField from '../../../src/renderer/features/templates/CommandsField.vue'
import MachineTemplateDialog from '../../../src/renderer/features/templates/MachineTemplateDialog.vue'
import PlanSteps from '../../../src/renderer/features/templates/PlanSteps.vue'
import TemplateDialog from '../../../src/renderer/features/templates/TemplateDialog.vue'
import TemplatesPage from '../../../src/renderer/pages/templates/TemplatesPage.vue'
import { flavorFixture } from '../../fixtures/flavor'
import { templateFixture } from '../../fixtures/template'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, creationView, machine, now } from '../world'

const view = (changes: Partial<Template> = {}): TemplateView => ({
  ...templateFixture(changes),
  secretLines: { initScript: [], commands: [] },
})
const bare = view({
  id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a22',
  name: 'Notebook',
  initScript: '',
  volumes: [],
  firewall: [],
  ssh: { user: null, port: null, jumpHost: null, forwardAgent: null, options: null },
  commands: '',
  end: null,
})
const hostile = view({
  id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a23',
  name: texts.long.slice(0, 80),
  flavor: texts.html,
  image: texts.rtl,
  volumes: [{ id: 'v', name: texts.html }],
})
const page = (...templates: readonly TemplateView[]): GalleryState => ({
  height: 480,
  render: () => h(TemplatesPage),
  handlers: {
    'templates.list': () => [...templates],
    'catalog.regions': () => ({ asOf: 1, items: [] }),
    'catalog.flavors': () => ({ asOf: 1, currencyAssumed: false, items: [flavorFixture()] }),
  },
})
const dialog = (template: Template, more: object = {}) =>
  h(TemplateDialog, { title: 'Save as template', template, ...more })

const rule = ruleFixture({ prefix: '203.0.113.7/32' })
const failed: PlanStepState = {
  kind: 'failed',
  why: 'failure',
  failure: { kind: 'refused-by-service', message: texts.html, status: 409 },
  reason: null,
}
const plan = (commands: PlanStepState, changes: Partial<PlanView> = {}): PlanView => ({
  request: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a11',
  account,
  name: 'train-1',
  template: 'Training',
  machine: 'm-train',
  steps: [
    { step: 'ssh', state: { kind: 'done' } },
    { step: 'firewall', state: { kind: 'running' } },
    { step: 'commands', state: commands },
  ],
  ...changes,
})
const sent = (state: Creation['state'], changes: Partial<Creation> = {}): Creation =>
  creationView({
    name: 'train-1',
    sentAt: now - 30,
    request: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a11',
    state,
    usualSeconds: 150,
    ...changes,
  })
const booting: Creation['state'] = { kind: 'booting', machine: 'm-train', found: false }
const setUpFailed = sent({
  kind: 'ready',
  machine: 'm-train',
  found: false,
  setUp: 'failed',
  detail: 'Runparts: 1 failures',
  log: 'E: Unable to locate package',
})
const card = (creation: Creation | null, work: PlanView | null): GalleryState => ({
  width: 720,
  render: () => h('ul', h(CreationCard, { creation, plan: work })),
})

export default [
  entry(TemplatesPage, {
    none: page(),
    usual: page(view(), bare),
    hostile: page(hostile),
    'right to left': { ...page(view(), hostile), rtl: true },
  }),
  entry(TemplateDialog, {
    usual: () => dialog(templateFixture()),
    bare: () => dialog(bare),
    notes: () => dialog(bare, { scriptUnknown: true, notes: ['Part of the machine couldn’t be read.'] }),
    'a secret in the script': {
      render: () => dialog(templateFixture()),
      handlers: {
        'templates.list': () => [{ ...view(), secretLines: { initScript: [1, 2], commands: [1] } }],
      },
    },
    'a budget': () =>
      dialog(
        templateFixture({
          end: {
            action: 'stop',
            when: { kind: 'budget', budget: { currency: 'USD', millionths: 50_000_000 } },
          },
        }),
      ),
    hostile: () => dialog(hostile),
  }),
  entry(CommandsField, {
    usual: () =>
      h(CommandsField, { label: 'Commands', maxLength: 100, warning: null, modelValue: 'make train' }),
    warning: () =>
      h(CommandsField, {
        label: texts.long,
        maxLength: 100,
        hint: texts.html,
        warning: texts.long,
        modelValue: 'make train',
      }),
  }),
  entry(MachineTemplateDialog, {
    usual: {
      render: () => h(MachineTemplateDialog, { account, machine: machine() }),
      handlers: { 'firewall.list': () => ({ rules: [rule, { ...rule, protocol: 'any' }], total: 2 }) },
    },
    'a secret in its script': {
      render: () => h(MachineTemplateDialog, { account, machine: machine() }),
      handlers: {
        'firewall.list': () => ({ rules: [rule], total: 1 }),
        'templates.initScript': () => ({
          text: '#!/bin/bash\nexport HF_TOKEN=hf_abcdefghijklmnop\n',
          secretLines: [2],
        }),
      },
    },
    'unread rules': {
      render: () => h(MachineTemplateDialog, { account, machine: machine({ name: texts.html }) }),
      handlers: {
        'firewall.list': () => {
          throw new FailureError({ kind: 'offline' })
        },
      },
    },
  }),
  entry(PlanSteps, { running: () => h(PlanSteps, { plan: plan({ kind: 'waiting' }) }) }),
  entry(CreationCard, {
    'a creation': card(sent(booting), null),
    'with its template': card(sent(booting), plan({ kind: 'waiting' })),
    'held commands': card(setUpFailed, plan({ kind: 'held', why: 'set-up-failed' })),
    'held commands, narrow': {
      ...card(setUpFailed, plan({ kind: 'held', why: 'set-up-unfinished' })),
      width: 420,
    },
    'failed work': card(sent(booting), plan(failed)),
    'work alone': card(null, plan({ kind: 'unknown' })),
    hostile: card(null, plan(failed, { name: texts.long, template: texts.html })),
    narrow: { ...card(sent(booting), plan(failed)), width: 420 },
    'right to left': { ...card(sent(booting), plan(failed)), rtl: true },
  }),
]
