import { describe, expect, it } from 'vitest'
import type { Template } from '#shared/bridge/template'
import { templateFixture } from '../../../test/fixtures/template'
import { leftOutOf, readTemplate, secretLinesOf, templateText } from './template-file'

const secretScript = [
  '#!/bin/bash',
  'export HF_TOKEN=hf_abcdefghijklmnop',
  'git clone https://anna:hunter2@git.example.com/x.git',
  'echo done',
].join('\n')

describe('an exported template', () => {
  it('is read again as it was, without its id', () => {
    const { id: _, ...content } = templateFixture()
    expect(readTemplate(templateText(templateFixture()))).toEqual(content)
  })

  it('contains no value that looks secret, in scripts, commands or SSH options', () => {
    const template: Template = {
      ...templateFixture(),
      initScript: secretScript,
      commands: 'wandb login 0123456789abcdef0123456789abcdef01234567',
      ssh: { ...templateFixture().ssh, options: 'SetEnv=WANDB_API_KEY=abc123 Compression=yes' },
    }
    const text = templateText(template)
    for (const secret of ['hf_abcdefghijklmnop', 'hunter2', '0123456789abcdef0123', 'abc123'])
      expect(text).not.toContain(secret)
    expect(text).toContain('git.example.com')
    expect(text).toContain('Compression=yes')
    expect(secretLinesOf(secretScript)).toEqual([2, 3])
    expect(leftOutOf(template)).toBe(4)
  })

  it('contains no private key, which counts as one line', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'
    const initScript = `cat > key <<EOF\n${key}\nEOF\nexport TOKEN=abc\n`
    expect(templateText({ ...templateFixture(), initScript })).not.toContain('MIIE')
    expect(secretLinesOf(initScript)).toEqual([2, 6])
  })

  it.each([
    ['no JSON', 'not json', 'not-json', null],
    ['another file', '{"name":"x"}', 'not-a-template', null],
    [
      'a later version',
      JSON.stringify({ format: 'wheelhouse-template', version: 2, template: {} }),
      'later-version',
      null,
    ],
  ])('is refused if it is %s', (_, text, why, field) => {
    expect(readTemplate(text)).toEqual({ kind: 'refused', why, field })
  })

  it('names the field that is not valid', () => {
    const text = templateText(templateFixture()).replace('"port_range_min": 8888', '"port_range_min": 99999')
    expect(readTemplate(text)).toEqual({
      kind: 'refused',
      why: 'field',
      field: 'firewall.0.port_range_min',
    })
  })
})
