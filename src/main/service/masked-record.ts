import { secretName } from '../core/extra-fields'

/** Described fields of api-spec.md and service-extensions.md that are no secrets. */
const plainFields = new Set([
  'id',
  '_id',
  'name',
  'display_name',
  'status',
  'type',
  'region',
  'region_id',
  'region_name',
  'fixed_ip',
  'resource_id',
  'resource_type',
  'volume_id',
  'gpu',
  'cycle',
  'bandwidth',
  'payment_currency',
  'currency',
  'direction',
  'protocol',
  'ethertype',
  'remote_ip_prefix',
  'unit',
  'username',
  // Times and numbers, which a malformed record may hold as text.
  'started_time',
  'due_time',
  'created_time',
  'terminated_time',
  'created_at',
  'last_used',
  'amount',
  'per_minute_fee',
  'total_uptime',
  'total_fee',
  'size_gb',
  'price',
  'cpu',
  'ram',
  'disk',
  'gpu_count',
])

/** Described fields that hold objects. Inside other objects, a field name does not describe its value. */
const describedObjects = new Set(['login', 'ssh_key', 'flavor', 'image', 'region', 'resource', 'products'])

const mask = '•••'
const maxTextLength = 4_000

/** Masks values that may be secret. Text stays only in described fields of described objects. */
function masked(value: unknown, field: string, isDescribed: boolean): unknown {
  if (value !== null && secretName.test(field)) return mask
  if (typeof value === 'string') return isDescribed && plainFields.has(field) ? value : mask
  if (typeof value !== 'object' || value === null) return value
  const within = isDescribed && (field === '' || describedObjects.has(field))
  if (Array.isArray(value)) return value.map((inner: unknown) => masked(inner, within ? '' : field, within))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key, within)]))
}

/** Returns a record as JSON with possible secrets masked, to show and copy. Pure. */
export function maskedRecord(record: unknown): string {
  const text = JSON.stringify(masked(record, '', true)) ?? 'undefined'
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
}
