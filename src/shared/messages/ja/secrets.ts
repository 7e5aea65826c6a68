import type { Translation } from '../translation'
import type { secrets as english } from '../en/secrets'

export const secrets: Translation<typeof english> = {
  title: '{machine} のパスワードをターミナルに表示しますか?',
  notice: 'Wheelhouse のコマンドが要求しています。2 分以内に Wheelhouse で回答してください。',
  text: 'このコンピューターでコマンド wheelhouse show --show-secret が実行されました。パスワードが出力され、出力を読み取るすべてのプログラムから見えます。',
  machine: 'マシン',
  account: 'アカウント',
  allow: 'パスワードを表示',
  deny: '拒否',
}
