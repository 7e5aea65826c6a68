import type { Translation } from '../translation'
import type { store as english } from '../en/store'

export const store: Translation<typeof english> = {
  title: 'ローカルデータ',
  text: '明細、利用状況、上限、メモ、名前、マシンの履歴です。キーチェーンの鍵で暗号化されています。',
  state: '状態',
  reason: 'システムエラー: {reason}',
  quarantined: {
    title: 'ローカルデータを読み取れませんでした',
    text: 'データが壊れているか、別のバージョンの Wheelhouse のものです。ファイルを {file} に移動し、新しいファイルを作成しました。明細と利用状況はサービスから再度読み込みます。過去の負荷など、ここにしかないデータは失われました。',
  },
  states: {
    opening: { short: 'まだ開いていません' },
    open: { short: '暗号化済み' },
    'no-keychain': {
      short: '終了するまでメモリに保持',
      title: '履歴が保存されません: キーチェーンを使用できません',
      text: 'Wheelhouse は、プライベートなデータをキーチェーンの鍵で暗号化した場合にのみ保存します。鍵がないとデータはメモリに保持され、終了すると失われます。',
    },
    locked: {
      short: 'キーチェーンを待機中',
      title: 'ローカルデータを開くには、キーチェーンのロックを解除してください',
      text: 'データは安全です。キーチェーンのロックを解除すると自動的に開きます。それまで、新しいデータはメモリに保持されます。',
    },
    'key-lost': {
      short: '鍵なし',
      title: 'ローカルデータを開けません: 鍵が失われています',
      text: 'キーチェーンにこのファイルの鍵がありません。開くにはキーチェーンを復元してください。新しいファイルを作成することもできます。古いファイルは残ります。',
    },
    damaged: {
      short: '破損',
      title: 'ローカルデータを読み取れません',
      text: 'データが壊れているか、別のバージョンの Wheelhouse のものです。Wheelhouse を再起動すると、ファイルを別の場所に移動し、新しいファイルを作成します。それまで、新しいデータはメモリに保持されます。',
    },
    'disk-full': {
      short: 'ディスクの空きなし',
      title: 'ディスクに空きがないため、新しいデータが保存されません',
      text: '保存済みのデータは引き続き利用できます。空き容量を増やすと、自動的に再開します。',
    },
    unsupported: {
      short: 'このコンピューターでは未対応',
      title: 'このコンピューターでは履歴が保存されません',
      text: 'ローカルデータベースが動作しません。ほかの機能はすべて使用できますが、過去のコストは不明になります。',
    },
    failed: {
      short: '開けません',
      title: 'ローカルデータを開けませんでした',
      text: 'ファイルは変更されていません。開けるようになるまで、新しいデータはメモリに保持されます。',
    },
  },
  quarantine: {
    title: '古いファイル',
    text: '読み取れなかったファイルです。必要なものを保存し、残りは削除してください。',
    settings: '設定',
    database: '暗号化されたデータベース',
    size: '{count} KB',
    mayHoldRemovedAccounts: '登録を解除したアカウントのデータを含む可能性があります',
    uncleared:
      '{account} のデータを、次の古いファイルから消去できませんでした: {files}。「設定」の「ローカルデータ」で削除してください。',
    save: '保存…',
    saveOne: '{name} を保存',
    delete: '削除',
    deleteOne: '{name} を削除',
    confirm: { title: '{name} を削除しますか?', text: 'ファイルは完全に削除されます。' },
    saved: '{file} に保存しました',
  },
  retry: '再試行',
  startAfresh: '新しいファイルを作成',
  ledger: {
    reading: '明細を読み込み中: {total}件中{known}件。',
    readingSome: '明細を読み込み中: {known}件。',
    waiting: '明細が不完全です: {total}件中{known}件を読み込み済み。',
    waitingSome: '明細が不完全です: {known}件を読み込み済み。',
    text: 'すべて読み込むまで、過去のコストは不完全です。',
    label: '読み込んだ明細',
    kept: '明細{known}件',
    keptAge: '明細{known}件、更新: {age}',
  },
}
