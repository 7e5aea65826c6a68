import type { Translation } from '../translation'
import type { lastLook as english } from '../en/last-look'

export const lastLook: Translation<typeof english> = {
  attempt: '检查机器',
  title: { stop: '停止会中断的内容', delete: '将会丢失的内容' },
  looking: '正在检查 {machine}…',
  again: '重新检查',
  terminal: '打开终端',
  nothing: {
    stop: 'GPU 上没有程序，也没有 tmux 或 screen 会话。',
    delete: '没有未保存的 Git 工作、GPU 上的程序、会话或新的大文件。其他文件未检查。',
  },
  nothingFound: '在能读取的部分中没有发现任何内容。',
  clean: '另外 {count} 个仓库没有未保存的工作。',
  failed: '无法检查：{reason}',
  unsafe: '无法确定会丢失哪些内容。',
  consent: {
    text: {
      stop: 'Wheelhouse 可以先通过 SSH 检查正在运行的程序和会话，不会更改机器上的任何内容。',
      delete:
        'Wheelhouse 可以先通过 SSH 检查 Git 工作、正在运行的程序、会话和新的大文件。它会读取主文件夹和云硬盘上的仓库，最多 10 秒，不会更改任何内容。',
    },
    everywhere: '允许检查所有机器',
    here: '仅检查所选机器',
  },
  repository: {
    changes: '{count} 处未提交的更改',
    unpushed: '{count} 个未推送的提交',
    stashes: '{count} 个 stash',
    unread: '无法读取：{reason}',
  },
  groups: {
    repositories: 'Git',
    programs: 'GPU 上的程序',
    sessions: '会话',
    files: '最近 {count} 天的大文件',
    gaps: '未读取',
  },
  process: '进程 {pid}',
  processes: '{count} 个进程',
  file: '{size}，写入于 {time}',
  mount: '位于 {mount}，可能是已挂载的云硬盘',
  more: '另有 {count} 项',
  parts: {
    git: 'Git',
    files: '文件',
    gpus: 'GPU',
    tmux: 'tmux',
    screen: 'screen',
    answer: '机器的响应',
  },
  problems: {
    'out-of-time': '时间不够',
    'not-installed': '程序未安装',
    'too-many': '内容过多，无法列出',
    'too-long': '响应过长',
    'odd-name': '有名称无法读取',
    'cut-off': '响应不完整',
  },
}
