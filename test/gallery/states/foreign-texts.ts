import { h } from 'vue'
import FactBox from '../../../src/renderer/components/FactBox.vue'
import { foreignText } from '../../../src/renderer/components/foreign-text'
import MiddleCut from '../../../src/renderer/components/MiddleCut.vue'
import { entry } from '../state'
import { texts } from '../texts'

const facts = (fingerprint: string) => () =>
  h(FactBox, {
    facts: [
      ['Address', '203.0.113.21:22'],
      ['Fingerprint', fingerprint],
    ],
  })

export default [
  entry(FactBox, {
    usual: facts('SHA256:n1sYJ0B9yvl3Yp1sWc7kQ2hU6dZr4eTgXoMfAaVbLqw'),
    long: facts(texts.long.repeat(3)),
    html: facts(texts.html),
    'control characters': facts(texts.control),
    'right to left': { rtl: true, render: facts(texts.rtl) },
  }),
  entry(MiddleCut, {
    usual: () => h(MiddleCut, { text: 'train.py' }),
    cut: { width: 160, render: () => h(MiddleCut, { text: 'checkpoint-step-000120000.safetensors' }) },
    'cut, from right to left': {
      width: 160,
      render: () => h(MiddleCut, { text: 'قائمة-النتائج-النهائية-للتدريب.tar.gz' }),
    },
    'hardly any room': { width: 70, render: () => h(MiddleCut, { text: 'checkpoint-0001.safetensors' }) },
    'two lines': {
      width: 220,
      render: () => h(MiddleCut, { text: 'finetune-llama-70b-instruct-of-team-nlp-eu-07', lines: 2 }),
    },
    'two lines, cut': { width: 180, render: () => h(MiddleCut, { text: texts.long, lines: 2 }) },
    'two lines, short': { width: 180, render: () => h(MiddleCut, { text: 'train-01', lines: 2 }) },
    hostile: { width: 160, render: () => h(MiddleCut, { text: foreignText(texts.control) }) },
  }),
]
