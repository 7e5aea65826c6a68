import type { Translation } from '../translation'
import type { networkAccess as english } from '../en/network-access'

export const networkAccess: Translation<typeof english> = {
  title: '网络',
  dialog: '网络设置',
  open: '网络设置…',
  text: 'Wheelhouse 访问云服务的方式。本机上的服务始终不经过代理。',
  proxy: {
    label: '代理',
    system: '系统设置',
    environment: '环境变量（{proxy}）',
    malformed: '{variable} 不是有效的代理地址（例如 http://proxy.example.com:8080），因此未使用。',
    manual: '手动',
    pac: 'PAC 文件',
    none: '不使用代理',
    address: '代理地址',
    addressHint: '主机:端口，例如 proxy.example.com:8080',
    pacAddress: 'PAC 文件的地址',
    pacHint: '网址，或本机上的路径',
    saved: '已保存代理',
  },
  authorities: {
    label: '证书颁发机构',
    none: '系统证书',
    added: '另外信任：{names}',
    add: '添加文件…',
    remove: '移除',
  },
  signIns: {
    label: '登录 {proxy}',
    signedOut: '未登录',
    signOut: '清除',
    signIn: '登录…',
  },
  question: {
    title: '登录代理 {proxy}',
    text: '网络要求先登录，才能访问云服务。',
    realm: '代理自称为“{realm}”。',
    refused: '代理拒绝了这些登录凭据。',
    username: '用户名',
    password: '密码',
    show: '显示密码',
    hide: '隐藏密码',
    remember: '存入钥匙串',
    action: '登录',
  },
}
