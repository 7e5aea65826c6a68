import type { Translation } from '../translation'
import type { notifications as english } from '../en/notifications'

export const notifications: Translation<typeof english> = {
  history: {
    fresh: '新しい通知',
    earlier: '以前の通知 ({count}件)',
    showNamed: '表示: {title}',
    clear: '通知を消去',
    cleared: '通知を消去しました',
  },
  quiet: {
    title: 'おやすみ時間',
    text: '毎日この時間帯は、デスクトップに通知が表示されません。ベルには表示され、Webhook とメールにも送信されます。自動終了、SSH の確認、自分の操作に関するお知らせは、この時間帯も表示されます。',
    from: '開始',
    to: '終了',
    turnedOn: 'おやすみ時間をオンにしました',
    turnedOff: 'おやすみ時間をオフにしました',
  },
  delivery: {
    title: 'Webhook とメール',
    text: 'Wheelhouse の実行中、上でオンにした通知 (このコンピューターに関する通知を除く) をチャット、スマートフォン、メールにも送信します。設定するまではオフです。本文にはマシンとジョブの名前、金額が含まれます。ジョブの出力は送信されません。',
    late: '遅れて送信されました。発生時刻: {time}',
    loading: '読み込み中…',
    test: 'テストを送信',
    testNamed: 'テストを送信: {target}',
    remove: '削除',
    removeNamed: '削除: {target}',
    none: 'まだ何も送信していません。',
    result: '{time}: {result}',
  },
  webhook: {
    title: 'Webhook',
    kind: '送信先',
    kinds: { slack: 'Slack', discord: 'Discord', ntfy: 'ntfy', json: 'その他のプログラム (JSON)' },
    address: 'Webhook のアドレス',
    hints: {
      slack:
        'Slack で Incoming Webhook を作成し、そのアドレスを貼り付けます。アドレスは秘密の情報です。キーチェーンに保存され、再表示されません。',
      discord:
        'Discord のチャンネル設定で Webhook を作成し、そのアドレスを貼り付けます。アドレスは秘密の情報です。キーチェーンに保存され、再表示されません。',
      ntfy: 'トピックのアドレスです (例: https://ntfy.sh/my-topic)。アドレスは秘密の情報です。キーチェーンに保存され、再表示されません。',
      json: '通知ごとに、JSON オブジェクトを POST で受け取ります。アドレスはキーチェーンに保存され、再表示されません。',
    },
    show: 'アドレスを表示',
    hide: 'アドレスを非表示',
    save: 'Webhook を保存',
    saved: 'Webhook を保存しました。テストを送信して確認できます。',
    removed: 'Webhook を削除しました',
    current: '{kind}、{place}',
  },
  mail: {
    title: 'メール',
    address: 'メールアドレス',
    hint: 'このコンピューターのメールプログラムで送信: {program}',
    save: 'アドレスを保存',
    saved: 'メールアドレスを保存しました。テストを送信して確認できます。',
    removed: 'メールアドレスを削除しました',
    noMailer:
      'このコンピューターには、Wheelhouse で使えるメールプログラムがありません。sendmail を備えたプログラム (msmtp や Postfix など) をインストールしてから、このページを開き直してください。',
  },
  outcomes: {
    sent: '送信済み',
    accepted: 'メールプログラムが受け付けました。この後、配信に失敗することもあります。',
    refused: '拒否されました (HTTP {status})',
    refusedWith: '拒否されました (HTTP {status}): {message}',
    busy: '未送信: リクエストが多すぎます',
    busyFor: '未送信: リクエストが多すぎます。{duration}の待機を求められました。',
    redirected:
      'アドレスがリダイレクトを返しました。Wheelhouse はリダイレクトに従いません。最終的なアドレスを入力してください。',
    page: '未送信: アドレスが Web ページを返しました (HTTP {status})。アドレスを確認してください。ネットワークで先にサインインが必要な場合もあります。',
    unknown: '確認が取れないため、届いていない可能性があります。{problem}',
    unconfirmed: '確認が取れないため (HTTP {status})、届いていない可能性があります。',
    failed: '未送信。{problem}',
    noAddress: '未送信: アドレスがキーチェーンにありません。Webhook を削除して、もう一度設定してください。',
    dropped: '待機中の通知が多すぎるため、最も古い通知を破棄しました。',
    noMailer: '未送信: このコンピューターにはメールプログラムがありません。',
    mailerFailed: '未送信: メールプログラムが終了コード {code} で終了しました。',
    mailerFailedWith: '未送信: メールプログラムが終了コード {code} で終了しました: {message}',
    mailerEnded: '確認なし: メールプログラムが強制終了されました。',
    mailerSilent: '確認なし: メールプログラムが {seconds} 秒以内に終了しませんでした。',
  },
}
