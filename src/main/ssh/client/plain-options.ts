import { refused } from './plain-values'

/** A name and value of ssh_config(5). */
export type SshOption = readonly [name: string, value: string]

const yesNo = /^(?:yes|no)$/
const seconds = /^\d{1,5}$/
/** Names of algorithms in their order; a leading +, - or ^ edits ssh's default list. */
const algorithms = /^[+^-]?[\w@.*?-]+(?:,[\w@.*?-]+)*$/

/**
 * Options that the user may set. They run no program, read no file, open no port and change no check of a host key. Values
 * have no spaces, quotes, `%` or `$`, so that every shell and terminal passes them on unchanged.
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
  // No patterns: they could send more variables than the user expects.
  SendEnv: /^[A-Za-z_]\w{0,63}$/,
  ServerAliveInterval: seconds,
  SetEnv: /^[A-Za-z_]\w{0,63}=[\w@.,:/+-]{0,256}$/,
  TCPKeepAlive: yesNo,
}
export const permittedOptions = Object.keys(permitted)
const maxLength = 2_000

/** Options that may be repeated. They are merged, as ssh uses only the first occurrence. */
const mergedNames = ['SendEnv', 'SetEnv'] as const

/** Parses `Name=value` words; null: an option is not permitted, or occurs twice. */
export function readOptions(text: string): readonly SshOption[] | null {
  if (text.length > maxLength) return null
  const options: SshOption[] = []
  const variables = new Map<string, string[]>(mergedNames.map((name) => [name, []]))
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const [, typedName = '', value = ''] = /^([A-Za-z]+)=(.*)$/.exec(word) ?? []
    const name = permittedOptions.find((known) => known.toLowerCase() === typedName.toLowerCase())
    if (name === undefined || !permitted[name]?.test(value)) return null
    const values = variables.get(name)
    if (values) values.push(value)
    else if (options.some(([existing]) => existing === name)) return null
    else options.push([name, value])
  }
  const all = [...variables].filter(([, values]) => values.length > 0)
  return [...options, ...all.map(([name, values]) => [name, values.join(' ')] as const)]
}

/** Normalises options to the spelling of ssh_config(5). Fails with invalid-input (options). */
export function plainOptions(text: string): string {
  const options = readOptions(text)
  if (options === null) throw refused('options', 'malformed')
  return options.flatMap(([name, value]) => value.split(' ').map((part) => `${name}=${part}`)).join(' ')
}
