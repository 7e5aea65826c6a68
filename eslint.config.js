import globals from 'globals'
import pluginVue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import vueParser from 'vue-eslint-parser'

// Imports run downwards only: renderer, preload, main and sandbox may import shared, and nothing else of each other.
const sides = ['main', 'preload', 'renderer', 'sandbox']

/** Imports that climb out of their own folder and into one of `folders`. */
const into = (folders, message) => ({ regex: `^(\\.\\./)+(${folders.join('|')})(/|$)`, message })
const electron = {
  regex: '^electron($|/)',
  message: 'Only src/main/desktop, src/main/index.ts and src/preload may use Electron.',
}
const nodeModules = { regex: '^node:', message: 'This code runs where Node does not.' }
const tests = { regex: '^(\\.\\./)+test(/|$)', message: 'Fixtures are for tests.' }

const boundary = (side, patterns, ignores = []) => ({
  name: `boundary of ${side}`,
  files: [`src/${side}/**/*.{ts,vue}`],
  ignores,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})
const otherSides = (side) =>
  into(
    sides.filter((other) => other !== side),
    `src/${side} may import src/shared only.`,
  )
const unitTests = ['**/*.test.ts']

const noNetwork = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].map((name) => ({
  name,
  message: 'Only the main process talks to the network.',
}))

const correctness = {
  eqeqeq: 'error',
  'no-case-declarations': 'error',
  'no-cond-assign': 'error',
  'no-constant-condition': 'error',
  'no-control-regex': 'error',
  'no-empty': ['error', { allowEmptyCatch: false }],
  'no-fallthrough': 'error',
  'no-self-assign': 'error',
  'no-unsafe-finally': 'error',
  'no-useless-escape': 'error',
}

// Prettier decides about layout.
const vueLayoutRules = Object.entries(pluginVue.rules)
  .filter(([, rule]) => rule.meta.type === 'layout')
  .map(([name]) => [`vue/${name}`, 'off'])

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'test-results/', 'playwright-report/', '.cache/'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,vue}'],
    extends: [
      ...tseslint.configs.strict,
      ...tseslint.configs.recommendedTypeChecked,
      ...pluginVue.configs['flat/recommended'],
    ],
    languageOptions: {
      parser: vueParser,
      parserOptions: {
        parser: tseslint.parser,
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.vue'],
      },
    },
    rules: {
      ...correctness,
      ...Object.fromEntries(vueLayoutRules),
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A handler of the contract may answer at once or later.
      '@typescript-eslint/require-await': 'off',
      // Parts are functions that return objects; their methods know no `this` and may be handed on.
      '@typescript-eslint/unbound-method': 'off',
      'vue/multi-word-component-names': 'off',
      'vue/component-name-in-template-casing': ['error', 'PascalCase', { registeredComponentsOnly: false }],
      'vue/define-macros-order': 'error',
      'vue/no-v-html': 'error',
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      // With exactOptionalPropertyTypes an optional prop is undefined by type; a default says nothing more.
      'vue/require-default-prop': 'off',
    },
  },
  boundary(
    'shared',
    [into(sides, 'src/shared imports nothing of the application.'), electron, nodeModules, tests],
    unitTests,
  ),
  boundary('renderer', [otherSides('renderer'), electron, nodeModules, tests], unitTests),
  boundary('preload', [otherSides('preload'), nodeModules, tests], unitTests),
  boundary('sandbox', [otherSides('sandbox'), electron, tests], unitTests),
  boundary('main', [otherSides('main'), tests], unitTests),
  {
    name: 'main outside desktop runs in plain Node',
    files: ['src/main/**/*.ts'],
    ignores: ['src/main/desktop/**', 'src/main/index.ts', ...unitTests],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            otherSides('main'),
            tests,
            electron,
            into(['desktop'], 'desktop imports the others, never the reverse.'),
          ],
        },
      ],
    },
  },
  {
    name: 'the window never talks to the network',
    files: ['src/renderer/**/*.{ts,vue}', 'src/shared/**/*.ts', 'src/preload/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', ...noNetwork] },
  },
  {
    name: 'unit tests',
    files: unitTests,
    rules: {
      // expect.any and its kin are of type any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      'no-restricted-imports': [
        'error',
        { patterns: [{ ...electron, message: 'Unit tests run in plain Node.' }] },
      ],
    },
  },
  {
    files: ['scripts/**/*.{mjs,cjs}', '*.js'],
    extends: [tseslint.configs.base],
    languageOptions: { globals: globals.node },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'prefer-const': 'error',
      ...correctness,
    },
  },
)
