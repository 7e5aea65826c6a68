import { z } from 'zod'
import { Failure } from '../failure'
import { accountCalls, accountEvents } from './account'
import { activityCalls, activityEvents } from './activity'
import { agentCalls, agentEvents } from './agent'
import { alertCalls, alertEvents } from './alert'
import { apiTokenCalls, apiTokenEvents } from './api-token'
import { appCalls, appEvents } from './app'
import { askpassCalls, askpassEvents } from './askpass'
import { balanceCalls, balanceEvents } from './balance'
import { bareMetalCalls, bareMetalEvents } from './bare-metal'
import { billingCalls, billingEvents } from './billing'
import { capabilityCalls, capabilityEvents } from './capability'
import { catalogCalls, catalogEvents } from './catalog'
import { checkUpCalls, checkUpEvents } from './check-up'
import { commandStreams } from './command'
import { costCalls, costEvents } from './cost'
import { armedCreationCalls, armedCreationEvents, creationCalls, creationEvents } from './creation'
import type { StreamRows, StreamTypes } from './define'
import { editorCalls } from './editor'
import { endRuleCalls, endRuleEvents } from './end-rule'
import { exportCalls } from './export'
import { filesCalls, filesEvents } from './files'
import { firewallCalls } from './firewall'
import { fleetCalls, fleetEvents } from './fleet'
import { gpuCalls, gpuEvents, healthCalls, healthEvents } from './gpu'
import { idleCalls, idleEvents } from './idle'
import { jobCalls, jobEvents } from './job'
import { lastLookCalls } from './last-look'
import { listViewCalls, listViewEvents } from './list-view'
import { machineActionCalls, machineActionEvents } from './machine-action'
import { metricsCalls, metricsEvents } from './metrics'
import { networkAccessCalls, networkAccessEvents } from './network-access'
import { noteCalls, noteEvents } from './note'
import { notificationCalls, notificationEvents } from './notification'
import { processCalls } from './process'
import { reminderCalls, reminderEvents } from './reminder'
import { secretCalls, secretEvents } from './secret'
import { sshCalls, sshConsentCalls, sshConsentEvents, sshEvents, sshSessionCalls } from './ssh'
import { sshAliasCalls, sshAliasEvents } from './ssh-alias'
import { sshKeyCalls } from './ssh-key'
import { ledgerCalls, ledgerEvents, storeCalls, storeEvents } from './store'
import { planCalls, planEvents, templateCalls, templateEvents } from './template'
import { keptCalls, terminalCalls, terminalEvents, terminalStreams } from './terminal'
import { tunnelCalls, tunnelEvents } from './tunnel'
import { updateCalls, updateEvents } from './updates'
import { volumeCalls, volumeEvents } from './volume'
import { wasteCalls, wasteEvents } from './waste'

/** Calls that the window may make. The main process must implement each row. */
export const calls = {
  ...appCalls,
  ...accountCalls,
  ...activityCalls,
  ...agentCalls,
  ...alertCalls,
  ...apiTokenCalls,
  ...armedCreationCalls,
  ...askpassCalls,
  ...balanceCalls,
  ...bareMetalCalls,
  ...billingCalls,
  ...capabilityCalls,
  ...catalogCalls,
  ...checkUpCalls,
  ...costCalls,
  ...creationCalls,
  ...editorCalls,
  ...endRuleCalls,
  ...exportCalls,
  ...filesCalls,
  ...firewallCalls,
  ...fleetCalls,
  ...gpuCalls,
  ...healthCalls,
  ...idleCalls,
  ...jobCalls,
  ...lastLookCalls,
  ...listViewCalls,
  ...machineActionCalls,
  ...metricsCalls,
  ...networkAccessCalls,
  ...noteCalls,
  ...notificationCalls,
  ...planCalls,
  ...processCalls,
  ...reminderCalls,
  ...secretCalls,
  ...sshCalls,
  ...sshSessionCalls,
  ...sshConsentCalls,
  ...sshAliasCalls,
  ...sshKeyCalls,
  ...storeCalls,
  ...ledgerCalls,
  ...templateCalls,
  ...keptCalls,
  ...terminalCalls,
  ...tunnelCalls,
  ...updateCalls,
  ...volumeCalls,
  ...wasteCalls,
} as const

export const events = {
  ...appEvents,
  ...accountEvents,
  ...activityEvents,
  ...agentEvents,
  ...secretEvents,
  ...alertEvents,
  ...apiTokenEvents,
  ...armedCreationEvents,
  ...askpassEvents,
  ...balanceEvents,
  ...billingEvents,
  ...capabilityEvents,
  ...bareMetalEvents,
  ...catalogEvents,
  ...checkUpEvents,
  ...costEvents,
  ...filesEvents,
  ...fleetEvents,
  ...gpuEvents,
  ...healthEvents,
  ...idleEvents,
  ...jobEvents,
  ...listViewEvents,
  ...machineActionEvents,
  ...metricsEvents,
  ...networkAccessEvents,
  ...noteEvents,
  ...notificationEvents,
  ...endRuleEvents,
  ...planEvents,
  ...reminderEvents,
  ...sshEvents,
  ...sshConsentEvents,
  ...sshAliasEvents,
  ...storeEvents,
  ...ledgerEvents,
  ...templateEvents,
  ...terminalEvents,
  ...tunnelEvents,
  ...updateEvents,
  ...volumeEvents,
  ...wasteEvents,
  ...creationEvents,
} as const

/** Streams that the window may open. The main process must implement each row. */
export const streams = { ...commandStreams, ...terminalStreams } as const

export type CallName = keyof typeof calls
export type CallInput<Name extends CallName> = z.infer<(typeof calls)[Name]['input']>
export type CallOutput<Name extends CallName> = z.infer<(typeof calls)[Name]['output']>
export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>

export type Streams = StreamTypes<typeof streams>
export type StreamName = keyof Streams

type CallRows = {
  readonly [Name in CallName]: {
    readonly input: z.ZodType<CallInput<Name>>
    readonly output: z.ZodType<CallOutput<Name>>
  }
}
/** `calls`, typed so that a row looked up by a generic name keeps its types together. */
export const callRows: CallRows = calls

export const streamRows: StreamRows<Streams> = streams

/** Implementations of calls. They throw FailureError for problems that the user must see. */
export type Handlers = {
  readonly [Name in CallName]: (input: CallInput<Name>) => CallOutput<Name> | Promise<CallOutput<Name>>
}

/** Handlers of some rows, as modules provide them. */
export type HandlersOf<Rows> = Pick<Handlers, Extract<keyof Rows, CallName>>

/** Answer to a call; errors are values. The call's own schema validates `value`. */
export const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: Failure }),
])
export type Answer = z.infer<typeof Answer>

export { channels } from './channels'
