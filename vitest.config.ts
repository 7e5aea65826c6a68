import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vue()],
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/faults/**/*.test.ts'],
    testTimeout: 30_000,
    retry: 0,
  },
})
