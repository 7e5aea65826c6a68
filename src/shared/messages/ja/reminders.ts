import type { Translation } from '../translation'
import type { reminders as english } from '../en/reminders'

export const reminders: Translation<typeof english> = {
  title: 'リマインダー',
  hint: 'このマシンの確認を忘れないように通知します。',
  kind: 'タイミング',
  at: '指定時刻',
  after: '経過時間',
  time: '時刻',
  hours: '時間数',
  invalidHours: '0.1～8,784 の時間数を入力してください。',
  invalidTime: '{time} のような時刻を入力してください。',
  add: '通知を設定',
  list: 'このマシンのリマインダー',
  pending: '{moment} ({duration}後)',
  notified: '期限: {moment}',
  cancel: 'リマインダー {moment} をキャンセル',
  dismiss: 'リマインダー {moment} を閉じる',
  set: '{moment}に通知します',
  today: '{time}',
  notice: {
    title: 'リマインダー: {machine}',
    text: '{time}に設定したリマインダーです。マシンを削除するまで課金されます。',
  },
  toast: 'リマインダー: {machine} はまだ存在します。削除するまで課金されます。',
}
