import { CalendarClock, Clock, Cpu, Gauge, HardDrive, Moon, TrendingUp, Unplug, Wallet } from '@lucide/vue'
import type { Component } from 'vue'
import type { Router } from 'vue-router'
import type { Alert, AlertKind } from '#shared/bridge/alert'
import { showMachine } from '../navigation/navigate'
import { useAccounts } from '../../stores/accounts'

/** Icons by kind, so that colour is not the only sign. */
export const alertIcons: Readonly<Record<AlertKind, Component>> = {
  'budget-reached': CalendarClock,
  'budget-forecast': TrendingUp,
  'hourly-limit': Gauge,
  'long-running': Clock,
  'balance-low': Wallet,
  idle: Moon,
  'disk-full': HardDrive,
  'gpu-defect': Cpu,
  unreachable: Unplug,
}

export async function showAlert(router: Router, { account, cause }: Alert): Promise<void> {
  if ('machine' in cause) return showMachine(router, account, cause.machine)
  await useAccounts().select(account)
  await router.push({ name: 'overview' })
}
