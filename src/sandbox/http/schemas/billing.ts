import { z } from 'zod'
import { Count, exampleId, exampleTime, Id, Timestamp } from './common'

const ResourceType = z.enum(['vm', 'volume'])
const Fee = z.number().min(0).meta({ description: 'USD' })

export const Balance = z
  .strictObject({ available: z.strictObject({ USD: z.number().meta({ description: 'may be negative' }) }) })
  .meta({ id: 'Balance', examples: [{ available: { USD: 500 } }] })

export const Statement = z
  .strictObject({
    id: Id,
    resource_id: Id,
    resource_type: ResourceType,
    status: z.enum(['paid', 'pending']),
    started_time: Timestamp,
    due_time: Timestamp,
    type: z.literal('lease_fee'),
    amount: Fee,
  })
  .meta({
    id: 'Statement',
    examples: [
      {
        id: exampleId,
        resource_id: exampleId,
        resource_type: 'vm',
        status: 'paid',
        started_time: exampleTime,
        due_time: exampleTime + 86_400,
        type: 'lease_fee',
        amount: 59.76,
      },
    ],
  })

export const Usage = z
  .strictObject({
    id: Id,
    resource: z.strictObject({ id: Id, name: z.string(), display_name: z.string(), type: ResourceType }),
    per_minute_fee: Fee,
    total_uptime: Count.meta({ description: 'minutes' }),
    total_fee: Fee,
    created_time: Timestamp,
    terminated_time: Timestamp.optional().meta({ description: 'Unix epoch, seconds; absent while active' }),
    status: z.enum(['active', 'terminated']),
  })
  .meta({
    id: 'Usage',
    examples: [
      {
        id: exampleId,
        resource: { id: exampleId, name: 'train-1', display_name: 'train-1', type: 'vm' },
        per_minute_fee: 0.0415,
        total_uptime: 1_440,
        total_fee: 59.76,
        created_time: exampleTime,
        status: 'active',
      },
    ],
  })
