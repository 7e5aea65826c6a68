import type { Translation } from '../translation'
import type { tunnels as english } from '../en/tunnels'

export const tunnels: Translation<typeof english> = {
  tab: 'サービス',
  looking: 'サービスを検索中…',
  listening: 'マシンで待ち受け中',
  more: '最初の{count}件のみ表示しています。',
  other: 'その他のプログラム',
  port: 'ポート {port}',
  empty: {
    title: 'サービスは見つかりませんでした',
    text: 'このマシンで待ち受けているのは SSH だけです。プログラムが起動すると、ここに表示されます。',
  },
  notUnderstood: {
    title: 'サービスの一覧を取得できませんでした',
    text: 'マシンに ss がなく、/proc/net/tcp も読み取れません。',
    next: '番号を指定してポートを転送することはできます。',
  },
  noAnswer: {
    title: 'マシンが応答しませんでした',
    text: '{seconds}秒以内にサービスの一覧が返されませんでした。',
    next: 'このタブを開いている間、Wheelhouse は引き続き試行します。',
  },
  notRunning: {
    title: 'マシンは実行中ではありません',
    text: '実行中になるとサービスが表示されます。',
  },
  hostKey: {
    title: 'ホスト鍵が未承認です',
    text: 'マシンのホスト鍵が承認されていないため、Wheelhouse は接続しませんでした。',
    next: '再試行して鍵を承認するか、先にターミナルで接続してください。',
  },
  waiting: '接続が切れました。{duration}後に再接続します。',
  forward: '転送',
  forwardPort: 'ポートを転送',
  portLabel: 'マシンのポート',
  forwardText:
    'マシンのポート {port} を、このコンピューターの 127.0.0.1:{port} で開きます。使用中の場合は、次の空きポートを使用します。',
  open: '開く',
  openNamed: 'ブラウザーで開く: {service}',
  stop: '停止',
  stopNamed: '転送を停止: {service}',
  opened: 'ブラウザーで開いています: {service}',
  forwarded: '{service}: {address} で利用できます',
  forwards: {
    title: '転送ポート',
    text: 'このコンピューターだけが使用できます。終了またはサインアウトすると転送も終わります。停止した転送は停止したままです。',
  },
  save: '起動のたびに再び開く',
  connect: '接続',
  moved: 'このコンピューターのポート {port} は使用中です。',
  state: {
    connecting: '接続中…',
    unanswered: 'マシンのポート {port} から応答がありません。',
    prohibited: 'SSH サーバーがこのポートへの転送を許可していません (AllowTcpForwarding と PermitOpen)。',
    'not-running': 'マシンの起動を待っています。',
    unasked: '確認なしではサインインできませんでした。続けるには「接続」を選択してください。',
    'host-key-unknown': 'ホスト鍵が未承認です。先にターミナルで接続してください。',
  },
  tooMany: '{count}個のポートを転送しています。先に1つ停止してください。',
  noBrowser: 'ブラウザーを開けませんでした。',
  address: 'アドレス',
}
