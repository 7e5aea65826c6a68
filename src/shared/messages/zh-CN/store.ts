import type { Translation } from '../translation'
import type { store as english } from '../en/store'

export const store: Translation<typeof english> = {
  title: '本地数据',
  text: '账单、用量、上限、备注、名称和机器历史记录，用钥匙串中的密钥加密。',
  state: '状态',
  reason: '系统错误：{reason}',
  quarantined: {
    title: '无法读取本地数据',
    text: '数据已损坏，或来自其他版本的 Wheelhouse。该文件已移至 {file}，并新建了一个文件。账单和用量会从云服务重新加载。只保存在本机的数据（例如过去的负载）已丢失。',
  },
  states: {
    opening: { short: '尚未打开' },
    open: { short: '已加密' },
    'no-keychain': {
      short: '在内存中保留到退出为止',
      title: '历史记录不会保存：钥匙串不可用',
      text: 'Wheelhouse 只以加密形式保存私密数据，密钥存放在钥匙串中。没有钥匙串时，数据只在内存中，退出后会丢失。',
    },
    locked: {
      short: '正在等待钥匙串',
      title: '解锁钥匙串以打开本地数据',
      text: '你的数据是安全的，解锁钥匙串后会自动打开。在此之前，新数据保留在内存中。',
    },
    'key-lost': {
      short: '密钥丢失',
      title: '无法打开本地数据：密钥已丢失',
      text: '钥匙串中已没有该文件的密钥。恢复钥匙串即可打开，也可以新建一个文件：旧文件会保留。',
    },
    damaged: {
      short: '已损坏',
      title: '无法读取本地数据',
      text: '数据已损坏，或来自其他版本的 Wheelhouse。重新启动 Wheelhouse 会将该文件移到一边，并新建一个文件。在此之前，新数据保留在内存中。',
    },
    'disk-full': {
      short: '磁盘已满',
      title: '磁盘已满：新数据不会保存',
      text: '已保存的数据仍可使用。释放空间后，Wheelhouse 会自动继续保存。',
    },
    unsupported: {
      short: '本机不支持',
      title: '本机上不会保存历史记录',
      text: '本地数据库无法在本机运行。其他功能正常，但过去的费用未知。',
    },
    failed: {
      short: '无法打开',
      title: '无法打开本地数据',
      text: '文件没有更改。在打开之前，新数据保留在内存中。',
    },
  },
  quarantine: {
    title: '旧文件',
    text: '无法读取的文件。请保存仍需要的文件，并删除其余文件。',
    settings: '设置',
    database: '加密数据库',
    size: '{count} KB',
    mayHoldRemovedAccounts: '可能含有你已清除的账户的数据',
    uncleared: '无法从旧文件中清除 {account} 的数据：{files}。请在“设置”的“本地数据”中删除这些文件。',
    save: '保存…',
    saveOne: '保存 {name}',
    delete: '删除',
    deleteOne: '删除 {name}',
    confirm: { title: '删除 {name}？', text: '此文件将被永久删除。' },
    saved: '已保存为 {file}',
  },
  retry: '重试',
  startAfresh: '新建文件',
  ledger: {
    reading: '正在加载账单：{known}/{total}。',
    readingSome: '正在加载账单：已加载 {known} 份。',
    waiting: '账单不完整：已加载 {known}/{total}。',
    waitingSome: '账单不完整：已加载 {known} 份。',
    text: '在此之前，过去的费用不完整。',
    label: '已加载的账单',
    kept: '{known} 份账单',
    keptAge: '{known} 份账单，{age}更新',
  },
}
