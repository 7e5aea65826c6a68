import type { Translation } from '../translation'
import type { notes as english } from '../en/notes'

export const notes: Translation<typeof english> = {
  tab: 'メモ',
  local: 'このコンピューターにのみ保存されます。フィルターはタグとメモも検索します。',
  tags: {
    title: 'タグ',
    placeholder: 'タグを追加',
    remove: 'タグ {tag} を外す',
    tooLong: '30文字以内にしてください。',
    tooMany: 'タグは20個までです。',
  },
  text: {
    title: 'メモ',
    placeholder: {
      machine: '用途は? 誰がいつまで使う?',
      volume: '内容は? 誰がいつまで必要?',
      token: 'どのプログラムがどこで使用?',
    },
    tooLong: '{count} / 2,000文字',
  },
}
