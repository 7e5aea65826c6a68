import { secretName } from '../core/extra-fields'

/** Fields whose text is shown: what api-spec.md and service-extensions.md describe and is no secret. */
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
  // Times and numbers, which an odd record may carry as text.
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

/** Described fields that hold fields of their own: within any other, no name says what a text is. */
const describedObjects = new Set(['login', 'ssh_key', 'flavor', 'image', 'region', 'resource', 'products'])

const mask = '•••'
/** Characters of a record's text. */
const longestText = 4_000

/**
 * A value without what may be a secret: numbers and the like stay, text only under a described name of a described
 * object.
 */
function masked(value: unknown, field: string, isDescribed: boolean): unknown {
  if (value !== null && secretName.test(field)) return mask
  if (typeof value === 'string') return isDescribed && plainFields.has(field) ? value : mask
  if (typeof value !== 'object' || value === null) return value
  const within = isDescribed && (field === '' || describedObjects.has(field))
  if (Array.isArray(value)) return value.map((inner: unknown) => masked(inner, within ? '' : field, within))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key, within)]))
}

/** What came, as text that may be shown and copied: JSON in which all that may be a secret is masked. Pure. */
export function maskedRecord(record: unknown): string {
  const text = JSON.stringify(masked(record, '', true)) ?? 'undefined'
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}
