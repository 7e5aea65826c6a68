import type { Translation } from '../translation'
import type { machineActions as english } from '../en/machine-actions'

export const machineActions: Translation<typeof english> = {
  menu: '{machine} の操作',
  actions: {
    start: '起動',
    stop: '停止',
    reboot: '再起動',
    delete: '削除',
  },
  menuItems: {
    start: '起動…',
    stop: '停止…',
    reboot: '再起動…',
    delete: '削除…',
    run: 'コマンドを実行…',
    like: '同じ構成でもう1台作成',
    template: 'テンプレートとして保存…',
    tag: 'タグ、メモ、リマインダー',
  },
  why: {
    'not-offered': 'このサービスでは対応していません。',
    start: 'すでに実行中です。',
    stop: 'すでに停止しています。',
    'not-now': '現在の状態 ({status}) では使用できません。',
    'none-reachable': '現在接続できるマシンがありません。',
    'too-many': 'コマンドを同時に実行できるマシンは{count}台までです。',
  },
  confirm: {
    start: { title: '{machine} を起動しますか?', titleMany: '{count}台のマシンを起動しますか?' },
    stop: { title: '{machine} を停止しますか?', titleMany: '{count}台のマシンを停止しますか?' },
    reboot: { title: '{machine} を再起動しますか?', titleMany: '{count}台のマシンを再起動しますか?' },
    delete: { title: '{machine} を削除しますか?', titleMany: '{count}台のマシンを削除しますか?' },
  },
  text: {
    start: '実行中になると接続できます。',
    stop: '停止中も課金されます。課金を終えるには削除するしかありません。実行中のプログラムは中断されます。',
    reboot: '実行中のプログラムは中断されます。',
    delete:
      'マシンと、そのディスク上のすべてのデータが完全に削除されます。アタッチ中のボリュームは残り、引き続き課金されます。',
  },
  textMany: {
    start: '実行中になると接続できます。',
    stop: '停止中も課金されます。課金を終えるには削除するしかありません。実行中のプログラムは中断されます。',
    reboot: '実行中のプログラムは中断されます。',
    delete:
      'これらのマシンと、そのディスク上のすべてのデータが完全に削除されます。アタッチ中のボリュームは残り、引き続き課金されます。',
  },
  unknown: {
    start: 'サービスがマシンの起動を拒否する可能性があります。',
    stop: 'サービスがマシンの停止を拒否する可能性があります。',
    reboot: 'サービスがマシンの再起動を拒否する可能性があります。',
    delete: 'サービスがマシンの削除を拒否する可能性があります。',
  },
  typeName: '削除するには「{machine}」と入力',
  skipped: { running: 'すでに実行中', stopped: '実行中ではない', moving: '状態の変更中' },
  lost: 'ディスク上の {size} GB が失われます。',
  toast: {
    start: '{machine} を起動しています',
    stop: '{machine} を停止しています。引き続き課金されます。',
    reboot: '{machine} を再起動しています',
    delete: '{machine} を削除しました',
  },
  selection: {
    label: '選択したマシン',
  },
  gone: {
    one: '{machine} はサービスに存在しなくなりました。',
    many: '{machines} はサービスに存在しなくなりました。',
  },
}
