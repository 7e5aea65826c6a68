import type { Translation } from '../translation'
import type { sshConsent as english } from '../en/ssh-consent'

export const sshConsent: Translation<typeof english> = {
  title: 'マシンでの SSH の使用',
  question: 'Wheelhouse にマシンでの SSH の使用を許可しますか?',
  text: 'Wheelhouse は、ターミナルと同じユーザーと鍵を使い、{account} のすべてのマシン (新規を含む) にサインインします。許可する操作を選択してください:',
  purposes: {
    gpu: {
      name: 'GPU 監視',
      text: '実行中のマシンで nvidia-smi (または amd-smi、rocm-smi) と、GPU 上のプログラムを特定するための ps、ls、cat のみを実行します。1分ごと、GPU タブを開いている間は数秒ごとに実行します。5分ごとに、ディスク容量、メモリ、負荷、カーネルの GPU エラーも読み取ります。計測値は暗号化され、最長90日間このコンピューターに保存されます。',
    },
    services: {
      name: 'サービス',
      text: 'タブを開いている間、Jupyter、TensorBoard などのプログラムを ss (または /proc/net/tcp) で検出します。このコンピューターだけが使用できるトンネルを通して開きます。',
    },
    files: {
      name: 'ファイル',
      text: 'タブを開いている間、SFTP でファイルを一覧表示、管理します。マシンに openssl または sha256sum があれば、チェックサムを計算します。',
    },
    startup: {
      name: '起動の確認',
      text: '作成したマシンに SSH が応答するまで接続を試み、その後、セットアップが完了するまで10秒ごとに cloud-init status を実行します。エラーの後と、ログを開いている間は、セットアップのログの末尾を読み取ります。',
    },
    look: {
      name: '削除前の確認',
      text: 'マシンを停止または削除する前に、Git リポジトリ、GPU 上のプログラム、tmux と screen のセッション、新しい大きなファイルを、一度だけ最大10秒間読み取ります。何も変更を加えません。',
    },
    jobs: {
      name: 'ジョブ',
      text: 'マシンのジョブを監視している間、実行中かどうかを1分に1回問い合わせ、終了時またはログを開いたときにログの末尾を読み取ります。開始するのは、入力されたコマンドだけです。',
    },
  },
  hostKeys:
    '何もインストールしません。「設定」で事前の確認をオンにしていない限り、各マシンの最初のホスト鍵を信頼して保存します。',
  later: '後から「設定」で、またはマシンごとに「接続」タブで変更できます。',
  give: 'すべてのマシンで許可',
  giveHere: 'このマシンのみ許可',
  off: {
    title: '{purpose}: このマシンでは SSH がオフです',
    text: '{machine} では手動でオフにされています。ほかのマシンには影響しません。',
    turnOn: 'オンにする',
  },
  label: 'SSH の用途',
  settings: {
    text: 'このアカウントのすべてのマシン (新規を含む) に適用されます。自分で開始するコマンド、ターミナル、転送、ポート転送に許可は不要です。ファイアウォールルールの追加にも不要です。Wheelhouse は、すでに開いている接続を使ってマシンから見た自分のアドレスを調べます。',
    machineHint: 'GPU 監視をオフにすると、このマシンの計測値は削除されます。',
    choose: '「設定」で選択',
  },
  stop: {
    title: 'GPU の監視を停止しますか?',
    text: 'Wheelhouse は {account} のマシンの監視を停止し、GPU の計測値をこのコンピューターから削除します。',
    action: '監視を停止',
  },
}
