import type { Translation } from '../translation'
import type { sshAliases as english } from '../en/ssh-aliases'

export const sshAliases: Translation<typeof english> = {
  title: 'SSH エイリアス',
  text: 'ssh、scp、rsync、git、エディターなど、このコンピューターで SSH を使うすべてのツールから、名前でマシンに接続できます。',
  switch: '各マシンのエイリアスを追加',
  consent:
    'SSH 設定に1行追加し、元の設定のコピーを残します。マシンの名前、ユーザー名、アドレスは、別のファイルに暗号化せずに保存されます。',
  config: '自分の SSH 設定',
  line: 'SSH 設定の1行目',
  file: 'エイリアスのファイル',
  preview: 'プレビュー',
  showInFolder: 'フォルダーに表示',
  on: '使用中のエイリアス {count}件',
  off: '追加されるエイリアス {count}件',
  notIncluded:
    'SSH 設定にこの行がなくなったため、エイリアスは機能しません。追加するには、いったんオフにしてからオンにしてください。',
  leftOut: 'エイリアスのないマシン {count}台',
  reasons: {
    name: '名前に使用できるのは英数字、ハイフン、アンダースコアのみで、英字が1文字以上必要です。',
    'no-address': 'まだアドレスがありません。',
    'user-refused':
      'ssh または踏み台ホストで使用できないユーザー名です。「接続」タブで別のユーザー名を設定してください。',
    'no-user': 'ユーザー名が不明です。「接続」タブで設定してください。',
    'in-use':
      '自分またはこのコンピューターの SSH 設定に、この名前のホスト、または一致するパターンがすでにあります。',
    'known-host':
      'この名前の別のホストに接続したことがあり、known_hosts に登録されています。削除するには、この名前を指定して「ssh-keygen -R」を実行してください。',
    'this-computer': 'このコンピューターの名前と同じか、hosts ファイルにこの名前のホストがあります。',
    'identity-file': 'ssh が秘密鍵ファイルの名前を読み取れません。',
  },
  command: 'SSH エイリアス',
  none: 'SSH エイリアスなし: {reason}',
  hint: 'どの SSH ツールからも名前で接続できます:',
  settings: 'SSH エイリアスを設定',
  unreadable: '「{file}」は読み取り可能な SSH 設定ではありません。変更していません。',
  refused: 'ssh が「{file}」を読み取れないため、変更していません: {reason}',
  readOnly: '「{file}」は読み取り専用です。書き込み可能にするか、エイリアスをオフのままにしてください。',
  permissions:
    '「{file}」はほかのユーザーが変更できるため、ssh に拒否されます。ターミナルで「{command}」を実行してから、再試行してください。',
  otherFile:
    '「{file}」は Wheelhouse が作成したファイルではありません。別の場所に移動してから、再試行してください。',
}
