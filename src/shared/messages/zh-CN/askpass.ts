import type { Translation } from '../translation'
import type { askpass as english, secrets as englishSecrets } from '../en/askpass'

export const askpass: Translation<typeof english> = {
  notice: {
    title: '登录 {machine} 需要你回答',
    body: '打开 Wheelhouse 进行回答。',
  },
  title: '正在登录 {machine}',
  password: '{subject} 的密码',
  passphrase: '{subject} 的密钥口令',
  firstContact: '这是首次连接到此机器。发送密码之前，请将其主机密钥与运营方公布的密钥对比：',
  hostKey: '这是首次连接到此机器。输入密码或验证码之前，请将其主机密钥与运营方公布的密钥对比：',
  newHost: {
    title: '首次连接到 {machine}',
    text: '请将其主机密钥与运营方公布的密钥对比。你选择信任后，Wheelhouse 才会连接。',
    address: '地址',
    type: '密钥类型',
    fingerprint: '指纹',
  },
  touch: {
    title: '请触碰安全密钥以连接到 {machine}',
    body: '触碰后 Wheelhouse 即会登录。',
  },
  fromOther: '连接 {machine} 途中，跳板机 {from} 需要你回答。以下文字可能由跳板机提供：',
  other: 'SSH 需要你回答。以下文字可能由机器提供：',
  again: '未被接受，请重试。',
  answer: { password: '密码', passphrase: '密钥口令', other: '回答' },
  show: '显示输入',
  hide: '隐藏输入',
  action: '继续',
  send: '发送密码',
  trust: '信任此密钥',
  invalid: '请输入一行，最多 1,000 个字符。',
  keep: {
    label: '记住',
    no: '否',
    session: '到退出为止',
    keychain: '存入钥匙串',
  },
  state: {
    label: '密钥口令和密码',
    window: '在 Wheelhouse 中询问（{version}）',
    own: '由 SSH_ASKPASS 中的程序询问',
    terminal: '在终端中询问（{version}）。在 Wheelhouse 中询问需要 OpenSSH 8.5 或更高版本。',
    windows: '在终端中询问',
  },
  kept: '已记住 {count} 个密钥口令',
  forget: '清除',
  forgotten: '已清除密钥口令',
}

export const secrets: Translation<typeof englishSecrets> = {
  title: '在终端中显示 {machine} 的密码？',
  notice: 'Wheelhouse 的命令正在请求密码。请在两分钟内在 Wheelhouse 中回答。',
  text: '此计算机上运行了命令 wheelhouse show --show-secret。它会输出密码，读取其输出的任何程序都能看到。',
  machine: '机器',
  account: '账户',
  allow: '显示密码',
  deny: '拒绝',
}
