import { expect, it } from 'vitest'
import { parsePort } from './parse-port'

it.each([
  ['22', 22],
  ['65535', 65_535],
  ['0', null],
  ['65536', null],
  ['22a', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('reads the port %j as %j', (text, port) => expect(parsePort(text)).toBe(port))
