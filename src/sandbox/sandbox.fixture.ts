import { createHash } from 'node:crypto'
import { z } from 'zod'
import { documentedAnswers } from './documented-answers.fixture'
import { startSandbox, type RunningSandbox, type SandboxOptions } from './sandbox'

const Answer = z.object({
  status: z.boolean(),
  message: z.string(),
  data: z.unknown().optional(),
  total: z.number().optional(),
})

interface Answered extends z.infer<typeof Answer> {
  readonly code: number
}

export interface TestSandbox extends RunningSandbox {
  /** Sends a request with the API token or `headers`. `body` is sent as JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  control(method: string, path: string, body?: unknown): Promise<Answered>
  /** Returns the validated data of an answer. Throws if the request is refused. */
  read<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.infer<Schema>>
  signIn(): Promise<Record<string, string>>
}

/** Upper bound on the characters of an answer that is validated: the metrics of a month take seconds. */
const maxCheckedLength = 500_000

export const digest = (password: string): string => createHash('md5').update(password).digest('hex')

/** Starts a real sandbox on free ports, with clients that validate each answer against the documentation. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ port: 0, seed: 7, machines: 12, speed: 1, ...options })
  const origin = new URL(sandbox.baseUrl).origin
  // A sandbox without extensions has no document.
  const document = await fetch(`${sandbox.baseUrl}/openapi.json`)
  const check = document.ok ? documentedAnswers(await document.json()) : () => undefined
  const send = async (
    method: string,
    url: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answered> => {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer: unknown = JSON.parse(text)
    const isChecked = url.startsWith(`${sandbox.baseUrl}/`) && text.length <= maxCheckedLength
    const deviation = isChecked && check(method, url.slice(sandbox.baseUrl.length), response.status, answer)
    if (deviation) throw new Error(deviation)
    return { ...Answer.parse(answer), code: response.status }
  }
  const ask: TestSandbox['ask'] = (method, path, body, headers) =>
    send(method, sandbox.baseUrl + path, body, headers ?? { authorization: `Bearer ${sandbox.apiToken}` })
  return {
    ...sandbox,
    ask,
    control: (method, path, body) =>
      send(method, `${origin}/control${path}`, body, { 'x-control-key': sandbox.controlKey }),
    read: async (schema, path) => {
      const answer = await ask('GET', path)
      if (!answer.status) throw new Error(`${path}: ${answer.message}`)
      return schema.parse(answer.data)
    },
    signIn: async () => {
      const credentials = { username: sandbox.username, password: digest(sandbox.password) }
      const { data } = await ask('POST', '/authenticate/login', credentials, {})
      const tokens = z.object({ access_token: z.string(), refresh_token: z.string() }).parse(data)
      return { authorization: `Bearer ${tokens.access_token}`, 'refresh-token': tokens.refresh_token }
    },
  }
}
