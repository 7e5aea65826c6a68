import { apiTokens } from './api-tokens'
import { bareMetal } from './bare-metal'
import { billing } from './billing'
import { flavors, images, regions, volumeTypes } from './catalog'
import { firewallRules } from './firewall-rules'
import type { ServiceHttp } from './http'
import { machines } from './machines'
import { power } from './power'
import { volumes } from './volumes'

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
