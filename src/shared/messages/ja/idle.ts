import type { Translation } from '../translation'
import type { idle as english } from '../en/idle'

export const idle: Translation<typeof english> = {
  label: 'アイドル',
  unmeasured: {
    label: '未計測',
    check: '未計測。今すぐ確認: {name}',
    hint: 'GPU の使用状況が計測されていません。今すぐ確認',
  },
  mark: {
    idle: 'アイドル {duration}',
    held: 'アイドル {duration}',
    'barely-used': 'ほぼ未使用 {duration}',
    'cpu-idle': 'CPU アイドル {duration}',
  },
  hint: {
    idle: '{time}から GPU はアイドル状態です。',
    held: '{time}から GPU はアイドル状態で、メモリは占有されています。',
    'barely-used': '{time}から GPU はビジー状態ですが、ほとんど使われていません。',
    'cpu-idle': '{time}から CPU はアイドル状態です。GPU は未監視のため、稼働している可能性があります。',
    unreported:
      '{time}から CPU はアイドル状態です。GPU の使用状況は報告されていないため、稼働している可能性があります。',
  },
  cost: 'これまでに {cost} の無駄が発生しています。',
  spent: 'その間のコストは {cost} です。',
  tray: {
    idle: '{state}、アイドル {duration}',
    held: '{state}、アイドル {duration}',
    'barely-used': '{state}、ほぼ未使用 {duration}',
    'cpu-idle': '{state}、CPU アイドル {duration}',
  },
  trayCost: '{text}、{cost}',
  notice: {
    idle: 'GPU は{duration}前からアイドル状態です',
    held: 'GPU は{duration}前からアイドル状態です',
    'barely-used': 'GPU は{duration}前からビジー状態ですが、ほとんど使われていません',
    'cpu-idle': 'CPU は{duration}前からアイドル状態です。GPU の使用状況は未計測です',
    holding:
      'メモリ占有: {memory} ({duration})。プログラムがメモリを占有している間、GPU の消費電力は増えます。',
    holdingPower:
      'メモリ占有: {memory} ({duration})。その間の GPU の消費電力は {idle} ではなく {power} です。',
    holdingBy: '占有しているプログラム: {processes}。',
    holder: '{name} ({pid})',
    barely: '各 GPU のコア、メモリ帯域幅、ビデオエンジンの使用は5%未満でした。',
    barelyByPower:
      '消費電力からの推定です。各 GPU の消費電力は非稼働時とほぼ変わらず、ビデオエンジンもほとんど使用されていませんでした。',
    cost: 'これまでに {cost} の無駄が発生しています (1時間あたり {perHour})。',
    spent: 'その間のコストは {cost} です (1時間あたり {perHour})。',
    check: 'GPU 監視をオンにすると、GPU が稼働しているか確認できます。',
    unreported: 'GPU 監視はオンですが、GPU の使用状況は報告されていません。理由は GPU タブで確認できます。',
    stop: '停止中も含め、削除するまで課金されます。',
    elsewhere: '停止中も含め、削除するまで課金されます。プロバイダーのコンソールで削除してください。',
    connect: '接続',
  },
  settings: {
    title: 'アイドル状態のマシン',
    text: 'すべての GPU の使用率がしきい値を下回る状態が継続時間以上続くと、マシンをアイドルと見なします。',
    threshold: 'GPU 使用率のしきい値',
    thresholdHint: '1～50%',
    minutes: '継続時間',
    minutesHint: '分単位、最長1週間',
    range: '{from}～{to}の整数を入力してください。',
  },
}
