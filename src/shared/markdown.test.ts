import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMarkdown } from './markdown'

describe('the Markdown of the user guide', () => {
  it('has headings with the anchors that GitHub gives them', () => {
    expect(parseMarkdown('# Keys & agents\n\n## What’s `SSH`?')).toEqual([
      { kind: 'heading', level: 1, id: 'keys--agents', line: [{ kind: 'text', text: 'Keys & agents' }] },
      {
        kind: 'heading',
        level: 2,
        id: 'whats-ssh',
        line: [
          { kind: 'text', text: 'What’s ' },
          { kind: 'code', text: 'SSH' },
          { kind: 'text', text: '?' },
        ],
      },
    ])
  })

  it('joins the lines of a paragraph, with bold text, code, links and pictures in them', () => {
    expect(parseMarkdown('Press **Connect**\nor [read on](ssh.md#keys): ![Panel](pictures/ssh.png)')).toEqual(
      [
        {
          kind: 'paragraph',
          line: [
            { kind: 'text', text: 'Press ' },
            { kind: 'strong', text: 'Connect' },
            { kind: 'text', text: ' or ' },
            { kind: 'link', text: 'read on', to: 'ssh.md#keys' },
            { kind: 'text', text: ': ' },
            { kind: 'image', text: 'Panel', to: 'pictures/ssh.png' },
          ],
        },
      ],
    )
  })

  it('has lists whose items may span lines', () => {
    const one = [{ kind: 'text', text: 'one more' }]
    const two = [{ kind: 'text', text: 'two' }]
    expect(parseMarkdown('- one\n  more\n- two')).toEqual([
      { kind: 'list', ordered: false, items: [one, two] },
    ])
    expect(parseMarkdown('1. one\n   more\n2. two')).toEqual([
      { kind: 'list', ordered: true, items: [one, two] },
    ])
  })

  it('has tables and code', () => {
    expect(
      parseMarkdown('| Key | For |\n| --- | --- |\n| `C` | SSH |\n\n    ssh-add ~/.ssh/id\n      -v'),
    ).toEqual([
      {
        kind: 'table',
        head: [[{ kind: 'text', text: 'Key' }], [{ kind: 'text', text: 'For' }]],
        rows: [[[{ kind: 'code', text: 'C' }], [{ kind: 'text', text: 'SSH' }]]],
      },
      { kind: 'code', text: 'ssh-add ~/.ssh/id\n  -v' },
    ])
  })

  it('treats HTML as text', () => {
    expect(parseMarkdown('<img src=x onerror=alert(1)>')).toEqual([
      { kind: 'paragraph', line: [{ kind: 'text', text: '<img src=x onerror=alert(1)>' }] },
    ])
  })

  it('parses long lines of unclosed markup in linear time', () => {
    for (const part of ['[', '![', '[a](', '`a [', '**a '])
      expect(parseMarkdown(part.repeat(60_000))).toHaveLength(1)
  })

  it('applies the first markup that matches', () => {
    const inlines = /`([^`]+)`|\*\*([^*]+)\*\*|(!?)\[([^\]]*)\]\(([^)\s]+)\)/g
    const texts = fc.array(fc.constantFrom('`', '*', '**', '!', '[', ']', '](', ')', 'a', ' '), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(texts, (parts) => {
        const source = `x${parts.join('')}`
        const [block] = parseMarkdown(source)
        const found = block?.kind === 'paragraph' ? block.line.filter(({ kind }) => kind !== 'text') : []
        expect(found.map(({ text }) => text)).toEqual(
          [...source.matchAll(inlines)].map(([, code, strong, , text]) => code ?? strong ?? text),
        )
      }),
    )
  })
})
