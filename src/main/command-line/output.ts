import { z } from 'zod'
import { EndAction, HeldReason } from '#shared/bridge/end-rule'
import { WasteEnd } from '#shared/bridge/waste'
import { Money } from '#shared/money/money'

/** Version of the shapes. It changes when a field is removed or gets another meaning; new fields may appear. */
export const outputVersion = 1

const output = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ version: z.literal(outputVersion), ...shape })

const AccountOutput = z.strictObject({ id: z.string(), name: z.string() })
/** `idle` is seconds; `job` a name; `dueAt` the expected end. */
const EndOutput = z.strictObject({
  action: EndAction,
  at: z.number().nullable(),
  idle: z.number().nullable(),
  budget: Money.nullable(),
  job: z.string().nullable(),
  state: z.enum(['armed', 'warned', 'ending', 'held']),
  held: HeldReason.nullable(),
  dueAt: z.number().nullable(),
})
export type EndOutput = z.infer<typeof EndOutput>
/** Times are epoch seconds, sizes GB. Null is unknown; `end` is null without an armed end. */
const MachineOutput = z.strictObject({
  id: z.string(),
  name: z.string(),
  status: z.string().nullable(),
  address: z.string().nullable(),
  user: z.string().nullable(),
  gpu: z.string().nullable(),
  gpuCount: z.number().nullable(),
  cpu: z.number().nullable(),
  ram: z.number().nullable(),
  disk: z.number().nullable(),
  flavor: z.string().nullable(),
  image: z.string().nullable(),
  region: z.string().nullable(),
  startedAt: z.number().nullable(),
  perHour: Money.nullable(),
  soFar: Money.nullable(),
  end: EndOutput.nullable(),
})
export type MachineOutput = z.infer<typeof MachineOutput>
const Named = z.strictObject({ id: z.string(), name: z.string() })
const Load = z.number().nullable()

/** JSON of each command with `--json`, by its name (docs/command-line.md). `error`: of every command that fails. */
export const outputs = {
  ls: output({ account: AccountOutput, asOf: z.number().nullable(), machines: z.array(MachineOutput) }),
  /** `password`: with `--show-secret` only; null if the service reports none. */
  show: output({
    account: AccountOutput,
    asOf: z.number().nullable(),
    machine: MachineOutput,
    password: z.string().nullable().optional(),
  }),
  /** `perHour`: of all machines together. `state`: `created`, or `stateWord` of create.ts with `--wait`. */
  create: output({
    account: AccountOutput,
    perHour: Money.nullable(),
    machines: z.array(Named.extend({ state: z.string() })),
  }),
  /** `regions`: regions in which the flavor is in stock. */
  watch: output({ flavor: z.string(), regions: z.array(z.string()) }),
  start: output({ machine: Named, outcome: z.literal('done') }),
  stop: output({ machine: Named, outcome: z.literal('done') }),
  delete: output({ machine: Named, outcome: z.literal('done') }),
  /** `end`: the armed end; null if there is none. */
  end: output({ machine: Named, end: EndOutput.nullable() }),
  /** `code`: exit code; null if the job runs or the code is unknown. */
  jobs: output({
    account: AccountOutput,
    jobs: z.array(
      z.strictObject({
        id: z.string(),
        machine: Named,
        name: z.string(),
        state: z.enum(['running', 'ended', 'lost']),
        code: z.int().nullable(),
        since: z.number(),
      }),
    ),
  }),
  logs: output({ job: z.string(), text: z.string() }),
  open: output({ page: z.string() }),
  cost: output({
    account: AccountOutput,
    asOf: z.number(),
    currencies: z.array(
      z.strictObject({
        currency: z.string(),
        perHour: z.number(),
        today: z.number(),
        month: z.number(),
        lastMonth: z.number(),
        forecast: z.number(),
      }),
    ),
  }),
  waste: output({
    account: AccountOutput,
    items: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().nullable(),
        reason: z.string(),
        end: WasteEnd,
        perHour: Money.nullable(),
        perMonth: Money.nullable(),
        soFar: Money.nullable(),
      }),
    ),
  }),
  gpus: output({
    account: AccountOutput,
    machines: z.array(
      Named.extend({
        readAt: z.number().nullable(),
        gpus: z.array(
          z.strictObject({
            index: z.number(),
            name: z.string(),
            utilization: Load,
            memoryUsed: Load,
            memoryTotal: Load,
            temperature: Load,
            power: Load,
          }),
        ),
      }),
    ),
  }),
  budget: output({
    account: AccountOutput,
    budget: Money.nullable(),
    currencies: z.array(z.strictObject({ currency: z.string(), month: z.number(), forecast: z.number() })),
  }),
  doctor: output({
    checks: z.array(z.strictObject({ check: z.string(), ok: z.boolean(), text: z.string() })),
  }),
  error: output({ error: z.strictObject({ code: z.int(), kind: z.string(), text: z.string() }) }),
} as const
export type OutputName = keyof typeof outputs
type Printed<Name extends OutputName> = z.infer<(typeof outputs)[Name]>
export type Output<Name extends OutputName> = Omit<Printed<Name>, 'version'>

/** `outputs`, typed so that a shape looked up by a generic name keeps its type. */
export const outputRows: { readonly [Name in OutputName]: z.ZodType<Printed<Name>> } = outputs
