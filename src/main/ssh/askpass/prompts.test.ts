import { describe, expect, it } from 'vitest'
import { asksSafely, readPrompt } from './prompts'

const target = { user: 'ubuntu', alias: 'm1.a.wheelhouse' }

describe('what ssh asks', () => {
  it.each([
    ["ubuntu@m1.a.wheelhouse's password: ", { kind: 'password' }],
    ['(ubuntu@m1.a.wheelhouse) Password: ', { kind: 'password' }],
    [
      "Enter passphrase for key '/home/o'neil/.ssh/id': ",
      { kind: 'passphrase', path: "/home/o'neil/.ssh/id" },
    ],
    ['Are you sure you want to continue connecting (yes/no/[fingerprint])? ', { kind: 'refused' }],
    ["Please type 'yes', 'no' or the fingerprint: ", { kind: 'refused' }],
  ])('%j is known', (prompt, expected) => {
    expect(readPrompt(prompt, target)).toEqual(expected)
  })

  it.each([
    "root@m1.a.wheelhouse's password: ",
    "ubuntu@m1.a.wheelhouse.evil's password: ",
    "ubuntu@jump's password: ",
    "UBUNTU@m1.a.wheelhouse's password: ",
    "ubuntu@m1.a.wheelhouse's password: \n",
    "x\nubuntu@m1.a.wheelhouse's password: ",
    "(ubuntu@m1.a.wheelhouse) ubuntu@m1.a.wheelhouse's password: ",
    "(ubuntu@m1.a.wheelhouse) Enter passphrase for key '/home/jane/.ssh/id': ",
    '(ubuntu@jump) Password: ',
    '(ubuntu@m1.a.wheelhouse) Accept the terms of use (yes/no)? ',
    '(ubuntu@m1.a.wheelhouse) Password of your bank: ',
    "Enter passphrase for key '/a': \nEnter passphrase for key '/b': ",
    "Enter ubuntu@m1.a.wheelhouse's old password: ",
    'Enter PIN for ED25519-SK key /home/jane/.ssh/id_sk: ',
    '--gpu-launcher=sh',
    '',
  ])('%j is for the person alone', (prompt) => {
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
  ])('an ssh of version %j marks what is the machine’s: %j', (version, expected) => {
    expect(asksSafely(version)).toBe(expected)
  })
})
