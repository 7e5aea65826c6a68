import { describe, expect, it } from 'vitest'
import { asksSafely, readPrompt } from './prompts'

const target = { user: 'ubuntu', alias: 'm1.a.wheelhouse' }
const shown = 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDvHc9Gqqt1RbCiuvU'
/** As OpenSSH 9.2 asks. */
const unknownHost = (host: string): string =>
  [
    `The authenticity of host '${host}' can't be established.`,
    `ED25519 key fingerprint is ${shown}.`,
    'This key is not known by any other names.',
    'Are you sure you want to continue connecting (yes/no/[fingerprint])? ',
  ].join('\n')
const byJump = (words: string) => ({
  kind: 'other',
  text: `(ubuntu@jump) ${words}`,
  from: 'ubuntu@jump',
})
/** ssh itself asks for the password of another. */
const byName = (from: string): [string, object] => {
  const text = `${from}'s password: `
  return [text, { kind: 'other', text, from }]
}

describe('a prompt of ssh', () => {
  it.each<[string, object]>([
    ["ubuntu@m1.a.wheelhouse's password: ", { kind: 'password' }],
    ['(ubuntu@m1.a.wheelhouse) Password: ', { kind: 'password' }],
    [
      "Enter passphrase for key '/home/o'neil/.ssh/id': ",
      { kind: 'passphrase', path: "/home/o'neil/.ssh/id" },
    ],
    ['Are you sure you want to continue connecting (yes/no/[fingerprint])? ', { kind: 'refused' }],
    ["Please type 'yes', 'no' or the fingerprint: ", { kind: 'refused' }],
    [unknownHost('m1.a.wheelhouse (10.0.0.5)'), { kind: 'refused' }],
    [
      unknownHost('[bastion]:2222 ([10.0.0.1]:2222)'),
      { kind: 'new-host', address: '[bastion]:2222', type: 'ED25519', fingerprint: shown },
    ],
    [`(ubuntu@jump) ${unknownHost('bastion (10.0.0.1)')}`, byJump(unknownHost('bastion (10.0.0.1)'))],
    byName('ubuntu@jump'),
    ['(ubuntu@jump) Password: ', byJump('Password: ')],
    byName('ubuntu@m1.a.wheelhouse.evil'),
    byName('UBUNTU@m1.a.wheelhouse'),
    ['(ubuntu@jump) Really (yes/no)? ', byJump('Really (yes/no)? ')],
    ["(ubuntu@jump) ubuntu@m1.a.wheelhouse's password: ", byJump("ubuntu@m1.a.wheelhouse's password: ")],
    ['(ubuntu@jump) (ubuntu@m1.a.wheelhouse) Password: ', byJump('(ubuntu@m1.a.wheelhouse) Password: ')],
    [
      "(ubuntu@jump) Enter passphrase for key '/home/jane/.ssh/id': ",
      byJump("Enter passphrase for key '/home/jane/.ssh/id': "),
    ],
    byName('root@m1.a.wheelhouse'),
  ])('%j is recognised', (prompt, expected) => {
    expect(readPrompt(prompt, target)).toEqual(expected)
  })

  it.each([
    "ubuntu@m1.a.wheelhouse's password: \n",
    "x\nubuntu@m1.a.wheelhouse's password: ",
    "(ubuntu@m1.a.wheelhouse) ubuntu@m1.a.wheelhouse's password: ",
    "(ubuntu@m1.a.wheelhouse) Enter passphrase for key '/home/jane/.ssh/id': ",
    '(ubuntu@m1.a.wheelhouse) Accept the terms of use (yes/no)? ',
    '(ubuntu@m1.a.wheelhouse) Password of your bank: ',
    "Enter passphrase for key '/a': \nEnter passphrase for key '/b': ",
    "Enter ubuntu@m1.a.wheelhouse's old password: ",
    'Enter PIN for ED25519-SK key /home/jane/.ssh/id_sk: ',
    '--gpu-launcher=sh',
    '',
  ])('%j is only for the user', (prompt) => {
    expect(readPrompt(prompt, target)).toEqual({ kind: 'other', text: prompt })
  })

  it.each([
    ['OpenSSH_9.2p1', true],
    ['OpenSSH_8.5p1', true],
    ['OpenSSH_10.0p2', true],
    ['OpenSSH_for_Windows_9.5p1', true],
    ['OpenSSH_8.4p1', false],
    ['OpenSSH_7.9p1', false],
    ['Dropbear v2022.83', false],
    ['', false],
  ])('ssh %j marks text of the machine: %j', (version, expected) => {
    expect(asksSafely(version)).toBe(expected)
  })
})
