import type { Translation } from '../translation'
import type { desktop as english } from '../en/desktop'

export const desktop: Translation<typeof english> = {
  tray: {
    tooltip:
      'Wheelhouse: 実行中のマシンなし | Wheelhouse: {count}台のマシンが実行中 | Wheelhouse: {count}台のマシンが実行中',
    running: '{count}台が実行中',
    perHour: '{amount}/h',
    machine: '{name} ({state})',
    bareMetal: 'ベアメタル',
    notReachable: '{state}、{reason}',
    disabledReason: { stopped: '接続するには起動が必要', 'no-address': 'アドレス待ち' },
    stateUnknown: '状態不明',
    gpu: 'GPU {percent}%',
    cpu: 'CPU {percent}%',
    soFar: 'これまで {amount}',
    stillBilled: '{countdown}、課金は続きます',
    deleteInstead: '{countdown}、削除しない限り課金は続きます',
    job: '{machine} の {name}',
    actions: '操作',
    show: 'Wheelhouse で表示',
    stop: '停止…',
    forward: '{machine}: {service} ({address})',
    signedOut: 'サインアウト済み。サインイン…',
    noMachines: 'マシンなし',
    more: 'ほか{count}件…',
    open: 'Wheelhouse を開く',
    quit: '終了',
  },
  stays: {
    title: 'Wheelhouse は引き続き実行中です',
    text: 'トレイに常駐しています。トレイから開くか、終了できます。',
  },
  unwatched: {
    title: '終了して上限の監視を停止しますか?',
    text: 'このデスクトップにはトレイアイコンが表示されないため、Wheelhouse はウィンドウを開いている間しか上限とリマインダーを確認できません。',
    quit: '終了',
    minimize: '代わりに最小化',
  },
  secretKept: {
    title: 'シークレットがクリップボードに残っています',
    text: '消去するには Wheelhouse を開いてください。',
  },
  fieldMenu: {
    undo: '元に戻す',
    redo: 'やり直す',
    cut: '切り取り',
    copy: 'コピー',
    paste: '貼り付け',
    selectAll: 'すべて選択',
  },
  menu: { settings: '設定…', view: '表示', help: 'ヘルプ', guide: 'ユーザーガイド' },
  chooseIdentity: { title: '秘密鍵を選択', button: 'この鍵を使用' },
  chooseAuthorities: { title: '認証局ファイルを選択', button: '信頼' },
  chooseTemplate: { title: '書き出したテンプレートを選択', button: '読み込む' },
  chooseTarget: { title: '名前を付けて保存' },
  chooseFolder: { title: 'ファイルの保存先フォルダーを選択', button: 'ここにダウンロード' },
  chooseUploads: {
    files: 'アップロードするファイルを選択',
    folder: 'アップロードするフォルダーを選択',
    button: 'アップロード',
  },
  settingsNotice: {
    title: '設定を読み取れませんでした',
    damaged:
      'ファイルが壊れているため ({reason})、設定をリセットしました。古いファイルは {file} として保存されています。「設定」を参照してください。',
    partial:
      '一部の設定が壊れているか、別のバージョンのものです ({reason})。その設定はファイルに残り、ほかの設定は有効です。Wheelhouse を更新するか、ファイルを編集してください。',
    unreadable: 'システムエラー: {reason}。これが解決するまで、設定ファイルは変更されません。',
  },
  startFailed: { title: 'Wheelhouse を起動できませんでした' },
  keepsCrashing: {
    title: 'このウィンドウが繰り返しクラッシュしています',
    text: 'マシンは引き続き実行されています。ウィンドウを開き直すか、Wheelhouse を終了してから起動し直してください。',
    again: '開き直す',
    quit: '終了',
  },
  noSandbox: {
    title: 'Wheelhouse をここで安全に実行できません',
    text: 'このシステムでは、AppImage のウィンドウを分離できません (Chromium のサンドボックス)。deb または rpm パッケージをインストールするか、ユーザー名前空間を許可してください。',
  },
  readOnly: {
    title: 'Wheelhouse がフォルダーに書き込めません',
    text: '{folder} に何も保存できません。フォルダーを書き込み可能にするか、ディスクの書き込み保護を解除してから、Wheelhouse を起動し直してください。',
  },
  quitWithWork: {
    title: '実行中の{count}項目を停止して終了しますか?',
    upload: '転送: {name} → {machine}',
    download: '転送: {name} ← {machine}',
    terminal: 'ターミナル: {machine}',
    forward: '転送ポート: {machine} の {port}',
    more: 'ほか{count}件',
    transfersText: '途中までのコピーは削除されます。',
    terminalsText:
      'セッションと、フォアグラウンドのプログラムは終了します。保持セッションは引き続き実行されます。',
    forwardsText: '転送ポートを使用しているプログラムの接続が切れます。',
    quit: '停止して終了',
    keep: '実行を続ける',
  },
  sshFailed: { title: '{machine} に接続できませんでした' },
}
