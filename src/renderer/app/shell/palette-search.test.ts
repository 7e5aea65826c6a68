import { describe, expect, it } from 'vitest'
import { findCommands, type Command } from './palette-search'

const command = (group: Command['group'], title: string, hint = ''): Command => ({
  id: `${group}/${title}`,
  group,
  title,
  hint,
  run: () => undefined,
})
const commands = [
  command('machines', 'eval-train', 'research-lab'),
  command('machines', 'train-llama-01', 'research-lab'),
  command('machines', 'Connect to train-llama-01', 'SSH'),
  command('pages', 'Settings'),
  command('appearance', 'Theme: dark'),
]
const found = (query: string) => findCommands(commands, query).map(({ title }) => title)

describe('findCommands', () => {
  it('puts titles that begin with the query first', () => {
    expect(found('train')).toEqual(['train-llama-01', 'eval-train', 'Connect to train-llama-01'])
  })
  it('requires every word, in any order, in the title or hint', () => {
    expect(found('llama ssh')).toEqual(['Connect to train-llama-01'])
    expect(found('dark theme')).toEqual(['Theme: dark'])
    expect(found('nothing')).toEqual([])
  })
  it('finds composed and decomposed Unicode alike', () => {
    const decomposed = [command('machines', 'Résumé'.normalize('NFD'))]
    expect(findCommands(decomposed, 'résumé'.normalize('NFC'))).toEqual(decomposed)
  })
  it('returns a few commands of each group for an empty query', () => {
    expect(found('  ')).toHaveLength(5)
    const many = Array.from({ length: 10_000 }, (_, index) => command('machines', `node-${index}`))
    expect(findCommands([...many, command('pages', 'Settings')], '')).toHaveLength(5)
  })
  it('matches letters with other letters between them', () => {
    expect(found('stgs')).toEqual(['Settings'])
    expect(found('xq')).toEqual([])
  })
  it('matches scattered letters only if no command contains the whole words', () => {
    const like = command('actions', 'Create another like the-machine')
    const all = [command('machines', 'finetune-qwen'), ...commands, like, command('pages', 'New machine')]
    const first = (query: string) => findCommands(all, query).map(({ title }) => title)
    expect(first('theme')).toEqual(['Theme: dark'])
    expect(first('new')).toEqual(['New machine'])
    expect(first('crtanthr')).toEqual([like.title])
  })
  it('puts the group with the best match first, and matches hidden words', () => {
    const tab = command('actions', 'Volumes: train-llama-01')
    const network = { ...command('settings', 'Network'), keywords: 'proxy' }
    const volume = command('volumes', 'scratch', 'Volumes')
    const all = [volume, tab, command('pages', 'Volumes'), network]
    expect(findCommands(all, 'volumes').map(({ group }) => group)).toEqual(['pages', 'actions', 'volumes'])
    expect(findCommands(all, 'proxy')).toEqual([network])
  })
  it('puts recent commands first', () => {
    const recent = ['machines/eval-train']
    expect(findCommands(commands, 'train', recent).map(({ title }) => title)[0]).toBe('eval-train')
  })
})
