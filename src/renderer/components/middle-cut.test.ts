import { expect, it } from 'vitest'
import { dividedText, withShortNames } from './middle-cut'

const arabic = 'قائمة-النتائج-النهائية-للتدريب'
/** A letter of two code units, with two marks above it. */
const marked = '\u{1F9EA}a\u0301\u0323'

it.each([
  ['a short name', 'train.py', ''],
  ['a name without a suffix', 'train-gpu-cluster-01', 'uster-01'],
  ['a suffix', 'checkpoint-of-the-run-000120000.safetensors', '000.safetensors'],
  ['two suffixes', 'results-of-the-evaluation.tar.gz', 'ion.tar.gz'],
  ['what is too long for a suffix', 'notes.about-everything-that-happened', 'happened'],
  ['a name that is hidden', '.a-configuration-of-something', 'omething'],
  ['a suffix after letters that run to the left', `${arabic}.tar.gz`, 'ريب.tar.gz'],
])('%s keeps its end: %s', (_, name, end) => {
  const parts = dividedText(name)
  expect(parts[1]).toBe(end)
  expect(parts.join('')).toBe(name)
})

it('a suffix stays together with the words after the name', () => {
  const name = 'checkpoint-of-the-run-0001.pt'
  expect(dividedText(`${name} and 2 others`, name)[1]).toBe('-0001.pt and 2 others')
})

it('a grapheme is never divided', () => {
  const isWhole = (part: string): boolean => !/^[\p{M}\u200D\uDC00-\uDFFF]|[\uD800-\uDBFF\u200D]$/u.test(part)
  for (const sign of [marked, '👩‍🔬', '🇨🇭', '한', '\r\n'])
    for (const before of ['', 'x', 'xy', 'xyz'])
      for (const part of dividedText(before + sign.repeat(12)))
        expect([part, isWhole(part)]).toEqual([part, true])
})

// A divided run would show its halves in the wrong order.
it.each([
  ['left to right within right to left', `${arabic}-experiment-42.tar.gz`, 'experiment-42.tar.gz'],
  ['right to left within left to right', `results-${arabic}.txt`, '.txt'],
  ['numbers within right to left', `${arabic} 20260314.csv`, '20260314.csv'],
  ['one run that is too long', `${arabic}-an-experiment-that-has-a-long-name`, ''],
])('a run against the base direction is never divided: %s', (_, name, end) => {
  expect(dividedText(name)).toEqual([name.slice(0, name.length - end.length), end])
})

it('a name of two lines has half of itself on the second line, or as much as fits', () => {
  expect(dividedText('finetune-llama-eu-07', undefined, true)).toEqual(['finetune-l', 'lama-eu-07'])
  expect(dividedText(`finetune-llama-${'x'.repeat(60)}-eu-07`, undefined, true)[1]).toHaveLength(20)
})

it('a long name in a sentence is cut in its middle, and no other word', () => {
  const long = `finetune-llama-${'x'.repeat(60)}-eu-07`
  const cut = withShortNames(`Stop ${long} now?`)
  expect(cut).toMatch(/^Stop finetune-llama-x+…x*-eu-07 now\?$/u)
  expect(cut.length).toBe('Stop  now?'.length + 48)
  expect(withShortNames('Stop train-llama-01 now?')).toBe('Stop train-llama-01 now?')
})
