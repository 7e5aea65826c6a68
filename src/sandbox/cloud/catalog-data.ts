// Offer of the sandbox. catalog.ts expands it to flavors and images by region. Fees are millionths of a dollar per
// minute.

export interface CatalogRegion {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly machines: boolean
  readonly bareMetal: boolean
}

/** Fee per GB and minute: 0.0864 USD per GB in 30 days. */
export const volumeFeePerGb = 2

export const regions: readonly CatalogRegion[] = [
  { id: 'eu-north-1', name: 'Oslo', description: 'Norway, hydropower', machines: true, bareMetal: true },
  { id: 'eu-west-1', name: 'Paris', description: 'France', machines: true, bareMetal: false },
  {
    id: 'us-east-1',
    name: 'Virginia',
    description: 'United States, east coast',
    machines: true,
    bareMetal: false,
  },
  { id: 'ap-south-1', name: 'Singapore', description: 'South-East Asia', machines: true, bareMetal: false },
  {
    id: 'us-central-1',
    name: 'Texas',
    description: 'United States, bare metal only',
    machines: false,
    bareMetal: true,
  },
]

/** GPU model; the numbers are per GPU. `stock`: availability by region. Regions that are missing do not offer the model. */
export interface Accelerator {
  readonly gpu: string
  /** Short name in flavors with one GPU, as in the catalogs of other services. */
  readonly shortGpu?: string
  readonly slug: string
  readonly perMinute: number
  readonly cpu: number
  readonly ram: number
  readonly ephemeral: number
  readonly counts: readonly number[]
  readonly stock: Readonly<Record<string, boolean>>
}

export const accelerators: readonly Accelerator[] = [
  {
    gpu: 'NVIDIA H100 80GB SXM',
    shortGpu: 'H100',
    slug: 'h100-80g',
    perMinute: 41_500,
    cpu: 24,
    ram: 192,
    ephemeral: 750,
    counts: [1, 2, 4, 8],
    stock: { 'eu-north-1': true, 'us-east-1': true, 'ap-south-1': false },
  },
  {
    gpu: 'NVIDIA H200 141GB SXM',
    shortGpu: 'H200',
    slug: 'h200-141g',
    perMinute: 58_000,
    cpu: 24,
    ram: 240,
    ephemeral: 1_000,
    counts: [1, 4, 8],
    stock: { 'eu-north-1': true, 'us-east-1': false },
  },
  {
    gpu: 'NVIDIA GB200 192GB',
    slug: 'gb200-192g',
    perMinute: 115_000,
    cpu: 36,
    ram: 240,
    ephemeral: 1_500,
    counts: [4],
    stock: { 'us-east-1': false },
  },
  {
    gpu: 'NVIDIA A100 80GB',
    slug: 'a100-80g',
    perMinute: 23_000,
    cpu: 16,
    ram: 120,
    ephemeral: 400,
    counts: [1, 2, 8],
    stock: { 'eu-north-1': true, 'eu-west-1': true, 'ap-south-1': true },
  },
  {
    gpu: 'NVIDIA L40S 48GB',
    slug: 'l40s-48g',
    perMinute: 15_000,
    cpu: 12,
    ram: 90,
    ephemeral: 250,
    counts: [1, 2, 4],
    stock: { 'eu-west-1': true, 'us-east-1': true, 'ap-south-1': true },
  },
  {
    gpu: 'NVIDIA RTX PRO 6000 96GB',
    shortGpu: 'RTX_PRO_6000',
    slug: 'rtxpro6000-96g',
    perMinute: 25_000,
    cpu: 16,
    ram: 128,
    ephemeral: 400,
    counts: [1, 2, 4],
    stock: { 'eu-north-1': true, 'eu-west-1': false },
  },
  {
    gpu: 'NVIDIA RTX 4090 24GB',
    slug: 'rtx4090-24g',
    perMinute: 9_000,
    cpu: 8,
    ram: 48,
    ephemeral: 150,
    counts: [1, 2],
    stock: { 'eu-west-1': true, 'us-east-1': true, 'ap-south-1': true },
  },
]

/** Root disk of every virtual machine in GB. */
export const machineDisk = 100

export const bareMetalModels = [
  {
    slug: 'bm-h100',
    gpu: 'NVIDIA H100 80GB SXM',
    perMinute: 300_000,
    cpu: 208,
    ram: 2_048,
    disk: 30_720,
    stock: true,
  },
  {
    slug: 'bm-h200',
    gpu: 'NVIDIA H200 141GB SXM',
    perMinute: 420_000,
    cpu: 208,
    ram: 2_304,
    disk: 61_440,
    stock: true,
  },
  {
    slug: 'bm-b200',
    gpu: 'NVIDIA B200 180GB SXM',
    perMinute: 640_000,
    cpu: 224,
    ram: 3_072,
    disk: 61_440,
    stock: false,
  },
] as const

export const imageTemplates = [
  {
    name: 'Ubuntu 24.04 LTS CUDA 12.8',
    type: 'Ubuntu',
    username: 'ubuntu',
    description: 'NVIDIA driver 570, CUDA 12.8 and Docker',
  },
  {
    name: 'Ubuntu 22.04 LTS CUDA 12.4',
    type: 'Ubuntu',
    username: 'ubuntu',
    description: 'NVIDIA driver 550, CUDA 12.4 and Docker',
  },
  {
    name: 'Ubuntu 24.04 PyTorch 2.7',
    type: 'Ubuntu',
    username: 'ubuntu',
    description: 'PyTorch 2.7, JupyterLab and CUDA 12.8',
  },
  { name: 'Debian 12', type: 'Debian', username: 'debian', description: 'NVIDIA driver 550' },
  { name: 'Rocky Linux 9.5', type: 'Rocky Linux', username: 'rocky', description: 'NVIDIA driver 550' },
] as const
