import type { Ledger } from '../../billing/ledger'
import type { Secrets } from '../../secrets'
import type { Cloud } from '../../cloud/cloud'
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

/** Creates the 20 endpoints of the specification (api-spec.md §4) and the 11 beyond it (service-extensions.md). */
export const endpointsOf = (deps: {
  readonly cloud: Cloud
  readonly secrets: Secrets
  readonly ledger: Ledger
  readonly authentication: Authentication
}): Endpoint[] => [
  ...authenticateEndpoints(deps.authentication),
  ...machineEndpoints(deps.cloud, deps.secrets),
  ...powerEndpoints(deps.cloud),
  ...firewallRuleEndpoints(deps.cloud),
  ...volumeEndpoints(deps.cloud),
  ...catalogEndpoints(deps.cloud),
  ...bareMetalEndpoints(deps.cloud),
  ...billingEndpoints(deps.cloud, deps.ledger),
  ...apiTokenEndpoints(deps.cloud, deps.secrets),
]
