import type { Translation } from '../translation'
import type { bareMetal as english } from '../en/bare-metal'

export const bareMetal: Translation<typeof english> = {
  title: 'ベアメタル',
  why: 'サービスから一覧を取得できないため、ここで作成または ID で追加したインスタンスのみ表示します。',
  create: '新規インスタンス',
  add: {
    action: 'ID で追加',
    title: 'ベアメタルインスタンスを追加',
    text: 'ID は、サービスの Web サイトか、インスタンスを作成した場所で確認できます。追加しても、サービス側では何も変わりません。',
    label: 'インスタンス ID',
    submit: '追加',
    unknown: 'この ID のベアメタルインスタンスはありません。',
    done: '{instance} を追加しました',
    already: '{instance} はすでにリストにあります',
  },
  filter: {
    label: 'ベアメタルをフィルター',
    placeholder: '名前、GPU、アドレス、ID で絞り込み…',
  },
  selection: '選択したインスタンス',
  columns: {
    name: '名前',
    state: '状態',
    gpu: 'GPU',
    region: 'リージョン',
    address: 'アドレス',
    flavor: 'フレーバー',
    uptime: '稼働時間',
  },
  presence: { unread: '読み込み中', gone: '削除済み', started: '起動済み', preparing: '準備中' },
  loading: 'ベアメタルを読み込み中…',
  signedOut: 'ベアメタルを表示するにはサインインしてください。',
  empty: {
    title: 'ベアメタルはまだありません',
    text: 'ここで作成したインスタンスは自動的に表示されます。サービスからは一覧を取得できないため、それ以外は ID で追加してください。',
  },
  noMatch: {
    title: '一致するインスタンスがありません',
    text: '「{filter}」に一致する結果はありません。',
    action: 'すべてのインスタンスを表示',
  },
  panel: { label: 'ベアメタル {instance}', close: 'パネルを閉じる' },
  origin: {
    label: '追加元',
    created: 'ここで作成: {age}',
    added: 'ID で追加: {age}',
    found: '請求データから検出: {age}',
  },
  gone: {
    title: 'このインスタンスは削除されています',
    text: 'サービスにこの ID のものはありません。詳細が不要になったら、リストから外してください。',
  },
  forget: {
    action: 'リストから外す',
    title: '{instance} をリストから外しますか?',
    titleMany: '{count}件のインスタンスをリストから外しますか?',
    text: '変わるのはリストの表示だけです。実行中のインスタンスは引き続き実行され、課金されます。',
    gone: 'このリストから外すだけです。サービスにこの ID のものはありません。',
    ids: 'ID: {ids}',
    done: '{instance} をリストから外しました',
  },
  user: {
    title: 'どのユーザーでサインインしますか?',
    text: 'サービスが {machine} のユーザー名を報告していません。入力した内容は次回以降も使用されます。',
    label: 'ユーザー名',
    hint: 'イメージによりますが、通常は ubuntu または root です。',
    submit: '接続',
  },
}
