/** One request that the service received; nothing of its credentials or body is kept. `time` is epoch seconds. */
export interface LoggedRequest {
  readonly time: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly credential: 'login' | 'api-token' | 'none'
}

export interface RequestLog {
  add(request: LoggedRequest): void
  /** Oldest first, the last thousand. */
  list(): readonly LoggedRequest[]
  clear(): void
}

const kept = 1_000

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = []
  return {
    add: (request) => {
      requests.push(request)
      if (requests.length > 2 * kept) requests = requests.slice(-kept)
    },
    list: () => requests.slice(-kept),
    clear: () => {
      requests = []
    },
  }
}
