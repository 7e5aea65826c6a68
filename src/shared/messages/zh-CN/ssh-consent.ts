import type { Translation } from '../translation'
import type { sshConsent as english } from '../en/ssh-consent'

export const sshConsent: Translation<typeof english> = {
  title: '在你的机器上使用 SSH',
  question: '允许 Wheelhouse 在你的机器上使用 SSH 吗？',
  text: 'Wheelhouse 会使用终端所用的用户和密钥，登录 {account} 的每台机器，包括新机器。请选择它可以做什么：',
  purposes: {
    gpu: {
      name: 'GPU 监控',
      text: '在运行中的机器上只运行 nvidia-smi（或 amd-smi、rocm-smi），以及用于识别 GPU 上程序的 ps、ls 和 cat：每分钟一次，GPU 标签页打开时每几秒一次。此外每五分钟读取一次磁盘空间、内存、负载和内核的 GPU 错误。读数加密保存在本机，最多保留 90 天。',
    },
    services: {
      name: '服务',
      text: '“服务”标签页打开时，用 ss（或 /proc/net/tcp）查找 Jupyter、TensorBoard 等程序，并通过只有本机可用的转发端口打开它们。',
    },
    files: {
      name: '文件',
      text: '“文件”标签页打开时，通过 SFTP 列出和管理文件。如果机器上有 openssl 或 sha256sum，会用它们计算校验和。',
    },
    startup: {
      name: '启动过程',
      text: '连接到你创建的机器，直到 SSH 响应，然后每 10 秒运行一次 cloud-init status，直到初始化完成。出错后以及你打开日志期间，会读取初始化日志的末尾。',
    },
    look: {
      name: '删除前检查',
      text: '在你停止或删除机器之前读取一次，最多 10 秒：Git 仓库、GPU 上的程序、tmux 和 screen 会话，以及新的大文件。不会更改任何内容。',
    },
    jobs: {
      name: '任务',
      text: '在你关注机器上的任务期间，每分钟查询一次它是否仍在运行，并在任务结束或你打开日志时读取日志末尾。只启动你输入的命令。',
    },
  },
  hostKeys: '不会安装任何软件。除非在“设置”中选择先询问，否则每台机器首次提供的主机密钥会自动信任并保存。',
  later: '可在“设置”中更改，也可在某台机器的“连接”标签页中单独更改。',
  give: '在所有机器上允许',
  giveHere: '仅在此机器上允许',
  off: {
    title: '{purpose}：此机器已关闭 SSH',
    text: '你已为 {machine} 关闭此项。其他机器不受影响。',
    turnOn: '开启',
  },
  label: 'SSH 用途',
  settings: {
    text: '适用于此账户的每台机器，包括新机器。由你启动的命令、终端、传输和端口转发不需要授权。添加防火墙规则也不需要：Wheelhouse 会通过已打开的连接向机器查询你的地址。',
    machineHint: '关闭 GPU 监控会删除此机器的读数。',
    choose: '在“设置”中选择',
  },
  stop: {
    title: '停止监控 GPU？',
    text: 'Wheelhouse 将停止监控 {account} 的机器，并从本机删除其 GPU 读数。',
    action: '停止监控',
  },
}
