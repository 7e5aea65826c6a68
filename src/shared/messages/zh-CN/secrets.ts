import type { Translation } from '../translation'
import type { secrets as english } from '../en/secrets'

export const secrets: Translation<typeof english> = {
  title: '在终端中显示 {machine} 的密码？',
  notice: 'Wheelhouse 的命令正在请求密码。请在两分钟内在 Wheelhouse 中回答。',
  text: '此计算机上运行了命令 wheelhouse show --show-secret。它会输出密码，读取其输出的任何程序都能看到。',
  machine: '机器',
  account: '账户',
  allow: '显示密码',
  deny: '拒绝',
}
