import type { Workload } from './records'

// Seed data: the account of a team with machines, volumes, bare metal and API tokens.

export interface SeedMachine {
  readonly name: string
  readonly gpu: string
  readonly count: number
  readonly region: string
  readonly workload: Workload
  readonly team: string
  readonly days: number
  readonly stopped?: boolean
}

/** Machines of every seeded cloud. `gpu`: prefix of a flavor's name; `days`: age. */
export const machines: readonly SeedMachine[] = [
  {
    name: 'train-llama-01',
    gpu: 'h100',
    count: 8,
    region: 'us-east-1',
    workload: 'training',
    team: 'nlp',
    days: 19.4,
  },
  {
    name: 'train-llama-02',
    gpu: 'h100',
    count: 8,
    region: 'us-east-1',
    workload: 'training',
    team: 'nlp',
    days: 19.3,
  },
  {
    name: 'eval-nightly',
    gpu: 'a100',
    count: 2,
    region: 'eu-west-1',
    workload: 'nightly',
    team: 'nlp',
    days: 63.1,
  },
  {
    name: 'notebook-anna',
    gpu: 'l40s',
    count: 1,
    region: 'eu-west-1',
    workload: 'notebook',
    team: 'vision',
    days: 41.7,
  },
  {
    name: 'serve-embeddings',
    gpu: 'l40s',
    count: 2,
    region: 'us-east-1',
    workload: 'inference',
    team: 'platform',
    days: 88.2,
  },
  {
    name: 'sdxl-batch',
    gpu: 'rtx4090',
    count: 2,
    region: 'ap-south-1',
    workload: 'training',
    team: 'vision',
    days: 6.8,
  },
  {
    name: 'notebook-jonas',
    gpu: 'rtx4090',
    count: 1,
    region: 'eu-west-1',
    workload: 'notebook',
    team: 'speech',
    days: 12.6,
    stopped: true,
  },
  {
    name: 'finetune-qwen',
    gpu: 'h200',
    count: 4,
    region: 'eu-north-1',
    workload: 'training',
    team: 'nlp',
    days: 2.3,
  },
  {
    name: 'whisper-transcribe',
    gpu: 'l40s',
    count: 1,
    region: 'ap-south-1',
    workload: 'inference',
    team: 'speech',
    days: 54.0,
  },
  {
    name: 'old-experiment',
    gpu: 'a100',
    count: 1,
    region: 'eu-north-1',
    workload: 'idle',
    team: 'vision',
    days: 71.5,
  },
  {
    name: 'render-preview',
    gpu: 'rtxpro6000',
    count: 1,
    region: 'eu-north-1',
    workload: 'notebook',
    team: 'vision',
    days: 9.2,
    stopped: true,
  },
]

export const creatingMachine: SeedMachine = {
  name: 'train-llama-03',
  gpu: 'h100',
  count: 1,
  region: 'eu-north-1',
  workload: 'training',
  team: 'nlp',
  days: 0,
}

export const owners = ['anna', 'jonas', 'mei', 'tomasz', 'priya', 'lucas', 'sofia', 'kwame'] as const
export const teams = ['nlp', 'vision', 'speech', 'platform', 'robotics'] as const

/** Purposes of further machines, whose names consist of a purpose, a subject and a number. */
export const purposes: readonly { readonly name: string; readonly workload: Workload }[] = [
  { name: 'train', workload: 'training' },
  { name: 'finetune', workload: 'training' },
  { name: 'rollout', workload: 'training' },
  { name: 'serve', workload: 'inference' },
  { name: 'canary', workload: 'inference' },
  { name: 'notebook', workload: 'notebook' },
  { name: 'eval', workload: 'nightly' },
  { name: 'index', workload: 'nightly' },
  { name: 'scratch', workload: 'idle' },
]

export const subjects = [
  'llama',
  'qwen',
  'mistral',
  'gemma',
  'sdxl',
  'whisper',
  'clip',
  'vit',
  'segment',
  'rerank',
  'codegen',
  'dreamer',
] as const

/** Volumes of every seeded cloud. `size`: GB; `attachedTo`: name of a machine. */
export const volumes: readonly {
  readonly displayName: string
  readonly size: number
  readonly region: string
  readonly days: number
  readonly attachedTo?: string
  readonly bootable?: boolean
}[] = [
  {
    displayName: 'pile-tokenized',
    size: 4_000,
    region: 'us-east-1',
    days: 80.3,
    attachedTo: 'train-llama-01',
  },
  {
    displayName: 'llama-checkpoints',
    size: 2_000,
    region: 'us-east-1',
    days: 19.2,
    attachedTo: 'train-llama-02',
  },
  { displayName: 'eval-results', size: 250, region: 'eu-west-1', days: 62.9, attachedTo: 'eval-nightly' },
  { displayName: 'anna-home', size: 200, region: 'eu-west-1', days: 41.7, attachedTo: 'notebook-anna' },
  { displayName: 'laion-subset', size: 8_000, region: 'ap-south-1', days: 33.5 },
  {
    displayName: 'call-recordings',
    size: 1_200,
    region: 'ap-south-1',
    days: 54.0,
    attachedTo: 'whisper-transcribe',
  },
  { displayName: 'qwen-adapters', size: 500, region: 'eu-north-1', days: 2.2, attachedTo: 'finetune-qwen' },
  { displayName: 'forgotten-backup', size: 3_000, region: 'eu-north-1', days: 87.6 },
  { displayName: 'golden-image', size: 120, region: 'eu-north-1', days: 45.1, bootable: true },
  { displayName: 'golden-image-us', size: 120, region: 'us-east-1', days: 44.9, bootable: true },
  { displayName: 'scratch-space', size: 800, region: 'us-east-1', days: 15.8 },
]

export const bareMetal: readonly {
  readonly name: string
  readonly gpu: string
  readonly region: string
  readonly days: number
}[] = [
  { name: 'pretrain-metal-01', gpu: 'bm-h200', region: 'eu-north-1', days: 27.9 },
  { name: 'pretrain-metal-02', gpu: 'bm-h200', region: 'eu-north-1', days: 27.9 },
  { name: 'bench-texas', gpu: 'bm-h100', region: 'us-central-1', days: 4.5 },
]

export const apiTokens: readonly {
  readonly name: string
  readonly description: string
  readonly days: number
  /** Seconds before the start; null if it was never used. */
  readonly lastUsedAge: number | null
}[] = [
  { name: 'laptop', description: 'Wheelhouse on the laptop', days: 58, lastUsedAge: 5_400 },
  { name: 'ci-nightly', description: 'Starts the nightly evaluation', days: 91, lastUsedAge: 41_000 },
  { name: 'grafana', description: '', days: 20, lastUsedAge: null },
]
