import type { Translation } from '../translation'
import type { ssh as english } from '../en/ssh'

export const ssh: Translation<typeof english> = {
  connect: '接続',
  connectIn: '({terminal})',
  opened: '{machine} を {terminal} で開いています',
  missing:
    '{missing} がインストールされていないため、{terminal} を開きました。インストールするか、「設定」で別のターミナルを選択してください。',
  failed:
    '{failed} を開けなかったため、セッションをここで開きました。「設定」で別のターミナルを選択してください。',
  placeRefused: 'このターミナルでは「{place}」を開けません。「設定」で別のターミナルを選択してください。',
  noClient: 'このコンピューターに OpenSSH (ssh) がインストールされていません。',
  unreachable: '{machine}: {reason}',
  disabledReason: {
    stopped: '停止しています。接続するには起動してください。',
    moving: 'まだ準備ができていません。実行中になると接続できます。',
    'no-address': 'アドレスを待っています…',
    gone: 'このマシンは存在しなくなりました。',
  },
  notBegun: {
    restricted: {
      title: '制限付きのログインシェルです',
      text: 'マシンのこのユーザーのシェルでは、一部のプログラムしか実行できません: {said}',
      next: '「接続」タブで別のユーザーを設定するか、このユーザーに制限のないシェルを設定してください。',
    },
    'no-shell': {
      title: 'このマシンには対応していません',
      text: 'POSIX シェルがありません (Windows の可能性があります): {said}',
      next: 'ターミナルを開いたり、ファイルをコピーしたりすることはできます。',
    },
    refused: {
      title: 'マシンがこのユーザーのコマンドを実行しません',
      text: '出力: {said}',
      next: 'ユーザーのログインシェルと、authorized_keys と sshd_config の強制コマンドを確認してください。',
    },
    silent: {
      title: 'マシンがこのユーザーのコマンドを実行しません',
      text: '何も出力されませんでした。~/.bashrc の exec fish のように、起動ファイルが別のシェルを起動している可能性があります。',
      next: '起動ファイルで、ターミナルの場合にのみ別のシェルを起動するようにしてください。それ以外の場合は、ユーザーのログインシェルと、authorized_keys と sshd_config の強制コマンドを確認してください。',
    },
    short: '{title}: {said}',
    shortSilent: '{title}。{text}',
  },
  slowLogin: {
    title: 'マシンへのサインインに時間がかかっています',
    text: 'ログインシェルの起動ファイルが{seconds}秒以内に完了しませんでした。',
    next: '~/.bashrc または ~/.profile に時間のかかるコマンドがないか確認してください。Wheelhouse は後で再試行します。',
  },
  refusedForAWhile: {
    title: 'サーバーがこのコンピューターを一時的にブロックしています',
    text: 'SSH サーバーは、サインインの失敗や試行が多いと接続をブロックします。{duration}後に再試行します。',
  },
  banner: {
    title: 'マシンがサインインを受け付けるのを待っています',
    text: 'マシンからメッセージが届きました。先に操作が必要な場合があります。',
    label: 'マシンからのメッセージ',
  },
  loginOutput: 'ログイン時の出力',
  anyway: 'それでもターミナルを開く',
  command: {
    copy: 'SSH コマンドをコピー',
    unknown: 'ユーザーとアドレスが判明すると使用できます。',
  },
  reveal: '表示',
  revealNamed: '{what}を表示',
  hideNamed: '{what}を非表示',
  masked: '非表示',
  edit: '{what}を編集',
  save: '{what}を保存',
  cancelEdit: '{what}の編集をキャンセル',
  reset: '{what}をリセット',
  set: '個別設定',
  port: { range: '1～65,535 のポートを入力してください。' },
  identity: {
    automatic: '自動',
    choose: 'ファイルを選択…',
    change: '秘密鍵ファイルを選択',
    found: '~/.ssh 内',
  },
  forwardAgent: {
    default: 'オフ',
    defaultOn: 'このアカウントでオン',
    on: 'オン',
    off: 'このマシンでオフ',
    warning:
      '接続中は、マシンの root 権限を持つ人なら誰でも、エージェントの鍵を使用してほかの場所にサインインできます。',
  },
  hostKey: {
    known: '信頼済み',
    unknown: '未承認',
    unknownHint: '最初の接続時に保存されます。',
    title: 'ホスト鍵',
    text: 'ホスト鍵は、マシンが以前に接続したものと同じであることを証明します。変更された場合、Wheelhouse は接続を拒否します。',
    confirm: 'マシンへの最初の接続前に確認',
    confirmText:
      'オンにすると、Wheelhouse はホスト鍵のフィンガープリントを表示し、信頼された場合にのみ接続します。オフの場合は、最初の鍵を信頼して保存します。SSH エイリアスでは、ターミナルで確認を求められます。',
  },
  changed: {
    title: '{machine} のホスト鍵が変更されました',
    text: '{host} が、最初の接続時とは異なる鍵を提示しています。Wheelhouse は接続していません。',
    harmless: 'マシンが再構築された場合や、アドレスが再割り当てされた場合は、想定される動作です。',
    harmful:
      'それ以外の場合は、第三者が通信を傍受している可能性があります。続ける前に、マシンの管理者に確認してください。',
    known: '信頼済みの鍵',
    offered: '今回提示された鍵',
    expected: '鍵が変更された理由を把握しています',
    action: '古い鍵を破棄',
    done: '古い鍵を破棄しました。次の接続時に新しい鍵を保存します。',
  },
}
