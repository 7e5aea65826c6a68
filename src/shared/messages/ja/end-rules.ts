import type { Translation } from '../translation'
import type { endRules as english } from '../en/end-rules'

export const endRules: Translation<typeof english> = {
  attempt: '自動終了の保存',
  title: '自動終了',
  notice: '自動終了',
  hint: 'このコンピューターがスリープしておらず、Wheelhouse が実行中である必要があります。時刻を過ぎていた場合、Wheelhouse は実行せずに確認を求めます。',
  arm: '自動終了…',
  change: '変更…',
  dialog: {
    title: '{machine} の自動終了',
    action: '動作',
    when: '条件',
    stop: '停止',
    delete: '削除',
    kinds: { at: '指定時刻', after: '経過時間', idle: 'アイドル時', budget: '予算到達時', job: 'ジョブの後' },
    time: '時刻',
    idleHours: 'GPU の非稼働時間 (時間単位)',
    budget: '予算 ({currency}、マシンの作成時から)',
    stillBilled: '停止しても課金は続きます。停止中のマシンにも同じ料金がかかります。',
    recommended:
      '停止しても課金は続きます。停止中のマシンにも同じ料金がかかります。課金を終えるには「削除」を選択してください。',
    idle: 'GPU の計測値だけで判断します。監視していないマシンが、アイドルを理由に終了されることはありません。',
    job: 'ジョブ',
    jobText:
      'ジョブが失敗した場合も終了します。ジョブの終了を確認できない場合、Wheelhouse は確認を求めます。',
    budgetText:
      'コストは、サービスが報告する範囲でしか把握できません。コストが不明な間は、自動終了は行われません。',
    look: '削除の前に、Wheelhouse は SSH で未保存の作業がないか確認します。見つかった場合、またはすべてを確認できない場合は、マシンを残して通知します。設定すると、{machine} でのこの確認を許可したことになります。',
    lookBeforeStop: '停止の前に SSH で {machine} を確認する',
    lookBeforeStopText: 'プログラムが実行中でも停止します。確認を許可しない場合は、確認せずに停止します。',
    noPrice: 'このマシンのコストは不明なため、予算は使用できません。',
    armStop: '自動停止を設定',
    armDelete: '自動削除を設定',
    invalidHours: '0.5～8,784 の時間数を入力してください。',
    invalidBudget: '累計コストより大きい金額を入力してください。',
  },
  armed: {
    at: { stop: '{time}に停止', delete: '{time}に削除' },
    idle: { stop: 'アイドルが{duration}続くと停止', delete: 'アイドルが{duration}続くと削除' },
    job: { stop: '{name} が終了すると停止', delete: '{name} が終了すると削除' },
    budget: { stop: 'コスト {amount} で停止', delete: 'コスト {amount} で削除' },
  },
  soon: { stop: '{duration}後に停止', delete: '{duration}後に削除' },
  ending: { stop: '停止しています…', delete: '確認後に削除します…' },
  agent: 'エージェント {agent} が設定',
  jobUnseen:
    'このマシンのジョブの確認が許可されていないため、終了を検知できません。「ジョブ」タブで許可してください。',
  needsYou: { stop: '停止していません', delete: '削除していません' },
  heldTitle: { stop: '自動停止しませんでした', delete: '自動削除しませんでした' },
  held: {
    loss: '失われる作業があります。削除のダイアログで確認してください。',
    incomplete: 'マシンのすべてを読み取れなかったため、未保存の作業が残っている可能性があります。',
    'no-look': 'SSH でマシンに接続できなかったため、未保存の作業が残っている可能性があります。',
    'no-consent': 'このマシンでは、削除前の確認が Wheelhouse に許可されていません。',
    missed: 'このコンピューターのスリープ中、または Wheelhouse を起動していない間に、時刻を過ぎました。',
    unknown: 'リクエストを送信しましたが、結果が不明です。自動的に再送されることはありません。',
    changing: 'マシンの状態が変更中でした。',
    'not-saved': 'ルールを保存できなかったため、何も送信されていません。',
    'job-lost': 'ジョブの状態がわからなくなったため、終了したかどうか不明です。',
    failed: 'サービスに拒否されたか、接続できませんでした。',
  },
  extend: '1時間延長',
  keep: { stop: '停止しない', delete: 'マシンを残す' },
  now: { stop: '今すぐ停止', delete: '今すぐ削除' },
  set: '{machine} の自動終了を設定しました',
  dropped: '{machine} を残します',
  unseen: {
    stop: '現在、SSH で {machine} を確認できません。それでも停止は実行されます。',
    delete: '現在、SSH で {machine} を確認できません。この状態が続く間、自動削除は行われません。',
  },
  notices: {
    warning: { stop: '{machine} は{time}に停止します', delete: '{machine} は{time}に削除されます' },
    warningText: {
      stop: 'Wheelhouse を開くと、「1時間延長」「停止しない」「今すぐ停止」から選択できます。停止中も課金されます。',
      delete: 'Wheelhouse を開くと、「1時間延長」「マシンを残す」「今すぐ削除」から選択できます。',
    },
    held: {
      stop: '{machine} は停止されませんでした',
      delete: '{machine} は削除されませんでした',
    },
    ended: { stop: '{machine} を停止しました', delete: '{machine} を削除しました' },
    endedText: {
      stop: '停止中も課金されます。',
      delete: 'アタッチされていたボリュームは残り、引き続き課金されます。',
    },
    unseen: {
      unreachable: '事前に SSH でマシンに接続できなかったため、何が実行中だったかは不明です。',
      'not-allowed': 'このマシンの確認が Wheelhouse に許可されていないため、何が実行中だったかは不明です。',
    },
  },
}
