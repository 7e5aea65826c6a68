import type { Translation } from '../translation'
import type { editors as english } from '../en/editors'

export const editors: Translation<typeof english> = {
  attempt: 'エディターの起動',
  openIn: '{editor} で開く',
  title: '{machine} を {editor} で開く',
  action: '開く',
  folder: 'マシン上のフォルダー',
  folderFormat: '/ で始まり、「.」や「..」のフォルダーを含まないパスを入力してください。',
  folderHint: '空欄にすると、マシン上のホームフォルダーを開きます。',
  trust:
    'エディターはマシンに独自のサーバーをインストールし、{alias} として接続します。エディターはマシンを信頼済みとして扱います。マシン上のコードは、転送ポートや Git のサインインなど、エディターに許可したものを使用できます。',
  needsAlias:
    'エディターは SSH エイリアスでマシンに接続しますが、このマシンにはエイリアスがありません。「設定」でエイリアスをオンにしてから、再試行してください。',
  opened: '{machine} を {editor} で開いています',
}
