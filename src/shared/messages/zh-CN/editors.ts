import type { Translation } from '../translation'
import type { editors as english } from '../en/editors'

export const editors: Translation<typeof english> = {
  attempt: '打开编辑器',
  openIn: '在 {editor} 中打开',
  title: '在 {editor} 中打开 {machine}',
  action: '打开',
  folder: '机器上的文件夹',
  folderFormat: '请输入以 / 开头的路径，且不含名为“.”或“..”的文件夹。',
  folderHint: '留空则使用你在机器上的主文件夹。',
  trust:
    '编辑器会在机器上安装自己的服务端，并以 {alias} 连接。它会将此机器视为可信：机器上的代码可以使用你提供给编辑器的内容，例如转发的端口和 Git 登录信息。',
  needsAlias: '编辑器通过 SSH 别名连接机器，而此机器没有别名。请在“设置”中开启别名，然后重试。',
  opened: '正在 {editor} 中打开 {machine}',
}
