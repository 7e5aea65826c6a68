import { refused } from './plain-values'

/** A name and value of ssh_config(5). */
export type SshOption = readonly [name: string, value: string]

const yesNo = /^(?:yes|no)$/
const seconds = /^\d{1,5}$/
/** Names of algorithms in their order; a leading +, - or ^ edits ssh's default list. */
const algorithms = /^[+^-]?[\w@.*?-]+(?:,[\w@.*?-]+)*$/

/**
 * What a person may set besides. None of these runs a program, reads a file, opens a port or changes how a host key is
 * checked. Values have no blanks, quotes, `%` or `$`, so that every shell and terminal passes them on unchanged.
 */
const permitted: Readonly<Record<string, RegExp>> = {
  AddressFamily: /^(?:any|inet|inet6)$/,
  Ciphers: algorithms,
  Compression: yesNo,
  ConnectionAttempts: seconds,
  ConnectTimeout: seconds,
  HostKeyAlgorithms: algorithms,
  IPQoS: /^\w{1,20}$/,
  KexAlgorithms: algorithms,
  MACs: algorithms,
  PubkeyAcceptedAlgorithms: algorithms,
  // One variable by its name: a pattern could send more than the person thinks of.
  SendEnv: /^[A-Za-z_]\w{0,63}$/,
  ServerAliveInterval: seconds,
  SetEnv: /^[A-Za-z_]\w{0,63}=[\w@.,:/+-]{0,256}$/,
  TCPKeepAlive: yesNo,
}
export const permittedOptions = Object.keys(permitted)
const longest = 2_000

/** Repeatable options, merged into one: ssh uses the first occurrence. */
const gathered = ['SendEnv', 'SetEnv'] as const

/** `Name=value` several times, with blanks between them; null where one of them is not permitted, or twice there. */
export function readOptions(text: string): readonly SshOption[] | null {
  if (text.length > longest) return null
  const options: SshOption[] = []
  const variables = new Map<string, string[]>(gathered.map((name) => [name, []]))
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const [, given = '', value = ''] = /^([A-Za-z]+)=(.*)$/.exec(word) ?? []
    const name = permittedOptions.find((known) => known.toLowerCase() === given.toLowerCase())
    if (name === undefined || !permitted[name]?.test(value)) return null
    const among = variables.get(name)
    if (among) among.push(value)
    else if (options.some(([other]) => other === name)) return null
    else options.push([name, value])
  }
  const all = [...variables].filter(([, values]) => values.length > 0)
  return [...options, ...all.map(([name, values]) => [name, values.join(' ')] as const)]
}

/** `text` as options, written as ssh_config(5) does. Fails with invalid-input (options). */
export function plainOptions(text: string): string {
  const options = readOptions(text)
  if (options === null) throw refused('options', 'malformed')
  return options.flatMap(([name, value]) => value.split(' ').map((part) => `${name}=${part}`)).join(' ')
}
