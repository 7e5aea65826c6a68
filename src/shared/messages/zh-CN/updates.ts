import type { Translation } from '../translation'
import type { updates as english } from '../en/updates'

export const updates: Translation<typeof english> = {
  label: '更新',
  off: {
    checkout: '关闭：Wheelhouse 正从源代码运行',
    'test-build': '测试版中关闭',
    package: '请按当初的安装方式更新 Wheelhouse：使用软件包管理器，或重新下载',
    'no-feed': '关闭：此版本没有更新服务器',
  },
  unchecked: '尚未检查',
  current: '已是最新版本，{age}检查',
  checking: '正在检查…',
  available: '版本 {version} 可用',
  downloading: '版本 {version} 已下载 {percent}%',
  ready: '版本 {version} 已可安装',
  held: {
    creation: '正在创建机器。请在完成后重新启动。',
    transfers: '正在复制文件。请在完成后重新启动，或取消这些传输。',
  },
  notes: '新增内容',
  check: '检查更新',
  download: '下载',
  skip: '跳过此版本',
  restart: '重新启动以更新…',
  automatic: '自动检查',
  automaticText: '每天检查一次更新',
  failed: {
    unreachable: {
      title: '无法下载更新',
      next: '请检查网络和“设置 > 网络”中的代理，然后重试。',
    },
    'no-release': {
      title: '更新服务器上没有发布版本',
      next: '请稍后重试。',
    },
    damaged: {
      title: '更新文件已损坏',
      next: '它与校验和或签名不符，因此没有安装任何内容。请稍后重试。',
    },
    'not-installed': {
      title: '无法安装更新',
      next: '当前版本仍可使用。请检查你是否可以写入 Wheelhouse 的文件夹，以及磁盘是否有空间。',
    },
    unknown: {
      title: '更新失败',
      next: '当前版本仍可使用。请稍后重试。',
    },
    reason: '原因：{reason}',
  },
  dialog: {
    title: '重新启动以更新到版本 {version}？',
    text: 'Wheelhouse 会关闭，并以新版本重新打开。终端中的 SSH 会话会保持打开。',
    unsaved: '此页面有未保存的更改。请保存或重置，然后重新启动。',
    action: '重新启动',
  },
  notice: {
    available: '有可用更新',
    ready: '重新启动以更新',
  },
}
