import type { EndpointAnswer } from './endpoint'

/** What every successful answer is wrapped in (api-spec.md §1). */
export const envelope = (answer: EndpointAnswer) => ({ status: true, ...answer })
