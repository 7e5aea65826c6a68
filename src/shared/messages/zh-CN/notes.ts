import type { Translation } from '../translation'
import type { notes as english } from '../en/notes'

export const notes: Translation<typeof english> = {
  tab: '备注',
  local: '只保存在本机。筛选时也会搜索标签和备注。',
  tags: {
    title: '标签',
    placeholder: '添加标签',
    remove: '移除标签 {tag}',
    tooLong: '最多 30 个字符。',
    tooMany: '最多 20 个标签。',
  },
  text: {
    title: '备注',
    placeholder: {
      machine: '用途是什么？谁在用，用到什么时候？',
      volume: '存放了什么？谁需要，用到什么时候？',
      token: '哪个程序在用，在哪里用？',
    },
    tooLong: '{count}/2,000 个字符',
  },
}
