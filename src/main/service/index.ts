import { apiTokens } from './api-tokens'
import { bareMetal } from './bare-metal'
import { billing } from './billing'
import { firewallRules } from './firewall-rules'
import { flavors } from './flavors'
import type { ServiceHttp } from './http'
import { images } from './images'
import { machines } from './machines'
import { power } from './power'
import { regions } from './regions'
import { volumes } from './volumes'
import { volumeTypes } from './volume-types'

/** Creates the typed client of one account: every endpoint of api-spec.md and service-extensions.md. */
export const createService = (http: ServiceHttp) => ({
  machines: machines(http),
  power: power(http),
  firewallRules: firewallRules(http),
  volumes: volumes(http),
  images: images(http),
  flavors: flavors(http),
  bareMetal: bareMetal(http),
  billing: billing(http),
  apiTokens: apiTokens(http),
  regions: regions(http),
  volumeTypes: volumeTypes(http),
})
export type Service = ReturnType<typeof createService>
