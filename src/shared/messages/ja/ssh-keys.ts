import type { Translation } from '../translation'
import type { sshKeys as english } from '../en/ssh-keys'

export const sshKeys: Translation<typeof english> = {
  attempt: 'SSH 鍵の使用',
  title: 'SSH 鍵',
  text: 'マシンへの接続に使用できる、このコンピューターの鍵です。一度成功すると、以後はその鍵だけを試します。',
  loading: 'SSH 鍵を読み込み中…',
  none: 'SSH 鍵はまだありません。生成するか、{folder} に置いてください。',
  cut: '{folder} の最初の500ファイルのみ表示しています。',
  noAgent: 'SSH エージェントが動作していません。',
  unnamed: 'コメントなし',
  agentOnly: 'SSH エージェントのみ',
  noFingerprint: 'フィンガープリント不明: パスフレーズがあり、公開鍵ファイルがありません',
  encrypted: 'パスフレーズあり',
  unencrypted: 'パスフレーズなし',
  hardware: 'セキュリティキー',
  inAgent: 'エージェント内',
  publicKey: '{name} の公開鍵',
  opens: '接続実績: {machines}',
  andMore: '{machines} ほか{count}台',
  generate: '鍵を生成…',
  comment: 'コメント',
  commentHint: '鍵を見分けられるように、公開鍵の末尾に追加されます。',
  passphrase: 'パスフレーズ (任意)',
  passphraseHint: 'ファイルをコピーされた場合に鍵を保護します。5文字以上です。',
  showPassphrase: 'パスフレーズを表示',
  hidePassphrase: 'パスフレーズを非表示',
  noPassphrase:
    'このコンピューターの OpenSSH でパスフレーズを設定するには、ターミナルで ssh-keygen を実行してください。',
  generated: '鍵を生成しました',
}
