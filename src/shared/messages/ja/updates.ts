import type { Translation } from '../translation'
import type { updates as english } from '../en/updates'

export const updates: Translation<typeof english> = {
  label: 'アップデート',
  off: {
    checkout: 'オフ: Wheelhouse をソースコードから実行しています',
    'test-build': 'テストビルドではオフ',
    package:
      'インストールしたときと同じ方法 (パッケージマネージャーまたは新たなダウンロード) で Wheelhouse を更新してください',
    'no-feed': 'オフ: このビルドにはアップデートサーバーがありません',
  },
  unchecked: '未確認',
  current: '最新です (確認: {age})',
  checking: '確認中…',
  available: 'バージョン {version} を利用できます',
  downloading: 'バージョン {version} の{percent}%をダウンロード済み',
  ready: 'バージョン {version} をインストールできます',
  held: {
    creation: 'マシンを作成しています。完了してから再起動してください。',
    transfers: 'ファイルをコピーしています。完了してから再起動するか、転送をキャンセルしてください。',
  },
  notes: '新機能',
  check: 'アップデートを確認',
  download: 'ダウンロード',
  skip: 'このバージョンをスキップ',
  restart: '再起動して更新…',
  automatic: '自動確認',
  automaticText: '1日1回アップデートを確認する',
  failed: {
    unreachable: {
      title: 'アップデートをダウンロードできませんでした',
      next: 'ネットワークと「設定 > ネットワーク」のプロキシを確認してから、再試行してください。',
    },
    'no-release': {
      title: 'アップデートサーバーにリリースがありません',
      next: '後で再試行してください。',
    },
    damaged: {
      title: 'アップデートが壊れていました',
      next: 'チェックサムまたは署名が一致しないため、何もインストールされていません。後で再試行してください。',
    },
    'not-installed': {
      title: 'アップデートをインストールできませんでした',
      next: 'このバージョンは引き続き使用できます。Wheelhouse のフォルダーへの書き込み権限と、ディスクの空き容量を確認してください。',
    },
    unknown: {
      title: 'アップデートに失敗しました',
      next: 'このバージョンは引き続き使用できます。後で再試行してください。',
    },
    reason: '理由: {reason}',
  },
  dialog: {
    title: '再起動してバージョン {version} に更新しますか?',
    text: 'Wheelhouse を閉じ、新しいバージョンで開き直します。お使いのターミナルの SSH セッションは開いたままです。',
    unsaved: 'このページに保存されていない変更があります。保存またはリセットしてから、再起動してください。',
    action: '再起動',
  },
  notice: {
    available: 'アップデートあり',
    ready: '再起動して更新',
  },
}
