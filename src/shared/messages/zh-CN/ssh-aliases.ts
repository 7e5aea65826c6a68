import type { Translation } from '../translation'
import type { sshAliases as english } from '../en/ssh-aliases'

export const sshAliases: Translation<typeof english> = {
  title: 'SSH 别名',
  text: '让本机上所有使用 SSH 的工具都能按名称连接机器：ssh、scp、rsync、git 和编辑器。',
  switch: '为每台机器添加别名',
  consent:
    '将在你的 SSH 配置中添加一行，并保留原配置的副本。机器的名称、用户名和地址会以未加密的形式保存在另一个文件中。',
  config: '你的 SSH 配置',
  line: 'SSH 配置的首行',
  file: '别名文件',
  preview: '预览',
  showInFolder: '在文件夹中显示',
  on: '正在使用 {count} 个别名',
  off: '可添加 {count} 个别名',
  notIncluded: '该行已不在你的 SSH 配置中，因此别名不起作用。请关闭此项再重新开启，以添加该行。',
  leftOut: '{count} 台机器没有别名',
  reasons: {
    name: '其名称只能使用字母、数字、连字符和下划线，且至少包含一个字母。',
    'no-address': '还没有地址。',
    'user-refused': 'ssh 或其跳板机不接受其用户名。请在“连接”标签页中设置其他用户名。',
    'no-user': '其用户名未知。请在“连接”标签页中设置。',
    'in-use': '你或本机的 SSH 配置中已有同名主机，或与此名称匹配的模式。',
    'known-host':
      '你曾连接到另一台同名主机：它记录在 known_hosts 中。要移除该记录，请用此名称运行“ssh-keygen -R”。',
    'this-computer': '本机使用此名称，或其 hosts 文件中有同名主机。',
    'identity-file': 'ssh 无法读取其私钥文件的名称。',
  },
  command: 'SSH 别名',
  none: '没有 SSH 别名：{reason}',
  hint: '可在任何 SSH 工具中按名称连接：',
  settings: '设置 SSH 别名',
  unreadable: '“{file}”不是可读取的 SSH 配置，未作更改。',
  refused: 'ssh 无法读取“{file}”，因此未作更改：{reason}',
  readOnly: '“{file}”是只读文件。请将其设为可写，或不使用别名。',
  permissions: 'ssh 拒绝使用“{file}”：其他用户可以更改它。请在终端中运行“{command}”，然后重试。',
  otherFile: '“{file}”不是由 Wheelhouse 创建的。请将其移走，然后重试。',
}
