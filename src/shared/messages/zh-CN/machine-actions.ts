import type { Translation } from '../translation'
import type { machineActions as english } from '../en/machine-actions'

export const machineActions: Translation<typeof english> = {
  menu: '{machine} 的操作',
  actions: {
    start: '启动',
    stop: '停止',
    reboot: '重启',
    delete: '删除',
  },
  menuItems: {
    start: '启动…',
    stop: '停止…',
    reboot: '重启…',
    delete: '删除…',
    run: '运行命令…',
    like: '按此配置再创建一台',
    template: '另存为模板…',
    tag: '标签、备注和提醒',
  },
  why: {
    'not-offered': '此云服务不支持。',
    start: '已在运行。',
    stop: '已停止。',
    'not-now': '当前状态（{status}）下不可用。',
    'none-reachable': '这些机器目前都无法连接。',
    'too-many': '最多可以在 {count} 台机器上运行命令。',
  },
  confirm: {
    start: { title: '启动 {machine}？', titleMany: '启动 {count} 台机器？' },
    stop: { title: '停止 {machine}？', titleMany: '停止 {count} 台机器？' },
    reboot: { title: '重启 {machine}？', titleMany: '重启 {count} 台机器？' },
    delete: { title: '删除 {machine}？', titleMany: '删除 {count} 台机器？' },
  },
  text: {
    start: '启动完成后即可连接。',
    stop: '停止后仍继续计费，只有删除才能结束计费。正在运行的程序会中断。',
    reboot: '正在运行的程序会中断。',
    delete: '机器及其磁盘上的所有内容将被永久删除。已挂载的云硬盘会保留，并继续计费。',
  },
  textMany: {
    start: '启动完成后即可连接。',
    stop: '停止后仍继续计费，只有删除才能结束计费。正在运行的程序会中断。',
    reboot: '正在运行的程序会中断。',
    delete: '这些机器及其磁盘上的所有内容将被永久删除。已挂载的云硬盘会保留，并继续计费。',
  },
  unknown: {
    start: '云服务可能会拒绝启动操作。',
    stop: '云服务可能会拒绝停止操作。',
    reboot: '云服务可能会拒绝重启操作。',
    delete: '云服务可能会拒绝删除操作。',
  },
  typeName: '输入 {machine} 以确认删除',
  skipped: { running: '已在运行', stopped: '未在运行', moving: '状态正在变化' },
  lost: '{size} GB 磁盘上的数据将会丢失。',
  toast: {
    start: '正在启动 {machine}',
    stop: '正在停止 {machine}。停止后仍继续计费。',
    reboot: '正在重启 {machine}',
    delete: '已删除 {machine}',
  },
  selection: {
    label: '已选机器',
  },
  gone: {
    one: '云服务中已没有 {machine}。',
    many: '云服务中已没有以下机器：{machines}。',
  },
}
