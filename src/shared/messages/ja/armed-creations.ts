import type { Translation } from '../translation'
import type { armedCreations as english } from '../en/armed-creations'

export const armedCreations: Translation<typeof english> = {
  attempt: '入荷待ちの作成の保存',
  title: '入荷待ち',
  hint: 'このコンピューターがスリープしておらず、Wheelhouse が実行中で、アカウントがサインインしている必要があります。在庫は1分ごとに確認されます。作成の送信は1回だけです。',
  offer: '在庫がありません。入荷したら、Wheelhouse が1回だけ作成できます。',
  arm: '入荷したら作成…',
  set: '{flavor} の入荷を待っています',
  backInForm: '{machine} の入荷待ちを取り消しました。入力内容はフォームにあります。',
  dialog: {
    title: '{flavor} が入荷したら {machine} を作成',
    changeTitle: '{machine} の入荷待ちを変更',
    cap: '1時間あたりの上限価格 ({currency})',
    price: '現在のカタログ価格: {price}。',
    perGpu:
      'カタログには GPU 1基あたりの価格が載っている場合があります。そのため、{count} × {price} = {total} も上限価格以下である必要があります。',
    unpriced: 'カタログに価格がありません。価格が載るまで何も作成されません。',
    until: '待つ期限',
    action: '待って作成',
    change: '保存',
    invalidCap: '0より大きい金額を入力してください。',
    invalidUntil: '1年以内の未来の日時を選択してください。',
    notStored: '暗号化されたストアが開いていないため、Wheelhouse を終了すると入荷待ちも終わります。',
    bill: '不在の間でも、作成された時点から課金されます。',
  },
  waiting: '{time}まで、1時間あたり {cap} 以下',
  sending: '入荷しました。送信中…',
  delays: {
    'above-cap': '在庫がありますが、1時間あたり最大 {price} です。価格が下がるのを待っています。',
    'no-price': '在庫がありますが、価格がありません。引き続き待っています。',
    'other-currency': '在庫がありますが、価格が {currency} 建てです。引き続き待っています。',
    'not-sent': '在庫がありますが、何も送信できませんでした: {reason}。Wheelhouse が再試行します。',
  },
  ended: {
    expired: '作成されませんでした: 待つ期限 ({time}) が過ぎました。',
    failed: '作成されませんでした: {reason}。',
    unknown:
      '送信しましたが、応答が失われました。実行中で課金されている可能性があります。再送信する前に、マシンと利用状況を確認してください。',
  },
  change: '変更…',
  again: 'もう一度待つ…',
  cancel: '作成しない',
  openForm: 'フォームを開く',
  dismiss: '閉じる',
  notices: {
    created: '{machine} を作成中です',
    createdText: '{flavor} が入荷しました。マシンを削除するまで課金されます。',
    aboveCap: '{flavor} の在庫がありますが、上限価格を超えています',
    noPrice: '{flavor} の在庫がありますが、価格を比較できません',
    expired: '{machine} は作成されませんでした',
    failed: '{machine} は作成されませんでした',
    unknown: '{machine} は作成されましたか?',
  },
}
