/** Request to the service, without credentials and body. `time`: epoch seconds. */
interface LoggedRequest {
  readonly time: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly credential: 'login' | 'api-token' | 'none'
}

export interface RequestLog {
  add(request: LoggedRequest): void
  /** Returns the last thousand requests, oldest first. */
  list(): readonly LoggedRequest[]
  clear(): void
}

const capacity = 1_000

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = []
  return {
    add: (request) => {
      requests.push(request)
      if (requests.length > 2 * capacity) requests = requests.slice(-capacity)
    },
    list: () => requests.slice(-capacity),
    clear: () => {
      requests = []
    },
  }
}
