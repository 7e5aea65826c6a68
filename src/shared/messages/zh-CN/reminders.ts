import type { Translation } from '../translation'
import type { reminders as english } from '../en/reminders'

export const reminders: Translation<typeof english> = {
  title: '提醒',
  hint: '提醒我查看此机器。',
  kind: '时机',
  at: '指定时间',
  after: '若干小时后',
  time: '时间',
  hours: '小时',
  invalidHours: '请输入 0.1 到 8,784 之间的小时数。',
  invalidTime: '请输入时间，例如 {time}。',
  add: '提醒我',
  list: '此机器的提醒',
  pending: '{moment}，{duration}后',
  notified: '到期时间：{moment}',
  cancel: '取消提醒：{moment}',
  dismiss: '关闭提醒：{moment}',
  set: '已设置提醒：{moment}',
  today: '今天 {time}',
  notice: {
    title: '提醒：{machine}',
    text: '你设置了 {time} 的提醒。删除机器之前会一直计费。',
  },
  toast: '提醒：{machine} 仍然存在。删除之前会一直计费。',
}
