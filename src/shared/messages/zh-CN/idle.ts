import type { Translation } from '../translation'
import type { idle as english } from '../en/idle'

export const idle: Translation<typeof english> = {
  label: '空闲',
  unmeasured: {
    label: '未检查',
    check: '未检查。立即检查：{name}',
    hint: '其 GPU 的使用情况未测量。立即检查',
  },
  mark: {
    idle: '空闲 {duration}',
    held: '空闲 {duration}',
    'barely-used': '低效 {duration}',
    'cpu-idle': 'CPU 空闲 {duration}',
  },
  hint: {
    idle: 'GPU 自 {time} 起空闲。',
    held: 'GPU 自 {time} 起空闲，但显存被占用。',
    'barely-used': 'GPU 自 {time} 起显示忙碌，但几乎未被利用。',
    'cpu-idle': 'CPU 自 {time} 起空闲。GPU 未监控，可能正在工作。',
  },
  cost: '已浪费 {cost}。',
  spent: '此后花费 {cost}。',
  tray: {
    idle: '{state}，空闲 {duration}',
    held: '{state}，空闲 {duration}',
    'barely-used': '{state}，低效运行 {duration}',
    'cpu-idle': '{state}，CPU 空闲 {duration}',
  },
  trayCost: '{text}，{cost}',
  notice: {
    idle: 'GPU 已空闲 {duration}',
    held: 'GPU 已空闲 {duration}',
    'barely-used': 'GPU 已忙碌 {duration}，但几乎未被利用',
    'cpu-idle': 'CPU 已空闲 {duration}；GPU 未监控',
    holding: '已占用 {memory} 显存，持续 {duration}。程序占用显存时，GPU 的功耗更高。',
    holdingBy: '占用者：{processes}。',
    holder: '{name}（{pid}）',
    barely: '每个 GPU 的核心、显存带宽和视频引擎利用率均低于 5%。',
    barelyByPower: '根据功耗估算：每个 GPU 的功耗与无任务时几乎相同，视频引擎也几乎未使用。',
    cost: '已浪费 {cost}，每小时 {perHour}。',
    spent: '此后花费 {cost}，每小时 {perHour}。',
    check: '开启 GPU 监控即可查看 GPU 是否在工作。',
    stop: '删除之前会一直计费，停止后也不例外。',
    elsewhere: '删除之前会一直计费，停止后也不例外。请在服务商控制台中删除。',
    connect: '连接',
  },
  settings: {
    title: '空闲机器',
    text: '如果一台机器的所有 GPU 在规定时间内一直低于此利用率，则视为空闲。',
    threshold: 'GPU 利用率低于',
    thresholdHint: '1% 到 50%',
    minutes: '至少持续',
    minutesHint: '以分钟为单位，最长一周',
    range: '请输入 {from} 到 {to} 之间的整数。',
  },
}
