import type { Translation } from '../translation'
import type { networkAccess as english } from '../en/network-access'

export const networkAccess: Translation<typeof english> = {
  title: 'ネットワーク',
  dialog: 'ネットワーク設定',
  open: 'ネットワーク設定…',
  text: 'Wheelhouse からサービスへの接続方法です。このコンピューター上のサービスへの接続は、プロキシを経由しません。',
  proxy: {
    label: 'プロキシ',
    system: 'システム設定',
    environment: '環境変数 ({proxy})',
    malformed:
      '{variable} は有効なプロキシのアドレス (例: http://proxy.example.com:8080) ではないため、使用されません。',
    manual: '手動',
    pac: 'PAC ファイル',
    none: 'プロキシなし',
    address: 'プロキシのアドレス',
    addressHint: 'host:port の形式 (例: proxy.example.com:8080)',
    pacAddress: 'PAC ファイルのアドレス',
    pacHint: 'Web アドレス、またはこのコンピューターのパス',
    saved: 'プロキシを保存しました',
  },
  authorities: {
    label: '認証局',
    none: 'システムの証明書',
    added: '追加で信頼: {names}',
    add: 'ファイルを追加…',
    remove: '外す',
  },
  signIns: {
    label: '{proxy} へのサインイン',
    signedOut: '未サインイン',
    signOut: '消去',
    signIn: 'サインイン…',
  },
  question: {
    title: 'プロキシ {proxy} にサインイン',
    text: 'サービスに接続するには、ネットワークでこのサインインが必要です。',
    realm: 'プロキシは「{realm}」と名乗っています。',
    refused: 'プロキシがこの認証情報を拒否しました。',
    username: 'ユーザー名',
    password: 'パスワード',
    show: 'パスワードを表示',
    hide: 'パスワードを非表示',
    remember: 'キーチェーンに保存',
    action: 'サインイン',
  },
}
