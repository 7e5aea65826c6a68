import type { Translation } from '../translation'
import type { bareMetal as english } from '../en/bare-metal'

export const bareMetal: Translation<typeof english> = {
  title: '裸金属',
  why: '云服务无法列出裸金属。这里显示在本应用中创建或按 ID 添加的实例。',
  create: '新建实例',
  add: {
    action: '按 ID 添加',
    title: '添加裸金属实例',
    text: '可在云服务的网站上或创建实例的地方找到 ID。添加不会更改那里的任何内容。',
    label: '实例 ID',
    submit: '添加',
    unknown: '没有使用此 ID 的裸金属实例。',
    done: '已添加 {instance}',
    already: '{instance} 已在列表中',
  },
  filter: { label: '筛选裸金属', placeholder: '按名称、GPU、地址、ID 筛选…' },
  selection: '已选实例',
  columns: {
    name: '名称',
    state: '状态',
    gpu: 'GPU',
    region: '区域',
    address: '地址',
    flavor: '规格',
    uptime: '已运行',
  },
  presence: { unread: '加载中', gone: '已删除', started: '已启动', preparing: '准备中' },
  loading: '正在加载裸金属…',
  signedOut: '登录后即可查看裸金属。',
  empty: {
    title: '还没有裸金属',
    text: '在这里创建的实例会自动显示。其他实例请按 ID 添加，因为云服务无法列出它们。',
  },
  noMatch: {
    title: '没有匹配的实例',
    text: '没有与“{filter}”匹配的结果。',
    action: '显示所有实例',
  },
  panel: { label: '裸金属 {instance}', close: '关闭面板' },
  origin: {
    label: '来源',
    created: '{age}在此创建',
    added: '{age}按 ID 添加',
    found: '{age}在计费数据中发现',
  },
  gone: {
    title: '此实例已被删除',
    text: '云服务中没有使用此 ID 的实例。不再需要其详情时，可将它从列表移除。',
  },
  forget: {
    action: '从列表移除',
    title: '从列表移除 {instance}？',
    titleMany: '从列表移除 {count} 个实例？',
    text: '此操作只更改列表。正在运行的实例会继续运行，也会继续计费。',
    gone: '只会从此列表移除。云服务中没有使用这些 ID 的实例。',
    ids: 'ID：{ids}',
    done: '已从列表移除 {instance}',
  },
  user: {
    title: '以哪个用户登录？',
    text: '云服务没有提供 {machine} 的用户名。你的输入会被记住。',
    label: '用户名',
    hint: '通常是 ubuntu 或 root，取决于镜像。',
    submit: '连接',
  },
}
