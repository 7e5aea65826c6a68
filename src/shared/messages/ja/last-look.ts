import type { Translation } from '../translation'
import type { lastLook as english } from '../en/last-look'

export const lastLook: Translation<typeof english> = {
  attempt: 'マシンの確認',
  title: { stop: '停止により中断されるもの', delete: '削除により失われるもの' },
  looking: '{machine} を確認中…',
  again: 'もう一度確認',
  terminal: 'ターミナルを開く',
  download: 'ダウンロード',
  downloadNamed: '{name} をダウンロード',
  downloading: '{name} をダウンロード中',
  terminalFor: '{name} のターミナルを開く',
  push: {
    title: '{path} をプッシュ',
    open: '{name} をプッシュ…',
    reading: 'ブランチとリモートを読み取り中…',
    branch: 'ブランチ',
    commits: '{branch}: 未プッシュのコミット {count}件',
    to: 'プッシュ先: {remote} の {branch} ({url})',
    command: 'プッシュのコマンド',
    text: '{machine} でジョブとして1回実行されます。強制はせず、パスワードも尋ねません。終わると、ここで再度確認します。プッシュすると、Wheelhouse が SSH でこのマシンのジョブを監視することを許可します。',
    action: 'プッシュ',
    none: '未プッシュのコミットがあるブランチにリモートがありません。ターミナルを開いて追加してください。',
    unread: 'ブランチを読み取れませんでした: {reason}',
  },
  nothing: {
    stop: 'GPU 上のプログラムも、tmux や screen のセッションも見つかりませんでした。',
    delete:
      '未保存の Git の作業、GPU 上のプログラム、セッション、新しい大きなファイルは見つかりませんでした。その他のファイルは確認していません。',
  },
  nothingFound: '読み取れた範囲では何も見つかりませんでした。',
  clean: 'ほかの{count}件のリポジトリに未保存の作業はありません。',
  failed: '{machine} を確認できませんでした: {reason}',
  unsafe: '何が失われるかは不明です。',
  consent: {
    text: {
      stop: 'Wheelhouse は、停止前に実行中のプログラムとセッションを SSH で確認できます。マシンには何も変更を加えません。',
      delete:
        'Wheelhouse は、削除前に Git の作業、実行中のプログラム、セッション、新しい大きなファイルを SSH で確認できます。ホームフォルダーとボリュームのリポジトリを最大10秒間読み取り、何も変更を加えません。',
    },
    everywhere: 'すべてのマシンで許可',
    here: '表示中のマシンのみ許可',
  },
  repository: {
    changes: '未コミットの変更 {count}件',
    unpushed: '未プッシュのコミット {count}件',
    stashes: 'スタッシュ {count}件',
    unread: '読み取れませんでした: {reason}',
  },
  groups: {
    repositories: 'Git',
    programs: 'GPU 上',
    sessions: 'セッション',
    files: '過去{count}日間の大きなファイル',
    gaps: '未確認',
  },
  process: 'プロセス {pid}',
  processes: '{count}個のプロセス',
  file: '{size}、更新: {time}',
  mount: '{mount} 上 (アタッチしたボリュームの可能性あり)',
  more: 'ほか{count}件',
  parts: {
    git: 'Git',
    files: 'ファイル',
    gpus: 'GPU',
    tmux: 'tmux',
    screen: 'screen',
    answer: 'マシンの応答',
  },
  problems: {
    'out-of-time': '時間が足りませんでした',
    'not-installed': 'プログラムがインストールされていません',
    'too-many': '項目が多すぎます',
    'too-long': '応答が長すぎます',
    'odd-name': '読み取れない名前があります',
    'cut-off': '応答が途中で切れています',
  },
}
