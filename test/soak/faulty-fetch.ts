import { control } from '../fixtures/sandbox-control'

type Sandbox = Parameters<typeof control>[0]

/** Occasional faults of a service, without a refused sign-in, as an API token is not renewed. */
const faults = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, headers: { 'retry-after': '30' } },
  { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'not-json', body: '<html>Bad gateway</html>' },
  { kind: 'not-json', body: '{"status": tr' },
]
/** Interval of requests with a fault. */
const interval = 100

/** Node's fetch over real HTTP; one request in a hundred gets a fault of the sandbox. */
export function faultyFetch(sandbox: Sandbox) {
  let requests = 0
  let injected = 0
  let busy = 0

  const faulty: typeof fetch = async (input, init) => {
    requests += 1
    busy += 1
    try {
      if (requests % interval === 0) {
        const fault = faults[injected % faults.length]
        injected += 1
        if (fault) await control(sandbox, 'POST', '/faults', fault)
      }
      return await fetch(input, init)
    } finally {
      busy -= 1
    }
  }
  return {
    fetch: faulty,
    isBusy: () => busy > 0,
    requests: () => requests,
    faults: () => injected,
  }
}
