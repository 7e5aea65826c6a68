import type { Books } from '../../billing/ledger'
import type { Secrets } from '../../secrets'
import type { World } from '../../cloud/cloud'
import type { Authentication } from '../authentication'
import type { Endpoint } from '../endpoint'
import { apiTokenEndpoints } from './api-tokens'
import { authenticateEndpoints } from './authenticate'
import { bareMetalEndpoints } from './bare-metal'
import { billingEndpoints } from './billing'
import { catalogEndpoints } from './catalog'
import { firewallRuleEndpoints } from './firewall-rules'
import { machineEndpoints } from './machines'
import { powerEndpoints } from './power'
import { volumeEndpoints } from './volumes'

/** The 20 endpoints of the specification (api-spec.md §4), and the 11 beyond it (service-extensions.md). */
export const endpointsOf = (parts: {
  readonly world: World
  readonly secrets: Secrets
  readonly books: Books
  readonly authentication: Authentication
}): Endpoint[] => [
  ...authenticateEndpoints(parts.authentication),
  ...machineEndpoints(parts.world, parts.secrets),
  ...powerEndpoints(parts.world),
  ...firewallRuleEndpoints(parts.world),
  ...volumeEndpoints(parts.world),
  ...catalogEndpoints(),
  ...bareMetalEndpoints(parts.world),
  ...billingEndpoints(parts.world, parts.books),
  ...apiTokenEndpoints(parts.world, parts.secrets),
]
