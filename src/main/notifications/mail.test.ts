import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FailureError } from '#shared/failure'
import { findMailer, mailText, readMailAddress, sendMail } from './mail'
import type { Message } from './message'

const message: Message = {
  kind: 'idle',
  title: 'Idle: 训练-01\nBcc: evil@example.com',
  body: 'first line\n.\nlast line',
  at: 1_780_000_000,
  isUrgent: false,
}
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-mailer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})
/** Writes a mail program that runs these shell commands. */
const mailer = (...lines: readonly string[]): string => {
  const path = join(folder, 'sendmail')
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(path, 0o700)
  return path
}
const env = { PATH: process.env.PATH, HOME: '/nowhere' }
const decoded = (text: string): string => Buffer.from(text, 'base64').toString()

describe('the mail program', () => {
  it('is found on the PATH, else in its usual folders', async () => {
    const path = mailer('exit 0')
    expect(await findMailer('linux', { PATH: folder }, ['sendmail'])).toBe(path)
    expect(await findMailer('linux', { PATH: '/nowhere' }, [path])).toBe(path)
  })

  it('is absent if no such program exists, and on Windows', async () => {
    expect(await findMailer('linux', { PATH: folder }, ['wheelhouse-no-mailer'])).toBeNull()
    expect(await findMailer('win32', { PATH: folder })).toBeNull()
  })
})

it.each([
  ['', 'required'],
  ['anna', 'malformed'],
  ['anna@example.com, bob@example.com', 'malformed'],
  ['anna@example.com\nBcc: bob@example.com', 'malformed'],
  ['Anna <anna@example.com>', 'malformed'],
  [`${'a'.repeat(250)}@example.com`, 'malformed'],
])('the address %j is rejected: %s', (typed, reason) => {
  const failure = { kind: 'invalid-input', field: 'mailAddress', reason }
  expect(() => readMailAddress(typed)).toThrow(FailureError)
  expect(() => readMailAddress(typed)).toThrow(expect.objectContaining({ failure }))
})

it('an address is accepted without the spaces around it', () => {
  expect(readMailAddress(' anna+gpu@mail.example.com ')).toBe('anna+gpu@mail.example.com')
})

it('a mail has encoded texts only, so that a name adds no header', () => {
  const [head = '', body = ''] = mailText('anna@example.com', message).split('\n\n')
  expect(
    head
      .replaceAll('\n ', '')
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual([
    'To',
    'Subject',
    'Date',
    'MIME-Version',
    'Content-Type',
    'Content-Transfer-Encoding',
    'Auto-Submitted',
  ])
  expect(head).toMatch(/^[\x20-\x7e\n]*$/)
  expect(Math.max(...head.split('\n').map(({ length }) => length))).toBeLessThan(90)
  const words = head.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)
  expect([...words].map(([, word = '']) => decoded(word)).join('')).toBe(
    'Wheelhouse: Idle: 训练-01 Bcc: evil@example.com',
  )
  expect(head).toContain('Date: Thu, 28 May 2026 20:26:40 +0000')
  expect(decoded(body)).toBe(`${message.title}\n\n${message.body}\n`)
})

describe('a mail that is handed over', () => {
  it('is read by the program from standard input, with the recipient', async () => {
    const program = mailer(`printf '%s\\n' "$@" > ${folder}/arguments`, `cat > ${folder}/mail`)
    expect(await sendMail(program, 'anna@example.com', message, { env })).toEqual({ kind: 'sent' })
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe('-i\n-t\n')
    expect(readFileSync(join(folder, 'mail'), 'utf8')).toBe(mailText('anna@example.com', message))
  })

  it('is refused with the last line of the program’s errors', async () => {
    const program = mailer('cat > /dev/null', 'echo note >&2', 'echo "no such relay" >&2', 'exit 78')
    expect(await sendMail(program, 'a@b.example', message, { env })).toEqual({
      kind: 'mailer-failed',
      code: 78,
      message: 'no such relay',
    })
  })

  it('is refused by a program that does not read it', async () => {
    expect(await sendMail(mailer('exit 1'), 'a@b.example', message, { env })).toEqual({
      kind: 'mailer-failed',
      code: 1,
      message: '',
    })
  })

  it.each([
    ['sent', 'exit 0', { kind: 'sent' }],
    ['refused', 'echo "no relay" >&2; exit 75', { kind: 'mailer-failed', code: 75, message: 'no relay' }],
  ])('is %s although the program leaves a process behind', async (_outcome, last, expected) => {
    const program = mailer('cat > /dev/null', 'sleep 15 &', last)
    expect(await sendMail(program, 'a@b.example', message, { env, timeoutMs: 10_000 })).toEqual(expected)
  })

  it('has no known outcome if the program does not end, and the program is ended', async () => {
    const program = mailer('cat > /dev/null', 'exec sleep 1000')
    expect(await sendMail(program, 'a@b.example', message, { env, timeoutMs: 300 })).toMatchObject({
      kind: 'mailer-silent',
    })
  })

  it('is not sent if the program is gone', async () => {
    const program = join(folder, 'gone')
    expect(existsSync(program)).toBe(false)
    expect(await sendMail(program, 'a@b.example', message, { env })).toMatchObject({
      kind: 'failed',
      failure: { kind: 'local-fault' },
    })
  })

  it('is not sent if the system refuses to start the program', async () => {
    const program = join(folder, 'x'.repeat(300))
    expect(await sendMail(program, 'a@b.example', message, { env })).toMatchObject({
      kind: 'failed',
      failure: { kind: 'local-fault' },
    })
  })

  it('runs without the variables of this application', async () => {
    const program = mailer('cat > /dev/null', `env > ${folder}/environment`)
    await sendMail(program, 'a@b.example', message, { env: { ...env, WHEELHOUSE_X: '1' } })
    expect(readFileSync(join(folder, 'environment'), 'utf8')).not.toContain('WHEELHOUSE_X')
  })
})
