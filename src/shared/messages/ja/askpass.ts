import type { Translation } from '../translation'
import type { askpass as english, secrets as englishSecrets } from '../en/askpass'

export const askpass: Translation<typeof english> = {
  notice: {
    title: '{machine} へのサインインに入力が必要です',
    body: 'Wheelhouse を開いて入力してください。',
  },
  title: '{machine} へのサインイン',
  password: '{subject} のパスワード',
  passphrase: '{subject} のパスフレーズ',
  firstContact:
    'このマシンへの初めての接続です。パスワードを送信する前に、ホスト鍵を管理者が示す鍵と照合してください:',
  hostKey:
    'このマシンへの初めての接続です。パスワードやコードを入力する前に、ホスト鍵を管理者が示す鍵と照合してください:',
  newHost: {
    title: '{machine} への初めての接続',
    text: 'ホスト鍵を管理者が示す鍵と照合してください。Wheelhouse は、鍵を信頼した場合にのみ接続します。',
    address: 'アドレス',
    type: '鍵の種類',
    fingerprint: 'フィンガープリント',
  },
  touch: {
    title: 'セキュリティキーにタッチして {machine} に接続',
    body: 'タッチすると、Wheelhouse がサインインします。',
  },
  fromOther:
    '{machine} への経路にある踏み台ホスト {from} が入力を求めています。次の文は踏み台ホストが作成したものである可能性があります:',
  other: 'SSH が入力を求めています。次の文はマシンが作成したものである可能性があります:',
  again: '受け付けられませんでした。もう一度入力してください。',
  answer: { password: 'パスワード', passphrase: 'パスフレーズ', other: '回答' },
  show: '入力を表示',
  hide: '入力を非表示',
  action: '続ける',
  send: 'パスワードを送信',
  trust: 'この鍵を信頼',
  invalid: '1,000文字以内の1行で入力してください。',
  keep: {
    label: '入力を記憶',
    no: 'しない',
    session: '終了するまで',
    keychain: 'キーチェーンに保存',
  },
  state: {
    label: 'パスフレーズとパスワード',
    window: 'Wheelhouse で入力 ({version})',
    own: 'SSH_ASKPASS のプログラムで入力',
    terminal: 'ターミナルで入力 ({version})。Wheelhouse で入力するには OpenSSH 8.5 以降が必要です。',
    windows: 'ターミナルで入力',
  },
  kept: '{count}件のパスフレーズを記憶しています',
  forget: '消去',
  forgotten: 'パスフレーズを消去しました',
}

export const secrets: Translation<typeof englishSecrets> = {
  title: '{machine} のパスワードをターミナルに表示しますか?',
  notice: 'Wheelhouse のコマンドが要求しています。2 分以内に Wheelhouse で回答してください。',
  text: 'このコンピューターでコマンド wheelhouse show --show-secret が実行されました。パスワードが出力され、出力を読み取るすべてのプログラムから見えます。',
  machine: 'マシン',
  account: 'アカウント',
  allow: 'パスワードを表示',
  deny: '拒否',
}
